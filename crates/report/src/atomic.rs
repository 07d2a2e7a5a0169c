//! Files of a run that appear whole or not at all.

use crate::error::Error;
pub(crate) use rotula_files::Sink;
use std::io;
use std::path::Path;

/// Lets `fill` write the content of `path`, which is replaced only if everything succeeded.
pub(crate) fn write(
    path: &Path,
    fill: impl FnOnce(&mut Sink) -> io::Result<()>,
) -> Result<(), Error> {
    rotula_files::write(path, fill).map_err(Error::write(path))
}
