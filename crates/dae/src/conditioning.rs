//! How well conditioned an iteration is, for studies of scaling.

use crate::alpha::Guess;
use crate::diagnosis::{Diagnosis, Failure};
use crate::formulation;
use crate::settings::Settings;
use crate::state::State;
use crate::system::System;

/// Condition number of the first iteration matrix of a step of size `h` from a consistent state,
/// assembled at the guess of constant acceleration: for studies of scaling.
pub fn iteration_matrix_condition(
    system: &mut dyn System,
    state: &State,
    settings: &Settings,
    h: f64,
) -> Result<f64, Diagnosis> {
    let mut scheme = formulation::build(system, settings)?;
    scheme.restart(system, state);
    let singular = |error: rotula_linear::FactorError| Diagnosis {
        failure: Failure::SingularMatrix,
        t: state.t,
        message: format!("the iteration matrix cannot be factorised: {error}"),
        evidence: Vec::new(),
        remedies: Vec::new(),
    };
    scheme.begin(system, state, h).map_err(singular)?;
    let mut unknowns = vec![0.0; scheme.unknowns()];
    let guess = Guess::Values {
        vdot: &state.vdot,
        multipliers: &state.multipliers,
        xdot: &state.xdot,
        y: &state.y,
    };
    scheme.guess(&guess, &mut unknowns);
    scheme.core_mut().matrix.clear();
    scheme.assemble(system, &unknowns);
    Ok(scheme.core().matrix.condition_number())
}
