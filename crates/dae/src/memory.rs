//! How much memory the trajectory of a run will take, before it starts.

use crate::settings::{Output, Settings, StepControl};
use crate::statistics::StepRecord;
use crate::system::Sizes;

/// What a run will record, as far as its settings say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Rows of the trajectory.
    pub rows: f64,
    /// Bytes of the trajectory, contacts not counted.
    pub bytes: f64,
}

/// Rows and bytes of the trajectory of a run; where steps follow from a tolerance, at least so many.
pub fn expected(sizes: Sizes, settings: &Settings) -> Expected {
    let span = settings.until - settings.start;
    let steps = match &settings.control {
        StepControl::Fixed { h } => span / h,
        StepControl::Repeated { h, fractions } => span / h * fractions.len() as f64,
        StepControl::Tolerance(control) => span / control.max,
    };
    let rows = 1.0
        + match &settings.output {
            Output::EachStep => steps,
            Output::Every(interval) => span / interval,
            Output::At(times) => times.len() as f64,
        };
    let state = sizes.configuration + 2 * sizes.motion + sizes.multipliers();
    // time, energies and residuals
    let columns = 7 + state + 2 * sizes.states + sizes.variables;
    let step = size_of::<StepRecord>() as f64;
    Expected { rows, bytes: rows * 8.0 * columns as f64 + steps * step }
}
