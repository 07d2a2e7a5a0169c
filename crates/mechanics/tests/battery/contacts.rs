//! Contacts: exact pairs through the whole battery, the library's against closed forms.

use crate::check::{Random, power_balance};
use crate::pairs::{Make, balanced, laws, model_with, tangents, whole, wrenches};
use nalgebra::{Vector3, Vector6};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::Marker;
use rotula_mechanics::force::{Contact, ContactLaw, Stribeck, Surface};
use rotula_mechanics::node::Motion;
use rotula_mechanics::shape::{Mesh, Shape};

/// A soft law in which everything takes part but guides and resistance to rolling.
pub const LAW: ContactLaw = ContactLaw {
    stiffness: 10.0,
    exponent: 1.5,
    dissipation: 0.03,
    damping: 0.2,
    damping_depth: 20.0,
    guide: 0.0,
    rolling: 0.0,
    spinning: 0.0,
    resting: 0.7,
    friction: Some(Stribeck { rest: 0.5, velocity: 2.0, ..Stribeck::coulomb(0.3, 0.7) }),
};

/// Some of many vertices hardly touch, where the curvature of δ^1.5 has no bound and differences
/// say little about the tangent; that of δ² has one. The edges are such that no vertex crosses the
/// plane within a step of the differences.
const SMOOTH: ContactLaw = ContactLaw { exponent: 2.0, ..LAW };

/// A hard contact without losses.
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

fn capsule(radius: f64, length: f64) -> Surface {
    Shape::Capsule { radius, length }.into()
}

fn cube(edge: f64) -> Surface {
    Shape::Box { size: Vector3::repeat(edge) }.into()
}

fn cube_mesh(edge: f64) -> Surface {
    let corner = |k: usize| Vector3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
    let vertices: Vec<_> = (0..8).map(|k| (corner(k) - Vector3::repeat(0.5)) * edge).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<_> = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape::Mesh(Mesh::new(&vertices, &triangles).unwrap().into()).into()
}

/// The hull of points on the axes at unequal distances.
fn octahedron(size: f64) -> Surface {
    let axis = |k: usize| Vector3::ith(k, (0.5 + 0.1 * k as f64) * size);
    let points: Vec<_> = (0..3).flat_map(|k| [axis(k), -axis(k)]).collect();
    Shape::Mesh(Mesh::hull(&points).unwrap().into()).into()
}

/// Ridges along y, at the height 0.1 `size`, and a flat valley between them at the height 0.
fn landscape(size: f64) -> Surface {
    let rows = vec![vec![0.0, 0.1 * size, 0.0, 0.0, 0.1 * size]; 3];
    let mesh = Mesh::heights(&rows, [2.0 * size; 2], 0.5 * size).unwrap();
    Shape::Mesh(mesh.into()).into()
}

fn contact(
    a: Surface,
    b: Surface,
    law: ContactLaw,
) -> impl Fn(Marker, Marker) -> Box<dyn rotula_mechanics::force::Force> {
    move |p, q| Box::new(Contact::new(p, a.clone(), q, b.clone(), law).unwrap())
}

fn exact(what: &str, a: Surface, b: Surface, law: ContactLaw) {
    whole(what, &contact(a.clone(), b.clone(), law));
    whole(what, &contact(b, a, law));
}

#[test]
fn on_a_plane() {
    exact("sphere on plane", Surface::Plane, sphere(6.0), LAW);
    exact("capsule on plane", Surface::Plane, capsule(5.0, 1.5), LAW);
    exact("box on plane", Surface::Plane, cube(2.9), SMOOTH);
    exact("mesh on plane", Surface::Plane, cube_mesh(2.9), SMOOTH);
    exact("hull on plane", Surface::Plane, octahedron(2.5), SMOOTH);
    exact("landscape on plane", Surface::Plane, landscape(2.8), SMOOTH);
    exact("point on plane", Surface::Plane, Surface::Point, SMOOTH);
}

#[test]
fn spheres_and_capsules() {
    exact("spheres", sphere(3.0), sphere(2.5), LAW);
    exact("point in sphere", sphere(6.0), Surface::Point, LAW);
    exact("sphere and capsule", sphere(3.0), capsule(2.5, 1.5), LAW);
    let guided = ContactLaw { guide: 0.7, ..LAW };
    exact("guided sphere and capsule", sphere(3.0), capsule(2.5, 1.5), guided);
    exact("capsules", capsule(2.5, 2.0), capsule(3.0, 1.5), LAW);
    let resisting = ContactLaw { rolling: 0.4, spinning: 0.7, ..LAW };
    exact("spheres that resist rolling", sphere(3.0), sphere(2.5), resisting);
    exact("sphere that resists rolling on a plane", Surface::Plane, sphere(6.0), resisting);
}

