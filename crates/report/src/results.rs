//! The directory of a run. Trajectory and summary are what computing was for: they are written first, and
//! those of an earlier run stand until both are whole. Everything else can be made again from the model.

use crate::contacts::{contact_table, event_table};
use crate::csv::write_csv;
use crate::error::Error;
use crate::html::{Live, write_live_report, write_report};
use crate::npz::write_npz;
use crate::run::Run;
use crate::summary::write_summary;
use crate::verification::write_verification;
use rotula_files::Together;
use std::path::{Path, PathBuf};

/// Files of a run that would not be those of the new one.
const OLD: [&str; 7] = [
    "summary.json",
    "trajectory.csv",
    "trajectory.npz",
    "report.html",
    "verify.csv",
    "contacts.csv",
    "events.csv",
];

/// In which form the trajectory is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// As comma-separated values.
    pub csv: bool,
    /// As NumPy arrays.
    pub npz: bool,
}

/// Files of a run, as [`write_results`] leaves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The summary as JSON.
    pub summary: PathBuf,
    /// The trajectory as comma-separated values, if it was wanted.
    pub csv: PathBuf,
    /// The trajectory as NumPy arrays, if it was wanted.
    pub npz: PathBuf,
    /// The report.
    pub report: PathBuf,
}

/// The same with the trajectory in both forms.
pub fn write_all(directory: &Path, run: &Run) -> Result<Files, Error> {
    write_results(directory, run, Tables { csv: true, npz: true }, None)
}

/// Writes `summary.json`, `trajectory.csv` or `trajectory.npz`, and `report.html` into a directory, which
/// is created if it does not exist; with contacts also `contacts.csv` and `events.csv`, with a verification
/// `verify.csv`. With an engine the report can run its model. A directory holds one run: what was there of another is removed when trajectory and
/// summary of this one are whole, and stays if they cannot be written.
pub fn write_results(
    directory: &Path,
    run: &Run,
    tables: Tables,
    live: Option<&Live>,
) -> Result<Files, Error> {
    let files = Files {
        summary: directory.join("summary.json"),
        csv: directory.join("trajectory.csv"),
        npz: directory.join("trajectory.npz"),
        report: directory.join("report.html"),
    };
    let mut first = Together::begin(directory).map_err(Error::write(directory))?;
    if tables.csv {
        write_csv(&first.draft("trajectory.csv"), run).map_err(|error| error.of(&files.csv))?;
    }
    if tables.npz {
        write_npz(&first.draft("trajectory.npz"), run).map_err(|error| error.of(&files.npz))?;
    }
    write_summary(&first.draft("summary.json"), run).map_err(|error| error.of(&files.summary))?;
    first.show(&OLD).map_err(Error::write(directory))?;
    match live {
        None => write_report(&files.report, run)?,
        Some(live) => write_live_report(&files.report, run, live)?,
    }
    if let Some(verification) = run.verification {
        write_verification(&directory.join("verify.csv"), verification)?;
    }
    for (name, table) in [("contacts.csv", contact_table(run)), ("events.csv", event_table(run))] {
        if let Some(table) = table {
            table.write_csv(&directory.join(name))?;
        }
    }
    Ok(files)
}
