//! What is wrong with a model file, where, and what would be right.

use crate::reading::shorten::shorten;
use crate::reading::source::Place;
use miette::{Diagnostic, LabeledSpan, SourceCode};
use std::fmt;

/// A fault in a model file or an override.
///
/// Displayed as `file:line:column: message; help`. As a [`Diagnostic`] it shows the line with the fault marked; the help is
/// part of the message there, so that it is not printed twice.
#[derive(Clone)]
pub struct ModelError(Box<Fault>);

#[derive(Clone)]
struct Fault {
    message: String,
    help: Option<String>,
    place: At,
    /// Whether it names something that there is not.
    unknown: bool,
    /// A fresh named source, since miette borrows one.
    shown: Option<miette::NamedSource<String>>,
}

#[derive(Clone)]
enum At {
    Place(Place),
    File(String),
}

impl ModelError {
    /// A fault at a place.
    pub fn new(place: &Place, message: impl Into<String>) -> Self {
        let source = &place.source;
        let message = match &place.copy {
            None => message.into(),
            Some(copy) => format!(
                "{} (in the copy `{}`, {})",
                message.into(),
                copy.path,
                copy.used.in_words()
            ),
        };
        ModelError(Box::new(Fault {
            message: shorten(&message),
            help: None,
            unknown: false,
            place: At::Place(place.clone()),
            shown: Some(miette::NamedSource::new(&source.name, source.text.clone())),
        }))
    }

    /// A name at a place that stands for nothing: most likely it is misspelt.
    pub fn unknown(place: &Place, message: impl Into<String>) -> Self {
        let mut error = ModelError::new(place, message);
        error.0.unknown = true;
        error
    }

    /// A fault of a whole file: it cannot be read.
    pub fn file(name: impl Into<String>, message: impl Into<String>) -> Self {
        let place = At::File(name.into());
        ModelError(Box::new(Fault {
            message: message.into(),
            help: None,
            unknown: false,
            place,
            shown: None,
        }))
    }

    /// Says where along the way it happens, such as `at station 0.5`.
    pub fn along(mut self, place: &str) -> Self {
        self.0.message = format!("{}, {place}", self.0.message);
        self
    }

    /// Says what would be right.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(shorten(&help.into()));
        self
    }

    /// Whether it is a name that stands for nothing.
    pub fn is_unknown(&self) -> bool {
        self.0.unknown
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What would be right.
    pub fn advice(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The file, or `--set` for an override.
    pub fn file_name(&self) -> &str {
        match &self.0.place {
            At::Place(place) => &place.source.name,
            At::File(name) => name,
        }
    }

    /// Where it is; none if the file could not be read at all.
    pub fn place(&self) -> Option<&Place> {
        match &self.0.place {
            At::Place(place) => Some(place),
            At::File(_) => None,
        }
    }

    /// Line and column, counted from 1; none if the file could not be read at all.
    pub fn line_and_column(&self) -> Option<(usize, usize)> {
        self.place().map(Place::line_and_column)
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file_name())?;
        if let Some((line, column)) = self.line_and_column() {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.0.message)?;
        match &self.0.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModelError({self})")
    }
}

impl std::error::Error for ModelError {}

impl Diagnostic for ModelError {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.shown.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let At::Place(place) = &self.0.place else {
            return None;
        };
        let label = LabeledSpan::new_with_span(Some("here".into()), place.span.clone());
        Some(Box::new(std::iter::once(label)))
    }
}