#[test]
fn the_library_keeps_the_laws() {
    let surfaces = [sphere(1.0), capsule(0.8, 1.2), cube(2.0), cube_mesh(2.2)];
    for (i, a) in surfaces.iter().enumerate() {
        for b in &surfaces[i.max(2)..] {
            for (first, second) in [(a, b), (b, a)] {
                let what = format!("{first:?} and {second:?}");
                let make: Make = &contact(first.clone(), second.clone(), LAW);
                laws(&what, make);
                power_balance(&what, model_with(make));
            }
        }
    }
}

fn origin(node: usize) -> Marker {
    Marker { node, frame: Frame::identity() }
}

fn at(position: Vector3<f64>, turn: Vector3<f64>) -> Motion {
    Motion::at_rest(&Frame::new(position, Quaternion::exp(&turn)))
}

/// A solid on the upper face of a box of edge 2, or on a plane through that face, is pushed the same.
#[test]
fn boxes_and_meshes_push_like_a_plane() {
    let solids = [sphere(0.5), capsule(0.3, 0.8), cube(0.6), cube_mesh(0.6)];
    // depth 0.01 of the lowest point; the capsule lies a little askew, the boxes stand on a corner
    let turn = Vector3::new(0.9, 0.3, 0.2);
    for solid in solids {
        for floor in [cube(2.0), cube_mesh(2.0)] {
            let mut on_plane = Contact::new(
                Marker { node: 0, frame: Frame::new(Vector3::z(), Quaternion::identity()) },
                Surface::Plane,
                origin(1),
                solid.clone(),
                HARD,
            )
            .unwrap();
            let mut on_floor =
                Contact::new(origin(0), floor.clone(), origin(1), solid.clone(), HARD).unwrap();
            let ground = at(Vector3::zeros(), Vector3::zeros());
            // the height at which the lowest point is 0.01 below the plane, by halving
            let (mut low, mut high) = (1.0, 2.5);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                let body = at(Vector3::new(0.1, 0.23, middle), turn);
                let wrench = wrenches(&mut on_plane, &[ground, body])[1];
                let force = wrench.fixed_rows::<3>(0).norm();
                if force > 100.0 { low = middle } else { high = middle }
            }
            let motions = [ground, at(Vector3::new(0.1, 0.23, low), turn)];
            let expected = wrenches(&mut on_plane, &motions);
            let found = wrenches(&mut on_floor, &motions);
            balanced("floor", &motions, &found);
            let size = expected[1].fixed_rows::<3>(0).norm();
            assert!((99.0..101.0).contains(&size), "{solid:?}: {size}");
            for k in 0..2 {
                let error = (found[k] - expected[k]).amax();
                assert!(
                    error < 1e-6 * size,
                    "{solid:?} on {floor:?}: {:?} is not {:?}",
                    found[k],
                    expected[k]
                );
            }
        }
    }
}

/// The force is a function of the state: it is the same after a visit elsewhere.
#[test]
fn contacts_have_no_memory() {
    let pairs = [
        (cube(2.0), cube(0.6)),
        (cube(2.0), capsule(0.3, 0.8)),
        (cube_mesh(2.0), cube(0.6)),
        (cube_mesh(2.0), capsule(0.3, 0.8)),
        (cube_mesh(2.0), cube_mesh(0.6)),
    ];
    let ground = at(Vector3::zeros(), Vector3::zeros());
    let here = [ground, at(Vector3::new(0.1, 0.23, 1.25), Vector3::new(0.2, 0.3, 0.2))];
    for (a, b) in pairs {
        let mut contact = Contact::new(origin(0), a.clone(), origin(1), b.clone(), HARD).unwrap();
        let first = wrenches(&mut contact, &here);
        assert!(first[1].norm() > 1.0, "{a:?} and {b:?} do not touch");
        for k in 0..20 {
            // a creeping visit, then a far one
            let way = if k < 10 { 1e-4 * k as f64 } else { 0.1 * k as f64 };
            let there = at(Vector3::new(0.1 - way, 0.23, 1.25), Vector3::new(0.2, 0.3 + way, 0.2));
            wrenches(&mut contact, &[ground, there]);
            let again = wrenches(&mut contact, &here);
            let change = (again[1] - first[1]).amax();
            assert!(change < 1e-9 * first[1].norm(), "{a:?} and {b:?} change by {change}");
        }
    }
}

