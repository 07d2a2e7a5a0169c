//! What is held between instants belongs to a run: it comes back with its snapshots, and a new run begins anew.

use nalgebra::Vector3;
use rotula_dae::{BdfForm, Formulation, Integrator, Settings, State};
use rotula_mechanics::control::Sampling;
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::sensor::CoordinateSensor;
use rotula_mechanics::{Assembly, Body, GROUND, Model};

/// A mass that a sampled force pushes to and fro between two places at which a latch changes.
fn shuttle() -> Assembly {
    let mut model = Model::new();
    let mass = model.body("mass", Body::point(1.0)).unwrap();
    let origin = model.marker(GROUND, Default::default());
    let tip = model.marker(mass, Default::default());
    let place = CoordinateSensor::position(&tip, &origin, Vector3::x());
    model.sensor("place", place).unwrap();
    model.latch("back", "place - 0.1", Some("-0.1 - place"), false).unwrap();
    let sampling = Sampling { every: 0.03, first: 0.0, initial: 0.0 };
    model.sampled("u", "0.5*u + 1 - 2*back - place", sampling).unwrap();
    let push = model.amplitude("push", "u").unwrap();
    let none = Amplitude::Constant(0.0);
    model.force("motor", Load::new(tip, Axes::World, [push, none, none], [none; 3])).unwrap();
    model.assemble().unwrap()
}

#[test]
fn snapshots_and_new_runs_hold_what_they_should() {
    let mut system = shuttle();
    let start = system.start();
    let bdf = Formulation::Bdf { form: BdfForm::Si2, max_order: 5 };
    let settings = Settings::usual(bdf, [0.0, 3.0], None);
    let mut runs: Vec<State> = Vec::new();
    for _ in 0..2 {
        let mut run = Integrator::new(&mut system, &start, &settings).unwrap();
        run.advance_to(1.1).unwrap();
        let snapshot = run.snapshot();
        run.advance_to(3.0).unwrap();
        let end = run.state().clone();
        run.restore(&snapshot).unwrap();
        run.advance_to(3.0).unwrap();
        assert_eq!(*run.state(), end);
        runs.push(end);
    }
    // the first run has left its values in the system, and the second one does not see them
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].q[0].abs() > 1e-3 && runs[0].q[0].is_finite(), "it moves");
}
