//! The commands of `gallery`.

use crate::help;
use clap::{Args as Options, Subcommand};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum GalleryCommand {
    /// List the entries.
    #[command(after_help = help::GALLERY_LIST)]
    List,
    /// Run entries and compare them with their references.
    #[command(after_help = help::GALLERY_RUN)]
    Run(GalleryRun),
    /// Draw accuracy against cost for all methods: pictures and a table. Takes minutes.
    #[command(after_help = help::WORK_PRECISION)]
    WorkPrecision(WorkPrecision),
    /// Draw the pictures of the book: drift, oscillation, dissipation, work and precision.
    #[command(after_help = help::PICTURES)]
    Pictures(Pictures),
}

#[derive(Options)]
pub(crate) struct GalleryRun {
    /// Names of entries.
    #[arg(value_name = "NAME", required_unless_present = "all")]
    pub names: Vec<String>,
    /// Run every entry.
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Write the checks as JSON.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a Markdown page per entry, with its curves.
    #[arg(long, value_name = "DIR")]
    pub pages: Option<PathBuf>,
    /// Write the chapter of the book: a page per document, and a list of all entries.
    #[arg(long, value_name = "DIR")]
    pub chapter: Option<PathBuf>,
}

#[derive(Options)]
pub(crate) struct WorkPrecision {
    /// Directory for pictures and table.
    #[arg(short, long, value_name = "DIR", default_value = "results/work-precision")]
    pub output: PathBuf,
}

#[derive(Options)]
pub(crate) struct Pictures {
    /// Directory for the pictures.
    #[arg(short, long, value_name = "DIR", default_value = "results/pictures")]
    pub output: PathBuf,
}
