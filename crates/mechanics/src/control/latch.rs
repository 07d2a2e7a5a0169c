//! Latches: signals that are 0 or 1 and change where conditions rise through zero.
//!
//! ```text
//! 0 → 1   where `set` rises through zero
//! 1 → 0   where `reset` does; without one it stays 1
//! ```
//!
//! What is above zero at the start has risen there. If both rise at once, what it waits for counts.

use super::signals::{Definition, LatchEntry, VariableId};
use crate::error::ModelError;
use crate::model::Model;

impl Model {
    /// A latch with its conditions, formulas of time and signals, and what it is at first.
    pub fn latch(
        &mut self,
        name: &str,
        set: &str,
        reset: Option<&str>,
        initial: bool,
    ) -> Result<VariableId, ModelError> {
        self.signals.check_new("latch", name)?;
        let variable =
            self.signals.add_variable(name, Definition::Held(f64::from(u8::from(initial))));
        let (set, reset) = (set.into(), reset.map(str::to_owned));
        self.signals.latches.push(LatchEntry { variable, set, reset, initial });
        Ok(VariableId(variable))
    }
}
