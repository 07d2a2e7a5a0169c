//! Models from files of other programs.
//!
//! | reader | format |
//! |---|---|
//! | [`adams`] | solver decks (`.adm`) of MSC Adams |
//! | [`beamdyn`], [`hawc2`], [`htc`] | blade files of BeamDyn, structural and model files of HAWC2 |
//! | [`tir`] | tyre property files (`.tir`) |
//! | [`urdf`] | robots (`.urdf`) |
//!
//! A reader refuses what it does not know, with the line and what would be right. What has no effect
//! on the motion is left out and listed as a [`Note`].

use crate::error::Refusal;
pub mod adams;
pub mod beamdyn;
pub mod hawc2;
pub mod htc;
mod stations;
pub mod tir;
pub mod urdf;

pub use stations::SectionsAlong;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}:{line}: {refusal}")]
pub struct ImportError {
    /// The file.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong and what would be right.
    pub refusal: Refusal,
}

impl ImportError {
    /// Where it is wrong, and what, without what would be right.
    pub fn message(&self) -> String {
        format!("{}:{}: {}", self.file, self.line, self.refusal.what)
    }
}

/// Something a reader left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, counted from one.
    pub line: usize,
    /// What was left out.
    pub what: String,
}
