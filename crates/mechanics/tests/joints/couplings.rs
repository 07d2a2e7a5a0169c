//! Gears, racks, screws and shafts over many turns.

use crate::support::{body, run};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::{
    ConstantVelocity, Cylindrical, ParallelAxes, Prismatic, Revolute, Screw, Universal,
};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::{BodyId, GROUND, JointId, Model, TimeFunction};
use std::f64::consts::TAU;

/// A body on a revolute or prismatic joint about or along x, with its coordinate.
fn mounted(model: &mut Model, name: &str, turns: bool) -> (BodyId, Coordinate) {
    let id = model.body(name, body()).unwrap();
    let at = model.frame(Vector3::zeros(), Vector3::x());
    let (a, b) = (model.marker_at(GROUND, at), model.marker_at(id, at));
    if turns {
        let joint = model.joint(name, &Revolute, a, b).unwrap();
        (id, model.coordinate(joint, "angle").unwrap())
    } else {
        let joint = model.joint(name, &Prismatic, a, b).unwrap();
        (id, model.coordinate(joint, "displacement").unwrap())
    }
}

#[test]
fn a_screw_counts_its_turns() {
    let mut model = Model::new();
    let nut = model.body("nut", body()).unwrap();
    let at = model.frame(Vector3::zeros(), Vector3::z());
    let (a, b) = (model.marker_at(GROUND, at), model.marker_at(nut, at));
    let screw: JointId = model.joint("screw", &Screw { pitch: -0.02 }, a, b).unwrap();
    let angle = model.coordinate(screw, "angle").unwrap();
    model.drive("drive", angle, TimeFunction::formula("2*pi*t").unwrap()).unwrap();
    let mut system = model.assemble().unwrap();
    let state = run(&mut system, 10.0, 0.05);
    let place = system.node_frame(nut.node(), &state.q).position;
    assert!((place - Vector3::new(0.0, 0.0, -0.2)).norm() < 1e-9, "{place}");
}

#[test]
fn gears_and_racks_count_their_turns() {
    let mut model = Model::new();
    let (_, first) = mounted(&mut model, "first", true);
    let (_, second) = mounted(&mut model, "second", true);
    let (rack, displacement) = mounted(&mut model, "rack", false);
    model.gear("gear", first.clone(), &second, -2.5).unwrap();
    model.rack_and_pinion("teeth", second, &displacement, 0.1).unwrap();
    model.drive_velocity("drive", first, TimeFunction::formula("2*pi").unwrap()).unwrap();
    let mut system = model.assemble().unwrap();
    let state = run(&mut system, 10.0, 0.02);
    let x = system.node_frame(rack.node(), &state.q).position.x;
    assert!((x + 2.5 * 0.1 * 10.0 * TAU).abs() < 1e-8, "{x}");
}

#[test]
fn a_coupler_follows_a_function() {
    let mut model = Model::new();
    let (first, a) = mounted(&mut model, "first", false);
    let (second, b) = mounted(&mut model, "second", false);
    let sum = a.scaled(2.0).plus(&b.scaled(3.0)).unwrap();
    model.couple("sum", sum, TimeFunction::formula("sin(t)").unwrap()).unwrap();
    let mut system = model.assemble().unwrap();
    let state = run(&mut system, 2.0, 0.01);
    let [x, y] = [first, second].map(|id| system.node_frame(id.node(), &state.q).position.x);
    assert!((2.0 * x + 3.0 * y - 2f64.sin()).abs() < 1e-10);
    // equal masses share the motion in proportion to the weights
    assert!((x / y - 2.0 / 3.0).abs() < 1e-9, "{x} {y}");
}

#[test]
fn bad_factors_are_refused() {
    let mut model = Model::new();
    let (_, a) = mounted(&mut model, "first", true);
    let (_, b) = mounted(&mut model, "second", true);
    let message = model.gear("pair", a.clone(), &b, 0.0).unwrap_err().to_string();
    assert!(message.contains("gear `pair`") && message.contains("other than zero"), "{message}");
    let message = model.rack_and_pinion("rail", a, &b, f64::NAN).unwrap_err().to_string();
    assert!(message.contains("rack and pinion `rail`"), "{message}");
}

