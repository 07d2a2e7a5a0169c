//! Every sensor, and loads and springs that depend on signals, against differences.

use crate::check::{Random, battery, sensor_rates, some_ball, some_body, some_planar_body};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_mechanics::control::{Pid, SensorId, StateSpace};
use rotula_mechanics::force::{Amplitude, Auxiliary, Axes, Force, Load};
use rotula_mechanics::joint::{Cylindrical, Fixed, Joint, Prismatic, Revolute, Spherical};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::quantity::{Part, Side};
use rotula_mechanics::sensor::{
    ActionSensor, Angles, AngularSensor, CoordinateSensor, Direction, MultiplierSensor,
    OrientationSensor, PointSensor, Sensor, SpeedSensor,
};
use rotula_mechanics::{Body, GROUND, JointId, Marker, Model, Scene, TimeFunction};

/// A push along the x axis of a node that equals a state.
#[derive(Clone, Debug)]
struct StatePush {
    node: [usize; 1],
    state: [Auxiliary; 1],
}

impl Force for StatePush {
    fn nodes(&self) -> &[usize] {
        &self.node
    }

    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        out[0][0] += scene.world.states[0];
    }

    fn tangent(&mut self, _: Scene, _: &mut [Matrix6<f64>], _: &mut [Matrix6<f64>]) {}

    fn auxiliary(&self) -> &[Auxiliary] {
        &self.state
    }

    fn auxiliary_tangent(&mut self, _: Scene, out: &mut [Vector6<f64>]) {
        out[0][0] += 1.0;
    }
}

/// Two bodies, a point and the ground, with a joint between the bodies.
pub struct Stage {
    pub model: Model,
    pub markers: Vec<Marker>,
    joint: JointId,
    random: Random,
    /// Terms of the formula that uses every sensor.
    pub used: Vec<String>,
}

impl Stage {
    pub fn new(joint: &dyn Joint) -> Self {
        let mut random = Random::new(23);
        let mut model = Model::new();
        let first = some_body(&mut model, "first", &mut random);
        let second = some_ball(&mut model, "second", &mut random);
        let third = some_planar_body(&mut model, "third", &mut random);
        let point = model.body("point", Body::point(0.7).at(random.vector())).unwrap();
        let bodies = [GROUND, first, second, third, point];
        let markers = bodies.map(|body| model.marker(body, random.frame())).to_vec();
        let joint = model.joint("joint", joint, markers[1], markers[2]).unwrap();
        Stage { model, markers, joint, random, used: Vec::new() }
    }

    /// Adds a sensor and a term to the formula, so that it becomes a variable.
    fn sensor(&mut self, sensor: impl Sensor + 'static) -> SensorId {
        let name = format!("sensor{}", self.used.len());
        self.used.push(format!("{name}*cos({name} + t)"));
        self.model.sensor(&name, sensor).unwrap()
    }

    pub fn direction(&mut self, k: usize) -> Direction {
        Direction::of(&self.markers[k], self.random.vector())
    }

    /// A load and a state that depend on all sensors.
    pub fn finish(mut self, what: &str) {
        let sum = self.used.join(" + ");
        self.model.state("lag", 0.2, &format!("0.3*{sum} - lag^2*lag'")).unwrap();
        let push = self.model.variable("push", &format!("sin(lag) + 0.1*({sum})")).unwrap();
        let none = Amplitude::Constant(0.0);
        let lagging = [none, push.into(), none];
        let load = Load::new(self.markers[1], Axes::World, lagging, [push.into(), none, none]);
        self.model.force("load", load).unwrap();
        // the first state of the model, whichever that is
        let state = [Auxiliary::State(0)];
        let push = StatePush { node: [self.markers[2].node], state };
        self.model.force("push", push).unwrap();
        battery(what, self.model);
    }
}

#[test]
fn coordinates() {
    let mut stage = Stage::new(&Cylindrical);
    let mut pairs = Vec::new();
    let mut list: Vec<Coordinate> =
        stage.model.joints()[0].coordinates.iter().map(|entry| entry.1.clone()).collect();
    let m = stage.markers.clone();
    list.push(Coordinate::length(&m[1], &m[4]));
    list.push(Coordinate::along(&m[3], &m[2], Vector3::new(0.6, 0.0, 0.8)));
    list.push(Coordinate::angle(&m[0], &m[3]).plus(&Coordinate::length(&m[1], &m[2])).unwrap());
    for coordinate in list {
        let value = stage.sensor(CoordinateSensor::value(coordinate.clone()));
        let rate = stage.sensor(CoordinateSensor::rate(coordinate.clone()));
        let acceleration = stage.sensor(CoordinateSensor::acceleration(coordinate));
        pairs.extend([(value, rate), (rate, acceleration)]);
    }
    sensor_rates("coordinates", &stage.model, &pairs);
    stage.finish("coordinate sensors");
}

