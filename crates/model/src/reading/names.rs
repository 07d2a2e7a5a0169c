//! Which words may be names.

use crate::reading::document::Entry;
use crate::reading::error::ModelError;
use rotula_formula::is_reserved;

/// Refuses a key that formulas could not use as a name.
pub fn check_identifier(entry: &Entry) -> Result<(), ModelError> {
    // what a copy brings was checked in its part
    if entry.place.copy.is_some() {
        return Ok(());
    }
    let name = entry.key.as_str();
    if name == "t" {
        let message = "`t` is the time and can name nothing else";
        return Err(ModelError::new(&entry.place, message).with_help("choose another name"));
    }
    if is_reserved(name) {
        let message = format!("`{name}` is a word of the formula language");
        return Err(ModelError::new(&entry.place, message).with_help("choose another name"));
    }
    let mut letters = name.chars();
    let sound = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '_');
    if sound {
        return Ok(());
    }
    let message = format!("`{name}` cannot be used as a name");
    let help = "names begin with a letter and go on with letters, digits and `_`";
    Err(ModelError::new(&entry.place, message).with_help(help))
}
