//! Watching a run.

use crate::state::State;
use crate::statistics::StepRecord;
use crate::stop::Stop;

/// Watches a run and may stop it.
pub trait Observer {
    /// Called after every accepted step; `false` stops the run.
    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool;

    /// Whether it looks at more of a state than its time. If not, that of a run in joint coordinates may be left in these.
    fn looks_at_states(&self) -> bool {
        true
    }

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

    fn looks_at_states(&self) -> bool {
        false
    }
}

impl<F: FnMut(&State, &StepRecord) -> bool> Observer for F {
    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool {
        self(state, step)
    }
}
