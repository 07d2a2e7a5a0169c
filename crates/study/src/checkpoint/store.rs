//! Snapshots as files.

use rotula_dae::checkpoint::{Kept, Snapshot};
use rotula_mechanics::error::Refusal;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// First bytes of a snapshot; the number is that of the form.
const HEADING: &[u8] = b"rotula checkpoint 1\n";
/// Heading, checksum of the rest, number, time, seconds, bytes of rows.
const HEAD: usize = HEADING.len() + 4 + 4 * 8;
/// Length and checksum before each part of the rows.
const ROW_HEAD: usize = 8 + 4;

/// The files of the snapshots of a run.
pub(super) struct Store {
    folder: PathBuf,
    rows: File,
    /// Bytes of whole parts in the file of rows.
    length: u64,
    /// Rows that could not be written yet.
    waiting: Vec<Vec<u8>>,
    number: u64,
}

/// A snapshot that was read.
pub(super) struct Found {
    pub t: f64,
    pub elapsed: f64,
    pub kept: Kept,
    number: u64,
    length: u64,
}

impl Store {
    /// An empty store; one that is there must not be.
    pub fn create(folder: &Path) -> Result<Store, Refusal> {
        let fail = unusable(folder);
        fs::create_dir_all(folder).map_err(&fail)?;
        for name in ["0.state", "1.state"] {
            match fs::remove_file(folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fail(error)),
                _ => {}
            }
        }
        let rows = File::create(folder.join("rows")).map_err(&fail)?;
        let folder = folder.to_owned();
        Ok(Store { folder, rows, length: 0, waiting: Vec::new(), number: 0 })
    }

    /// The newest snapshot that is whole, if any was reached, and what to say about damaged ones.
    pub fn open(folder: &Path) -> Result<(Store, Option<Found>, Vec<String>), Refusal> {
        let fail = unusable(folder);
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut rows = options.open(folder.join("rows")).map_err(&fail)?;
        let parts = whole_parts(&fs::read(folder.join("rows")).map_err(&fail)?);
        let (mut candidates, mut messages, mut files) = (Vec::new(), Vec::new(), 0);
        for name in ["0.state", "1.state"] {
            let path = folder.join(name);
            let bytes = match fs::read(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                bytes => bytes.map_err(&fail)?,
            };
            files += 1;
            match found(&bytes, &parts) {
                Some(found) => candidates.push(found),
                None => messages.push(format!("{}: this checkpoint is damaged", path.display())),
            }
        }
        if candidates.is_empty() && files > 0 {
            return Err(Refusal::new(
                format!("{}: all checkpoints are damaged", folder.display()),
                "remove this folder and start the run anew",
            ));
        }
        let newest = candidates.into_iter().max_by_key(|found| found.number);
        let (length, number) = newest.as_ref().map_or((0, 0), |f| (f.length, f.number + 1));
        rows.set_len(length).and_then(|()| rows.seek(SeekFrom::End(0))).map_err(&fail)?;
        let folder = folder.to_owned();
        Ok((Store { folder, rows, length, waiting: Vec::new(), number }, newest, messages))
    }

    /// Adds a snapshot, for good.
    pub fn add(&mut self, snapshot: Snapshot, elapsed: f64) -> Result<(), Refusal> {
        let Snapshot { t, state, rows } = snapshot;
        self.waiting.push(rows);
        let fail = unusable(&self.folder);
        let length = self.append().map_err(&fail)?;
        let mut body = Vec::with_capacity(state.len() + HEAD);
        body.extend(self.number.to_le_bytes());
        body.extend(t.to_le_bytes());
        body.extend(elapsed.to_le_bytes());
        body.extend(length.to_le_bytes());
        body.extend(state);
        let mut bytes = HEADING.to_vec();
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        // the newest but one stays until the newest is whole
        replace(&self.folder.join(format!("{}.state", self.number % 2)), &bytes)?;
        self.number += 1;
        Ok(())
    }

    /// Writes the waiting rows; the new length of the file.
    fn append(&mut self) -> io::Result<u64> {
        // what a failed attempt has left is written over
        self.rows.set_len(self.length)?;
        self.rows.seek(SeekFrom::Start(self.length))?;
        let mut length = self.length;
        for part in &self.waiting {
            self.rows.write_all(&(part.len() as u64).to_le_bytes())?;
            self.rows.write_all(&crc32fast::hash(part).to_le_bytes())?;
            self.rows.write_all(part)?;
            length += (ROW_HEAD + part.len()) as u64;
        }
        self.rows.sync_data()?;
        self.waiting.clear();
        self.length = length;
        Ok(length)
    }

    /// Removes everything.
    pub fn remove(self) -> Result<(), Refusal> {
        let Store { folder, rows, .. } = self;
        drop(rows);
        fs::remove_dir_all(&folder).map_err(unusable(&folder))
    }
}

