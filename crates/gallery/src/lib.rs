//! Published problems, their references, and the program that reproduces them.
//!
//! An entry is a function that runs a problem and records what it found: checks against references,
//! tables beside those that a paper prints, and notes where a printed result cannot be reproduced.
//! Its model file, reference data and page of text live in `gallery/NAME/`.
//!
//! | file | concept |
//! |---|---|
//! | `entry` | what an entry is, and the list of all of them |
//! | `findings` | checks, tables, curves, notes |
//! | `curves` | curves of pages: ours as lines, references as dots |
//! | `study` | running a model with settings, errors, observed orders |
//! | `entries/` | the entries themselves, grouped by document |
//! | `pictures` | the pictures of the book |
//! | `work_precision` | error against work for all methods, as pictures |
//! | `problems/` | problems that are Rust systems rather than model files |

#![forbid(unsafe_code)]

mod curves;
mod entries;
mod entry;
mod findings;
pub mod mechanisms;
pub mod pictures;
pub mod problems;
mod study;
pub mod work_precision;

pub use entry::{Entry, Finished, GalleryError, entries, run};
pub use findings::{Check, Findings, PrintedFigure, PrintedTable};
pub use study::{
    Run, condition_number, error, larger, largest, norm, observed_orders, quantile, run_model,
    run_prepared, run_system, run_watched, smaller, smallest,
};
