//! Constraints without derivatives and signals that a program computes: against differences, and
//! against a joint with exact derivatives.

use crate::check::{Random, Subject, battery, some_body};
use nalgebra::Vector3;
use rotula_dae::{Level, System};
use rotula_mechanics::constraint::{Numeric, PositionFunction};
use rotula_mechanics::control::SignalFunction;
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::joint::Distance;
use rotula_mechanics::node::Motion;
use rotula_mechanics::sensor::{CoordinateSensor, PointSensor};
use rotula_mechanics::{GROUND, Marker, Model, sensor::Direction};

/// The distance between two points, less a length.
#[derive(Clone, Debug)]
struct Apart {
    points: [Vector3<f64>; 2],
    length: f64,
}

impl PositionFunction for Apart {
    fn rows(&self) -> usize {
        1
    }
    fn describe(&self, _: usize) -> String {
        "distance".into()
    }
    fn residual(&self, _: f64, motions: &[Motion], out: &mut [f64]) {
        let point = |k: usize| motions[k].position + motions[k].rotation * self.points[k];
        out[0] = (point(1) - point(0)).norm() - self.length;
    }
}

/// Two bodies and a point on each; the numbers are the same at every call.
fn two_bodies() -> (Model, [Marker; 2]) {
    let mut random = Random::new(31);
    let mut model = Model::new();
    let first = some_body(&mut model, "first", &mut random);
    let second = some_body(&mut model, "second", &mut random);
    let (a, b) = (model.marker(first, random.frame()), model.marker(second, random.frame()));
    (model, [a, b])
}

fn numeric(mut model: Model, markers: &[Marker; 2]) -> Model {
    let points = markers.map(|marker| marker.frame.position);
    let nodes = markers.map(|marker| marker.node).to_vec();
    let rod = Numeric::new(nodes, Apart { points, length: 0.7 }, 1.0).unwrap();
    model.constrain("rod", Box::new(rod)).unwrap();
    model
}

#[test]
fn a_constraint_without_derivatives_passes_the_battery() {
    let (model, markers) = two_bodies();
    battery("numeric constraint", numeric(model, &markers));
}

#[test]
fn its_residuals_are_those_of_the_joint() {
    let (model, markers) = two_bodies();
    let mut exact = model.clone();
    exact.joint("rod", &Distance { length: 0.7 }, markers[0], markers[1]).unwrap();
    let exact = exact.assemble().unwrap();
    let rough = numeric(model, &markers).assemble().unwrap();
    for seed in 1..6 {
        let mut subjects = [Subject::new(&exact, seed), Subject::new(&rough, seed)];
        for (level, tolerance) in
            [(Level::Position, 1e-14), (Level::Velocity, 1e-11), (Level::Acceleration, 1e-8)]
        {
            let [exact, rough] = subjects.each_mut().map(|subject| {
                let mut out = [0.0];
                let state = subject.state.clone();
                subject.system.constraint(level, &state.point(), &mut out);
                out[0]
            });
            assert!(
                (exact - rough).abs() < tolerance * (1.0 + exact.abs()),
                "{level:?}: {rough} instead of {exact}"
            );
        }
    }
}

/// A product and a sine, so that all slopes differ.
#[derive(Clone, Debug)]
struct Wild;

impl SignalFunction for Wild {
    fn value(&mut self, inputs: &[f64]) -> f64 {
        inputs[0].sin() * inputs[1] + 0.3 * inputs[2] * inputs[2]
    }
}

#[test]
fn a_computed_signal_passes_the_battery() {
    let (mut model, markers) = two_bodies();
    let origin = model.marker(GROUND, Default::default());
    let height = CoordinateSensor::position(&markers[0], &origin, Vector3::z());
    model.sensor("height", height).unwrap();
    let climb = PointSensor::velocity(&markers[0], Direction::world(Vector3::z()));
    model.sensor("climb", climb).unwrap();
    let inputs = ["t", "height", "climb"].map(str::to_owned);
    let command = model.computed_variable("command", &inputs, Wild).unwrap();
    let none = Amplitude::Constant(0.0);
    let load = Load::new(markers[1], Axes::World, [command.into(), none, none], [none; 3]);
    model.force("push", load).unwrap();
    battery("computed signal", model);
}

#[test]
fn inputs_must_be_signals() {
    let (mut model, _) = two_bodies();
    model.computed_variable("command", &["hieght".to_owned()], Wild).unwrap();
    let message = model.assemble().unwrap_err().to_string();
    assert!(message.contains("variable `command`") && message.contains("hieght"), "{message}");
}