/// The parts of the file of rows up to the first damaged one, each with the length of the file after it.
fn whole_parts(mut bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let mut parts = Vec::new();
    let mut length = 0;
    while let Some((head, rest)) = bytes.split_at_checked(ROW_HEAD) {
        let size = usize::try_from(number(head)).unwrap_or(usize::MAX);
        let Some((part, rest)) = rest.split_at_checked(size) else { break };
        if crc32fast::hash(part).to_le_bytes() != head[8..] {
            break;
        }
        length += (ROW_HEAD + size) as u64;
        parts.push((length, part.to_vec()));
        bytes = rest;
    }
    parts
}

/// The snapshot in a file, if file and rows are whole.
fn found(bytes: &[u8], parts: &[(u64, Vec<u8>)]) -> Option<Found> {
    let rest = bytes.strip_prefix(HEADING)?;
    let (checksum, body) = rest.split_at_checked(4)?;
    if crc32fast::hash(body).to_le_bytes() != *checksum {
        return None;
    }
    let (head, state) = body.split_at_checked(32)?;
    let length = number(&head[24..]);
    let count = match length {
        0 => 0,
        _ => 1 + parts.iter().position(|(end, _)| *end == length)?,
    };
    Some(Found {
        t: f64::from_bits(number(&head[8..])),
        elapsed: f64::from_bits(number(&head[16..])),
        kept: Kept {
            state: state.to_vec(),
            rows: parts[..count].iter().map(|(_, part)| part.clone()).collect(),
        },
        number: number(head),
        length,
    })
}

/// The number in the first eight bytes.
fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|k| bytes[k]))
}

/// Writes a file so that it appears whole or not at all, even if the machine fails.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    rotula_files::write(path, |file| file.write_all(bytes)).map_err(unusable(path))
}

fn unusable(path: &Path) -> impl Fn(io::Error) -> Refusal + use<> {
    let path = path.display().to_string();
    move |error| {
        let what = format!("{path}: cannot be used: {error}");
        Refusal::new(what, "make room, or choose another directory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(k: u8) -> Snapshot {
        Snapshot { t: f64::from(k), state: vec![k; 100], rows: vec![k; usize::from(k)] }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("rotula-{name}-{}", std::process::id()));
        let mut store = Store::create(&folder).unwrap();
        (1..=4).for_each(|k| store.add(snapshot(k), 0.5 * f64::from(k)).unwrap());
        folder
    }

    fn rows(upto: u8) -> Vec<Vec<u8>> {
        (1..=upto).map(|k| vec![k; usize::from(k)]).collect()
    }

    #[test]
    fn the_newest_snapshot_returns_with_all_rows() {
        let folder = folder("store");
        let (mut store, found, messages) = Store::open(&folder).unwrap();
        let found = found.unwrap();
        assert!(messages.is_empty());
        assert_eq!((found.t, found.elapsed), (4.0, 2.0));
        assert_eq!(found.kept, Kept { state: vec![4; 100], rows: rows(4) });
        // and goes on
        store.add(snapshot(5), 3.0).unwrap();
        let (store, found, _) = Store::open(&folder).unwrap();
        assert_eq!(found.unwrap().kept, Kept { state: vec![5; 100], rows: rows(5) });
        store.remove().unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn a_damaged_or_cut_snapshot_is_passed_over() {
        for cut in [true, false] {
            let folder = folder(if cut { "cut" } else { "damaged" });
            let path = folder.join("1.state");
            let mut bytes = fs::read(&path).unwrap();
            if cut {
                bytes.truncate(60);
            } else {
                bytes[70] ^= 1;
            }
            fs::write(&path, bytes).unwrap();
            let (store, found, messages) = Store::open(&folder).unwrap();
            assert_eq!(found.unwrap().kept, Kept { state: vec![3; 100], rows: rows(3) });
            assert!(messages[0].contains("1.state: this checkpoint is damaged"), "{messages:?}");
            store.remove().unwrap();
        }
    }

    #[test]
    fn rows_that_were_being_written_are_dropped_and_damaged_ones_noticed() {
        let folder = folder("rows");
        let path = folder.join("rows");
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend([9; 20]);
        fs::write(&path, &bytes).unwrap();
        let (_, found, messages) = Store::open(&folder).unwrap();
        assert!(messages.is_empty());
        assert_eq!(found.unwrap().kept.rows, rows(4));
        // the last part belongs to the last snapshot only
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, &bytes).unwrap();
        let (_, found, messages) = Store::open(&folder).unwrap();
        assert_eq!(found.unwrap().kept.rows, rows(3));
        assert_eq!(messages.len(), 1);
        // and the first to all
        fs::write(&path, [0; 5]).unwrap();
        let Err(message) = Store::open(&folder).map(|_| ()) else { panic!("rows are missing") };
        assert!(message.what.contains("all checkpoints are damaged"), "{message}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_run_that_reached_no_checkpoint_has_none() {
        let folder = std::env::temp_dir().join(format!("rotula-none-{}", std::process::id()));
        Store::create(&folder).unwrap();
        let (store, found, messages) = Store::open(&folder).unwrap();
        assert!(found.is_none() && messages.is_empty());
        store.remove().unwrap();
    }
}
