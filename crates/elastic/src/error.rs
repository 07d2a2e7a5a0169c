//! What is wrong with a mesh, where, and what would be right.

use std::fmt;

/// A place in a file; both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The line; zero if the thing comes from no file.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// The beginning of a line.
    pub fn line(line: usize) -> Place {
        Place { line, column: 1 }
    }

    /// A thing that no file declares.
    pub const NOWHERE: Place = Place { line: 0, column: 0 };
}

/// A fault of a mesh, of its file or of what is asked of it.
///
/// Displayed as `file:line:column: message; help`.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshError(Box<Fault>);

#[derive(Clone, Debug, PartialEq)]
struct Fault {
    file: String,
    place: Place,
    message: String,
    help: String,
}

impl MeshError {
    /// A fault at a place of a file, and what would be right.
    pub fn new(
        file: &str,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> MeshError {
        let (message, help) = (message.into(), help.into());
        MeshError(Box::new(Fault { file: file.to_owned(), place, message, help }))
    }

    /// The file, as the user calls it; empty if there is none.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// Line and column; none if the fault is not of a line.
    pub fn place(&self) -> Option<Place> {
        (self.0.place.line > 0).then_some(self.0.place)
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What would be right.
    pub fn help(&self) -> &str {
        &self.0.help
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.file.is_empty() {
            write!(f, "{}:", self.0.file)?;
        }
        if let Some(place) = self.place() {
            write!(f, "{}:{}:", place.line, place.column)?;
        }
        if !self.0.file.is_empty() {
            write!(f, " ")?;
        }
        write!(f, "{}; {}", self.0.message, self.0.help)
    }
}

impl std::error::Error for MeshError {}
