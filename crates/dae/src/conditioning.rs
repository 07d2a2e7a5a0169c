//! The matrix of an iteration and how well conditioned it is, for studies of scaling.

use crate::alpha::Guess;
use crate::diagnosis::{Diagnosis, Failure};
use crate::formulation::{self, Scheme};
use crate::settings::Settings;
use crate::state::State;
use crate::system::System;

/// Condition number of the first iteration matrix of a step of size `h` from a consistent state,
/// assembled at the guess of constant acceleration.
pub fn iteration_matrix_condition(
    system: &mut dyn System,
    state: &State,
    settings: &Settings,
    h: f64,
) -> Result<f64, Diagnosis> {
    let scheme = assembled(system, state, settings, h, &state.vdot)?;
    Ok(scheme.core().matrix.condition_number())
}

/// Rows of the iteration matrix of a step of size `h` from a consistent state, assembled where the
/// acceleration at the end of the step is `vdot`, with multipliers, rates and variables of the
/// state. `index3` and `hht-i3` have accelerations as their first unknowns, then multipliers.
pub fn iteration_matrix(
    system: &mut dyn System,
    state: &State,
    settings: &Settings,
    h: f64,
    vdot: &[f64],
) -> Result<Vec<Vec<f64>>, Diagnosis> {
    let scheme = assembled(system, state, settings, h, vdot)?;
    let matrix = &scheme.core().matrix;
    let n = matrix.size();
    Ok((0..n).map(|i| (0..n).map(|j| matrix.entry(i, j)).collect()).collect())
}

/// A scheme whose matrix is assembled.
fn assembled(
    system: &mut dyn System,
    state: &State,
    settings: &Settings,
    h: f64,
    vdot: &[f64],
) -> Result<Box<dyn Scheme>, Diagnosis> {
    let mut scheme = formulation::scheme(system, settings)?.ok_or_else(|| {
        Diagnosis::new(
            Failure::Unsupported,
            state.t,
            "this formulation has no iteration matrix of its own",
        )
        .remedied_by(vec!["choose another one, such as `index3`".into()])
    })?;
    scheme.restart(system, state);
    let singular = |error: rotula_linear::FactorError| {
        Diagnosis::new(
            Failure::SingularMatrix,
            state.t,
            format!("the iteration matrix cannot be factorised: {error}"),
        )
    };
    scheme.begin(system, state, h).map_err(singular)?;
    let mut unknowns = vec![0.0; scheme.unknowns()];
    let guess =
        Guess::Values { vdot, multipliers: &state.multipliers, xdot: &state.xdot, y: &state.y };
    scheme.guess(&guess, &mut unknowns);
    scheme.core_mut().matrix.clear();
    scheme.assemble(system, &unknowns);
    Ok(scheme)
}
