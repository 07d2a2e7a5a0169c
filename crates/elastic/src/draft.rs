//! Files that appear whole or not at all.

use crate::error::{MeshError, Place};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file under a name of its own and renames it when it is finished.
pub(crate) fn write(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), MeshError> {
    let attempt = || -> io::Result<()> {
        let name = path.file_name().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "it is not the name of a file")
        })?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let hidden = format!(".{}.{}.part", name.to_string_lossy(), std::process::id());
        let draft = path.with_file_name(hidden);
        let written = File::create(&draft)
            .map(BufWriter::new)
            .and_then(|mut out| content(&mut out).and_then(|()| out.flush()))
            .and_then(|()| fs::rename(&draft, path));
        if written.is_err() {
            let _ = fs::remove_file(&draft);
        }
        written
    };
    attempt().map_err(|error| {
        let message = format!("the file cannot be written: {error}");
        let help = "choose another place, one that you may write to";
        MeshError::new(&path.display().to_string(), Place::NOWHERE, message, help)
    })
}
