//! Transfer functions and state spaces against their step responses.

use crate::support::{NONE, converges, slide};
use rotula_mechanics::Model;
use rotula_mechanics::control::{SensorId, StateSpace};
use rotula_mechanics::force::{Axes, Load};
use rotula_mechanics::sensor::CoordinateSensor;

/// A block of mass 1 on a slide, pushed by a signal.
fn pushed_by(model: &mut Model, signal: &str) -> SensorId {
    let (block, joint) = slide(model, 1.0);
    let place = model.coordinate(joint, "displacement").unwrap();
    let push = model.amplitude("push", signal).unwrap();
    let marker = model.marker(block, Default::default());
    model.force("push", Load::new(marker, Axes::World, [push, NONE, NONE], [NONE; 3])).unwrap();
    model.sensor("place", CoordinateSensor::value(place)).unwrap()
}

#[test]
fn first_order_lag() {
    let mut model = Model::new();
    model.transfer_function("lag", "1", &[1.0], &[1.0, 1.0]).unwrap();
    let place = pushed_by(&mut model, "lag");
    let lag = model.output("seen", "lag").unwrap();
    let t: f64 = 2.0;
    let decay = (-t).exp();
    let expected = [(lag, 1.0 - decay), (place, 0.5 * t * t - t + 1.0 - decay)];
    converges("1/(s+1)", &model, t, 0.05, 6e-5, &expected);
}

#[test]
fn second_order_filter() {
    let (omega, zeta): (f64, f64) = (3.0, 0.4);
    let mut model = Model::new();
    let denominator = [2.0, 4.0 * zeta * omega, 2.0 * omega * omega];
    model.transfer_function("filter", "1", &[2.0 * omega * omega], &denominator).unwrap();
    pushed_by(&mut model, "filter");
    let filter = model.output("seen", "filter").unwrap();
    let t = 2.0;
    let damped = omega * (1.0 - zeta * zeta).sqrt();
    let wave = (damped * t).cos() + zeta * omega / damped * (damped * t).sin();
    let expected = [(filter, 1.0 - (-zeta * omega * t).exp() * wave)];
    converges("second order", &model, t, 0.02, 5e-6, &expected);
}

#[test]
fn feedthrough() {
    // (3s + 2)/(s + 1) = 3 − 1/(s + 1)
    let mut model = Model::new();
    model.transfer_function("lead", "1", &[3.0, 2.0], &[1.0, 1.0]).unwrap();
    pushed_by(&mut model, "lead");
    let lead = model.output("seen", "lead").unwrap();
    let t: f64 = 1.5;
    converges("lead", &model, t, 0.05, 4e-5, &[(lead, 3.0 - (1.0 - (-t).exp()))]);
}

#[test]
fn two_inputs_and_outputs() {
    let matrices = StateSpace {
        dynamics: vec![vec![0.0, 2.0], vec![-2.0, 0.0]],
        input: vec![vec![0.0, 1.0], vec![1.0, 0.0]],
        output: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
        feedthrough: vec![],
    };
    let mut model = Model::new();
    model.state_space("pair", &matrices, &["1", "0.5"]).unwrap();
    pushed_by(&mut model, "pair.1 - pair.2");
    let first = model.output("one", "pair.1").unwrap();
    let second = model.output("two", "pair.2").unwrap();
    // ẋ₁ = 2x₂ + 1/2, ẋ₂ = −2x₁ + 1: a rotation about (1/2, −1/4), from the origin
    let t: f64 = 1.0;
    let (s, c) = (2.0 * t).sin_cos();
    let (x, y) = (-0.5, 0.25);
    let expected = [(first, 0.5 + c * x + s * y), (second, -0.25 - s * x + c * y)];
    converges("state space", &model, t, 0.02, 1e-4, &expected);
}
