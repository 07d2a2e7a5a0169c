//! What can go wrong while results are written.

use std::path::{Path, PathBuf};

/// A file that could not be written, and why.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// Tables and names that do not belong together.
    #[error("cannot write {}: {what} has {found} {unit}, but {expected} are needed", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// The table.
        what: String,
        /// Rows or columns.
        unit: &'static str,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A film of a mechanism without bodies, or of no time.
    #[error("cannot write {}: there is no moving body to show; run a model with bodies for a while", path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
    },
    /// A figure that cannot be turned into pixels.
    #[error("cannot draw {}: {reason}", path.display())]
    Figure {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl Error {
    /// For `map_err` on input and output.
    pub(crate) fn write(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
        |source| Error::Write { path: path.to_owned(), source }
    }
    /// The same about the file that a draft was to become.
    pub(crate) fn of(self, path: &Path) -> Error {
        let path = path.to_owned();
        match self {
            Error::Write { source, .. } => Error::Write { path, source },
            Error::Shape { what, unit, found, expected, .. } => {
                Error::Shape { path, what, unit, found, expected }
            }
            Error::Nothing { .. } => Error::Nothing { path },
            Error::Figure { reason, .. } => Error::Figure { path, reason },
        }
    }
}