/// Two shafts bent by an angle: the first turns about z as `3 sin t + 2 t`, the second is held in the
/// tilted direction. Returns the angles of both.
fn shafts(bend: f64, universal: bool) -> (f64, f64) {
    let mut model = Model::new();
    let tilt = Frame::new(Vector3::zeros(), Quaternion::exp(&Vector3::new(bend, 0.0, 0.0)));
    let first = model.body("first", body()).unwrap();
    let second = model.body("second", body().at_frame(tilt)).unwrap();
    let upright = Frame::identity();
    let markers = (model.marker_at(GROUND, upright), model.marker_at(first, upright));
    let bearing = model.joint("bearing", &Revolute, markers.0, markers.1).unwrap();
    let (a, b) = (model.marker(first, upright), model.marker(second, upright));
    // the cross of the universal joint holds the arms x of the first and y of the second
    if universal {
        model.joint("cross", &Universal, a, b).unwrap();
    } else {
        model.joint("ball", &ConstantVelocity, a, b).unwrap();
    }
    let (a, b) = (model.marker_at(GROUND, tilt), model.marker(second, upright));
    model.joint("direction", &ParallelAxes, a, b).unwrap();
    let angle = model.coordinate(bearing, "angle").unwrap();
    model.drive("drive", angle, TimeFunction::formula("3*sin(t) + 2*t").unwrap()).unwrap();
    let mut system = model.assemble().unwrap();
    let state = run(&mut system, 1.7, 0.01);
    let turn = |id: BodyId, from: Frame| {
        let seen = system.node_frame(id.node(), &state.q).seen_from(&from);
        let x = seen.orientation.rotate(&Vector3::x());
        x.y.atan2(x.x)
    };
    (turn(first, upright), turn(second, tilt))
}

#[test]
fn a_constant_velocity_joint_transmits_exactly_one() {
    for bend in [0.0, 0.4, 0.9, 1.5] {
        let (first, second) = shafts(bend, false);
        assert!((first - second).sin().abs() < 1e-10, "bend {bend}: {first} {second}");
        let driven = 3.0 * 1.7f64.sin() + 3.4;
        assert!((first - driven).sin().abs() < 1e-10 && (first - driven).cos() > 0.0);
    }
}

#[test]
fn a_universal_joint_transmits_unevenly() {
    // arms x and y: the bend is about x, so the second shaft runs as tan θ₂ = cos β tan θ₁
    for bend in [0.4f64, 0.9] {
        let (first, second) = shafts(bend, true);
        let expected = (bend.cos() * first.sin()).atan2(first.cos());
        assert!((second - expected).abs() < 1e-9, "bend {bend}: {second} {expected}");
    }
}

#[test]
fn a_planetary_gear_turns_its_carrier() {
    // sun fixed to the ground, carrier driven: the planet turns on the carrier by −(−1)(r_s/r_p) θ
    let mut model = Model::new();
    let (carrier, angle) = mounted(&mut model, "carrier", true);
    let at = model.frame(Vector3::new(0.0, 0.3, 0.0), Vector3::x());
    let planet = model.body("planet", body().at(at.position)).unwrap();
    let (a, b) = (model.marker_at(carrier, at), model.marker_at(planet, at));
    let pin = model.joint("pin", &Cylindrical, a, b).unwrap();
    let (on_carrier, slide) =
        (model.coordinate(pin, "angle").unwrap(), model.coordinate(pin, "displacement").unwrap());
    model.couple("stay", slide, TimeFunction::Constant(0.0)).unwrap();
    // seen from the carrier the sun turns by −θ
    model.gear("mesh", angle.clone().scaled(-1.0), &on_carrier, -2.0).unwrap();
    model.drive("drive", angle, TimeFunction::formula("t").unwrap()).unwrap();
    let mut system = model.assemble().unwrap();
    let state = run(&mut system, 8.0, 0.02);
    let planet = system.node_frame(planet.node(), &state.q).orientation;
    // in the world it turns by θ + 2θ
    let difference = Quaternion::exp(&Vector3::new(24.0, 0.0, 0.0)).conjugate() * planet;
    assert!(difference.vector.norm() < 1e-9, "{difference:?}");
}
