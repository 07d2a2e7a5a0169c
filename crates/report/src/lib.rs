//! Results of a run on disk: tables, a summary and a self-contained HTML report.
//!
//! | function | file |
//! |---|---|
//! | [`write_csv`] | the trajectory as comma-separated values |
//! | [`write_npz`] | the trajectory and its steps as NumPy arrays |
//! | [`write_summary`] | outcome, settings, statistics and audit as JSON |
//! | [`write_verification`] | how far a stricter run differs, column by column |
//! | [`write_report`] | one HTML page with plots that works without a network |
//! | [`contact_table`], [`event_table`] | contacts that touch, and impacts, as long tables |
//! | [`write_parquet`], [`write_table`] | the trajectory, or any table, as Parquet |
//! | [`write_glb`], [`write_vtk`] | a mechanism in motion as animated glTF, or as a series of VTK files |
//! | [`write_plots`] | every plot of the report as PNG |
//! | [`plot_svg`], [`plot_png`] | a [`Figure`] without a browser, for instance a work–precision diagram |
//!
//! [`write_all`] writes the first four of them into a directory. Every file appears whole or not at all: it
//! is written under another name and renamed.

mod atomic;
mod columns;
mod compare;
mod contacts;
mod csv;
mod decimate;
mod encode;
mod error;
mod export;
mod figure;
mod film;
mod html;
mod npy;
mod npz;
mod numbers;
mod panels;
mod run;
mod summary;
mod verification;
mod words;

pub use columns::{Block, tables};
pub use contacts::{LongTable, contact_table, event_table};
pub use csv::write_csv;
pub use decimate::decimate;
pub use error::Error;
pub use export::{Column, Values, write_glb, write_parquet, write_plots, write_table, write_vtk};
pub use figure::{Axis, Figure, Marker, Series, Stroke, plot_png, plot_svg};
pub use html::write_report;
pub use npz::write_npz;
pub use run::{Curves, Extra, Run, Units};
pub use summary::{summary, write_summary};
pub use verification::{Difference, Growth, Quantity, Stricter, Verification, write_verification};

use std::path::{Path, PathBuf};

/// Files of a run, as [`write_all`] leaves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The summary as JSON.
    pub summary: PathBuf,
    /// The trajectory as comma-separated values.
    pub csv: PathBuf,
    /// The trajectory as NumPy arrays.
    pub npz: PathBuf,
    /// The report.
    pub report: PathBuf,
}

/// Writes `summary.json`, `trajectory.csv`, `trajectory.npz` and `report.html` into a directory, which
/// is created if it does not exist; with contacts also `contacts.csv` and `events.csv`.
pub fn write_all(directory: &Path, run: &Run) -> Result<Files, Error> {
    std::fs::create_dir_all(directory).map_err(Error::write(directory))?;
    let files = Files {
        summary: directory.join("summary.json"),
        csv: directory.join("trajectory.csv"),
        npz: directory.join("trajectory.npz"),
        report: directory.join("report.html"),
    };
    // The summary first: it is what programs look for, and it is written in no time.
    write_summary(&files.summary, run)?;
    write_report(&files.report, run)?;
    write_csv(&files.csv, run)?;
    write_npz(&files.npz, run)?;
    if let Some(verification) = run.verification {
        write_verification(&directory.join("verify.csv"), verification)?;
    }
    write_contacts(directory, run)?;
    Ok(files)
}

/// Writes the tables of contacts and impacts, as far as the run has them, and removes those of an earlier
/// run from the directory.
pub fn write_contacts(directory: &Path, run: &Run) -> Result<(), Error> {
    for (name, table) in [("contacts.csv", contact_table(run)), ("events.csv", event_table(run))] {
        let path = directory.join(name);
        match table {
            Some(table) => table.write_csv(&path)?,
            None => match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::write(&path)(error));
                }
                _ => {}
            },
        }
    }
    Ok(())
}
