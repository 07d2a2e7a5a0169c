//! Files that models name, read from the disk or, in a web page, from what the page was given.

use std::io;
use std::path::Path;

/// The content of a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    #[cfg(target_family = "wasm")]
    return page::read(path);
    #[cfg(not(target_family = "wasm"))]
    std::fs::read(path)
}

/// The content of a file that is a text.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
}

#[cfg(target_family = "wasm")]
pub use page::{clear, give};

/// A browser has no files.
#[cfg(target_family = "wasm")]
mod page {
    use std::collections::BTreeMap;
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, PoisonError};

    static GIVEN: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

    /// Lets a file be read from now on.
    pub fn give(path: &Path, content: Vec<u8>) {
        GIVEN.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), content);
    }

    /// Forgets all files.
    pub fn clear() {
        GIVEN.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
        let given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
        given.get(path).cloned().ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, "the page does not hold this file")
        })
    }
}
