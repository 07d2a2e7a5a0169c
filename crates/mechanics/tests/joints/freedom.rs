//! Every joint removes the right number of freedoms, and leaves the right motions free: in a random
//! admissible configuration the gradients annihilate exactly the twists that the joint's description
//! allows.

use crate::support::{admissible, body, gradients, violation};
use nalgebra::{DMatrix, DVector, Vector3};
use rotula_dae::RigidMotion;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::*;
use rotula_mechanics::{Body, Curve, Model};

/// A free motion of the second body: a velocity, or a rotation about an axis through a point.
enum Free {
    Slide(Vector3<f64>),
    Turn { at: Vector3<f64>, about: Vector3<f64> },
    Screw { at: Vector3<f64>, about: Vector3<f64>, lead: f64 },
}
use Free::{Slide, Turn};

impl Free {
    /// The velocity of a place, and the angular velocity.
    fn twist(&self, place: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        match self {
            Slide(velocity) => (*velocity, Vector3::zeros()),
            Turn { at, about } => (about.cross(&(place - at)), *about),
            Free::Screw { at, about, lead } => (about.cross(&(place - at)) + about * *lead, *about),
        }
    }
}

/// Where the markers are in the world, and their axes.
struct Place {
    o: Vector3<f64>,
    x: Vector3<f64>,
    y: Vector3<f64>,
    z: Vector3<f64>,
}

impl Place {
    fn new(frame: &Frame) -> Self {
        let axis = |a| frame.orientation.rotate(&a);
        let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()].map(axis);
        Place { o: frame.position, x, y, z }
    }

    /// All rotations about the origin.
    fn turns(&self) -> Vec<Free> {
        [self.x, self.y, self.z].map(|about| Turn { at: self.o, about }).into()
    }

    fn turn(&self, about: Vector3<f64>) -> Free {
        Turn { at: self.o, about }
    }
}

/// Checks a joint between two bodies: `start` is where the second marker stands in the first, `rows`
/// how many freedoms the joint removes.
fn check(
    joint: &dyn Joint,
    planar: bool,
    [first, second]: [Frame; 2],
    rows: usize,
    free: impl Fn(&Place, &Place) -> Vec<Free>,
) {
    for seed in 1..5 {
        let mut model = Model::new();
        let some = || if planar { Body::planar(1.5, 0.4) } else { body() };
        let base = model.body("base", some().at(Vector3::new(0.2, 0.1, 0.0))).unwrap();
        let other = model.body("other", some().at(Vector3::new(-0.3, 0.7, 0.0))).unwrap();
        let (a, b) = (model.marker_at(base, first), model.marker_at(other, second));
        model.joint("joint", joint, a, b).unwrap();
        let mut system = model.assemble().unwrap();
        let state = admissible(&mut system, seed);
        let word = joint.word();
        assert!(violation(&mut system, &state) < 1e-11, "{word}: the start is not admissible");

        let g = gradients(&mut system, &state);
        let size = g.ncols() / 2;
        assert_eq!(g.nrows(), rows, "{word}: equations");
        assert_eq!(g.rank(1e-9), rows, "{word}: independent equations");

        let frames = [base, other].map(|body| system.node_frame(body.node(), &state.q));
        // velocities of both bodies if they move as one
        let kept = |motion: &Free| -> Vec<f64> {
            let (linear, angular) = motion.twist(&Vector3::zeros());
            let twist = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
            let (mut v, mut vdot) = (vec![0.0; 2 * size], vec![0.0; 2 * size]);
            system.swept(&state.q, &twist, &mut v, &mut vdot);
            v
        };
        let places = [Place::new(&(frames[0] * a.frame)), Place::new(&(frames[1] * b.frame))];
        let motions = free(&places[0], &places[1]);
        let mut twists = DMatrix::zeros(size, motions.len());
        for (k, motion) in motions.iter().enumerate() {
            let twist = DVector::from_column_slice(&kept(motion)[size..]);
            twists.set_column(k, &twist);
            let slip = (g.columns(size, size) * twist).amax();
            assert!(slip < 1e-9, "{word}: free motion {k} is held by {slip}");
        }
        let rank = if motions.is_empty() { 0 } else { twists.rank(1e-9) };
        assert_eq!(rank, size - rows, "{word}: free motions");

        // both bodies moved as one are free, whatever the joint
        let centre = Vector3::new(0.4, -0.2, 0.0);
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        let common = axes.into_iter().flat_map(|about| [Slide(about), Turn { at: centre, about }]);
        for motion in common {
            let (linear, angular) = motion.twist(&Vector3::zeros());
            if planar && (angular.x != 0.0 || angular.y != 0.0 || linear.z != 0.0) {
                continue;
            }
            let slip = (&g * DVector::from_vec(kept(&motion))).amax();
            assert!(slip < 1e-9, "{word}: a common motion is held by {slip}");
        }
    }
}

