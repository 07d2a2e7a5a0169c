//! Watching a run.

use crate::state::State;
use crate::statistics::StepRecord;
use crate::stop::Stop;

/// Watches a run and may stop it.
pub trait Observer {
    /// Called after every accepted step; `false` stops the run.
    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool;

    /// Asked after every attempt that was rejected, which may have taken long; `false` stops the run.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// A request that may come within an attempt.
    fn stop(&self) -> Stop {
        Stop::default()
    }
}

impl Observer for () {
    fn accepted(&mut self, _state: &State, _step: &StepRecord) -> bool {
        true
    }
}

impl<F: FnMut(&State, &StepRecord) -> bool> Observer for F {
    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool {
        self(state, step)
    }
}
