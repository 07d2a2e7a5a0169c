//! Files appear whole or not at all: written under another name, then renamed.

use crate::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The buffered file that a [`write`] closure fills.
pub(crate) type Sink = BufWriter<File>;

/// Lets `fill` write the content of `path`, which is replaced only if everything succeeded.
pub(crate) fn write(
    path: &Path,
    fill: impl FnOnce(&mut Sink) -> io::Result<()>,
) -> Result<(), Error> {
    attempt(path, fill).map_err(Error::write(path))
}

fn attempt(path: &Path, fill: impl FnOnce(&mut Sink) -> io::Result<()>) -> io::Result<()> {
    let (file, draft) = Draft::create(path)?;
    let mut sink = BufWriter::new(file);
    fill(&mut sink)?;
    sink.flush()?;
    // Without this a power failure after the rename could leave an empty file.
    sink.get_ref().sync_all()?;
    drop(sink);
    draft.publish(path)
}

/// A temporary file that is removed unless it is published.
struct Draft {
    path: Option<PathBuf>,
}

impl Draft {
    /// Creates a file beside `path`: a rename is atomic only within one file system.
    fn create(path: &Path) -> io::Result<(File, Draft)> {
        static COUNTER: AtomicUsize = AtomicUsize::new(0);
        let name = path.file_name().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
        })?;
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{number}.part", std::process::id()));
            let draft = path.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&draft) {
                Ok(file) => return Ok((file, Draft { path: Some(draft) })),
                // Left by an earlier process with the same number; leave it alone.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            }
        }
    }

    fn publish(mut self, path: &Path) -> io::Result<()> {
        let Some(draft) = self.path.take() else {
            return Ok(());
        };
        fs::rename(&draft, path).inspect_err(|_| {
            let _ = fs::remove_file(&draft);
        })
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            let _ = fs::remove_file(path);
        }
    }
}