/// With frozen geometry the tangent lacks terms of the size of the force over the length of the
/// bodies: against the stiffness of the contact, the depth over that length. So a tenth of the depth has a
/// tenth of the error. Solids touch with one feature each, away from its neighbours, and turned anyhow.
#[test]
fn frozen_tangents_are_right_but_for_the_depth() {
    // what, the floor, a place of it and the direction outwards there, and the solid
    let face = Vector3::new(0.1, 0.23, 1.0);
    let valley = Vector3::new(0.5, 0.4, 0.0);
    let slope = Vector3::new(-0.2, 0.0, 1.0).normalize();
    let uphill = Vector3::new(-1.4, 0.45, 0.12);
    let ridge = Vector3::new(-1.0, 0.45, 0.2);
    let up = Vector3::z();
    let block = || {
        let corner = |k: usize| Vector3::from_fn(|i, _| if k >> i & 1 == 1 { 1.0 } else { -1.0 });
        let points: Vec<_> = (0..8).map(corner).collect();
        Surface::from(Shape::Mesh(Mesh::hull(&points).unwrap().into()))
    };
    let cases = [
        ("sphere on box", cube(2.0), face, up, sphere(0.5)),
        ("sphere on hull", block(), face, up, sphere(0.5)),
        ("capsule on hull", block(), face, up, capsule(0.3, 0.8)),
        ("box on hull", block(), face, up, cube(0.6)),
        ("hull on box", cube(2.0), face, up, octahedron(0.6)),
        ("hull on hull", block(), face, up, octahedron(0.6)),
        ("sphere in a valley", landscape(2.0), valley, up, sphere(0.3)),
        ("sphere on a slope", landscape(2.0), uphill, slope, sphere(0.3)),
        ("sphere on a ridge", landscape(2.0), ridge, up, sphere(0.3)),
        ("box in a valley", landscape(2.0), valley, up, cube(0.3)),
    ];
    for (what, floor, face, up, solid) in cases {
        for seed in 1..6 {
            let mut random = Random::new(seed);
            let ground = random.frame();
            let turn = Quaternion::exp(&(Vector3::new(0.6, 0.5, 0.2) + random.vector() * 0.1));
            let errors = [1e-2, 1e-3, 1e-4].map(|depth| {
                let mut contact =
                    Contact::new(origin(0), floor.clone(), origin(1), solid.clone(), HARD).unwrap();
                let reach = reach(&solid, &turn.rotate_back(&-up));
                let seen = Frame::new(face + up * (-up.dot(&turn.rotate(&reach)) - depth), turn);
                let motions = [ground, ground * seen].map(|frame| Motion::at_rest(&frame));
                let [frozen, numeric] = tangents(&mut contact, &motions);
                // one place touches, and is pushed along the normal of the floor
                let push = wrenches(&mut contact, &motions)[1].fixed_rows::<3>(0).into_owned();
                let expected = turn.rotate_back(&up) * (HARD.stiffness * depth);
                assert!((push - expected).norm() < 1e-6 * expected.norm(), "{what}: {push:?}");
                let size = numeric.iter().map(|m| m.amax()).fold(0.0, f64::max);
                let error = frozen.iter().zip(&numeric).map(|(a, b)| (a - b).amax());
                error.fold(0.0, f64::max) / size
            });
            // depth over the least radius, 0.3, at most
            assert!(errors[0] < 4e-2, "{what}: {errors:?}");
            for ratio in [errors[0] / errors[1], errors[1] / errors[2]] {
                assert!((ratio - 10.0).abs() < 0.5, "{what}: {errors:?}");
            }
        }
    }
}

/// The point of a solid that is furthest in a direction of its own axes.
fn reach(solid: &Surface, way: &Vector3<f64>) -> Vector3<f64> {
    let far = |points: &[Vector3<f64>]| {
        *points.iter().max_by(|a, b| way.dot(a).total_cmp(&way.dot(b))).unwrap()
    };
    match solid {
        Surface::Solid(Shape::Sphere { radius }) => way * *radius,
        Surface::Solid(Shape::Capsule { radius, length }) => {
            way * *radius + Vector3::z() * (0.5 * length * way.z.signum())
        }
        Surface::Solid(Shape::Box { size }) => size.zip_map(way, |s, w| 0.5 * s * w.signum()),
        Surface::Solid(Shape::Mesh(mesh)) => far(mesh.vertices()),
        other => unreachable!("{other:?} is not among the cases"),
    }
}

