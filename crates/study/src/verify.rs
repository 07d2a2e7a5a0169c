//! A second, stricter run to compare with.

use crate::model::Model;
use rotula_dae::{Observer, Output, Settings, StepControl, simulate};
use rotula_report::{Error, Run, Stricter, Verification};
use std::time::Instant;

/// How much a tolerance is tightened. With a method of second order steps become about half as long.
const TENTH: f64 = 0.1;

/// Runs a model again with a tenth of the tolerance, or half the step, and compares at the times that
/// were recorded. `settings` are those of the run. What the observer ends is not verified further.
pub fn verify(
    model: &Model,
    settings: &Settings,
    run: &Run,
    observer: &mut dyn Observer,
) -> Result<Verification, Error> {
    let (mut settings, stricter) = stricter(settings);
    settings.output = Output::At(instants(&run.trajectory.times));
    // what lies behind the end of a failed run cannot be compared
    if let (Some(_), Some(last)) = (run.diagnosis, run.trajectory.times.last()) {
        settings.until = *last;
    }
    let clock = Instant::now();
    let outcome = simulate(model.system().as_mut(), &model.initial_state(), &settings, observer);
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(diagnosis) => {
            return Verification::new(run, stricter, Err(diagnosis.message.to_string()));
        }
    };
    let results = model.results(&outcome.trajectory);
    let again = Run {
        diagnosis: outcome.failure.as_ref(),
        extra: results.extra,
        curves: results.curves,
        coordinates: results.coordinates,
        units: results.units,
        wall_seconds: clock.elapsed().as_secs_f64(),
        ..Run::new(model.title(), &outcome.trajectory, &settings)
    };
    Verification::new(run, stricter, Ok(&again))
}

/// The settings with a tenth of the tolerance or half the step.
fn stricter(settings: &Settings) -> (Settings, Stricter) {
    let mut settings = settings.clone();
    let stricter = match &mut settings.control {
        StepControl::Fixed { h } | StepControl::Repeated { h, .. } => {
            let from = std::mem::replace(h, 0.5 * *h);
            Stricter { setting: "step", from, to: *h }
        }
        StepControl::Tolerance(control) => {
            let from = control.tolerance;
            control.tolerance *= TENTH;
            // steps that a limit holds must become shorter too
            control.max *= 0.5;
            control.min *= TENTH;
            control.first = control.first.map(|first| 0.5 * first);
            Stricter { setting: "tolerance", from, to: control.tolerance }
        }
    };
    (settings, stricter)
}

/// The recorded times, each once.
fn instants(times: &[f64]) -> Vec<f64> {
    let mut instants = times.to_vec();
    instants.dedup();
    instants
}
