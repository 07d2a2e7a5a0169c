//! Results of a run on disk: tables, a summary and a self-contained HTML report.
//!
//! | function | file |
//! |---|---|
//! | [`write_csv`], [`csv()`] | the trajectory as comma-separated values |
//! | [`write_npz`] | the trajectory and its steps as NumPy arrays |
//! | [`write_summary`] | outcome, settings, statistics and audit as JSON |
//! | [`write_verification`] | how far a stricter run differs, column by column |
//! | [`write_report`] | one HTML page with plots that works without a network |
//! | [`write_live_report`], [`write_playground`] | a page that runs models itself |
//! | [`write_modes`] | a page on which a mechanism swings in its modes |
//! | [`study_page`] | a page of many cases, whose points can be picked |
//! | [`beside`] | two reports in one, to compare runs |
//! | [`contact_table`], [`event_table`] | contacts that touch, and impacts, as long tables |
//! | [`write_parquet`], [`write_table`] | the trajectory, or any table, as Parquet |
//! | [`write_glb`], [`write_vtk`] | a mechanism in motion as animated glTF, or as a series of VTK files |
//! | [`write_plots`] | every plot of the report as PNG |
//! | [`picture`] | a mechanism at rest as SVG |
//! | [`plot_svg`], [`plot_png`] | a [`Figure`] without a browser, for instance a work–precision diagram |
//!
//! [`write_results`] writes what belongs to a run into a directory. Every file appears whole or not at all: it
//! is written under another name and renamed.

#![forbid(unsafe_code)]

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
mod floors;
mod html;
mod npy;
mod npz;
mod numbers;
mod panels;
pub mod picture;
mod results;
mod run;
mod summary;
mod verification;
mod words;

pub use columns::{Block, tables};
pub use contacts::{LongTable, contact_table, event_table};
pub use csv::{csv, write_csv};
pub use decimate::decimate;
pub use error::Error;
#[cfg(feature = "png")]
pub use export::write_plots;
pub use export::{Column, Values, write_glb, write_parquet, write_table, write_vtk};
#[cfg(feature = "png")]
pub use figure::plot_png;
pub use figure::{Axis, Figure, Marker, Series, Stroke, plot_svg};
pub use html::{
    Chart, ChartSeries, Live, LiveModel, ModePage, StudyCase, StudyPage, beside, report,
    study_page, write_live_report, write_modes, write_playground, write_report,
};
pub use npz::write_npz;
pub use results::{Files, Tables, write_all, write_results};
pub use run::{Curves, Extra, Run, Units};
pub use summary::{summary, write_summary};
pub use verification::{Difference, Growth, Quantity, Stricter, Verification, write_verification};
