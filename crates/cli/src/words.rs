//! A run in sentences.

use crate::numbers::{counted, enumeration, precise, short};
use rotula_dae::analysis::Stability;
use rotula_dae::{
    Audit, EquilibriumStart, ForceBalance, Formulation, Output, Settings, Sizes, Solve, Statistics,
    StepControl,
};

/// What the system is made of.
pub(crate) fn system(sizes: Sizes, freedom: usize) -> String {
    let mut parts = vec![counted(sizes.motion, "coordinate")];
    let counts = [
        (sizes.holonomic, "holonomic constraint"),
        (sizes.nonholonomic, "nonholonomic constraint"),
        (sizes.states, "first-order state"),
        (sizes.variables, "algebraic variable"),
    ];
    parts.extend(counts.iter().filter(|(n, _)| *n > 0).map(|(n, noun)| counted(*n, noun)));
    let degrees = if freedom == 1 { "degree" } else { "degrees" };
    format!("The system has {freedom} {degrees} of freedom: {}.", enumeration(&parts))
}

/// Formulation, coefficients and steps, without a verb: `ggl, generalized-alpha = 0.8, tolerance 1e-8`.
pub(crate) fn method(solve: &Solve, settings: &Settings) -> String {
    let word = settings.formulation.word();
    let member = match settings.formulation {
        Formulation::Bdf { max_order, .. } => format!("orders up to {max_order}"),
        _ => member(solve, settings),
    };
    let control = match &settings.control {
        StepControl::Fixed { h } => format!("step {}", precise(*h)),
        StepControl::Repeated { h, fractions } => {
            let fractions: Vec<_> = fractions.iter().map(|f| precise(*f)).collect();
            format!("steps {} times {}", enumeration(&fractions), precise(*h))
        }
        StepControl::Tolerance(control) => format!("tolerance {}", short(control.tolerance)),
    };
    format!("formulation `{word}`, {member}, {control}")
}

/// The member of the generalized-α family, by the parameter that the file uses.
pub(crate) fn member(solve: &Solve, settings: &Settings) -> String {
    use rotula_dae::solve::CoefficientChoice::*;
    match solve.coefficients {
        Some(GeneralizedAlpha(rho)) => format!("generalized-alpha = {rho}"),
        Some(Hht(alpha)) => format!("hht = {alpha}"),
        Some(Newmark([beta, gamma])) => format!("newmark = [{beta}, {gamma}]"),
        // hht-i3 and hht-soi2 have a default of their own
        None if settings.coefficients.alpha_m == 0.0 => {
            format!("hht = {}", precise(-settings.coefficients.alpha_f))
        }
        None => {
            let f = settings.coefficients.alpha_f;
            format!("generalized-alpha = {}", precise(f / (1.0 - f)))
        }
    }
}

/// Where a run started that was to start in equilibrium.
pub(crate) fn equilibrium(start: &EquilibriumStart) -> String {
    let kind = match start.stability {
        Stability::Stable => "a stable",
        Stability::Neutral => "a neutral",
        Stability::Unstable => "an unstable",
    };
    let moved = start.moved.iter().max_by(|a, b| a.change.abs().total_cmp(&b.change.abs()));
    let moved = match moved {
        None => "nothing moved".to_owned(),
        Some(most) => format!(
            "{} moved, most of all `{}` by {}",
            counted(start.moved.len(), "coordinate"),
            most.name,
            precise(most.change)
        ),
    };
    let mut text = format!(
        "The run starts from rest in {kind} equilibrium, found by {}: {moved}; `rotula statics` shows it.",
        start.found_by
    );
    if !start.unheld.is_empty() {
        text += &format!(" Nothing holds {}.", enumeration(&start.unheld));
    }
    text
}

/// Steps, rejections and iterations.
pub(crate) fn effort(statistics: &Statistics) -> String {
    let s = statistics;
    if s.steps == 0 {
        return "No step was completed.".to_owned();
    }
    let sizes = match short(s.smallest_step) == short(s.largest_step) {
        true => format!("of {} s", short(s.largest_step)),
        false => format!("from {} s to {} s", short(s.smallest_step), short(s.largest_step)),
    };
    let rejected = match (s.rejected_by_error, s.rejected_by_iteration) {
        (0, 0) => "none was rejected".to_owned(),
        (error, iteration) => format!(
            "{} rejected ({error} for their error, {iteration} for not converging)",
            match error + iteration {
                1 => "1 attempt was".to_owned(),
                n => format!("{n} attempts were"),
            },
        ),
    };
    format!(
        "It took {} {sizes}; {rejected}. Newton's method took {}, at most {} in a step, and factorised {}.",
        counted(s.steps, "step"),
        counted(s.iterations, "iteration"),
        s.most_iterations,
        match s.factorisations {
            1 => "1 matrix".to_owned(),
            n => format!("{n} matrices"),
        },
    )
}

