//! The summary of a run as JSON.

use crate::atomic;
use crate::error::Error;
use crate::run::Run;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Writes what is known about a run, without its curves, as JSON.
///
/// Numbers that are not finite become `null`.
pub fn write_summary(path: &Path, run: &Run) -> Result<(), Error> {
    let summary = summary(run);
    atomic::write(path, |file| {
        serde_json::to_writer_pretty(&mut *file, &summary)?;
        writeln!(file)
    })
}

/// The content of [`write_summary`].
pub fn summary(run: &Run) -> Value {
    let trajectory = run.trajectory;
    let sizes = trajectory.sizes;
    let reached = trajectory.times.last().copied();
    json!({
        "program": run.program,
        "model": { "title": run.title, "file": run.model_file },
        "outcome": match run.diagnosis {
            None => json!({ "status": "done", "reached": reached }),
            Some(diagnosis) => {
                let interrupted = diagnosis.failure == rotula_dae::Failure::Interrupted;
                let status = if interrupted { "interrupted" } else { "failed" };
                json!({ "status": status, "reached": diagnosis.t, "diagnosis": diagnosis })
            }
        },
        "warnings": run.warnings,
        "sizes": {
            "configuration": sizes.configuration,
            "motion": sizes.motion,
            "holonomic": sizes.holonomic,
            "nonholonomic": sizes.nonholonomic,
            "states": sizes.states,
            "variables": sizes.variables,
            "degrees_of_freedom": run.freedom(),
            "recorded": trajectory.len(),
        },
        "coordinates": trajectory.coordinates,
        "settings": run.settings,
        "initial": run.initial,
        "statistics": trajectory.statistics,
        "audit": trajectory.audit,
        "balance": trajectory.balance,
        "verification": run.verification,
        "hot_spots": run.hot_spots,
        "wall_seconds": run.wall_seconds,
    })
}
