//! Faults of the mechanics, at their place in the file.

use crate::fields::Fields;
use rotula_reading::{ModelError, Place};

/// A fault at the value of a key; at the name of the table if the key is not there.
pub(crate) fn fault_at(fields: &Fields, key: &str, message: String) -> ModelError {
    ModelError::new(fields.get(key).map_or(fields.place, |item| &item.place), message)
}

/// What the mechanics say, at a place. What follows a semicolon there is a remedy.
pub(crate) fn refused(place: &Place, error: rotula_mechanics::ModelError) -> ModelError {
    let text = error.to_string();
    match text.split_once("; ") {
        Some((message, help)) => ModelError::new(place, message).with_help(help),
        None => ModelError::new(place, text).with_help("correct it"),
    }
}
