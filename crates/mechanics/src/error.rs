//! What can be wrong with a model.

use rotula_formula::FormulaError;
use std::fmt;

/// Why a model cannot be built or assembled. Displayed as `message; help`.
#[derive(Clone, Debug)]
pub enum ModelError {
    /// Two things of one kind have the same name.
    Duplicate {
        /// Body, joint, force, …
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A number or choice that makes no sense.
    Invalid {
        /// The thing by its name, such as ``body `crank` ``.
        thing: String,
        /// What is wrong with it.
        refusal: Refusal,
    },
    /// A combination of too many joints.
    TooManyNodes {
        /// How many are possible.
        limit: usize,
    },
    /// A formula that cannot be read.
    Formula(FormulaError),
}

impl ModelError {
    /// A number or choice of a named thing that makes no sense.
    pub fn invalid(thing: impl Into<String>, refusal: impl Into<Refusal>) -> Self {
        ModelError::Invalid { thing: thing.into(), refusal: refusal.into() }
    }

    /// What is wrong.
    pub fn message(&self) -> String {
        match self {
            ModelError::Duplicate { kind, name } => {
                format!("the name `{name}` belongs to another {kind} already")
            }
            ModelError::Invalid { thing, refusal } => format!("{thing}: {}", refusal.what),
            ModelError::TooManyNodes { limit } => {
                format!("one coordinate may touch at most {limit} bodies")
            }
            ModelError::Formula(error) => error.to_string(),
        }
    }

    /// What would be right, if that can be said.
    pub fn help(&self) -> Option<String> {
        match self {
            ModelError::Duplicate { .. } => Some("give one of them another name".into()),
            ModelError::Invalid { refusal, .. } => refusal.help.clone(),
            ModelError::TooManyNodes { .. } => {
                Some("split the coupling into several, each between fewer joints".into())
            }
            ModelError::Formula(error) => error.help(),
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_with_help(f, &self.message(), self.help())
    }
}

impl std::error::Error for ModelError {}

impl From<FormulaError> for ModelError {
    fn from(error: FormulaError) -> Self {
        ModelError::Formula(error)
    }
}

/// What is wrong with something, and what would be right. Displayed as `what; help`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, as the rest of a sentence that begins with the thing.
    pub what: String,
    /// What would be right, if that can be said.
    pub help: Option<String>,
}

impl Refusal {
    /// What is wrong, and what would be right.
    pub fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Refusal { what: what.into(), help: Some(help.into()) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_with_help(f, &self.what, self.help.as_ref())
    }
}

fn write_with_help(
    f: &mut fmt::Formatter<'_>,
    message: &str,
    help: Option<impl fmt::Display>,
) -> fmt::Result {
    f.write_str(message)?;
    help.map_or(Ok(()), |help| write!(f, "; {help}"))
}

impl From<String> for Refusal {
    fn from(what: String) -> Self {
        Refusal { what, help: None }
    }
}

impl From<&str> for Refusal {
    fn from(what: &str) -> Self {
        what.to_owned().into()
    }
}

impl From<ModelError> for Refusal {
    fn from(error: ModelError) -> Self {
        Refusal { what: error.message(), help: error.help() }
    }
}

/// A [`Refusal`] of two formats with their arguments, `refusal!("its pitch is {}", pitch; "give another than zero")`.
macro_rules! refusal {
    ($what:literal $(, $argument:expr)*; $help:literal $(, $other:expr)* $(,)?) => {
        $crate::error::Refusal {
            what: format!($what $(, $argument)*),
            help: Some(format!($help $(, $other)*)),
        }
    };
}

pub(crate) use refusal;
