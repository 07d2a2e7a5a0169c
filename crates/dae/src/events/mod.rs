//! What happens on the way: forces jump and controllers sample at instants of time, latches change where conditions rise through
//! zero, and so does what formulas decide.
//!
//! ```text
//! attempt a step with what is held; judge its error
//! a condition that something waits for has risen in it: attempt shorter steps until one ends just after the rise
//! accept; before the next step let the change happen, find new accelerations, and start afresh
//! ```
//!
//! | file | content |
//! |---|---|
//! | `instants` | jumps, samples and short pulses |
//! | `conditions` | the step that ends where a condition rises |
//! | `hidden` | conditions that rise and fall within a step |
//! | `settle` | what changes then |

mod conditions;
mod hidden;
mod instants;
mod settle;

pub(crate) use instants::Instants;
use serde::{Deserialize, Serialize};

/// What a run knows of the conditions that something waits for.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Watch {
    /// The conditions where they were looked at last; none at the start, where what is above zero counts as risen.
    seen: Vec<f64>,
    /// Those at the end of the step that was attempted.
    ahead: Vec<f64>,
    /// Some have risen at the present state.
    due: bool,
    /// The step that was attempted is shorter than it should have been.
    pub cut: bool,
    /// Changes that are counted together, and since when.
    changes: usize,
    since: f64,
}

impl Watch {
    /// Whether a condition has risen from where it was looked at last to a value.
    fn has_risen(&self, condition: usize, value: f64) -> bool {
        value > 0.0 && self.seen.get(condition).is_none_or(|seen| *seen <= 0.0)
    }

    /// Something was changed from outside: conditions may have risen.
    pub fn look_again(&mut self) {
        self.due = true;
    }

    /// The step that was attempted is accepted.
    pub fn accept(&mut self) {
        if !self.due {
            std::mem::swap(&mut self.seen, &mut self.ahead);
        }
    }
}
