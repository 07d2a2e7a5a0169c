//! Why a run ended early, in words: what failed, where, what dominated, what to try.

use serde::Serialize;
use std::fmt;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Failure {
    /// The initial state violates constraints and projection was not allowed or did not converge.
    InconsistentStart,
    /// Constraints depend on each other.
    RedundantConstraints,
    /// Constraints depend on each other and ask for different things.
    ContradictoryConstraints,
    /// The mass matrix is singular in a direction that no constraint holds.
    SingularMass,
    /// The iteration matrix is singular during the march.
    SingularMatrix,
    /// A formula gave a number that is not finite.
    NotFinite,
    /// The iteration did not converge, down to the smallest step.
    NotConverged,
    /// The local error stayed above the tolerance, down to the smallest step.
    ErrorTooLarge,
    /// Latches change without end, in no time.
    EndlessChanges,
    /// The formulation cannot treat this system.
    Unsupported,
    /// An observer asked to stop.
    Interrupted,
}

impl Failure {
    /// Whether constraints that have become nearly dependent may be behind it.
    pub(crate) fn may_be_singular(&self) -> bool {
        matches!(
            self,
            Failure::NotConverged
                | Failure::ErrorTooLarge
                | Failure::SingularMass
                | Failure::SingularMatrix
                | Failure::RedundantConstraints
        )
    }
}

/// A failure explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// The kind of failure.
    pub failure: Failure,
    /// Time reached.
    pub t: f64,
    /// One sentence: what happened and where.
    pub message: String,
    /// Facts: dominant residuals, iteration history, step history.
    pub evidence: Vec<String>,
    /// What to try, most promising first.
    pub remedies: Vec<String>,
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        for fact in &self.evidence {
            write!(f, "\n  - {fact}")?;
        }
        if !self.remedies.is_empty() {
            write!(f, "\nTry:")?;
            for (i, remedy) in self.remedies.iter().enumerate() {
                write!(f, "\n  {}. {remedy}", i + 1)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Diagnosis {}

/// A time to six digits, without zeros at its end.
pub(crate) fn readable(t: f64) -> String {
    let rounded: f64 = format!("{t:.5e}").parse().unwrap_or(t);
    match rounded.abs() {
        size if size != 0.0 && !(1e-4..1e7).contains(&size) => format!("{rounded:e}"),
        _ => format!("{rounded}"),
    }
}
