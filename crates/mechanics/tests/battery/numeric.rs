//! Constraints without derivatives and signals that a program computes: against differences, and
//! against a joint with exact derivatives.

use crate::check::{Random, battery, some_body};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::Level;
use rotula_mechanics::constraint::{Constraint, Numeric, PositionFunction};
use rotula_mechanics::control::SignalFunction;
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::joint::Distance;
use rotula_mechanics::node::Motion;
use rotula_mechanics::sensor::{CoordinateSensor, PointSensor};
use rotula_mechanics::{GROUND, Marker, Model, Scene, World, sensor::Direction};

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

/// A body that moves somehow.
fn some_motion(random: &mut Random) -> Motion {
    Motion {
        position: random.vector(),
        rotation: random.frame().orientation.to_matrix(),
        velocity: random.vector(),
        omega: random.vector() * 2.0,
        velocity_rate: random.vector() * 5.0,
        omega_rate: random.vector() * 5.0,
    }
}

/// Both constraints with the motions of the ground and two bodies.
fn compare(what: &str, tolerance: f64, numbers: impl Fn(&dyn Constraint, Scene) -> Vec<f64>) {
    let (model, markers) = two_bodies();
    let mut exact = model.clone();
    exact.joint("rod", &Distance { length: 0.7 }, markers[0], markers[1]).unwrap();
    let rough = numeric(model, &markers);
    let mut random = Random::new(77);
    for _ in 0..10 {
        let motions: Vec<Motion> = (0..3).map(|_| some_motion(&mut random)).collect();
        let (none, t) = (&[][..], 0.3);
        let world = World {
            t,
            motions: &motions,
            angles: none,
            functions: &[],
            states: none,
            variables: none,
        };
        let [exact, rough] = [&exact, &rough].map(|model| {
            let constraint = model.constraints()[0].constraint.as_ref();
            numbers(constraint, Scene { world: &world, nodes: constraint.nodes() })
        });
        for (k, (exact, rough)) in exact.iter().zip(&rough).enumerate() {
            assert!(
                (exact - rough).abs() < tolerance * (1.0 + exact.abs()),
                "{what} {k}: {rough} instead of {exact}"
            );
        }
    }
}

#[test]
fn its_residuals_are_those_of_the_joint() {
    for (level, tolerance) in
        [(Level::Position, 1e-14), (Level::Velocity, 1e-10), (Level::Acceleration, 1e-7)]
    {
        compare(&format!("{level:?}"), tolerance, |constraint, scene| {
            let mut out = [0.0];
            constraint.residual(level, scene, &mut out);
            out.to_vec()
        });
    }
}

#[test]
fn its_derivatives_are_those_of_the_joint() {
    type Rows = fn(&dyn Constraint, Scene, &mut [Vector6<f64>]);
    let kinds: [(&str, f64, Rows); 5] = [
        ("gradient", 1e-9, |c, scene, out| c.gradient(scene, out)),
        ("reaction", 1e-8, |c, scene, out| c.reaction(scene, &[3.0], out)),
        ("rate gradient", 1e-5, |c, scene, out| c.rate_gradient(scene, out)),
        ("acceleration gradient", 1e-3, |c, scene, out| c.acceleration_gradient(scene, out)),
        ("acceleration velocity", 1e-4, |c, scene, out| c.acceleration_velocity(scene, out)),
    ];
    for (what, tolerance, rows) in kinds {
        compare(what, tolerance, |constraint, scene| {
            let mut out = [Vector6::zeros(); 2];
            rows(constraint, scene, &mut out);
            out.iter().flat_map(|row| row.iter().copied()).collect()
        });
    }
    compare("curvature", 1e-4, |constraint, scene| {
        let mut blocks = [Matrix6::zeros(); 4];
        constraint.curvature(scene, &[3.0], &mut blocks);
        blocks.iter().flat_map(|block| block.iter().copied()).collect()
    });
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
