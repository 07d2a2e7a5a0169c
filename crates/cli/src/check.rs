//! `rotula check`: what a model is made of, and whether it can be run.

use crate::Ending;
use crate::args;
use crate::messages::{Fault, say};
use crate::model_file::ModelFile;
use crate::numbers::{counted, precise, short};
use crate::words;
use rotula_dae::analysis;
use rotula_dae::{
    Change, Component, Failure, InitialPolicy, InitialReport, make_motion_consistent,
    redundant_constraints, simulate,
};
use rotula_model::reading::shorten;
use rotula_study::Model;

/// Tells what is known before a run, and tries the start and one step.
pub(crate) fn check(options: &args::Check) -> Result<Ending, Fault> {
    let file = ModelFile::read(&options.model)?;
    let model = &file.model;
    let mut system = model.system();
    let mut start = model.initial_state();
    start.t = file.settings.start;

    let redundant = redundant_constraints(system.as_mut(), &start);
    let sizes = system.sizes();
    let freedom = sizes.motion.saturating_sub(sizes.multipliers() - redundant.len());
    say(&format!("{}: {}", file.name, model.title()));
    say(&words::system(sizes, freedom));
    say(&parts(model));
    match analysis::check(system.as_mut(), &start) {
        Ok(report) => report.findings().iter().for_each(|finding| say(finding)),
        // numbers that are not finite are refused below, with their place
        Err(_) => redundant.iter().for_each(|sentence| say(&format!("Redundant: {sentence}."))),
    }
    model.hints().iter().for_each(|hint| say(&format!("Hint: {hint}.")));
    model.notes().iter().for_each(|note| say(&format!("Left out of the import: {note}.")));
    model.left_out().iter().for_each(|what| say(&format!("Note: {what}.")));

    // projecting a copy shows the changes even if the model does not allow them
    let mut projected = start.clone();
    let mut shown = false;
    if let Ok(report) =
        make_motion_consistent(system.as_mut(), &mut projected, InitialPolicy::Project)
    {
        let names: Vec<String> =
            (0..sizes.motion).map(|i| system.name(Component::Coordinate(i))).collect();
        // the numbers of a configuration on a manifold are not those of its increments
        let plain = sizes.configuration == sizes.motion;
        let values = plain.then_some((start.q.as_slice(), projected.q.as_slice()));
        let moved = changes(&report.moved, &names, "", values);
        let values = Some((start.v.as_slice(), projected.v.as_slice()));
        let accelerated = changes(&report.accelerated, &names, "'", values);
        say(&initial(&report, sizes.multipliers(), moved, accelerated));
        shown = true;
    }

    if model.solve().until().is_none() {
        say(
            "The model can be analysed. To run it, write `until = …`, the end time, under `[solve]`.",
        );
        return Ok(Ending::Done);
    }
    say("Settings in force:");
    for line in model.solve().listing(&file.settings) {
        say(&format!("  {line}"));
    }

    let mut first = None;
    let mut one_step = |_: &rotula_dae::State, step: &rotula_dae::StepRecord| {
        first = Some(*step);
        false
    };
    let outcome = simulate(system.as_mut(), &start, &file.settings, &mut one_step)
        .map_err(|diagnosis| file.refused(&diagnosis))?;
    file.warn(&outcome.warnings);
    if let Some(chosen) = &outcome.trajectory.coordinates {
        say(chosen);
    }
    if !shown {
        // with redundant constraints only the run itself knows how to project
        let report = &outcome.initial;
        let moved = changes(&report.moved, &[], "", None);
        let accelerated = changes(&report.accelerated, &[], "'", None);
        say(&initial(report, sizes.multipliers(), moved, accelerated));
    }
    if let Some(start) = &outcome.initial.equilibrium {
        say(&words::equilibrium(start));
    }
    match (outcome.failure, first) {
        (Some(diagnosis), _) if diagnosis.failure != Failure::Interrupted => {
            return Err(file.refused(&diagnosis));
        }
        (_, Some(step)) => say(&format!(
            "The model can be run: a first step of {} s took {}.",
            short(step.h),
            counted(step.iterations, "iteration")
        )),
        _ => say("The model can be run."),
    }
    // The program ends here: to take apart what a large model holds, piece by piece, would be a tenth of all work.
    std::mem::forget((system, file));
    Ok(Ending::Done)
}

/// The names of everything, a line per kind.
fn parts(model: &Model) -> String {
    let kinds = model.parts();
    let lines = kinds
        .iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(kind, names)| shorten(&format!("  {kind}: {}", names.join(", "))));
    let forces = model.recorded_forces().into_iter();
    let forces = forces.map(|line| shorten(&format!("  Recorded {line}")));
    lines.chain(forces).collect::<Vec<_>>().join("\n")
}

/// How far the given start is from a consistent one, and what projection makes of it.
fn initial(
    report: &InitialReport,
    constraints: usize,
    moved: Vec<String>,
    accelerated: Vec<String>,
) -> String {
    if constraints == 0 {
        return "There are no constraints that the initial state could violate.".into();
    }
    let mut lines = Vec::new();
    let levels = [
        ("position", report.position_residual, &report.worst_position, moved),
        ("velocity", report.velocity_residual, &report.worst_velocity, accelerated),
    ];
    for (level, residual, worst, changes) in levels {
        let Some(worst) = worst else { continue };
        if residual == 0.0 {
            lines.push(format!("The initial {level} meets every constraint exactly."));
            continue;
        }
        lines.push(format!(
            "The initial {level} meets the constraints to {} (worst: `{worst}`).",
            short(residual)
        ));
        lines.extend(changes);
    }
    lines.join("\n")
}

/// What projection changes, by name; with the values before and after where they are known.
fn changes(
    changes: &[Change],
    names: &[String],
    mark: &str,
    values: Option<(&[f64], &[f64])>,
) -> Vec<String> {
    let line = |change: &Change| {
        let Some((before, after)) = values else {
            return Some(format!(
                "  projection changes {} by {}",
                change.name,
                short(change.change)
            ));
        };
        let i = names.iter().position(|name| format!("{name}{mark}") == change.name)?;
        Some(format!(
            "  projection changes {} from {} to {} (by {})",
            change.name,
            precise(before[i]),
            precise(after[i]),
            short(change.change)
        ))
    };
    changes.iter().filter_map(line).collect()
}
