//! Contacts with edges and with surfaces by formulas: the whole battery, and closed forms.

use crate::check::Random;
use crate::contacts::LAW;
use crate::pairs::{balanced, whole, wrenches};
use nalgebra::{Vector3, Vector6};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::Marker;
use rotula_mechanics::force::{Contact, ContactLaw, Force, Relief, Surface};
use rotula_mechanics::node::Motion;
use rotula_mechanics::shape::Shape;

const SQUARE: ContactLaw = ContactLaw { exponent: 2.0, ..LAW };

const HARD: ContactLaw = ContactLaw {
    stiffness: 1e4,
    exponent: 1.0,
    dissipation: 0.0,
    damping: 0.0,
    damping_depth: 0.0,
    guide: 0.0,
    rolling: 0.0,
    spinning: 0.0,
    resting: 0.7,
    friction: None,
};

fn sphere(radius: f64) -> Surface {
    Shape::Sphere { radius }.into()
}

fn cylinder(radius: f64, length: f64) -> Surface {
    Shape::Cylinder { radius, length }.into()
}

fn landscape(text: &str) -> Surface {
    let height = Relief::landscape(text, &Default::default()).unwrap();
    Surface::Landscape { height, seen: [[-1.0; 2], [1.0; 2]] }
}

fn cam(text: &str, length: f64) -> Surface {
    Surface::Cam { radius: Relief::cam(text, &Default::default()).unwrap(), length }
}

fn exact(what: &str, a: &Surface, b: &Surface) {
    let make = |a: Surface, b: Surface| {
        move |p: Marker, q: Marker| -> Box<dyn Force> {
            Box::new(Contact::new(p, a.clone(), q, b.clone(), SQUARE).unwrap())
        }
    };
    whole(what, &make(a.clone(), b.clone()));
    whole(what, &make(b.clone(), a.clone()));
}

fn origin(node: usize) -> Marker {
    Marker { node, frame: Frame::identity() }
}

fn contact(a: &Surface, b: &Surface) -> Contact {
    Contact::new(origin(0), a.clone(), origin(1), b.clone(), HARD).unwrap()
}

fn at(position: Vector3<f64>) -> Motion {
    Motion::at_rest(&Frame::new(position, Quaternion::identity()))
}

fn force(contact: &mut Contact, motions: &[Motion; 2]) -> Vector3<f64> {
    let both = wrenches(contact, motions);
    balanced("contact", motions, &both);
    both[1].fixed_rows::<3>(0).into_owned()
}

#[test]
fn tangents_and_laws_are_exact() {
    let hills = landscape("1.5 + 0.2*sin(0.5*x) + 0.05*x*y");
    exact("sphere on landscape", &hills, &sphere(4.0));
    exact("capsule on landscape", &hills, &Shape::Capsule { radius: 4.0, length: 1.0 }.into());
    exact("box on landscape", &hills, &Shape::Box { size: Vector3::repeat(2.9) }.into());
    exact("point in landscape", &landscape("6 + 0.1*x*y"), &Surface::Point);
    let disc = cam("3 + 0.3*cos(3*phi) + 0.1*sin(phi)", 40.0);
    exact("sphere on cam", &disc, &sphere(3.0));
    exact("point in cam", &cam("6 + 0.3*cos(3*phi)", 40.0), &Surface::Point);
    let edge = Surface::Segment { length: 1.5 };
    exact("segment in sphere", &edge, &sphere(5.0));
    exact("segment in cylinder", &edge, &cylinder(5.0, 90.0));
    // axes as those of the two capsules of the exact pairs, which do not come near to crossing
    let edge = Surface::Segment { length: 2.0 };
    exact("segment in capsule", &edge, &Shape::Capsule { radius: 5.5, length: 1.5 }.into());
}

/// A landscape that is a slope pushes as the plane does, and a cam that is round as the cylinder.
#[test]
fn even_formulas_push_like_planes_and_cylinders() {
    let mut random = Random::new(7);
    let slope = Vector3::new(-0.2, 0.3, 1.0).normalize();
    let plane = Marker {
        node: 0,
        frame: rotula_mechanics::marker::frame_along(Vector3::new(0.0, 0.0, 0.1), slope),
    };
    for _ in 0..20 {
        let ground = random.frame();
        let ball = ground * Frame::new(random.vector() * 0.5, Quaternion::exp(&random.vector()));
        let motions = [ground, ball].map(|frame| Motion::at_rest(&frame));
        let mut formed = contact(&landscape("0.1 + 0.2*x - 0.3*y"), &sphere(1.0));
        let mut on_plane =
            Contact::new(plane, Surface::Plane, origin(1), sphere(1.0), HARD).unwrap();
        let [found, expected] =
            [&mut formed, &mut on_plane].map(|contact| wrenches(contact, &motions)[1]);
        assert!(expected.norm() > 1.0 && (found - expected).amax() < 1e-9 * expected.norm());
        let mut formed = contact(&cam("0.7 + 0*phi", 20.0), &sphere(1.0));
        let mut on_side = contact(&cylinder(0.7, 20.0), &sphere(1.0));
        let [found, expected] =
            [&mut formed, &mut on_side].map(|contact| wrenches(contact, &motions)[1]);
        assert!(expected.norm() > 1.0 && (found - expected).amax() < 1e-9 * expected.norm());
    }
}