fn frame(x: f64, y: f64, z: f64, turn: Vector3<f64>) -> Frame {
    Frame::new(Vector3::new(x, y, z), Quaternion::exp(&turn))
}

fn upright() -> Frame {
    Frame::new(Vector3::new(0.1, 0.3, 0.0), Quaternion::identity())
}

/// A turn of the z axis to x, by a right angle about y.
fn lying() -> Vector3<f64> {
    Vector3::y() * std::f64::consts::FRAC_PI_2
}

/// A joint in space whose markers coincide at the start.
fn spatial(joint: &dyn Joint, rows: usize, free: impl Fn(&Place, &Place) -> Vec<Free>) {
    let tilted = frame(0.1, 0.3, -0.2, Vector3::new(0.4, -0.3, 0.7));
    check(joint, false, [tilted; 2], rows, free);
}

#[test]
fn lower_pairs() {
    spatial(&Fixed, 6, |_, _| vec![]);
    spatial(&Revolute, 5, |a, _| vec![a.turn(a.z)]);
    spatial(&Prismatic, 5, |a, _| vec![Slide(a.z)]);
    spatial(&Cylindrical, 4, |a, _| vec![Slide(a.z), a.turn(a.z)]);
    spatial(&Spherical, 3, |a, _| a.turns());
    spatial(&Planar, 3, |a, b| vec![Slide(a.x), Slide(a.y), b.turn(a.z)]);
    spatial(&Screw { pitch: 0.3 }, 5, |a, _| {
        vec![Free::Screw { at: a.o, about: a.z, lead: 0.3 / std::f64::consts::TAU }]
    });
}

#[test]
fn shafts() {
    spatial(&Universal, 4, |a, b| vec![a.turn(a.x), a.turn(b.y)]);
    // homokinetic: the relative angular velocity is normal to the bisector of the shafts
    spatial(&ConstantVelocity, 4, |a, b| {
        let bend = a.z.cross(&b.z);
        vec![a.turn(bend), a.turn(bend.cross(&(a.z + b.z)))]
    });
}

#[test]
fn points_and_axes() {
    let with = |mut list: Vec<Free>, more: Vec<Free>| {
        list.extend(more);
        list
    };
    spatial(&PointOnLine, 2, |a, b| with(vec![Slide(a.z)], b.turns()));
    spatial(&PointOnPlane, 1, |a, b| with(vec![Slide(a.x), Slide(a.y)], b.turns()));
    spatial(&ParallelAxes, 2, |a, _| vec![Slide(a.x), Slide(a.y), Slide(a.z), a.turn(a.z)]);
    let markers = [upright(), frame(0.1, 0.3, 0.0, lying())];
    check(&PerpendicularAxes, false, markers, 1, |a, b| {
        vec![Slide(a.x), Slide(a.y), Slide(a.z), a.turn(a.z), b.turn(b.z)]
    });
}

#[test]
fn rods_and_slots() {
    let apart = [upright(), frame(0.9, 0.3, 0.0, Vector3::new(0.2, 0.5, 0.1))];
    check(&Distance { length: 0.8 }, false, apart, 1, |a, b| {
        a.turns().into_iter().chain(b.turns()).collect()
    });
    check(&RevoluteSpherical { length: 0.8 }, false, apart, 2, |a, b| {
        b.turns().into_iter().chain([a.turn(a.z)]).collect()
    });
    spatial(&RevoluteTranslational, 4, |a, b| vec![a.turn(a.z), Slide(b.x)]);
}

/// The lowest point of a disc around z of `b` on the plane of `a`.
fn contact(a: &Place, b: &Place, radius: f64) -> Vector3<f64> {
    let up = a.z - b.z * a.z.dot(&b.z);
    b.o - up.normalize() * radius
}

#[test]
fn without_slip() {
    spatial(&KnifeEdge, 1, |_, b| b.turns().into_iter().chain([Slide(b.x), Slide(b.z)]).collect());
    let wheel = [upright(), frame(0.5, 0.6, 0.4, lying())];
    check(&Rolling { radius: 0.4 }, false, wheel, 3, |a, b| {
        let at = contact(a, b, 0.4);
        [a.x, a.y, a.z].map(|about| Turn { at, about }).into()
    });
}

#[test]
fn curves() {
    let helix = Curve::formulas(["2*cos(s)", "2*sin(s)", "s"], -2.0, 2.0, false).unwrap();
    let start = frame(2.1, 0.3, 0.0, Vector3::new(0.1, 0.2, 0.3));
    let joint = PointOnCurve { curve: helix };
    check(&joint, false, [upright(), start], 2, |a, b| {
        // in the axes of a, the tangent of a helix is (−y, x, 1)
        let seen = [a.x, a.y].map(|axis| axis.dot(&(b.o - a.o)));
        let along = a.y * seen[0] - a.x * seen[1] + a.z;
        b.turns().into_iter().chain([Slide(along)]).collect()
    });
    let circle = Curve::formulas(["2*cos(s)", "2*sin(s)", "0"], 0.0, 7.0, false).unwrap();
    let start = frame(2.1, 0.3, 0.0, Vector3::zeros());
    check(&PointOnCurve { curve: circle }, true, [upright(), start], 1, |a, b| {
        vec![a.turn(Vector3::z()), b.turn(Vector3::z())]
    });
}

