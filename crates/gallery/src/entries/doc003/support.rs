//! What several entries need: reference data and the printing of numbers.

use crate::entry::GalleryError;
use crate::study::largest;
use serde_json::Value;

/// Reads reference data.
pub(crate) fn reference(text: &str) -> Result<Value, GalleryError> {
    serde_json::from_str(text).map_err(|error| GalleryError::Reference(error.to_string()))
}

/// A number at a path such as `/rod/s`.
pub(crate) fn number(data: &Value, path: &str) -> Result<f64, GalleryError> {
    let missing = || GalleryError::Reference(format!("there is no number at {path}"));
    data.pointer(path).and_then(Value::as_f64).ok_or_else(missing)
}

/// The numbers of a list at a path.
pub(crate) fn numbers(data: &Value, path: &str) -> Result<Vec<f64>, GalleryError> {
    let missing = || GalleryError::Reference(format!("there is no list of numbers at {path}"));
    let list = data.pointer(path).and_then(Value::as_array).ok_or_else(missing)?;
    list.iter().map(|value| value.as_f64().ok_or_else(missing)).collect()
}

/// A number for a table.
pub(crate) fn short(value: f64) -> String {
    format!("{value:.2e}")
}

/// Largest absolute difference of two lists; not a number if one is longer.
pub(crate) fn largest_difference(values: &[f64], exact: &[f64]) -> f64 {
    if values.len() != exact.len() {
        return f64::NAN;
    }
    largest(values.iter().zip(exact).map(|(a, b)| (a - b).abs()))
}
