//! Faults of the mechanics, at their place in the file.

use crate::fields::Fields;
use crate::reading::{ModelError, Place};

/// A fault at the value of a key; at the name of the table if the key is not there.
pub(crate) fn fault_at(fields: &Fields, key: &str, message: String) -> ModelError {
    ModelError::new(fields.get(key).map_or(fields.place, |item| &item.place), message)
}

/// What the mechanics say, at a place.
pub(crate) fn refused(place: &Place, error: rotula_mechanics::ModelError) -> ModelError {
    let help = error.help().unwrap_or_else(|| "correct it".into());
    ModelError::new(place, error.message()).with_help(help)
}
