//! Blades and wheels against closed forms.

use crate::support::{run, run_with, violation};
use nalgebra::Vector3;
use rotula_dae::{Energetics, Formulation, MassHistory};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::{KnifeEdge, Planar, Rolling};
use rotula_mechanics::{Assembly, Body, BodyId, GROUND, MassProperties, Model};
use std::f64::consts::FRAC_PI_2;

/// Error of the skate [Jay & Negrut 2009, sheet §7] on an incline, as a planar body or as a spatial one on a plane.
fn skate_error(spatial: bool, h: f64) -> f64 {
    let (slope, spin, speed, until) = (4.905, 2.0, 1.0, 1.0f64);
    let mut model = Model::new();
    model.gravity = Vector3::new(slope, 0.0, 0.0);
    let mass = MassProperties::principal(2.0, Vector3::new(0.3, 0.4, 0.5));
    let body = if spatial { Body::rigid(mass) } else { Body::planar(2.0, 0.5) };
    let omega = Vector3::new(0.0, 0.0, spin);
    let skate = model.body("skate", body.moving(Vector3::x() * speed, omega)).unwrap();
    let (a, b) = (model.marker(GROUND, Frame::identity()), model.marker(skate, Frame::identity()));
    model.joint("blade", &KnifeEdge, a, b).unwrap();
    if spatial {
        model.joint("ice", &Planar, a, b).unwrap();
    }
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let formulation = Formulation::Soi2 { mass: MassHistory::Stored };
    let state = run_with(&mut system, &start, formulation, until, h);
    let found = system.node_frame(skate.node(), &state.q).position;
    let phi = spin * until;
    let x = speed / spin * phi.sin() + slope * phi.sin().powi(2) / (2.0 * spin * spin);
    let y = speed / spin * (1.0 - phi.cos())
        + slope / spin * (0.5 * until - (2.0 * phi).sin() / (4.0 * spin));
    (found - Vector3::new(x, y, 0.0)).norm()
}

#[test]
fn a_skate_drifts_across_the_slope() {
    for spatial in [false, true] {
        let (coarse, fine) = (skate_error(spatial, 0.02), skate_error(spatial, 0.005));
        assert!(fine < 2e-4, "{fine}");
        let order = (coarse / fine).log(4.0);
        assert!((order - 2.0).abs() < 0.1, "order {order}: {coarse} {fine}");
    }
}

const RADIUS: f64 = 0.4;

/// A disc on a plane, leaning and turned by some angle, in a given motion of its rotation.
fn disc(lean: f64, omega: Vector3<f64>, gravity: Vector3<f64>) -> (Assembly, BodyId) {
    let mut model = Model::new();
    model.gravity = gravity;
    let axis = Quaternion::exp(&Vector3::new(lean - FRAC_PI_2, 0.0, 0.0));
    // z of the disc is (0, cos lean, sin lean); its centre is above the origin, which it touches
    let z = axis.rotate(&Vector3::z());
    let up = (Vector3::z() - z * z.z).normalize();
    let centre = up * RADIUS;
    let mass = MassProperties::principal(2.0, Vector3::new(0.08, 0.08, 0.16));
    let wheel = Body::rigid(mass).at_frame(Frame::new(centre, axis));
    let wheel = model.body("wheel", wheel.moving(omega.cross(&centre), omega)).unwrap();
    let (a, b) = (model.marker(GROUND, Frame::identity()), model.marker(wheel, Frame::identity()));
    model.joint("road", &Rolling { radius: RADIUS }, a, b).unwrap();
    (model.assemble().unwrap(), wheel)
}

/// A wheel that runs straight is exact with every step: errors of the distance with two step sizes, and of
/// the distance against radius times angle.
fn rolls(spin: f64, gravity: Vector3<f64>, until: f64, distance: f64) {
    let errors = [0.01, 0.0025].map(|h| {
        let (mut system, wheel) = disc(0.0, Vector3::new(0.0, spin, 0.0), gravity);
        let state = run(&mut system, until, h);
        let frame = system.node_frame(wheel.node(), &state.q);
        let place = frame.position;
        assert!((place.z - RADIUS).abs() < 1e-9, "{place}");
        // nothing steers an upright wheel: a rate of 1e-9 rad/s, which is what the iteration may leave,
        // bends its path all the time
        assert!(place.y.abs() < 1e-9 * 0.5 * distance * until, "{place}");
        // the angle, with the turns that the distance makes
        let x = frame.orientation.rotate(&Vector3::x());
        let angle = (-x.z).atan2(x.x) - distance / RADIUS;
        let slip = angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round();
        [place.x - distance, place.x - distance - RADIUS * slip].map(f64::abs)
    });
    for (k, what) in ["distance", "distance against angle"].iter().enumerate() {
        let (coarse, fine) = (errors[0][k], errors[1][k]);
        assert!(coarse.max(fine) < 1e-11 * distance, "{what}: {coarse} {fine}");
    }
}

#[test]
fn an_upright_wheel_rolls_its_radius_times_its_angle() {
    rolls(3.0, Vector3::new(0.0, 0.0, -9.81), 10.0, RADIUS * 3.0 * 10.0);
}

