//! Finished runs on disk, so that a sweep can go on where it was stopped: a line of JSON each.

use super::cases::Case;
use super::measure::Row;
use rotula_mechanics::error::Refusal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What makes two sweeps the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    /// The text of the model.
    pub model: String,
    /// Values replaced in every run.
    pub set: Case,
    /// The curves that are read.
    pub read: Vec<String>,
}

/// A run in the journal. Its numbers are kept as text: JSON has no place for those that are not finite,
/// and the last digit of others may be lost on reading.
#[derive(Serialize, Deserialize)]
struct Line {
    case: Case,
    row: Row,
    /// Names of the numbers, which are zero in the row, with their texts.
    numbers: BTreeMap<String, String>,
}

/// The finished runs of a sweep.
pub struct Journal {
    path: PathBuf,
    file: File,
    finished: HashMap<Case, Row>,
}

impl Journal {
    /// Opens the journal of a directory, with the runs of an earlier sweep that was the same. The error
    /// says what is wrong and what would be right.
    pub fn open(directory: &Path, heading: &Heading) -> Result<Journal, Refusal> {
        let path = directory.join("runs.jsonl");
        let fail = |error: io::Error| {
            let path = path.display();
            Refusal::new(format!("{path}: cannot be used: {error}"), "choose another directory")
        };
        std::fs::create_dir_all(directory).map_err(fail)?;
        let mut finished = HashMap::new();
        let mut whole = 0;
        if let Ok(text) = std::fs::read_to_string(&path) {
            let mut lines = text.split_inclusive('\n');
            let first = lines.next().unwrap_or_default();
            if first.ends_with('\n') {
                if serde_json::from_str::<Heading>(first).ok().as_ref() != Some(heading) {
                    return Err(Refusal::new(
                        format!("{}: this directory holds another sweep", path.display()),
                        "choose another directory, or remove it",
                    ));
                }
                whole = first.len();
                // a line that was cut off when the program was killed, and all after it, is run again
                for line in lines {
                    let Some(Line { case, mut row, numbers }) =
                        line.strip_suffix('\n').and_then(|line| serde_json::from_str(line).ok())
                    else {
                        break;
                    };
                    whole += line.len();
                    restore(&mut row, &numbers);
                    finished.insert(case, row);
                }
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(fail)?;
        file.set_len(whole as u64).map_err(fail)?;
        let mut journal = Journal { path, file, finished };
        if whole == 0 {
            let line = serde_json::to_string(heading).map_err(|error| error.to_string())?;
            journal.write(line)?;
        }
        Ok(journal)
    }

    /// The row of a case that is finished.
    pub fn row(&self, case: &Case) -> Option<&Row> {
        self.finished.get(case)
    }

    /// Adds a finished run, for good.
    pub fn add(&mut self, case: &Case, row: Row) -> Result<(), Refusal> {
        let mut kept = row.clone();
        let numbers = set_aside(&mut kept);
        let line = serde_json::to_string(&Line { case: case.clone(), row: kept, numbers })
            .map_err(|error| error.to_string())?;
        self.write(line)?;
        self.finished.insert(case.clone(), row);
        Ok(())
    }

    fn write(&mut self, mut line: String) -> Result<(), Refusal> {
        line.push('\n');
        // one call, so that a line is whole or the last
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| {
            Refusal::new(
                format!("{}: cannot be written: {error}", self.path.display()),
                "make room",
            )
        })
    }
}

/// All numbers of a row with their names.
fn numbers(row: &mut Row) -> impl Iterator<Item = (String, &mut f64)> {
    let own = [("reached", &mut row.reached), ("wall_seconds", &mut row.wall_seconds)];
    let own = own.map(|(name, value)| (name.to_owned(), value));
    own.into_iter().chain(row.values.iter_mut().map(|(name, value)| (name.clone(), value)))
}

/// Replaces all numbers by zero.
fn set_aside(row: &mut Row) -> BTreeMap<String, String> {
    numbers(row).map(|(name, value)| (name, std::mem::take(value).to_string())).collect()
}

fn restore(row: &mut Row, texts: &BTreeMap<String, String>) {
    for (name, value) in numbers(row) {
        if let Some(text) = texts.get(&name) {
            *value = text.parse().unwrap_or(f64::NAN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Heading, Journal};
    use crate::sweep::Row;

    #[test]
    fn a_journal_survives_being_cut_off() {
        let directory = std::env::temp_dir().join(format!("rotula-journal-{}", std::process::id()));
        let heading = Heading { model: "text\n".into(), set: vec![], read: vec!["x".into()] };
        let case = |value: &str| vec![("m".to_owned(), value.to_owned())];
        let row = Row {
            status: "done".into(),
            reached: f64::NAN,
            values: vec![("x.max".into(), f64::INFINITY), ("x.min".into(), 0.45627547412389796)],
            ..Row::default()
        };
        {
            let mut journal = Journal::open(&directory, &heading).unwrap();
            journal.add(&case("1"), row.clone()).unwrap();
            journal.add(&case("2"), row.clone()).unwrap();
        }
        let path = directory.join("runs.jsonl");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 5]).unwrap();
        let mut journal = Journal::open(&directory, &heading).unwrap();
        let again = journal.row(&case("1")).unwrap();
        assert!(again.reached.is_nan());
        assert_eq!(again.values, row.values);
        assert!(journal.row(&case("2")).is_none());
        journal.add(&case("2"), row).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        let other = Heading { model: "other".into(), ..heading };
        let message = Journal::open(&directory, &other).err().unwrap();
        assert!(message.what.contains("another sweep"), "{message}");
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
