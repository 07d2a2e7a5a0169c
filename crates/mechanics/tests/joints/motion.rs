//! Motions and reactions with closed forms.

use crate::support::{body, run};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::{Distance, Fixed, Joint, PointOnCurve, Revolute};
use rotula_mechanics::{Body, Curve, GROUND, Model};

/// The period of a mathematical pendulum of unit length from the arithmetic-geometric mean.
fn period(amplitude: f64, gravity: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::TAU / (gravity.sqrt() * a)
}

/// How far a pendulum of unit length on a rod is from where it began, after one period.
fn return_error(bob: Body, h: f64) -> f64 {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -9.81, 0.0);
    let at = Vector3::new(1f64.sin(), -1f64.cos(), 0.0);
    let bob = model.body("bob", bob.at(at)).unwrap();
    let a = model.marker(GROUND, Frame::identity());
    let b = model.marker(bob, Frame::identity());
    model.joint("rod", &Distance { length: 1.0 }, a, b).unwrap();
    let mut system = model.assemble().unwrap();
    let until = period(1.0, 9.81);
    let steps = (until / h).ceil();
    let state = run(&mut system, until, until / steps);
    (system.node_frame(bob.node(), &state.q).position - at).norm()
}

#[test]
fn the_period_of_a_distance_pendulum() {
    for bob in [Body::point(2.0), Body::planar(2.0, 0.3), body()] {
        // at the turning point the speed is zero: the return error is second order in the phase
        let (coarse, fine) = (return_error(bob.clone(), 0.02), return_error(bob, 0.005));
        assert!(fine < 2e-5, "{fine}");
        assert!(coarse / fine > 12.0, "{coarse} {fine}");
    }
}

/// On a cycloid the period does not depend on the amplitude: 4π √(r/g).
#[test]
fn a_bead_on_a_cycloid_keeps_time() {
    let radius = 0.25;
    for amplitude in [0.5f64, 2.0] {
        let curve =
            Curve::formulas(["0.25*(s + sin(s))", "-0.25*cos(s)", "0"], -3.0, 3.0, false).unwrap();
        let at =
            Vector3::new(radius * (amplitude + amplitude.sin()), -radius * amplitude.cos(), 0.0);
        let until = 4.0 * std::f64::consts::PI * (radius / 9.81f64).sqrt();
        let errors = [200.0, 800.0].map(|steps| {
            let mut model = Model::new();
            model.gravity = Vector3::new(0.0, -9.81, 0.0);
            let bead = model.body("bead", Body::point(1.5).at(at)).unwrap();
            let a = model.marker(GROUND, Frame::identity());
            let b = model.marker(bead, Frame::identity());
            model.joint("wire", &PointOnCurve { curve: curve.clone() }, a, b).unwrap();
            let mut system = model.assemble().unwrap();
            let state = run(&mut system, 0.25 * until, 0.25 * until / steps);
            // after a quarter of the period it is at the bottom
            (system.node_frame(bead.node(), &state.q).position + Vector3::y() * radius).norm()
        });
        let order = (errors[0] / errors[1]).log(4.0);
        assert!(errors[1] < 1e-5 && (order - 2.0).abs() < 0.1, "{order}: {errors:?}");
    }
}

/// A bead on a closed spline through points of a circle keeps its speed all the way round.
#[test]
fn a_bead_runs_round_a_closed_wire() {
    let points: Vec<_> = (0..24)
        .map(|k| std::f64::consts::TAU * f64::from(k) / 24.0)
        .map(|t| Vector3::new(t.cos(), t.sin(), 0.1 * (2.0 * t).sin()))
        .collect();
    let curve = Curve::through(&points, true).unwrap();
    let mut model = Model::new();
    let slope = curve.derivatives(0.0)[1].normalize();
    let bead = Body::point(1.5).at(points[0]).moving(slope * 2.0, Vector3::zeros());
    let bead = model.body("bead", bead).unwrap();
    let (a, b) = (model.marker(GROUND, Frame::identity()), model.marker(bead, Frame::identity()));
    model.joint("wire", &PointOnCurve { curve: curve.clone() }, a, b).unwrap();
    let mut system = model.assemble().unwrap();
    let state = run(&mut system, 8.0, 0.002);
    let place = system.node_frame(bead.node(), &state.q).position;
    let foot = curve.derivatives(curve.nearest(&place))[0];
    assert!((place - foot).norm() < 1e-10, "it left the wire");
    let speed = Vector3::from_column_slice(&state.v[..3]).norm();
    assert!((speed - 2.0).abs() < 1e-4, "{speed}");
}

/// A body with its centre at (0.3, 0, 0) from a joint at the origin whose first marker is turned.
fn carried(joint: &dyn Joint, spin: f64) -> (Vector3<f64>, Vector3<f64>, Quaternion) {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -9.81, 0.0);
    let arm = Vector3::new(0.3, 0.0, 0.0);
    let omega = Vector3::new(0.0, 0.0, spin);
    let load = model.body("load", body().at(arm).moving(omega.cross(&arm), omega)).unwrap();
    // z stays the axis of the joint
    let turn = Quaternion::exp(&Vector3::new(0.0, 0.0, 0.6));
    let frame = Frame::new(Vector3::zeros(), turn);
    let (a, b) = (model.marker_at(GROUND, frame), model.marker_at(load, frame));
    let id = model.joint("mount", joint, a, b).unwrap();
    let mut system = model.assemble().unwrap();
    let mut state = system.start();
    let policy = rotula_dae::InitialPolicy::Refuse;
    rotula_dae::make_consistent(&mut system, &mut state, policy).unwrap();
    let (force, moment) = system.reaction(id, &state);
    (force, moment, turn)
}

#[test]
fn a_fixed_joint_carries_weight_and_moment() {
    let (force, moment, turn) = carried(&Fixed, 0.0);
    let weight = 1.5 * 9.81;
    let expected = turn.rotate_back(&Vector3::new(0.0, weight, 0.0));
    assert!((force - expected).norm() < 1e-12, "{force}");
    assert!((moment - Vector3::new(0.0, 0.0, 0.3 * weight)).norm() < 1e-12, "{moment}");
}

#[test]
fn a_hinge_carries_the_centripetal_force() {
    let (force, moment, turn) = carried(&Revolute, 2.0);
    // α = −m g l/(I + m l²); the hinge adds what weight and acceleration lack
    let (mass, length, inertia) = (1.5, 0.3, 0.5);
    let alpha = -mass * 9.81 * length / (inertia + mass * length * length);
    let acceleration = Vector3::new(-length * 4.0, alpha * length, 0.0);
    let expected = (acceleration + Vector3::new(0.0, 9.81, 0.0)) * mass;
    assert!((force - turn.rotate_back(&expected)).norm() < 1e-12, "{force}");
    assert!(moment.norm() < 1e-12, "{moment}");
}
