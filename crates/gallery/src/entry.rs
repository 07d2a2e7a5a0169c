//! What an entry of the gallery is, and how entries are run.

use crate::findings::{Check, Findings};
use serde::Serialize;

/// A published problem with the code that reproduces it.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Name for the command line; also its folder under `gallery/`.
    pub name: &'static str,
    /// The document it comes from: `000` … `004`, `ivp`, `mechanisms`, `contact`, or `own`.
    pub document: &'static str,
    /// One line.
    pub title: &'static str,
    /// Runs it.
    pub run: fn(&mut Findings) -> Result<(), GalleryError>,
}

/// Why an entry could not be run.
#[derive(thiserror::Error, Debug)]
pub enum GalleryError {
    /// The model file is wrong.
    #[error("{0}")]
    Model(String),
    /// The simulation failed.
    #[error("{0}")]
    Simulation(#[from] rotula_dae::Diagnosis),
    /// The mechanism is wrong.
    #[error("{0}")]
    Mechanism(#[from] rotula_mechanics::ModelError),
    /// Settings are wrong.
    #[error("{0}")]
    Settings(#[from] rotula_dae::SettingsError),
    /// A run ended early or left numbers that are not finite.
    #[error("{0}")]
    Incomplete(String),
    /// Reference data are wrong.
    #[error("reference data: {0}")]
    Reference(String),
}

/// The result of running an entry.
#[derive(Clone, Debug, Serialize)]
pub struct Finished {
    /// Name of the entry.
    pub name: String,
    /// Its document.
    pub document: String,
    /// `pass` or `fail`.
    pub status: &'static str,
    /// Comparisons.
    pub checks: Vec<Check>,
    /// Error that stopped the entry, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Tables and notes for the reader.
    #[serde(skip)]
    pub findings: Findings,
}

/// All entries, by document.
pub fn entries() -> Vec<Entry> {
    crate::entries::all()
}

/// Runs one entry.
pub fn run(entry: &Entry) -> Finished {
    let mut findings = Findings::default();
    let error = (entry.run)(&mut findings).err().map(|error| error.to_string());
    let status = if error.is_none() && findings.pass() { "pass" } else { "fail" };
    Finished {
        name: entry.name.into(),
        document: entry.document.into(),
        status,
        checks: findings.checks.clone(),
        error,
        findings,
    }
}