#[test]
fn planar_bodies() {
    let normal = Vector3::z();
    let same = [upright(); 2];
    let inside = [frame(0.1, 0.3, 0.0, lying()); 2];
    let square = [inside[0], frame(0.1, 0.3, 0.0, -Vector3::x() * std::f64::consts::FRAC_PI_2)];
    let apart = [upright(), frame(0.9, 0.3, 0.0, Vector3::new(0.0, 0.0, 0.2))];
    check(&Fixed, true, same, 3, |_, _| vec![]);
    check(&Revolute, true, same, 2, |a, _| vec![a.turn(normal)]);
    check(&Spherical, true, same, 2, |a, _| vec![a.turn(normal)]);
    check(&Prismatic, true, inside, 2, |a, _| vec![Slide(a.z)]);
    check(&PointOnLine, true, inside, 1, |a, b| vec![Slide(a.z), b.turn(normal)]);
    check(&PointOnPlane, true, inside, 1, |a, b| vec![Slide(normal.cross(&a.z)), b.turn(normal)]);
    check(&ParallelAxes, true, inside, 1, |a, _| vec![Slide(a.z), Slide(a.z.cross(&normal))]);
    check(&PerpendicularAxes, true, square, 1, |a, b| vec![Slide(a.z), Slide(b.z)]);
    let rod = |a: &Place, b: &Place| vec![a.turn(normal), b.turn(normal)];
    check(&Distance { length: 0.8 }, true, apart, 1, rod);
    check(&RevoluteSpherical { length: 0.8 }, true, apart, 1, rod);
    check(&RevoluteTranslational, true, same, 1, |a, b| vec![a.turn(normal), Slide(b.x)]);
    check(&KnifeEdge, true, same, 1, |_, b| vec![Slide(b.x), b.turn(normal)]);
    let up = frame(0.1, 0.3, 0.0, -Vector3::x() * std::f64::consts::FRAC_PI_2);
    let wheel = [up, frame(0.4, 0.7, 0.0, Vector3::zeros())];
    check(&Rolling { radius: 0.4 }, true, wheel, 2, |a, b| {
        vec![Turn { at: contact(a, b, 0.4), about: normal }]
    });
}

#[test]
fn bad_joints_are_refused_with_a_remedy() {
    let message = |joint: &dyn Joint, planar: bool, frame: Frame| {
        let mut model = Model::new();
        let some = || if planar { Body::planar(1.0, 1.0) } else { body() };
        let (a, b) = (model.body("a", some()).unwrap(), model.body("b", some()).unwrap());
        let (a, b) = (model.marker_at(a, frame), model.marker_at(b, frame));
        model.joint("joint", joint, a, b).unwrap_err().to_string()
    };
    let inside = frame(0.1, 0.3, 0.0, lying());
    for length in [0.0, -1.0, f64::NAN] {
        assert!(message(&Distance { length }, false, upright()).contains("greater than zero"));
        let joint = RevoluteSpherical { length };
        assert!(message(&joint, false, upright()).contains("greater than zero"));
        let joint = Rolling { radius: length };
        assert!(message(&joint, false, upright()).contains("greater than zero"));
    }
    assert!(message(&Screw { pitch: 0.0 }, false, upright()).contains("other than zero"));
    let spatial_only: [&dyn Joint; 5] =
        [&Universal, &ConstantVelocity, &Planar, &Cylindrical, &Screw { pitch: 1.0 }];
    for joint in spatial_only {
        let text = message(joint, true, upright());
        assert!(text.contains("both bodies are planar"), "{text}");
    }
    let in_plane: [&dyn Joint; 5] =
        [&PointOnLine, &PointOnPlane, &ParallelAxes, &PerpendicularAxes, &Rolling { radius: 1.0 }];
    for joint in in_plane {
        assert!(message(joint, true, upright()).contains("must lie in their plane"));
    }
    assert!(message(&RevoluteTranslational, true, inside).contains("normal to their plane"));
    assert!(message(&Rolling { radius: 1.0 }, true, inside).contains("z axis of the wheel"));
    // y of this marker points out of the plane
    let rolled = frame(0.0, 0.0, 0.0, Vector3::x() * std::f64::consts::FRAC_PI_2);
    assert!(message(&KnifeEdge, true, rolled).contains("y axis must lie in their plane"));
}
