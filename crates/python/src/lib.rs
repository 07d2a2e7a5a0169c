//! The native part of the Python package `rotula`. What users see is in `python/rotula`.
//!
//! | file | concept |
//! |---|---|
//! | `compiled` | a model that was read, and its analyses; in `compiled/work`, how they are done; in `compiled/small_motions` and `compiled/pictures` more of them |
//! | `reduction` | meshes as flexible bodies |
//! | `finished` | what a run leaves behind, as arrays without copies |
//! | `watch` | observers and Ctrl-C |
//! | `motion` | how a body stands and moves, as functions of users see it |
//! | `additions`, `force`, `variable`, `constraint`, `equation` | functions of users as parts of a model |
//! | `nesting` | models that run models |
//! | `plan` | runs that were cut off |
//! | `simulation` | runs that go on when they are told to |
//! | `trouble` | exceptions in functions that an integrator calls |
//! | `errors` | faults as exceptions |

// Allowed only where it is argued.
#![deny(unsafe_code)]

mod additions;
mod compiled;
mod constraint;
mod equation;
mod errors;
mod finished;
mod force;
mod motion;
mod nesting;
mod plan;
mod reduction;
mod simulation;
mod trouble;
mod variable;
mod watch;

use pyo3::prelude::*;
use rotula_study::sweep::Axis;

/// Cases of a Latin hypercube over ranges: key, lower end, upper end, whether ratios count.
#[pyfunction]
fn latin_hypercube(
    ranges: Vec<(String, f64, f64, bool)>,
    count: usize,
    seed: u64,
) -> Vec<rotula_study::sweep::Case> {
    let axis = |(key, low, high, logarithmic)| Axis::Range { key, low, high, logarithmic };
    let axes: Vec<Axis> = ranges.into_iter().map(axis).collect();
    rotula_study::sweep::latin_hypercube(&axes, count, seed)
}

/// The report of one run with the curves of another beside its own; none if one of the texts is no report.
#[pyfunction]
fn beside(page: &str, other: &str) -> Option<String> {
    rotula_report::beside(page, other)
}

/// The module `rotula._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(latin_hypercube, module)?)?;
    module.add_function(wrap_pyfunction!(plan::unfinished, module)?)?;
    module.add_function(wrap_pyfunction!(beside, module)?)?;
    module.add_function(wrap_pyfunction!(reduction::reduce, module)?)?;
    module.add_class::<compiled::Compiled>()?;
    module.add_class::<finished::Finished>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<simulation::SavedRun>()?;
    module.add_class::<motion::BodyMotion>()?;
    module.add_class::<watch::Moment>()
}
