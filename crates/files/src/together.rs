//! Files that replace those of a folder together.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// New files of a folder, out of sight until all of them are whole. Dropped before that, they leave what
/// was there untouched.
pub struct Together {
    folder: PathBuf,
    drafts: TempDir,
    names: Vec<String>,
}

impl Together {
    /// Prepares to replace files of a folder, which is created if it is not there.
    pub fn begin(folder: &Path) -> io::Result<Together> {
        fs::create_dir_all(folder)?;
        // within the folder, because a rename is atomic only within one file system
        let drafts = tempfile::Builder::new().prefix(".new.").suffix(".part").tempdir_in(folder)?;
        Ok(Together { folder: folder.to_owned(), drafts, names: Vec::new() })
    }

    /// Where the new file of this name is to be written; files appear in the order of these calls.
    pub fn draft(&mut self, name: &str) -> PathBuf {
        self.names.push(name.to_owned());
        self.drafts.path().join(name)
    }

    /// Removes the files that belong to the old ones, if they are there, and shows the new ones. The old one of the
    /// last name goes first and the new one comes last: whatever ends the program, where it stands the others are its own.
    pub fn show(self, old: &[&str]) -> io::Result<()> {
        let last = self.names.last().map(String::as_str);
        for name in last.into_iter().chain(old.iter().copied()) {
            match fs::remove_file(self.folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        for name in &self.names {
            fs::rename(self.drafts.path().join(name), self.folder.join(name))?;
        }
        if cfg!(unix) {
            File::open(&self.folder)?.sync_all()?;
        }
        Ok(())
    }
}

/// Removes what writers that were killed have left in a folder; no writer may be at work there.
pub fn remove_drafts(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !(name.starts_with('.') && name.ends_with(".part")) {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_files_show_together_or_not_at_all() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        for name in ["a", "b", "page"] {
            fs::write(path(name), "old")?;
        }
        let mut given_up = Together::begin(folder.path())?;
        fs::write(given_up.draft("a"), "new")?;
        drop(given_up);
        assert_eq!(fs::read_to_string(path("a"))?, "old");
        let mut files = Together::begin(folder.path())?;
        for name in ["a", "b"] {
            fs::write(files.draft(name), "new")?;
            assert_eq!(fs::read_to_string(path(name))?, "old");
        }
        files.show(&["page", "never"])?;
        assert_eq!(fs::read_to_string(path("a"))? + &fs::read_to_string(path("b"))?, "newnew");
        assert_eq!(fs::read_dir(folder.path())?.count(), 2);
        Ok(())
    }

    #[test]
    fn what_a_killed_writer_left_is_removed() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        std::mem::forget(Together::begin(folder.path())?);
        fs::write(folder.path().join(".page.Xa1.part"), "half")?;
        fs::write(folder.path().join("notes.part"), "of the user")?;
        remove_drafts(folder.path())?;
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        Ok(())
    }
}
