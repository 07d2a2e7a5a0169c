//! Work–precision diagrams: what every method costs for the accuracy it reaches.
//!
//! Each method solves each problem over a range of tolerances; the largest error of the
//! positions at twenty instants is drawn against accepted steps, factorisations and time of the processor.

mod case;
mod draw;
mod method;

pub use case::*;
pub(crate) use draw::figure;
pub use draw::{Drawing, diagram};
pub use method::{Method, method, methods};

use crate::entry::GalleryError;
use crate::problems::rods::Coordinates;
use crate::study::smaller;
use rotula_dae::{Output, Statistics};
use std::time::Instant;

/// The tolerances of a diagram.
pub const TOLERANCES: [f64; 6] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// One run of a diagram.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Problem.
    pub problem: &'static str,
    /// Method.
    pub method: &'static str,
    /// Tolerance of the local error.
    pub tolerance: f64,
    /// Largest deviation of a position at the end.
    pub error: f64,
    /// Largest deviation of a position at twenty instants.
    pub path_error: f64,
    /// What it cost.
    pub statistics: Statistics,
    /// Time of the run in seconds.
    pub seconds: f64,
    /// Why the run failed, if it did.
    pub failure: Option<String>,
}

/// The problems of the diagram: constant and variable mass, few and many constraints.
pub fn cases() -> Result<Vec<Case>, GalleryError> {
    Ok(vec![andrews_squeezer(), pendulum()?, double_pendulum(Coordinates::Quaternion)])
}

/// Runs a method on a problem with error control.
pub fn measure(case: &mut Case, method: &Method, tolerance: f64) -> Measured {
    let mut settings = method.tolerance(tolerance, case.until);
    settings.output = Output::At(case.instants());
    let begun = Instant::now();
    let outcome = case.run(&settings);
    let seconds = begun.elapsed().as_secs_f64();
    let mut measured = Measured {
        problem: case.name,
        method: method.name,
        tolerance,
        error: f64::NAN,
        path_error: f64::NAN,
        statistics: Statistics::default(),
        seconds,
        failure: None,
    };
    let judged = outcome.and_then(|outcome| {
        measured.error = case.error(&outcome.state);
        measured.statistics = outcome.trajectory.statistics;
        case.path_error(&outcome)
    });
    match judged {
        Ok(error) => measured.path_error = error,
        Err(error) => measured.failure = Some(error.to_string()),
    }
    measured
}

/// All methods on all problems over all tolerances; each time is the best of three runs.
pub fn survey() -> Result<Vec<Measured>, GalleryError> {
    let methods = methods()?;
    let mut measured = Vec::new();
    for case in &mut cases()? {
        for method in &methods {
            for tolerance in TOLERANCES {
                let mut best = measure(case, method, tolerance);
                for _ in 0..2 {
                    let again = measure(case, method, tolerance).seconds;
                    best.seconds = smaller(best.seconds, again);
                }
                measured.push(best);
            }
        }
    }
    Ok(measured)
}