#[test]
fn points() {
    let mut stage = Stage::new(&Spherical);
    let m = stage.markers.clone();
    let mut pairs = Vec::new();
    for marker in &m[1..] {
        // in fixed axes velocity and acceleration are derivatives of the position
        let axis = stage.random.vector();
        let ground = m[0];
        let world = Direction::of(&ground, axis);
        let position = stage.sensor(CoordinateSensor::position(marker, &ground, axis));
        let velocity = stage.sensor(PointSensor::velocity(marker, world));
        let acceleration = stage.sensor(PointSensor::acceleration(marker, world));
        pairs.extend([(position, velocity), (velocity, acceleration)]);
        stage.sensor(SpeedSensor::new(marker));
    }
    for (marker, axes) in [(1, 1), (1, 2), (2, 3), (4, 2)] {
        let direction = stage.direction(axes);
        stage.sensor(PointSensor::velocity(&m[marker], direction));
        stage.sensor(PointSensor::acceleration(&m[marker], direction));
        let gravity = Vector3::new(1.0, -2.0, -9.0);
        stage.sensor(PointSensor::accelerometer(&m[marker], direction, gravity));
    }
    sensor_rates("points", &stage.model, &pairs);
    stage.finish("point sensors");
}

#[test]
fn angular() {
    let mut stage = Stage::new(&Revolute);
    let m = stage.markers.clone();
    let mut pairs = Vec::new();
    for (marker, reference, axes) in [(1, 0, 0), (2, 1, 0), (2, 0, 2), (1, 2, 1), (2, 3, 1)] {
        let direction = stage.direction(axes);
        let velocity = stage.sensor(AngularSensor::velocity(&m[marker], &m[reference], direction));
        let acceleration =
            stage.sensor(AngularSensor::acceleration(&m[marker], &m[reference], direction));
        if axes == 0 {
            pairs.push((velocity, acceleration));
        }
    }
    sensor_rates("angular velocities", &stage.model, &pairs);
    stage.finish("angular sensors");
}

#[test]
fn orientations() {
    let mut stage = Stage::new(&Spherical);
    let m = stage.markers.clone();
    // none of the random configurations is so near to a half turn that a difference reaches over it
    for (marker, reference) in [(1, 0), (0, 2), (3, 1)] {
        let mut all = vec![Angles::Vector(Vector3::new(0.4, -1.0, 0.7))];
        all.extend((0..3).flat_map(|k| [Angles::Cardan(k), Angles::Euler(k)]));
        for angles in all {
            stage.sensor(OrientationSensor::new(&m[marker], &m[reference], angles));
        }
    }
    stage.finish("orientation sensors");
}

#[test]
fn reactions() {
    for joint in [&Fixed as &dyn Joint, &Revolute, &Prismatic] {
        let mut stage = Stage::new(joint);
        if let Some((_, coordinate)) = stage.model.joints()[0].coordinates.first().cloned() {
            let function = TimeFunction::formula("sin(t)").unwrap();
            stage.model.drive("drive", coordinate, function).unwrap();
            let effort = MultiplierSensor::new(&stage.model, "drive", 0).unwrap();
            stage.sensor(effort);
        }
        for axes in 0..4 {
            let direction = stage.direction(axes);
            let force = ActionSensor::reaction(
                &stage.model,
                stage.joint,
                (Side::Second, Part::Force),
                direction,
            )
            .unwrap();
            let moment = ActionSensor::reaction(
                &stage.model,
                stage.joint,
                (Side::Second, Part::Moment),
                direction,
            )
            .unwrap();
            stage.sensor(force);
            stage.sensor(moment);
        }
        stage.finish(&format!("reactions of a {} joint", joint.word()));
    }
}

#[test]
fn blocks() {
    let mut stage = Stage::new(&Revolute);
    let angle = stage.model.coordinate(stage.joint, "angle").unwrap();
    stage.sensor(CoordinateSensor::value(angle));
    let model = &mut stage.model;
    model.parameter("gain", 2.5).unwrap();
    model.transfer_function("filter", "gain*sensor0", &[0.5, 2.0], &[0.1, 0.7, 1.0]).unwrap();
    let limits = Some([-0.4, 0.3]);
    let pid = Pid {
        proportional: 2.0,
        integral: 0.7,
        derivative: 0.3,
        filter_time: 0.2,
        limits,
        tracking_time: None,
    };
    model.pid("controller", "filter", "sin(t)", &pid).unwrap();
    let matrices = StateSpace {
        dynamics: vec![vec![-1.0, 0.3], vec![0.2, -2.0]],
        input: vec![vec![1.0, 0.0], vec![0.5, -0.3]],
        output: vec![vec![1.0, 0.0], vec![0.0, 2.0]],
        feedthrough: vec![vec![0.1, 0.0], vec![0.0, 0.0]],
    };
    model.state_space("plant", &matrices, &["controller", "sensor0"]).unwrap();
    model.implicit_state("oil", 0.5, "oil'*(1 + oil^2) + oil - plant.1*plant.2").unwrap();
    stage.used.extend(["plant.1".into(), "oil".into(), "oil'*plant.state2".into()]);
    stage.finish("blocks");
}
