//! What can be wrong with settings.

/// A setting that cannot be used, with what would be right.
#[derive(thiserror::Error, Clone, Debug, PartialEq)]
#[error("{what}; {help}")]
pub struct SettingsError {
    /// The key at fault, dotted below `[solve]`, as in `newton.tolerance`.
    pub key: String,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub help: String,
}

impl SettingsError {
    /// A fault of a key, with what is wrong and what would be right.
    pub fn new(key: impl Into<String>, what: impl Into<String>, help: impl Into<String>) -> Self {
        SettingsError { key: key.into(), what: what.into(), help: help.into() }
    }

    /// The same where nothing better can be said than to correct the key.
    pub(crate) fn of(key: &str, what: String) -> Self {
        SettingsError::new(key, what, format!("correct or remove `{key}`"))
    }
}
