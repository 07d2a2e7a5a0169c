//! Algebraic loops: forces that depend on accelerations and reactions that depend on the forces.

use crate::support::{FORMULATIONS, NONE, converges, run, slide};
use nalgebra::Vector3;
use rotula_mechanics::force::{Axes, Load};
use rotula_mechanics::joint::Prismatic;
use rotula_mechanics::quantity::{Part, Side};
use rotula_mechanics::sensor::{ActionSensor, CoordinateSensor, Direction};
use rotula_mechanics::{Body, GROUND, MassProperties, Model};

const MASS: f64 = 2.0;
const ADDED: f64 = 3.0;

/// A block on a slide, pushed by `cos(2t)` and held back by `added` times its acceleration.
fn pushed(mass: f64, added: f64) -> (Model, [rotula_mechanics::control::SensorId; 3]) {
    let mut model = Model::new();
    let (block, joint) = slide(&mut model, mass);
    let place = model.coordinate(joint, "displacement").unwrap();
    let position = model.sensor("place", CoordinateSensor::value(place.clone())).unwrap();
    let speed = model.sensor("speed", CoordinateSensor::rate(place.clone())).unwrap();
    let acceleration = model.sensor("acceleration", CoordinateSensor::acceleration(place)).unwrap();
    model.parameter("added", added).unwrap();
    let push = match added {
        0.0 => model.amplitude("push", "cos(2*t)").unwrap(),
        _ => model.amplitude("push", "cos(2*t) - added*acceleration").unwrap(),
    };
    let marker = model.marker(block, Default::default());
    model.force("push", Load::new(marker, Axes::World, [push, NONE, NONE], [NONE; 3])).unwrap();
    (model, [position, speed, acceleration])
}

#[test]
fn a_force_against_the_acceleration_is_a_mass() {
    let until = 3.0;
    let (model, [position, speed, acceleration]) = pushed(MASS, ADDED);
    let total = MASS + ADDED;
    let expected = [
        (position, (1.0 - f64::cos(2.0 * until)) / (4.0 * total)),
        (speed, f64::sin(2.0 * until) / (2.0 * total)),
        (acceleration, f64::cos(2.0 * until) / total),
    ];
    converges("virtual mass", &model, until, 0.02, 3e-6, &expected);

    // the loop is solved, not delayed: the motion is that of the heavier body
    let (heavy, _) = pushed(total, 0.0);
    for formulation in FORMULATIONS {
        let (_, light) = run(&model, formulation, 0.02, until);
        let (_, heavy) = run(&heavy, formulation, 0.02, until);
        for (a, b) in light.q.iter().chain(&light.v).zip(heavy.q.iter().chain(&heavy.v)) {
            assert!((a - b).abs() < 1e-8, "{formulation}: {a} is not {b}");
        }
    }
}

#[test]
fn friction_that_lifts_the_block_it_holds() {
    // A block slides down. It is held back by a rod that pulls with c times the normal reaction N, at
    // an angle that lifts it: N = m g cos α − c N sin β, so N = m g cos α/(1 + c sin β).
    let (mass, g, slope, c, lift): (f64, f64, f64, f64, f64) = (2.0, 9.81, 0.6, 0.3, 0.4);
    let down = Vector3::new(slope.cos(), 0.0, -slope.sin());
    let normal = Vector3::new(slope.sin(), 0.0, slope.cos());
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -g);
    let properties = MassProperties::principal(mass, Vector3::new(0.1, 0.2, 0.3));
    let body = Body::rigid(properties).moving(down, Vector3::zeros());
    let block = model.body("block", body).unwrap();
    let frame = model.frame(Vector3::zeros(), down);
    let (a, b) = (model.marker_at(GROUND, frame), model.marker_at(block, frame));
    let joint = model.joint("incline", &Prismatic, a, b).unwrap();
    let place = model.coordinate(joint, "displacement").unwrap();
    let position = model.sensor("place", CoordinateSensor::value(place.clone())).unwrap();
    let speed = model.sensor("speed", CoordinateSensor::rate(place)).unwrap();
    let reaction = ActionSensor::reaction(
        &model,
        joint,
        (Side::Second, Part::Force),
        Direction::world(normal),
    )
    .unwrap();
    let reaction = model.sensor("normal", reaction).unwrap();
    model.parameter("c", c).unwrap();
    let pull = normal * lift.sin() - down * lift.cos();
    let force = std::array::from_fn(|k| {
        let formula = format!("c*normal*sign(speed)*({:?})", pull[k]);
        model.amplitude(&format!("pull{k}"), &formula).unwrap()
    });
    model.force("rod", Load::new(b, Axes::World, force, [NONE; 3])).unwrap();

    let n = mass * g * slope.cos() / (1.0 + c * lift.sin());
    let a = g * slope.sin() - c * n * lift.cos() / mass;
    assert!(a > 1.0);
    let until = 2.0;
    for formulation in FORMULATIONS {
        let (mut assembly, state) = run(&model, formulation, 0.02, until);
        let readings =
            [(position, until + 0.5 * a * until * until), (speed, 1.0 + a * until), (reaction, n)];
        for (sensor, expected) in readings {
            let reading = assembly.read_sensor(sensor, &state);
            let error = (reading - expected).abs();
            println!("incline, {formulation}: {reading} error {error:.1e}");
            // the acceleration is constant, which every one of these methods integrates exactly
            assert!(error < 1e-9, "{formulation}: {reading} is not {expected}");
        }
    }
}
