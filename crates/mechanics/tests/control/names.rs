//! What is wrong with a name or a number is said, with the remedy.

use nalgebra::Vector3;
use rotula_mechanics::control::{Pid, StateSpace};
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::sensor::{CoordinateSensor, EnergySensor, MultiplierSensor};
use rotula_mechanics::{Body, GROUND, Model, ModelError};

type Fault = fn(&mut Model) -> Result<(), ModelError>;

fn assemble(model: &Model) -> Result<(), ModelError> {
    model.assemble().map(|_| ())
}

const FAULTS: &[(&str, Fault)] = &[
    ("did you mean `height`?", |m| {
        m.variable("v", "2*heigth")?;
        assemble(m)
    }),
    ("variable `v`: in `2*heigth`", |m| {
        m.variable("v", "2*heigth")?;
        assemble(m)
    }),
    ("only states have rates", |m| {
        m.variable("v", "height'")?;
        assemble(m)
    }),
    ("for output only", |m| {
        m.energy_sensor("energy", EnergySensor::Total)?;
        m.variable("v", "energy")?;
        assemble(m)
    }),
    ("declared after it", |m| {
        m.output("early", "late")?;
        m.output("late", "1")?;
        assemble(m)
    }),
    ("the name `height` belongs to another signal already", |m| m.parameter("height", 1.0)),
    ("is the time", |m| m.variable("t", "1").map(|_| ())),
    ("choose another name", |m| m.variable("sin", "1").map(|_| ())),
    ("choose another name", |m| m.parameter("pi", 3.0)),
    ("letters, digits", |m| m.parameter("two words", 3.0)),
    ("must contain the rate `x'`", |m| m.implicit_state("x", 0.0, "x - 1").map(|_| ())),
    ("finite number, not inf", |m| m.state("x", f64::INFINITY, "1").map(|_| ())),
    ("higher degree", |m| m.transfer_function("f", "1", &[1.0, 0.0], &[2.0]).map(|_| ())),
    ("denominator is zero", |m| m.transfer_function("f", "1", &[1.0], &[0.0]).map(|_| ())),
    ("positive filter time", |m| {
        m.pid("p", "height", "1", &Pid { derivative: 1.0, ..Pid::default() }).map(|_| ())
    }),
    ("positive tracking time", |m| {
        let pid = Pid { integral: 1.0, limits: Some([0.0, 1.0]), ..Pid::default() };
        m.pid("p", "height", "1", &pid).map(|_| ())
    }),
    ("limits must be finite and increase", |m| {
        let pid = Pid { proportional: 1.0, limits: Some([1.0, 0.0]), ..Pid::default() };
        m.pid("p", "height", "1", &pid).map(|_| ())
    }),
    ("its input matrix must have 1 rows of 2 numbers", |m| {
        let matrices = StateSpace {
            dynamics: vec![vec![1.0]],
            input: vec![vec![1.0]],
            output: vec![vec![1.0]],
            feedthrough: vec![],
        };
        m.state_space("s", &matrices, &["1", "2"]).map(|_| ())
    }),
    ("depends on variable 8, but the model has 0", |m| {
        let marker = m.marker(GROUND, Default::default());
        let force = [Amplitude::Variable(7); 3];
        m.force("push", Load::new(marker, Axes::World, force, force))?;
        assemble(m)
    }),
    ("no constraint, joint or drive", |m| MultiplierSensor::new(m, "drive", 0).map(|_| ())),
    ("products are written with `*`", |m| {
        m.variable("v", "2 height")?;
        assemble(m)
    }),
];

#[test]
fn faults_are_named() {
    for (phrase, fault) in FAULTS {
        let mut model = Model::new();
        let body = model.body("ball", Body::point(1.0)).unwrap();
        let (origin, ball) =
            (model.marker(GROUND, Default::default()), model.marker(body, Default::default()));
        let height = CoordinateSensor::position(&ball, &origin, Vector3::z());
        model.sensor("height", height).unwrap();
        let error = fault(&mut model).unwrap_err().to_string();
        assert!(error.contains(phrase), "{error} does not say {phrase}");
    }
}

#[test]
fn unused_sensors_cost_nothing_and_amplitudes_stay_simple() {
    let mut model = Model::new();
    let body = model.body("ball", Body::point(1.0).at(Vector3::new(0.0, 0.0, 4.0))).unwrap();
    let (origin, ball) =
        (model.marker(GROUND, Default::default()), model.marker(body, Default::default()));
    let height = CoordinateSensor::position(&ball, &origin, Vector3::z());
    let height = model.sensor("height", height).unwrap();
    let kinetic = model.energy_sensor("kinetic", EnergySensor::Kinetic).unwrap();
    let both = model.output("both", "height + kinetic").unwrap();
    model.parameter("size", 3.0).unwrap();
    assert_eq!(model.amplitude("a", "2*size").unwrap(), Amplitude::Constant(6.0));
    assert!(matches!(model.amplitude("b", "size*sin(t)").unwrap(), Amplitude::Function(_)));
    let mut assembly = model.assemble().unwrap();
    assert_eq!(rotula_dae::System::sizes(&assembly).auxiliary(), 0);
    let mut state = assembly.start();
    state.v[2] = 2.0;
    let readings = [height, kinetic, both].map(|sensor| assembly.read_sensor(sensor, &state));
    assert_eq!(readings, [4.0, 2.0, 6.0]);

    assert!(matches!(model.amplitude("c", "height").unwrap(), Amplitude::Variable(0)));
    let start = model.assemble().unwrap().start();
    assert_eq!(start.y, [4.0, 4.0], "the variable and the sensor it uses");
}