#[test]
fn a_box_lies_flat_on_a_box() {
    // four corners of the small box, each 0.01 deep; on a mesh the diagonal adds where it is crossed
    let mut contact = Contact::new(origin(0), cube(2.0), origin(1), cube(0.5), HARD).unwrap();
    let motions = [
        at(Vector3::zeros(), Vector3::zeros()),
        at(Vector3::new(0.2, 0.1, 1.24), Vector3::new(0.0, 0.0, 0.4)),
    ];
    let [_, b] = wrenches(&mut contact, &motions);
    assert!((b - Vector6::new(0.0, 0.0, 400.0, 0.0, 0.0, 0.0)).amax() < 1e-6, "{b:?}");
}

#[test]
fn friction_opposes_sliding_and_no_contact_pulls() {
    let mut contact = Contact::new(
        origin(0),
        Surface::Plane,
        origin(1),
        sphere(1.0),
        ContactLaw { friction: Some(Stribeck::coulomb(0.4, 1e-6)), dissipation: 1.0, ..HARD },
    )
    .unwrap();
    let ground = at(Vector3::zeros(), Vector3::zeros());
    let mut ball = at(Vector3::new(0.0, 0.0, 0.99), Vector3::zeros());
    ball.velocity = Vector3::new(2.0, 0.0, 0.0);
    let [_, b] = wrenches(&mut contact, &[ground, ball]);
    assert!((b[2] - 100.0).abs() < 1e-9 && (b[0] + 40.0).abs() < 1e-6, "{b:?}");
    // rolling: the point of contact, in the middle of the overlap, is at rest
    ball.omega = Vector3::new(0.0, 2.0 / 0.995, 0.0);
    let [_, b] = wrenches(&mut contact, &[ground, ball]);
    assert!(b[0].abs() < 1e-6, "{b:?}");
    ball.velocity = Vector3::new(0.0, 0.0, 5.0);
    assert_eq!(wrenches(&mut contact, &[ground, ball]), [Vector6::zeros(); 2]);
    ball = at(Vector3::new(0.0, 0.0, 1.01), Vector3::zeros());
    assert_eq!(wrenches(&mut contact, &[ground, ball]), [Vector6::zeros(); 2]);
}

/// A ball thrown at a plane comes back with `1 − 2 d u/3` of its speed, to first order in `d u`.
#[test]
fn the_dissipation_sets_the_restitution() {
    for exponent in [1.0, 1.5] {
        let mut lost = Vec::new();
        for dissipation in [0.02, 0.01] {
            let law = ContactLaw { exponent, dissipation, ..HARD };
            let make = Contact::new(origin(0), Surface::Plane, origin(1), sphere(1.0), law);
            let mut contact = make.unwrap();
            let ground = at(Vector3::zeros(), Vector3::zeros());
            let mut acceleration = |z: f64, speed: f64| {
                let mut ball = at(Vector3::new(0.0, 0.0, z), Vector3::zeros());
                ball.velocity.z = speed;
                wrenches(&mut contact, &[ground, ball])[1][2]
            };
            // the classical method of fourth order until the ball is off again
            let (mut z, mut v, h) = (1.0, -1.0, 1e-5);
            while z <= 1.0 {
                let k1 = (v, acceleration(z, v));
                let k2 = (v + 0.5 * h * k1.1, acceleration(z + 0.5 * h * k1.0, v + 0.5 * h * k1.1));
                let k3 = (v + 0.5 * h * k2.1, acceleration(z + 0.5 * h * k2.0, v + 0.5 * h * k2.1));
                let k4 = (v + h * k3.1, acceleration(z + h * k3.0, v + h * k3.1));
                z += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
                v += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
            }
            lost.push((1.0 - v) / (2.0 / 3.0 * dissipation) - 1.0);
        }
        // the law is of first order: halving the dissipation halves what is left over
        assert!(lost[1].abs() < 0.01 && (lost[0] / lost[1] - 2.0).abs() < 0.1, "{lost:?}");
    }
}