#[test]
fn a_wheel_runs_down_a_slope() {
    // g sin α / (1 + I/(m r²)) with I = m r²/2
    rolls(0.0, Vector3::new(2.0, 0.0, -9.0), 2.0, 0.5 * 2.0 / 1.5 * 4.0);
}

/// A leaning wheel in steady circular motion keeps its lean, for the precession that balances
/// gravity and gyroscopic moment.
#[test]
fn a_leaning_wheel_runs_in_a_circle() {
    let (mass, across, along, g) = (2.0, 0.08, 0.16, 9.81);
    // the axis is tilted up by `lean`; precession Ω about the vertical, spin σ about the axis
    let (lean, precession) = (0.3f64, 1.2);
    let (sin, cos) = lean.sin_cos();
    // the contact point runs through the disc: the centre moves on a circle of radius ρ about the
    // vertical through the origin of the circle, at rest in lean. With e the horizontal direction of
    // the axis, the centre has velocity −σ r t, t = e × vertical; it accelerates by Ω × v.
    let spin = steady_spin(mass, across, along, g, lean, precession);
    let omega = Vector3::new(0.0, 0.0, precession) + Vector3::new(0.0, cos, sin) * spin;
    let (mut system, wheel) = disc(lean, omega, Vector3::new(0.0, 0.0, -g));
    let start = system.start();
    assert!(violation(&mut system, &start) < 1e-12);
    let state = run(&mut system, 4.0, 0.002);
    let frame = system.node_frame(wheel.node(), &state.q);
    let axis = frame.orientation.rotate(&Vector3::z());
    assert!((axis.z - sin).abs() < 1e-5, "lean {} is not {sin}", axis.z);
    let turn = 4.0 * precession;
    let expected = Vector3::new(-turn.sin() * cos, turn.cos() * cos, sin);
    assert!((axis - expected).norm() < 1e-4, "{axis} is not {expected}");
    let height = RADIUS * axis.x.hypot(axis.y);
    assert!((frame.position.z - height).abs() < 1e-10);
}

/// The spin about the axis that balances a given lean and precession.
///
/// Moments about the centre, along the level line t in the disc. Contact force: weight and the
/// centripetal force `m Ω v` towards the middle of the circle.
fn steady_spin(mass: f64, across: f64, along: f64, g: f64, lean: f64, precession: f64) -> f64 {
    let balance = |spin: f64| {
        let vertical = Vector3::z();
        let axis = Vector3::new(0.0, lean.cos(), lean.sin());
        let omega = vertical * precession + axis * spin;
        let up = (vertical - axis * axis.z).normalize();
        // angular momentum turns with the precession
        let level = axis * along * omega.dot(&axis) + (omega - axis * omega.dot(&axis)) * across;
        let velocity = omega.cross(&(up * RADIUS));
        let force = (vertical * precession).cross(&velocity) * mass + vertical * (mass * g);
        let moment = (-up * RADIUS).cross(&force);
        ((vertical * precession).cross(&level) - moment).x
    };
    // linear in the spin
    let (zero, one) = (balance(0.0), balance(1.0));
    -zero / (one - zero)
}

#[test]
fn a_wobbling_wheel_keeps_its_energy() {
    let omega = Vector3::new(0.4, 4.0, 0.8);
    let lost = |h: f64| {
        let (mut system, _) = disc(0.2, omega, Vector3::new(0.0, 0.0, -9.81));
        let start = system.start();
        let before = system.energy(&start.point()).unwrap();
        let state = run(&mut system, 1.0, h);
        assert!(violation(&mut system, &state) < 1e-8);
        let after = system.energy(&state.point()).unwrap();
        (after.kinetic + after.potential - before.kinetic - before.potential).abs()
    };
    let (coarse, fine) = (lost(0.004), lost(0.001));
    assert!(fine < 1e-4 && coarse / fine > 10.0, "{coarse} {fine}");
}

#[test]
fn a_planar_wheel_runs_down_a_slope() {
    let mut model = Model::new();
    model.gravity = Vector3::new(2.0, -9.0, 0.0);
    let wheel = Body::planar(2.0, 0.16).at(Vector3::new(0.0, RADIUS, 0.0));
    let wheel = model.body("wheel", wheel).unwrap();
    let up = model.frame(Vector3::zeros(), Vector3::y());
    let (a, b) = (model.marker_at(GROUND, up), model.marker(wheel, Frame::identity()));
    model.joint("road", &Rolling { radius: RADIUS }, a, b).unwrap();
    let mut system = model.assemble().unwrap();
    let errors = [0.01, 0.0025].map(|h| {
        let state = run(&mut system, 2.0, h);
        // the distance is the radius times the angle, clockwise
        [state.q[0] - 0.5 * 2.0 / 1.5 * 4.0, state.q[0] + RADIUS * state.q[2]].map(f64::abs)
    });
    for k in 0..2 {
        let (coarse, fine) = (errors[0][k], errors[1][k]);
        assert!(coarse.max(fine) < 1e-11, "{coarse} {fine}");
    }
}