/// On the flank of a tooth the normal is that of the outline, and the depth is taken along it.
#[test]
fn a_flank_pushes_along_its_normal() {
    // an eccentric circle r = e cos φ + √(R² − e² sin² φ): its true normal points from its centre
    let (e, r, depth) = (0.3, 1.0, 1e-6);
    let mut on_cam =
        contact(&cam("0.3*cos(phi) + sqrt(1 - 0.09*sin(phi)^2)", 1.0), &Surface::Point);
    for k in 0..24 {
        let angle = 0.2 + std::f64::consts::TAU * k as f64 / 24.0;
        let normal = Vector3::new(angle.cos(), angle.sin(), 0.0);
        let place = Vector3::new(e, 0.0, 0.2) + normal * (r - depth);
        let found = force(&mut on_cam, &[at(Vector3::zeros()), at(place)]);
        let expected = normal * (HARD.stiffness * depth);
        // off by the depth over the radius
        assert!((found - expected).norm() < 2.0 * depth * expected.norm(), "{k}: {found:?}");
    }
    // beyond its faces nothing touches
    let beside = at(Vector3::new(1.2, 0.0, 0.6));
    assert_eq!(force(&mut on_cam, &[at(Vector3::zeros()), beside]), Vector3::zeros());
}

/// A wheel on a rail is pushed at right angles to it, and round its end away from that end.
#[test]
fn a_wheel_leaves_a_rail_round_its_end() {
    let axle = Quaternion::exp(&Vector3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0));
    let along = Quaternion::exp(&Vector3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0));
    let wheel = Marker { node: 1, frame: Frame::new(Vector3::zeros(), axle) };
    let rail = Marker { node: 0, frame: Frame::new(Vector3::zeros(), along) };
    let edge = Surface::Segment { length: 0.5 };
    let mut contact = Contact::new(rail, edge, wheel, cylinder(0.4, 0.3), HARD).unwrap();
    let ground = at(Vector3::zeros());
    for (x, z) in [(0.0, 0.39), (0.2, 0.398)] {
        let found = force(&mut contact, &[ground, at(Vector3::new(x, 0.0, z))]);
        let expected = Vector3::new(0.0, 0.0, HARD.stiffness * (0.4 - z));
        assert!((found - expected).norm() < 1e-9, "{x}: {found:?}");
    }
    let beyond = Vector3::new(0.3, 0.0, 0.39);
    let way = beyond - Vector3::new(0.25, 0.0, 0.0);
    let found = force(&mut contact, &[ground, at(beyond)]);
    let expected = way.normalize() * (HARD.stiffness * (0.4 - way.norm()));
    assert!((found - expected).norm() < 1e-9, "{found:?}");
    let far = wrenches(&mut contact, &[ground, at(Vector3::new(0.5, 0.0, 0.39))]);
    assert_eq!(far, [Vector6::zeros(); 2]);
}

#[test]
fn what_cannot_meet_is_refused() {
    let error = |a: &Surface, b: &Surface| {
        Contact::new(origin(0), a.clone(), origin(1), b.clone(), HARD).unwrap_err().to_string()
    };
    let (edge, disc, hills) =
        (Surface::Segment { length: 1.0 }, cam("1 + 0*phi", 1.0), landscape("x"));
    assert!(error(&edge, &Surface::Plane).contains("a segment touches"));
    assert!(error(&edge, &Surface::Point).contains("a segment touches"));
    assert!(error(&Surface::Segment { length: -1.0 }, &sphere(1.0)).contains("length is -1"));
    assert!(error(&disc, &cylinder(1.0, 1.0)).contains("points and spheres only"));
    assert!(error(&hills, &cylinder(1.0, 1.0)).contains("points, spheres and segments only"));
    assert!(error(&hills, &Surface::Plane).contains("meet solids and points only"));
    let wrong = |text: &str| Relief::cam(text, &Default::default()).unwrap_err().to_string();
    assert!(wrong("cos(phi)").contains("is positive from -pi to pi"));
    assert!(wrong("7 + phi").contains("does not close"));
}
