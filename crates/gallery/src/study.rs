//! Running a problem with settings, and measuring errors.

use crate::entry::GalleryError;
use nalgebra::DMatrix;
use rotula_dae::{Outcome, Settings, State, System, simulate};
use rotula_equations::{EquationSystem, Model};

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

/// Runs a Rust system; a failure on the way is an error.
pub fn run_system<S: System + 'static>(
    system: &mut S,
    initial: &State,
    settings: &Settings,
) -> Result<Outcome, GalleryError> {
    let mut outcome = simulate(system, initial, settings, &mut ())?;
    match outcome.failure.take() {
        Some(diagnosis) => Err(diagnosis.into()),
        None => Ok(outcome),
    }
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
    sizes.max() / sizes.min().max(f64::EPSILON.powi(2) * sizes.max())
}

/// The value below which a share of the values lies; there must be at least one.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

/// Observed orders between successive step sizes.
pub fn observed_orders(steps: &[f64], errors: &[f64]) -> Vec<f64> {
    let pairs = steps.windows(2).zip(errors.windows(2));
    pairs.map(|(h, e)| (e[0] / e[1]).ln() / (h[0] / h[1]).ln()).collect()
}
