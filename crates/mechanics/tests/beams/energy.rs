//! Energy over many steps.

use nalgebra::{Vector3, Vector6};
use rotula_dae::{Coefficients, Formulation, Outcome, Output, Settings, StepControl, simulate};
use rotula_lie::Frame;
use rotula_mechanics::Model;
use rotula_mechanics::element::{BeamLine, Section};

/// A soft beam that flies, spins and bends, with nothing that holds it.
fn flying() -> Model {
    let section =
        Section::diagonal([60.0, 40.0, 40.0, 0.3, 0.5, 0.8], 1.2, Vector3::new(0.05, 0.02, 0.03));
    let mut model = Model::new();
    let line = BeamLine::along(Frame::identity(), &Vector6::ith(0, 1.0), 2.0, 5);
    let line = BeamLine {
        moving: [Vector3::new(0.1, -0.8, 0.3), Vector3::new(0.4, -0.3, 1.2)],
        ..line.with_section(section)
    };
    model.beam("beam", &line).unwrap();
    model
}

/// The beam starts straight, with one end thrown aside.
fn run(radius: f64, h: f64, steps: usize) -> Outcome {
    let mut system = flying().assemble().unwrap();
    let mut start = system.start();
    // the last node leaves the rigid motion: the rest follows by waves
    let last = start.v.len() - 6;
    start.v[last + 1] += 0.6;
    start.v[last + 2] -= 0.4;
    start.v[last + 5] += 0.5;
    let coefficients = Coefficients::generalized_alpha(radius).unwrap();
    let mut settings = Settings::new(Formulation::Index2, coefficients, StepControl::Fixed { h });
    settings.until = h * steps as f64;
    settings.output = Output::EachStep;
    settings.newton.tolerance = 1e-11;
    let outcome = simulate(&mut system, &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    outcome
}

#[test]
fn without_damping_the_energy_stays_and_its_error_falls_like_the_square_of_the_step() {
    let steps = 10_000;
    let defect = |h: f64, steps: usize| {
        let audit = run(1.0, h, steps).trajectory.audit;
        let initial = audit.initial_energy.unwrap();
        println!("h = {h}: E = {initial:.6}, largest error {:.3e}", audit.energy_defect.unwrap());
        audit.energy_defect.unwrap() / initial
    };
    let (coarse, fine) = (defect(2e-2, steps), defect(1e-2, steps));
    let early = defect(2e-2, steps / 10);
    assert!(coarse < 1e-2, "{coarse}");
    // it does not grow with time
    assert!(coarse < 2.0 * early, "{early} becomes {coarse}");
    let order = (coarse / fine).log2();
    println!("order {order:.2}");
    assert!((order - 2.0).abs() < 0.3, "{order}");
}

#[test]
fn with_damping_the_energy_decays() {
    let energies: Vec<f64> = [1000, 3000, 9000]
        .iter()
        .map(|steps| run(0.6, 4e-3, *steps).trajectory.audit.final_energy.unwrap())
        .collect();
    let initial = run(0.6, 4e-3, 1).trajectory.audit.initial_energy.unwrap();
    println!("{initial}: {energies:?}");
    assert!(energies[0] < initial && energies[1] < energies[0] && energies[2] < energies[1]);
}
