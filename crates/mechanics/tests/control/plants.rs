//! Controlled plants against hand-written differential equations.

use crate::support::{NONE, converges, reference, slide};
use nalgebra::Vector3;
use rotula_mechanics::control::Pid;
use rotula_mechanics::force::{Axes, Load};
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::sensor::CoordinateSensor;
use rotula_mechanics::{Body, GROUND, JointId, Marker, MassProperties, Model};

/// A rod of length 2 that hangs from a hinge about y at the origin, and a marker on it whose z axis is
/// the hinge's.
fn rod(model: &mut Model, angle: f64) -> (JointId, Marker) {
    let inertia = 1.5 * 4.0 / 12.0;
    let rod = MassProperties::principal(1.5, Vector3::new(inertia, inertia, 1e-3));
    let turn = rotula_lie::Quaternion::exp(&Vector3::new(0.0, angle, 0.0));
    let centre = turn.rotate(&Vector3::new(0.0, 0.0, -1.0));
    let rod = model.body("rod", Body::rigid(rod).at_frame(rotula_lie::Frame::new(centre, turn)));
    let rod = rod.unwrap();
    // both markers agree when the rod hangs straight down
    let hinge = model.frame(Vector3::zeros(), Vector3::y());
    let up = rotula_lie::Frame::new(Vector3::new(0.0, 0.0, 1.0), Default::default());
    let (a, b) = (model.marker_at(GROUND, hinge), model.marker(rod, up * hinge));
    (model.joint("hinge", &Revolute, a, b).unwrap(), b)
}

#[test]
fn pendulum_under_proportional_and_derivative_control() {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let (joint, marker) = rod(&mut model, 0.4);
    let angle = model.coordinate(joint, "angle").unwrap();
    let seen = model.sensor("angle", CoordinateSensor::value(angle.clone())).unwrap();
    let rate = model.sensor("rate", CoordinateSensor::rate(angle)).unwrap();
    model.parameter("stiffness", 20.0).unwrap();
    model.variable("error", "1 - angle").unwrap();
    let moment = model.amplitude("moment", "stiffness*error - 3*rate").unwrap();
    model.force("motor", Load::new(marker, Axes::Marker, [NONE; 3], [NONE, NONE, moment])).unwrap();
    let start = model.assemble().unwrap().start();
    assert_eq!(start.y.len(), 4, "two formulas and the two sensors they use");

    // (I + m l²) θ̈ = −m g l sin θ + k (1 − θ) − d θ̇
    let inertia = 1.5 * 4.0 / 3.0;
    let until = 1.5;
    let end = reference(
        |_, [angle, rate]| {
            let moment = 20.0 * (1.0 - angle) - 3.0 * rate;
            [rate, (moment - 1.5 * 9.81 * angle.sin()) / inertia]
        },
        [0.4, 0.0],
        until,
    );
    let expected = [(seen, end[0]), (rate, end[1])];
    converges("pendulum", &model, until, 0.02, 5e-4, &expected);
}

/// A mass under PID control with a jump of the setpoint at the start.
fn controlled(
    limits: Option<[f64; 2]>,
) -> (Model, Vec<(rotula_mechanics::control::SensorId, f64)>) {
    let pid = Pid {
        proportional: 30.0,
        integral: 20.0,
        derivative: 9.0,
        filter_time: 0.1,
        limits,
        tracking_time: limits.map(|_| 0.5),
    };
    let mut model = Model::new();
    let (block, joint) = slide(&mut model, 2.0);
    let place = model.coordinate(joint, "displacement").unwrap();
    let seen = model.sensor("place", CoordinateSensor::value(place.clone())).unwrap();
    let speed = model.sensor("speed", CoordinateSensor::rate(place)).unwrap();
    let command = model.pid("controller", "place", "1", &pid).unwrap();
    let marker = model.marker(block, Default::default());
    let force = [command.into(), NONE, NONE];
    model.force("push", Load::new(marker, Axes::World, force, [NONE; 3])).unwrap();
    let integral = model.output("wound", "controller.integral").unwrap();

    let end = reference(
        |_, [x, v, integral, filtered]| {
            let error = 1.0 - x;
            let slope = (error - filtered) / 0.1;
            let free = 30.0 * error + integral + 9.0 * slope;
            let command = limits.map_or(free, |[low, high]| free.clamp(low, high));
            [v, command / 2.0, 20.0 * error + (command - free) / 0.5, slope]
        },
        [0.0; 4],
        1.5,
    );
    (model, vec![(seen, end[0]), (speed, end[1]), (integral, end[2])])
}

#[test]
fn mass_under_pid_control() {
    let (model, expected) = controlled(None);
    converges("pid", &model, 1.5, 0.01, 3e-4, &expected);
}

#[test]
fn limited_pid_does_not_wind_up() {
    let (model, expected) = controlled(Some([-6.0, 8.0]));
    // where the command leaves its limit a step straddles the kink: second order is not seen
    for formulation in crate::support::FORMULATIONS {
        let (mut assembly, state) = crate::support::run(&model, formulation, 0.002, 1.5);
        for (sensor, value) in &expected {
            let reading = assembly.read_sensor(*sensor, &state);
            println!("limited pid, {formulation}: {reading} {value}");
            assert!((reading - value).abs() < 2e-4, "{formulation}: {reading} is not {value}");
        }
    }
}

#[test]
fn motor_with_governor() {
    // L i' + R i + k ω − u = 0 as an implicit state, J ω' = k i − b ω, u' = g (ω₀ − ω)
    let mut model = Model::new();
    let properties = Body::planar(1.0, 0.02);
    let rotor = model.body("rotor", properties).unwrap();
    let frame = model.frame(Vector3::zeros(), Vector3::z());
    let (a, b) = (model.marker_at(GROUND, frame), model.marker_at(rotor, frame));
    let joint = model.joint("bearing", &Revolute, a, b).unwrap();
    let angle = model.coordinate(joint, "angle").unwrap();
    let turned = model.sensor("angle", CoordinateSensor::value(angle.clone())).unwrap();
    let speed = model.sensor("speed", CoordinateSensor::rate(angle)).unwrap();
    model
        .implicit_state("current", 0.5, "0.05*current' + 0.8*current + 0.3*speed - voltage")
        .unwrap();
    model.state("voltage", 6.0, "1.5*(20 - speed)").unwrap();
    let moment = model.amplitude("moment", "0.3*current - 0.004*speed").unwrap();
    model.force("motor", Load::new(b, Axes::World, [NONE; 3], [NONE, NONE, moment])).unwrap();
    let current = model.output("amperes", "current").unwrap();
    // the power that leaves the motor, from signals of all kinds
    let power = model.output("power", "0.3*current*speed").unwrap();

    let until = 2.0;
    let end = reference(
        |_, [_, speed, current, voltage]| {
            [
                speed,
                (0.3 * current - 0.004 * speed) / 0.02,
                (voltage - 0.8 * current - 0.3 * speed) / 0.05,
                1.5 * (20.0 - speed),
            ]
        },
        [0.0, 0.0, 0.5, 6.0],
        until,
    );
    let expected =
        [(turned, end[0]), (speed, end[1]), (current, end[2]), (power, 0.3 * end[2] * end[1])];
    assert!(end[0] > std::f64::consts::TAU, "the angle counts turns");
    converges("motor", &model, until, 0.01, 1.5e-3, &expected);
}
