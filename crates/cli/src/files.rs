//! Where the results of a run go.

use crate::args::Format;
use crate::messages::Fault;
use rotula_files::{Lock, remove_drafts};
use rotula_report::{Live, Run, Tables, write_results};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Refuses a directory that cannot be written to, before time is spent on a simulation. Leaves no trace.
pub(crate) fn refuse_unwritable(directory: &Path) -> Result<(), Fault> {
    let mut existing = directory;
    while !existing.exists() {
        existing = match existing.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
    }
    if !existing.is_dir() {
        return Err(Fault::new(
            format!("{}: this is a file, not a directory", existing.display()),
            "name another directory with `--output`, or move the file away",
        ));
    }
    let probe = existing.join(format!(".rotula-{}.part", std::process::id()));
    fs::File::create(&probe)
        .and_then(|_| fs::remove_file(&probe))
        .map_err(|error| Fault::unwritable(directory, error))
}

/// Keeps other runs out of a directory as long as the result lives, and clears away what a killed one has
/// left half-written.
pub(crate) fn lock(directory: &Path) -> Result<Lock, Fault> {
    let lock = Lock::take(directory).map_err(|reason| {
        Fault::new(
            format!("{}: {reason}", directory.display()),
            "wait for its end, or choose another directory with `--output`",
        )
    })?;
    remove_drafts(directory).map_err(|error| Fault::unwritable(directory, error))?;
    Ok(lock)
}

/// Writes everything about a run and says where the report is.
pub(crate) fn write(
    directory: &Path,
    run: &Run,
    format: Format,
    live: Option<&Live>,
) -> Result<PathBuf, Fault> {
    let tables = Tables { csv: format != Format::Npz, npz: format != Format::Csv };
    Ok(write_results(directory, run, tables, live)?.report)
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), Fault> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Fault::unwritable(path, error))
        }
        _ => Ok(()),
    }
}

/// Writes a text so that it appears whole or not at all; directories on the way are created.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<(), Fault> {
    rotula_files::write(path, |file| file.write_all(text.as_bytes()))
        .map_err(|error| Fault::unwritable(path, error))
}
