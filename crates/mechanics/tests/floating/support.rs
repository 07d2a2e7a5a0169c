//! Runs, and momenta of a flexible body.

use nalgebra::{DVector, Vector3};
use rotula_dae::{
    BdfForm, Coefficients, Formulation, Outcome, Output, Settings, State, StepControl,
    ToleranceControl, simulate,
};
use rotula_mechanics::Assembly;
use rotula_mechanics::element::LaidFlexible;

fn run(system: &mut Assembly, start: &State, settings: &Settings) -> Outcome {
    let outcome = simulate(system, start, settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    outcome
}

/// Equal steps of the generalized-α method that meets velocity constraints.
pub fn march(system: &mut Assembly, start: &State, radius: f64, h: f64, steps: usize) -> Outcome {
    let coefficients = Coefficients::generalized_alpha(radius).unwrap();
    let mut settings = Settings::new(Formulation::Index2, coefficients, StepControl::Fixed { h });
    settings.until = h * steps as f64;
    settings.output = Output::EachStep;
    settings.newton.tolerance = 1e-11;
    run(system, start, &settings)
}

/// Variable order and step to a tolerance, with states at some times.
pub fn resolve(system: &mut Assembly, start: &State, tolerance: f64, times: &[f64]) -> Outcome {
    let formulation = Formulation::Bdf { form: BdfForm::Si2, max_order: 5 };
    let coefficients = Coefficients::generalized_alpha(1.0).unwrap();
    let control = ToleranceControl { tolerance, first: None, min: 1e-12, max: 1.0 };
    let mut settings = Settings::new(formulation, coefficients, StepControl::Tolerance(control));
    settings.until = *times.last().unwrap();
    settings.output = Output::At(times.to_vec());
    run(system, start, &settings)
}

/// Linear momentum, and angular momentum about the origin of the world.
pub fn momenta(system: &Assembly, laid: &LaidFlexible, state: &State) -> [Vector3<f64>; 2] {
    let at = state.point();
    let motion = system.motion(laid.body.node(), &at);
    let inertia = &laid.shapes.inertia;
    let (n, centre) = (inertia.shapes(), inertia.centre());
    let q = DVector::from_vec(laid.amplitudes(|node| system.node_frame(node, at.q)));
    let mut velocity = DVector::zeros(6 + n);
    velocity.fixed_rows_mut::<3>(0).copy_from(&(motion.velocity - motion.omega.cross(&centre)));
    velocity.fixed_rows_mut::<3>(3).copy_from(&motion.omega);
    for k in 0..n {
        velocity[6 + k] = system.motion(laid.amplitudes[k / 3], &at).velocity[k % 3];
    }
    // momenta about the origin of the mesh, in its axes
    let momentum = inertia.mass_matrix(&q) * velocity;
    let origin = motion.position - motion.rotation * centre;
    let linear = motion.rotation * Vector3::from_column_slice(&momentum.as_slice()[..3]);
    let angular = motion.rotation * Vector3::from_column_slice(&momentum.as_slice()[3..6]);
    [linear, angular + origin.cross(&linear)]
}
