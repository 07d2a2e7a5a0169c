//! Sampled signals: numbers that a formula gives at equal distances of time, held in between.
//!
//! ```text
//! tₖ = first + k every,   u(t) = uₖ for tₖ ≤ t < tₖ₊₁,   uₖ = F(tₖ, sensors, states, variables, uₖ₋₁)
//! ```
//!
//! Those that are due at one instant are computed in the order in which they were declared: a formula sees the new values
//! of the ones before it, the old values of itself and of those after it, and all other signals as they are just before
//! the instant. This is how the lines of a digital controller follow each other.

use super::declare::finite;
use super::signals::{Definition, SampledEntry, VariableId};
use crate::error::ModelError;
use crate::model::Model;

/// When a signal is sampled, and what it is before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Time from one sample to the next.
    pub every: f64,
    /// Time of the first sample.
    pub first: f64,
    /// The value before it.
    pub initial: f64,
}

impl Model {
    /// A signal that is sampled: a formula of time, signals and its own old value, held from each sample to the next.
    pub fn sampled(
        &mut self,
        name: &str,
        formula: &str,
        sampling: Sampling,
    ) -> Result<VariableId, ModelError> {
        self.signals.check_new("sampled signal", name)?;
        let Sampling { every, first, initial } = sampling;
        finite("sampled signal", name, "the first time", first)?;
        finite("sampled signal", name, "the value before", initial)?;
        if !(every.is_finite() && every > 0.0) {
            let what = format!("the time between samples must be above zero, not {every}");
            return Err(ModelError::invalid(format!("sampled signal `{name}`"), what));
        }
        let variable = self.signals.add_variable(name, Definition::Held(initial));
        self.signals.sampled.push(SampledEntry { variable, formula: formula.into(), sampling });
        Ok(VariableId(variable))
    }
}
