//! The times of a driven motion.

use rotula_dae::{Output, Settings};

/// Times at which a driven motion is worked out if the model does not say.
const TIMES: usize = 200;

/// The output times of the model, or equal steps.
pub fn driven_times(settings: &Settings) -> Vec<f64> {
    let (start, until) = (settings.start, settings.until);
    let count = match &settings.output {
        Output::At(times) => return times.clone(),
        Output::Every(interval) => ((until - start) / interval).round().max(1.0) as usize,
        Output::EachStep => TIMES,
    };
    (0..=count).map(|k| start + (until - start) * k as f64 / count as f64).collect()
}
