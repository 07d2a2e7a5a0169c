//! One writer in a folder at a time. The operating system holds the lock: it ends with the process that
//! has it, however that ends, and a file that is left over locks nothing.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file within the folder.
const NAME: &str = ".rotula.lock";

/// A folder that no one else writes to as long as this lives.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
    /// Folders that were made for it, outermost first.
    made: Vec<PathBuf>,
}

/// Why there is no lock.
#[derive(Debug)]
pub enum Unlocked {
    /// Another process has it; its number, if that could be read.
    Taken(Option<u32>),
    /// The folder or the file cannot be used.
    Unusable(io::Error),
}

impl Lock {
    /// Locks a folder, which is made if it is not there.
    pub fn take(folder: &Path) -> Result<Lock, Unlocked> {
        let made = missing(folder);
        fs::create_dir_all(folder).map_err(Unlocked::Unusable)?;
        let path = folder.join(NAME);
        // another process may remove the file between the moments when it is opened and locked
        loop {
            if let Some(file) = attempt(&path)? {
                return Ok(Lock { path, file, made });
            }
        }
    }
}

/// The locked file; none if it was removed meanwhile.
fn attempt(path: &Path) -> Result<Option<File>, Unlocked> {
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(path).map_err(Unlocked::Unusable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let _ = file.read_to_string(&mut text);
            return Err(Unlocked::Taken(text.trim().parse().ok()));
        }
        // file systems that know no locks: better to write than to refuse
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(Unlocked::Unusable(error)),
    }
    if !is_at(&file, path).map_err(Unlocked::Unusable)? {
        return Ok(None);
    }
    // the number only makes the message of others clearer
    let _ = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0)));
    let _ = writeln!(file, "{}", std::process::id());
    Ok(Some(file))
}

/// Whether the path still leads to this file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata()?;
    match fs::metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino()) == (own.dev(), own.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Elsewhere a file that someone has open keeps its name.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

/// The folders on the way to this one that are not there, outermost first.
fn missing(folder: &Path) -> Vec<PathBuf> {
    let on_the_way = folder.ancestors().take_while(|path| !path.exists() && *path != Path::new(""));
    let mut made: Vec<PathBuf> = on_the_way.map(Path::to_owned).collect();
    made.reverse();
    made
}

impl Drop for Lock {
    fn drop(&mut self) {
        // the file goes before the lock, so that whoever opened it meanwhile notices
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
        // a run that was refused leaves no trace; folders that hold something stay
        for folder in self.made.iter().rev() {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
    }
}

impl fmt::Display for Unlocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unlocked::Taken(Some(process)) => {
                write!(f, "another run is writing here, process {process}")
            }
            Unlocked::Taken(None) => write!(f, "another run is writing here"),
            Unlocked::Unusable(error) => write!(f, "cannot be used: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        let lock = Lock::take(&deep).unwrap();
        // one that is refused takes nothing away
        for _ in 0..3 {
            match Lock::take(&deep) {
                Err(Unlocked::Taken(process)) => assert_eq!(process, Some(std::process::id())),
                other => panic!("{other:?}"),
            }
        }
        drop(lock);
        assert!(!folder.path().join("a").exists());
        // what a dead process has left locks nothing
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join(NAME), "1\n").unwrap();
        let lock = Lock::take(&deep).unwrap();
        fs::write(deep.join("results"), "kept").unwrap();
        drop(lock);
        assert_eq!(fs::read_dir(&deep).unwrap().count(), 1);
    }
}
