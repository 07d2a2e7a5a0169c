//! A run that starts with a given algorithmic acceleration.

use crate::diagnosis::{Diagnosis, Failure};
use crate::state::State;

/// The algorithmic acceleration of a state, which must have a finite number for every velocity.
pub(crate) fn given_acceleration(state: &State) -> Result<&[f64], Diagnosis> {
    if state.a.len() == state.v.len() && state.a.iter().all(|a| a.is_finite()) {
        return Ok(&state.a);
    }
    Err(Diagnosis::new(
        Failure::Unsupported,
        state.t,
        "the start acceleration is to be given, but `a` of the initial state is not a \
                  finite number for every velocity",
    )
    .because(vec![format!("a = {:?} for {} velocities", state.a, state.v.len())])
    .remedied_by(vec![
        "take `a` from the last state of the run that is continued".into(),
        "or let the run begin with the start acceleration `initial`".into(),
    ]))
}
