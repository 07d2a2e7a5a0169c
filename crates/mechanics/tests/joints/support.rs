//! What the tests of joints share: admissible states, rank, runs.

use nalgebra::{DMatrix, Vector3};
use rotula_dae::{
    Coefficients, Formulation, GglVariant, InitialPolicy, Level, Settings, State, StepControl,
    System, make_consistent, simulate,
};
use rotula_mechanics::{Assembly, Body, MassProperties};

/// A body with a full inertia.
pub fn body() -> Body {
    Body::rigid(MassProperties::principal(1.5, Vector3::new(0.3, 0.4, 0.5)))
}

/// A state near the described one that satisfies all constraints, with a random velocity.
pub fn admissible(system: &mut Assembly, seed: u64) -> State {
    let mut state = system.start();
    let mut number = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = || {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        (number >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let step: Vec<f64> = state.v.iter().map(|_| 0.3 * random()).collect();
    let q = state.q.clone();
    system.retract(&q, &step, &mut state.q);
    state.v.iter_mut().for_each(|v| *v = random());
    make_consistent(system, &mut state, InitialPolicy::Project).unwrap();
    state
}

/// The gradients of all constraints, dense.
pub fn gradients(system: &mut Assembly, state: &State) -> DMatrix<f64> {
    let pattern = system.patterns().constraints;
    let mut values = vec![0.0; pattern.entries()];
    system.constraint_gradient(&state.point(), &mut values);
    let sizes = system.sizes();
    let mut dense = DMatrix::zeros(sizes.multipliers(), sizes.motion);
    for ((row, col), value) in pattern.iter().zip(values) {
        dense[(row, col)] = value;
    }
    dense
}

/// The largest constraint residual at position and velocity level.
pub fn violation(system: &mut Assembly, state: &State) -> f64 {
    let sizes = system.sizes();
    let mut g = vec![0.0; sizes.holonomic];
    system.constraint(Level::Position, &state.point(), &mut g);
    let mut k = vec![0.0; sizes.multipliers()];
    system.constraint(Level::Velocity, &state.point(), &mut k);
    g.iter().chain(&k).fold(0.0, |a, b| a.max(b.abs()))
}

/// Integrates from the start of the model with fixed steps.
pub fn run(system: &mut Assembly, until: f64, h: f64) -> State {
    let start = system.start();
    let formulation = Formulation::Ggl { variant: GglVariant::MassWeighted };
    run_with(system, &start, formulation, until, h)
}

pub fn run_with(
    system: &mut Assembly,
    start: &State,
    formulation: Formulation,
    until: f64,
    h: f64,
) -> State {
    let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    // bodies are put at rest; drives set them in motion
    settings.initial = InitialPolicy::Project;
    let outcome = simulate(system, start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
    outcome.state
}
