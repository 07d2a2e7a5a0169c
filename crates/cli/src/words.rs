//! A run in sentences.

use crate::numbers::{counted, enumeration, precise, short};
use rotula_dae::analysis::Stability;
use rotula_dae::{Audit, EquilibriumStart, ForceBalance, Settings, Sizes, Statistics, StepControl};
use rotula_model::reading::toml;
use serde_json::{Value, to_value};

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
pub(crate) fn method(settings: &Settings) -> String {
    let mut parts = vec![format!("formulation `{}`", settings.formulation.word())];
    let options = settings.formulation.unusual();
    let member = settings.member().and_then(|member| to_value(member).ok());
    let member = member.iter().filter_map(Value::as_object).flatten();
    parts.extend(
        options.iter().chain(member).map(|(key, value)| format!("{key} = {}", toml(value))),
    );
    parts.push(match &settings.control {
        StepControl::Fixed { h } => format!("step {}", precise(*h)),
        StepControl::Repeated { h, fractions } => {
            let fractions: Vec<_> = fractions.iter().map(|f| precise(*f)).collect();
            format!("steps {} times {}", enumeration(&fractions), precise(*h))
        }
        StepControl::Tolerance(control) => format!("tolerance {}", short(control.tolerance)),
    });
    parts.join(", ")
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
    let shortened = match s.shortened {
        0 => String::new(),
        1 => "; 1 was shortened for what meets fast".to_owned(),
        n => format!("; {n} were shortened for what meets fast"),
    };
    let matrices = match s.factorisations {
        1 => "1 matrix".to_owned(),
        n => format!("{n} matrices"),
    };
    let solved = match s.iterations {
        // accelerations are found at once
        0 => format!("It evaluated forces {} and factorised {matrices}", times(s.residuals)),
        n => format!(
            "Newton's method took {}, at most {} in a step, and factorised {matrices}",
            counted(n, "iteration"),
            s.most_iterations,
        ),
    };
    format!("It took {} {sizes}{shortened}; {rejected}. {solved}.", counted(s.steps, "step"))
}

/// How often something was done.
fn times(n: usize) -> String {
    match n {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    }
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
            let located = match (audit.impacts_located, audit.impacts - audit.impacts_located) {
                (0, _) => String::new(),
                (1, 0) => ", located".to_owned(),
                (_, 0) => ", all located".to_owned(),
                (found, passed) => {
                    format!(", {found} of them located and {passed} stepped through")
                }
            };
            sentences.push(format!(
                "There {} {}{located}; contacts took {} J{impacts}.",
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
