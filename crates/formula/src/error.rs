//! What can be wrong with a formula, and where in its text.

use crate::functions::{function_names, hint};
use crate::suggest::nearest;
use std::ops::Range;
use thiserror::Error;

/// A fault in a formula. The display text says what is wrong; [`span`](Self::span) says where, in bytes of the text;
/// [`help`](Self::help) says how to repair it, where that can be guessed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum FormulaError {
    /// A name that the caller's `resolve` does not know.
    #[error("unknown name `{name}`")]
    UnknownName {
        /// The name as written, primes included.
        name: String,
        /// Where it stands.
        span: Range<usize>,
    },
    /// A call of a function that does not exist.
    #[error("unknown function `{name}`")]
    UnknownFunction {
        /// The name as written.
        name: String,
        /// Where it stands, without the arguments.
        span: Range<usize>,
    },
    /// A call with the wrong number of arguments.
    #[error("`{function}` takes {expected}, but {found} {} given", if *found == 1 { "is" } else { "are" })]
    ArgumentCount {
        /// The function.
        function: String,
        /// How many it takes, in words.
        expected: String,
        /// How many there are.
        found: usize,
        /// The whole call.
        span: Range<usize>,
    },
    /// Text that does not follow the grammar, or mixes numbers with conditions.
    #[error("{message}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// Where.
        span: Range<usize>,
        /// How to repair it, if that is clear.
        help: Option<String>,
    },
    /// Points that make no table.
    #[error("{message}")]
    Table {
        /// What is wrong.
        message: String,
        /// What would be right.
        remedy: &'static str,
        /// The first offending point, counted from zero.
        point: usize,
        /// Where, if the table comes from text.
        span: Option<Range<usize>>,
    },
    /// A program whose outputs need a symbol that is not among its inputs.
    #[error("the outputs depend on `{name}`, which is not among the inputs")]
    MissingInput {
        /// The symbol.
        name: String,
    },
}

impl FormulaError {
    /// The bytes of the text at fault; none for faults that do not come from text.
    pub fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::UnknownName { span, .. }
            | Self::UnknownFunction { span, .. }
            | Self::ArgumentCount { span, .. }
            | Self::Syntax { span, .. } => Some(span.clone()),
            Self::Table { span, .. } => span.clone(),
            Self::MissingInput { .. } => None,
        }
    }

    /// A way to repair the fault, where one can be guessed.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::UnknownName { name, .. } => function_names()
                .any(|function| function == name)
                .then(|| format!("`{name}` is a function: write `{name}(…)`")),
            Self::UnknownFunction { name, .. } => {
                let guess = hint(name).unwrap_or_else(|| {
                    nearest(name, function_names()).map_or_else(
                        || format!("to multiply, write `{name}*(…)`"),
                        |function| format!("did you mean `{function}`?"),
                    )
                });
                let all: Vec<&str> = function_names().collect();
                Some(format!("{guess} (functions are {})", all.join(", ")))
            }
            Self::Syntax { help, .. } => help.clone(),
            Self::Table { remedy, .. } => Some((*remedy).to_owned()),
            Self::ArgumentCount { function, expected, .. } => {
                Some(format!("give `{function}(…)` {expected}"))
            }
            Self::MissingInput { .. } => None,
        }
    }

    pub(crate) fn syntax(message: impl Into<String>, span: Range<usize>) -> Self {
        Self::Syntax { message: message.into(), span, help: None }
    }

    pub(crate) fn syntax_with_help(
        message: impl Into<String>,
        span: Range<usize>,
        help: impl Into<String>,
    ) -> Self {
        Self::Syntax { message: message.into(), span, help: Some(help.into()) }
    }
}
