//! Mechanisms with stops, walls and clearance.

use crate::{law, plane, run, run_with, settings_with};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::{Prismatic, Revolute};
use rotula_mechanics::unilateral::{Clearance, Hole, sphere_on_plane};
use rotula_mechanics::{Body, GROUND, Model, Stop};

/// [Brüls et al. 2018, 6.1]: a pendulum (gravity along y) with its hinge in the origin.
fn pendulum() -> (Model, rotula_mechanics::BodyId, rotula_mechanics::JointId) {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 10.0, 0.0);
    let angle = std::f64::consts::PI / 12.0;
    let place = Vector3::new(angle.cos(), angle.sin(), 0.0);
    let turn = Quaternion::exp(&Vector3::new(0.0, 0.0, angle));
    let bob = model.body("bob", Body::planar(1.0, 0.1).at_frame(Frame::new(place, turn))).unwrap();
    let a = model.marker(GROUND, Frame::identity());
    let b = model.marker(bob, Frame::new(-Vector3::x(), Quaternion::identity()));
    let hinge = model.joint("hinge", &Revolute, a, b).unwrap();
    (model, bob, hinge)
}

/// Steps that end with impacts, at h = 1e-3 without location, and the impacts themselves.
const IMPACTS: [f64; 6] = [0.352, 0.946, 1.445, 1.860, 2.201, 2.478];
const EXACT: [f64; 6] =
    [0.351186525, 0.944741058, 1.443416848, 1.858297630, 2.200048810, 2.479191216];

/// Times of impacts differ by at most so much from those expected, of which six are known.
fn compare(model: &Model, located: bool, expected: [f64; 6], bound: f64) -> rotula_dae::Trajectory {
    let (_, result) = run_with(model, &settings_with(1e-3, 4.5, located));
    let found: Vec<f64> = result.contacts.impacts.iter().take(6).map(|i| i.t).collect();
    assert_eq!(found.len(), 6);
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < bound, "{found} {expected}");
    }
    result
}

/// [sheet 002 §4, 6.1]: the steps of the impacts against a wall are those of the equations.
#[test]
fn a_pendulum_meets_a_wall() {
    let (mut model, bob, _) = pendulum();
    let wall = plane(&model, Vector3::x() * 0.5f64.sqrt(), Vector3::x());
    let pair = model.pair(wall.0, model.marker(bob, Frame::identity()));
    model.touch("wall", sphere_on_plane(&pair, 0.0, law(0.8, 0.0)).unwrap()).unwrap();
    compare(&model, false, IMPACTS, 1e-9);
    // of second order: the sheet has 0.65 h² for the fourth
    let result = compare(&model, true, EXACT, 2e-6);
    let end = result.contacts.force.row(4500)[0];
    assert!((end - 10.0).abs() < 1e-6, "it rests with {end} N");
    assert!(result.audit.position_residual < 1e-10 && result.audit.velocity_residual < 1e-10);
}

/// The same wall as a stop of the hinge at an angle of 45°: the same equations of one coordinate.
#[test]
fn a_pendulum_meets_a_stop() {
    let (mut model, _, hinge) = pendulum();
    let coordinate = model.coordinate(hinge, "angle").unwrap();
    let upper = std::f64::consts::FRAC_PI_4;
    let stop =
        Stop { name: "stop".into(), coordinate, lower: f64::NEG_INFINITY, upper, restitution: 0.8 };
    model.stop(stop).unwrap();
    compare(&model, false, IMPACTS, 1.1e-3);
    let result = compare(&model, true, EXACT, 2e-6);
    // the moment of 10 N on an arm of √½ m
    let end = result.contacts.force.row(4500)[0];
    assert!((end - 50f64.sqrt()).abs() < 1e-6, "it rests with {end} N m");
}

/// A slider-crank whose rod has 1 mm of play on the pin of the slider.
fn slider_crank() -> Model {
    let mut model = Model::new();
    let at = |x: f64, y: f64| Frame::new(Vector3::new(x, y, 0.0), Quaternion::identity());
    let (crank_length, rod_length, play) = (0.1, 0.3, 1e-3);
    let spin = Vector3::new(0.0, 0.0, 20.0);
    let crank = Body::planar(0.3, 3e-4).at(Vector3::x() * 0.5 * crank_length);
    let crank = crank.moving(spin.cross(&(Vector3::x() * 0.5 * crank_length)), spin);
    let crank = model.body("crank", crank).unwrap();
    // the crank points along the line of the slider: the far end of the rod stands still
    let rate = Vector3::new(0.0, 0.0, -20.0 * crank_length / rod_length);
    let rod = Body::planar(0.5, 4e-3).at(Vector3::x() * (crank_length + 0.5 * rod_length));
    let rod = rod.moving(Vector3::y() * 20.0 * crank_length * 0.5, rate);
    let rod = model.body("rod", rod).unwrap();
    let slider = Body::planar(1.0, 1e-3).at(Vector3::x() * (crank_length + rod_length));
    let slider = model.body("slider", slider).unwrap();
    let zero = model.marker(GROUND, Frame::identity());
    let inner = model.marker(crank, at(-0.5 * crank_length, 0.0));
    model.joint("main bearing", &Revolute, zero, inner).unwrap();
    let (a, b) = (
        model.marker(crank, at(0.5 * crank_length, 0.0)),
        model.marker(rod, at(-0.5 * rod_length, 0.0)),
    );
    model.joint("crank pin", &Revolute, a, b).unwrap();
    let along = model.frame(Vector3::zeros(), Vector3::x());
    let (a, b) = (
        model.marker(GROUND, along),
        model.marker(slider, Frame { position: Vector3::zeros(), ..along }),
    );
    model.joint("guide", &Prismatic, a, b).unwrap();
    let hole = model.marker(rod, at(0.5 * rod_length, 0.0));
    let pin = model.marker(slider, Frame::identity());
    let clearance = Clearance { hole: Hole::Round, size: play, radius: 0.01, law: law(0.4, 0.0) };
    model.clearance("slider pin", hole, pin, clearance).unwrap();
    model
}

#[test]
fn a_slider_crank_rattles_in_its_clearance() {
    let rises = [2e-4, 1e-4].map(rattle);
    println!("{rises:?}");
    // the smooth motion between impacts keeps the energy to second order
    assert!(rises[1] < 0.4 * rises[0] && rises[1] < 1e-4, "{rises:?}");
}

/// The largest rise of energy in a step, over the energy at the start.
fn rattle(h: f64) -> f64 {
    let (_, result) = run(&slider_crank(), h, 0.3);
    let energy: Vec<f64> =
        (0..result.times.len()).map(|i| result.energy.row(i).iter().sum()).collect();
    let rise = energy.windows(2).fold(0.0f64, |rise, pair| rise.max(pair[1] - pair[0]));
    let lowest = result.contacts.gap.column(0).fold(f64::INFINITY, f64::min);
    println!(
        "{} impacts, energy {} to {}, largest rise {rise}, smallest gap {lowest}",
        result.contacts.impacts.len(),
        energy[0],
        energy[energy.len() - 1]
    );
    assert!(result.contacts.impacts.len() >= 4);
    assert!(lowest > -1e-11, "{lowest}");
    assert!(energy[energy.len() - 1] < energy[0]);
    assert!(result.audit.position_residual < 1e-9 && result.audit.velocity_residual < 1e-9);
    rise / energy[0]
}
