//! What the entries of documents 002 and 004 share: runs with a fully converged iteration, and
//! reference data.

use crate::entry::GalleryError;
use crate::study::larger;
use crate::study::{Run, run_model};
use serde_json::Value;

/// Newton's method until nothing is left to gain, so that only the integrator decides the result.
const CONVERGED: [(&str, &str); 3] = [
    ("solve.newton.matrix", "each-iteration"),
    ("solve.newton.tolerance", "1e-12"),
    ("solve.newton.max_iterations", "40"),
];

/// Runs one model many times and counts what must not happen on the way.
pub(in crate::entries) struct Bench {
    text: &'static str,
    /// Attempts given up by the iteration: each would have cut a step in two.
    pub rejected: usize,
}

impl Bench {
    /// A bench for a model text.
    pub fn new(text: &'static str) -> Self {
        Bench { text, rejected: 0 }
    }

    /// A run with the given overrides; they win over those of convergence.
    pub fn run(&mut self, overrides: &[(&str, &str)]) -> Result<Run, GalleryError> {
        let run = run_model(self.text, &[&CONVERGED, overrides].concat())?;
        self.rejected += run.outcome.trajectory.statistics.rejected_by_iteration;
        Ok(run)
    }
}

/// The file `reference.json` of an entry.
pub(in crate::entries) struct Reference(Value);

impl Reference {
    /// Reads the text of the file.
    pub fn parse(text: &str) -> Result<Self, GalleryError> {
        let value = serde_json::from_str(text);
        Ok(Reference(value.map_err(|error| GalleryError::Reference(error.to_string()))?))
    }

    /// The number under a path of keys.
    pub fn number(&self, path: &[&str]) -> Result<f64, GalleryError> {
        number(self.find(path)?, path)
    }

    /// The list of numbers under a path of keys.
    pub fn numbers(&self, path: &[&str]) -> Result<Vec<f64>, GalleryError> {
        numbers(self.find(path)?, path)
    }

    /// The list of lists of numbers under a path of keys.
    pub fn rows(&self, path: &[&str]) -> Result<Vec<Vec<f64>>, GalleryError> {
        let rows = self.find(path)?.as_array().ok_or_else(|| missing(path, "table"))?;
        rows.iter().map(|row| numbers(row, path)).collect()
    }

    fn find(&self, path: &[&str]) -> Result<&Value, GalleryError> {
        let found = path.iter().try_fold(&self.0, |value, key| value.get(key));
        found.ok_or_else(|| missing(path, "value"))
    }
}

fn number(value: &Value, path: &[&str]) -> Result<f64, GalleryError> {
    value.as_f64().ok_or_else(|| missing(path, "number"))
}

fn numbers(value: &Value, path: &[&str]) -> Result<Vec<f64>, GalleryError> {
    let list = value.as_array().ok_or_else(|| missing(path, "list"))?;
    list.iter().map(|value| number(value, path)).collect()
}

fn missing(path: &[&str], what: &str) -> GalleryError {
    GalleryError::Reference(format!("no {what} at {}", path.join("/")))
}

/// A number as an override writes it.
pub(in crate::entries) fn toml(value: f64) -> String {
    format!("{value:?}")
}

/// A number for a table, four digits.
pub(in crate::entries) fn short(value: f64) -> String {
    format!("{value:.3e}")
}

/// Largest magnitude of some numbers; not a number if one of them is not.
pub(in crate::entries) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most, value| larger(most, value.abs()))
}

/// Largest difference of two lists.
pub(in crate::entries) fn distance(a: &[f64], b: &[f64]) -> f64 {
    if a.len() != b.len() {
        return f64::NAN;
    }
    largest(a.iter().zip(b).map(|(a, b)| a - b))
}