/// Constraints and energy.
pub(crate) fn audit(audit: &Audit, sizes: Sizes) -> Vec<String> {
    let mut sentences = Vec::new();
    if sizes.multipliers() > 0 {
        // nonholonomic constraints have no position level
        let position = match sizes.holonomic {
            0 => String::new(),
            _ => format!("{} (position), ", short(audit.position_residual)),
        };
        sentences.push(format!(
            "The constraints are met to {position}{} (velocity) and {} (acceleration).",
            short(audit.velocity_residual),
            short(audit.acceleration_residual),
        ));
    }
    if let (Some(defect), Some(start), Some(end)) =
        (audit.energy_defect, audit.initial_energy, audit.final_energy)
    {
        let work = match audit.work {
            Some(work) if work != 0.0 => {
                format!(", with work {} J done on the system", short(work))
            }
            _ => String::new(),
        };
        if let Some(contacts) = audit.contact_work {
            let impacts = match (audit.impact_loss, audit.impact_expected) {
                (Some(taken), Some(expected)) => format!(
                    ", {} J of them in steps with impacts, where restitution and friction account for {} J",
                    short(taken),
                    short(expected)
                ),
                _ => String::new(),
            };
            sentences.push(format!(
                "There {} {}; contacts took {} J{impacts}.",
                if audit.impacts == 1 { "was" } else { "were" },
                counted(audit.impacts, "impact"),
                short(-contacts)
            ));
        }
        let measure = match (audit.energy_part(), audit.energy_exchanged) {
            (Some(0.0), _) => ", which is rounding".to_owned(),
            (Some(_), Some(exchanged)) => format!(" while {} J came and went", short(exchanged)),
            _ => String::new(),
        };
        let burst = match (audit.energy_burst, audit.energy_burst_at) {
            (Some(energy), Some(t)) => {
                format!(", {} J of it near t = {} s", short(energy), precise(t))
            }
            _ => String::new(),
        };
        sentences.push(format!(
            "The energy goes from {} J to {} J{work}; its balance is off by at most {} J{measure}{burst}.",
            precise(start),
            precise(end),
            short(defect),
        ));
    }
    if let Some(depth) = audit.penetration {
        sentences.push(format!("Rigid contacts penetrate by at most {}.", short(depth)));
    }
    sentences
}

/// How far forces balance, and reactions fit accelerations.
pub(crate) fn balance(balance: &ForceBalance) -> Option<String> {
    let worst = balance.imbalance.as_ref()?;
    let drift = match &balance.reaction_drift {
        Some(drift) if drift.size > 1e-12 => {
            format!("; reactions fit accelerations to {}", short(drift.size))
        }
        _ => String::new(),
    };
    Some(format!(
        "In every row the forces on each body balance to {} of the largest on it{drift}.",
        short(worst.size)
    ))
}

/// The settings in force as lines of a `[solve]` section.
pub(crate) fn settings(solve: &Solve, settings: &Settings) -> Vec<String> {
    let note = |given: bool| if given { "" } else { "   # default" };
    let mut lines = vec![format!(
        "formulation = \"{}\"{}",
        settings.formulation.word(),
        note(solve.formulation.is_some())
    )];
    if !matches!(settings.formulation, Formulation::Bdf { .. }) {
        let member = member(solve, settings);
        lines.push(format!("coefficients = {{ {member} }}{}", note(solve.coefficients.is_some())));
    }
    lines.extend(options(solve));
    match &settings.control {
        StepControl::Fixed { h } => lines.push(format!("step = {h}")),
        StepControl::Repeated { h, fractions } => {
            lines.push(format!("step = {h}"));
            lines.push(format!("repeated = {fractions:?}"));
        }
        StepControl::Tolerance(control) => {
            let given = solve.tolerance.is_some();
            lines.push(format!("tolerance = {:e}{}", control.tolerance, note(given)));
            lines.push(format!("min_step = {:e}{}", control.min, note(solve.min_step.is_some())));
            lines.push(format!("max_step = {}{}", control.max, note(solve.max_step.is_some())));
            if let Some(first) = control.first {
                lines.push(format!("first_step = {first}"));
            }
        }
    }
    lines.push(format!("start = {}{}", settings.start, note(solve.start.is_some())));
    lines.push(format!("until = {}", settings.until));
    lines.push(match &settings.output {
        Output::EachStep => "# recorded after each step".to_owned(),
        Output::Every(interval) => format!("output_every = {interval}"),
        Output::At(times) => format!("output_at = {times:?}"),
    });
    let policy = solve.initial.as_deref().unwrap_or("refuse");
    lines.push(format!("initial = \"{policy}\"{}", note(solve.initial.is_some())));
    lines.extend(solve.redundant.as_ref().map(|word| format!("redundant = \"{word}\"")));
    lines
}

/// Options of the formulation that the file gives.
fn options(solve: &Solve) -> Vec<String> {
    let words = [
        ("variant", &solve.variant),
        ("mass", &solve.mass),
        ("mode", &solve.mode),
        ("iteration", &solve.iteration),
        ("multipliers", &solve.multipliers),
        ("form", &solve.form),
        ("start_acceleration", &solve.start_acceleration),
        ("adjustment", &solve.adjustment),
        ("reactions", &solve.reactions),
    ];
    let mut lines: Vec<String> = words
        .iter()
        .filter_map(|(key, word)| word.as_ref().map(|word| format!("{key} = \"{word}\"")))
        .collect();
    for (key, value) in [("scaling", solve.scaling), ("augmented", solve.augmented)] {
        lines.extend(value.map(|value| format!("{key} = {value}")));
    }
    lines.extend(solve.baumgarte.map(|constants| format!("baumgarte = {constants:?}")));
    lines.extend(solve.max_order.map(|order| format!("max_order = {order}")));
    lines
}
