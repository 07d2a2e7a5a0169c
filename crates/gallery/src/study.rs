//! Running a problem with settings, and measuring errors.

use crate::entry::GalleryError;
use nalgebra::DMatrix;
use rotula_dae::{Diagnosis, Observer, Outcome, Settings, State, System, simulate};
use rotula_model::equations::{EquationSystem, Model};

/// A finished run of a model file.
pub struct Run {
    /// Trajectory, last state, statistics, failure.
    pub outcome: Outcome,
    /// The model.
    pub model: Model,
    /// Its equations.
    pub system: EquationSystem,
}

/// Runs a model text with `KEY = VALUE` overrides (e.g. `("solve.step", "0.01")`); a failure on the
/// way is an error.
pub fn run_model(text: &str, overrides: &[(&str, &str)]) -> Result<Run, GalleryError> {
    run_prepared(text, overrides, |_, _| ())
}

/// The same, with a last word on settings and initial state that a model file cannot express.
pub fn run_prepared(
    text: &str,
    overrides: &[(&str, &str)],
    prepare: impl FnOnce(&mut Settings, &mut State),
) -> Result<Run, GalleryError> {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let model = Model::parse(text, "model.toml", &overrides)
        .map_err(|error| GalleryError::Model(error.to_string()))?;
    let mut settings = model.settings()?;
    let mut initial = model.initial_state();
    prepare(&mut settings, &mut initial);
    let mut system = model.system();
    let outcome = run_system(&mut system, &initial, &settings)?;
    Ok(Run { outcome, model, system })
}

/// Runs a Rust system. A failure on the way is an error, and so is an end before the given time or a
/// number that is not finite: what is left of such a run must not pass a check.
pub fn run_system<S: System + 'static>(
    system: &mut S,
    initial: &State,
    settings: &Settings,
) -> Result<Outcome, GalleryError> {
    run_watched(system, initial, settings, &mut ())
}

/// The same with an observer, which lets the run go on to its end.
pub fn run_watched(
    system: &mut dyn System,
    initial: &State,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Outcome, GalleryError> {
    let mut outcome = run_freely(system, initial, settings, observer)?;
    match outcome.failure.take() {
        Some(diagnosis) => Err(diagnosis.into()),
        None => whole(outcome, settings),
    }
}

/// The same for a study in which failing or stopping is a result: the outcome tells.
#[expect(clippy::disallowed_methods, reason = "everything else in the gallery runs through here")]
pub fn run_freely(
    system: &mut dyn System,
    initial: &State,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Outcome, Diagnosis> {
    simulate(system, initial, settings, observer)
}

/// The outcome, if it reaches its end in numbers.
fn whole(outcome: Outcome, settings: &Settings) -> Result<Outcome, GalleryError> {
    let span = settings.until - settings.start;
    let missing = settings.until - outcome.state.t;
    if missing.is_nan() || missing.abs() > 1e-9 * span.abs() {
        let what = format!("the run ended at {}, not at {}", outcome.state.t, settings.until);
        return Err(GalleryError::Incomplete(what));
    }
    let path = &outcome.trajectory;
    for (what, table) in
        [("position", &path.q), ("velocity", &path.v), ("multiplier", &path.multipliers)]
    {
        if table.values().iter().any(|value| !value.is_finite()) {
            let what = format!("a recorded {what} is not finite");
            return Err(GalleryError::Incomplete(what));
        }
    }
    Ok(outcome)
}

/// The larger of two numbers; not a number if one of them is not.
#[expect(clippy::disallowed_methods, reason = "both are numbers here")]
pub fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// The smaller of two numbers; not a number if one of them is not.
pub fn smaller(a: f64, b: f64) -> f64 {
    -larger(-a, -b)
}

/// The largest of some numbers; not a number if one of them is not, or if there is none.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().reduce(larger).unwrap_or(f64::NAN)
}

/// The smallest of some numbers; not a number if one of them is not, or if there is none.
pub fn smallest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().reduce(smaller).unwrap_or(f64::NAN)
}

/// Euclidean norm.
pub fn norm(values: &[f64]) -> f64 {
    values.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Euclidean distance of two vectors of equal length.
pub fn error(values: &[f64], reference: &[f64]) -> f64 {
    values.iter().zip(reference).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Ratio of the largest to the smallest singular value; one that is lost in rounding counts as ε².
pub fn condition_number(matrix: DMatrix<f64>) -> f64 {
    let sizes = matrix.singular_values();
    sizes.max() / larger(sizes.min(), f64::EPSILON.powi(2) * sizes.max())
}

/// The value below which a share of the values lies; there must be at least one. Not a number if one
/// of them is not.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    if values.iter().any(|value| value.is_nan()) {
        return f64::NAN;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// Observed orders between successive step sizes.
pub fn observed_orders(steps: &[f64], errors: &[f64]) -> Vec<f64> {
    let pairs = steps.windows(2).zip(errors.windows(2));
    pairs.map(|(h, e)| (e[0] / e[1]).ln() / (h[0] / h[1]).ln()).collect()
}
