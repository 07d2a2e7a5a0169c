//! Files that appear whole or not at all.

use crate::error::{MeshError, Place};
use rotula_files::Sink;
use std::io;
use std::path::Path;

/// Lets `fill` write the content of `path`, which is replaced only if everything succeeded.
pub(crate) fn write(
    path: &Path,
    fill: impl FnOnce(&mut Sink) -> io::Result<()>,
) -> Result<(), MeshError> {
    rotula_files::write(path, fill).map_err(|error| {
        let message = format!("the file cannot be written: {error}");
        let help = "choose another place, one that you may write to";
        MeshError::new(&path.display().to_string(), Place::NOWHERE, message, help)
    })
}
