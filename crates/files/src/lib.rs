//! Files that appear whole or not at all, whatever ends the program while it writes, and files that models name.

#![forbid(unsafe_code)]

mod given;
mod lock;
mod together;

#[cfg(target_family = "wasm")]
pub use given::{clear, give};
pub use given::{read, read_to_string};
pub use lock::{Lock, Unlocked};
pub use together::{Together, remove_drafts};

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The buffered file that the closure of [`write()`] fills.
pub type Sink = BufWriter<File>;

/// Lets `fill` write the content of `path`. The file is replaced only if everything succeeded and
/// is on the disk; otherwise what was there stays. Folders on the way are created.
///
/// ```
/// # use std::io::Write;
/// let path = std::env::temp_dir().join(format!("rotula-files-{}.txt", std::process::id()));
/// rotula_files::write(&path, |file| file.write_all(b"whole"))?;
/// let refused = rotula_files::write(&path, |_| Err(std::io::Error::other("half-way")));
/// assert!(refused.is_err() && std::fs::read_to_string(&path)? == "whole");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write(path: &Path, fill: impl FnOnce(&mut Sink) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file")
    })?;
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    // beside the file, because a rename is atomic only within one file system
    let mut draft = tempfile::Builder::new();
    draft.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    draft.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let (file, draft) = draft.tempfile_in(folder)?.into_parts();

    let mut sink = BufWriter::new(file);
    fill(&mut sink)?;
    sink.flush()?;
    // without this a power failure after the rename could leave an empty file
    sink.get_ref().sync_all()?;
    drop(sink);
    draft.persist(path)?;
    // the new name is part of the folder, which systems other than Unix do not let one sync
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_file_leaves_no_trace() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a/b.txt");
        let half = |file: &mut Sink| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        };
        assert!(write(&path, half).is_err());
        assert_eq!(fs::read_dir(folder.path().join("a"))?.count(), 0);
        write(&path, |file| file.write_all(b"whole"))?;
        assert!(write(&path, half).is_err());
        assert_eq!(fs::read(&path)?, b"whole");
        assert_eq!(fs::read_dir(folder.path().join("a"))?.count(), 1);
        Ok(())
    }

    #[test]
    #[cfg(unix)]
    fn others_may_read_what_the_user_lets_them() -> io::Result<()> {
        use std::os::unix::fs::MetadataExt;
        let folder = tempfile::tempdir()?;
        let (path, plain) = (folder.path().join("x"), folder.path().join("y"));
        write(&path, |file| file.write_all(b"1"))?;
        fs::write(&plain, b"1")?;
        assert_eq!(fs::metadata(&path)?.mode(), fs::metadata(&plain)?.mode());
        Ok(())
    }

    #[test]
    fn a_path_must_name_a_file() {
        let error = write(Path::new("/"), |_| Ok(())).expect_err("a folder is not a file");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
}
