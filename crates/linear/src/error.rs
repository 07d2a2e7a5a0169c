//! Failures of a factorisation.

/// Why a matrix could not be factored.
#[derive(thiserror::Error, Debug, Clone, PartialEq)]
pub enum FactorError {
    /// An entry is infinite or not a number.
    #[error("the matrix entry in row {row}, column {col} is not finite")]
    NotFinite {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        col: usize,
    },
    /// No pivot is left for an unknown: its column depends on the columns before it, or its row
    /// is zero.
    #[error("the matrix is singular at unknown {unknown}")]
    Singular {
        /// Index of the unknown that the equations do not determine.
        unknown: usize,
    },
}