/// Damping grows as 3x² − 2x³ from the surface to its depth; a contact that parts fast does not pull.
#[test]
fn damping_grows_with_the_depth() {
    let law = ContactLaw { damping: 300.0, damping_depth: 0.02, ..HARD };
    let mut contact =
        Contact::new(origin(0), capsule(1.0, 4.0), origin(1), Surface::Point, law).unwrap();
    let axis = at(Vector3::zeros(), Vector3::zeros());
    for (depth, share) in [(0.005, 0.15625), (0.01, 0.5), (0.02, 1.0), (0.03, 1.0)] {
        let mut point = at(Vector3::new(1.0 - depth, 0.0, 0.5), Vector3::zeros());
        for speed in [-0.7, 0.1, 2.0] {
            point.velocity = Vector3::new(speed, 0.0, 0.0);
            let [_, b] = wrenches(&mut contact, &[axis, point]);
            let expected = f64::max(0.0, 1e4 * depth - 300.0 * share * speed);
            assert!((b[0] - expected).abs() < 1e-9, "{depth} {speed}: {b:?}");
        }
    }
    // a cylinder is soft at its side, and not beyond its ends
    let drum = Surface::Solid(Shape::Cylinder { radius: 1.0, length: 4.0 });
    let mut contact = Contact::new(origin(0), drum, origin(1), Surface::Point, law).unwrap();
    for (z, force) in [(0.5, 100.0), (1.9, 100.0), (2.1, 0.0)] {
        let point = at(Vector3::new(0.99, 0.0, z), Vector3::zeros());
        let [_, b] = wrenches(&mut contact, &[axis, point]);
        assert!((b[0] - force).abs() < 1e-9, "{z}: {b:?}");
    }
    let endless = ContactLaw { damping_depth: 0.0, ..law };
    let error = Contact::new(origin(0), Surface::Plane, origin(1), sphere(1.0), endless);
    assert!(error.unwrap_err().to_string().contains("full from a depth of 0 m"));
}

/// A guide pulls a point along the axis of a capsule to its middle, whichever comes first, while they touch.
#[test]
fn a_guide_leads_to_the_middle() {
    let law = ContactLaw { guide: 50.0, ..HARD };
    let place = |x: f64| at(Vector3::new(x, 0.0, 0.5), Vector3::zeros());
    let axis = at(Vector3::zeros(), Vector3::zeros());
    let mut contact =
        Contact::new(origin(0), capsule(1.0, 4.0), origin(1), Surface::Point, law).unwrap();
    let [_, b] = wrenches(&mut contact, &[axis, place(0.9)]);
    assert!((b.fixed_rows::<3>(0) - Vector3::new(1000.0, 0.0, -25.0)).amax() < 1e-9, "{b:?}");
    assert_eq!(wrenches(&mut contact, &[axis, place(1.1)])[1], Vector6::zeros());
    let mut turned =
        Contact::new(origin(0), Surface::Point, origin(1), capsule(1.0, 4.0), law).unwrap();
    let [a, _] = wrenches(&mut turned, &[place(0.9), axis]);
    assert!((a.fixed_rows::<3>(0) - Vector3::new(1000.0, 0.0, -25.0)).amax() < 1e-9, "{a:?}");
    let error = Contact::new(origin(0), Surface::Plane, origin(1), sphere(1.0), law);
    assert!(error.unwrap_err().to_string().contains("along a cylinder or capsule only"));
}

#[test]
fn bad_contacts_are_refused() {
    let error = |a: Surface, b: Surface, law: ContactLaw| {
        Contact::new(origin(0), a, origin(1), b, law).unwrap_err().to_string()
    };
    assert!(error(Surface::Plane, Surface::Plane, HARD).contains("two planes"));
    let cylinder = Surface::Solid(Shape::Cylinder { radius: 1.0, length: 1.0 });
    assert!(error(Surface::Plane, cylinder, HARD).contains("points, spheres and segments only"));
    assert!(error(Surface::Plane, sphere(-1.0), HARD).contains("radius is -1"));
    let soft = ContactLaw { stiffness: 0.0, ..HARD };
    assert!(error(Surface::Plane, sphere(1.0), soft).contains("stiffness is 0"));
    let driving = ContactLaw { rolling: -0.1, ..HARD };
    assert!(error(Surface::Plane, sphere(1.0), driving).contains("rolling resistance is -0.1 m"));
    let same = Contact::new(origin(1), Surface::Plane, origin(1), sphere(1.0), HARD);
    assert!(same.unwrap_err().to_string().contains("same body"));
}
