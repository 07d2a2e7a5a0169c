//! What can be wrong with a model.

use rotula_formula::FormulaError;

/// Why a model cannot be built or assembled.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ModelError {
    /// Two things of one kind have the same name.
    #[error("the name `{name}` belongs to another {kind} already; give one of them another name")]
    Duplicate {
        /// Body, joint, force, …
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A number that makes no sense.
    #[error("{thing}: {what}")]
    Invalid {
        /// The thing by its name, such as ``body `crank` ``.
        thing: String,
        /// What is wrong and what would be right.
        what: String,
    },
    /// A combination of too many joints.
    #[error(
        "one coordinate may touch at most {limit} bodies; split the coupling into several, each between fewer joints"
    )]
    TooManyNodes {
        /// How many are possible.
        limit: usize,
    },
    /// A formula that cannot be read.
    #[error(transparent)]
    Formula(#[from] FormulaError),
}

impl ModelError {
    /// A number or choice of a named thing that makes no sense.
    pub fn invalid(thing: impl Into<String>, what: impl Into<String>) -> Self {
        ModelError::Invalid { thing: thing.into(), what: what.into() }
    }
}
