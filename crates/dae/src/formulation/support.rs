//! Which formulation can treat which system, and what to beware of.

use crate::diagnosis::{Diagnosis, Failure};
use crate::settings::{Formulation, HhtMode, Settings, StepControl, Strategy};
use crate::system::{Component, System};

/// Refuses combinations that cannot work, with the remedy.
pub(crate) fn refuse(system: &dyn System, settings: &Settings) -> Result<(), Diagnosis> {
    let sizes = system.sizes();
    let constrained = sizes.multipliers() > 0;
    let c = settings.coefficients;
    let refusal = |message: String, remedy: &str| {
        Err(Diagnosis {
            failure: Failure::Unsupported,
            t: settings.start,
            message,
            evidence: Vec::new(),
            remedies: vec![remedy.into()],
        })
    };
    let hht = matches!(settings.formulation, Formulation::HhtI3(_) | Formulation::HhtSoi2);
    if hht && c.alpha_m != 0.0 {
        return refusal(
            "the formulations `hht-i3` and `hht-soi2` are made for HHT coefficients".into(),
            "set `coefficients = { hht = -0.3 }`",
        );
    }
    let impacts = matches!(
        settings.formulation,
        Formulation::Nonsmooth { .. } | Formulation::MoreauJean { .. }
    );
    if !impacts && !system.contacts().is_empty() {
        let count = system.contacts().len();
        return refusal(
            format!(
                "the system has contacts ({count}, the first is `{}`), which this formulation would \
                 ignore",
                system.name(Component::Contact(0))
            ),
            "set `formulation = \"nonsmooth\"` (or `\"moreau-jean\"`), or remove the contacts",
        );
    }
    for (i, contact) in system.contacts().iter().enumerate() {
        if let Some(fault) = contact.fault() {
            let name = system.name(Component::Contact(i));
            return refusal(format!("contact `{name}`: {fault}"), "correct the number");
        }
    }
    match settings.formulation {
        Formulation::MoreauJean { theta, activation } => {
            if !(0.0..=1.0).contains(&activation) {
                return refusal(
                    format!("activation must lie in [0, 1], not {activation}"),
                    "set `activation = 0.5`",
                );
            }
            if !(0.5..=1.0).contains(&theta) {
                return refusal(
                    format!("theta must lie in [0.5, 1], not {theta}"),
                    "set `theta = 0.5`",
                );
            }
            if sizes.auxiliary() > 0 || system.patterns().reactions.is_some() {
                return refusal(
                    "`moreau-jean` treats no states, variables, or forces that depend on multipliers"
                        .into(),
                    "use `nonsmooth`, which has no such limits",
                );
            }
            if !matches!(settings.control, StepControl::Fixed { .. } | StepControl::Repeated { .. })
            {
                return refusal(
                    "`moreau-jean` has no error estimate".into(),
                    "give a `step` instead of a `tolerance`",
                );
            }
        }
        Formulation::HhtI3(mode) if constrained => {
            // Weakly damped multipliers oscillate: measured limits of sheet 003, E12.
            let least = if mode == HhtMode::Paper { 0.1 } else { 0.05 };
            if c.alpha_f < least - 1e-12 {
                return refusal(
                    format!(
                        "`hht-i3` needs alpha <= -{least} with constraints, not {}: the multipliers \
                         would oscillate without end",
                        -c.alpha_f
                    ),
                    "set `coefficients = { hht = -0.3 }`",
                );
            }
        }
        Formulation::HhtSoi2 => {
            let own_reactions = system.patterns().reactions.is_some();
            if sizes.nonholonomic > 0 || sizes.auxiliary() > 0 || own_reactions {
                return refusal(
                    "`hht-soi2` treats holonomic constraints with reactions +Gᵀλ only: no \
                     nonholonomic constraints, states, variables, or forces that depend on \
                     multipliers"
                        .into(),
                    "use `soi2`, which has no such limits",
                );
            }
        }
        Formulation::Bdf { max_order, .. } => {
            if !(1..=5).contains(&max_order) {
                return refusal(
                    format!("`bdf` has orders 1 to 5, not {max_order}"),
                    "set `max_order = 5`",
                );
            }
            if !matches!(settings.control, StepControl::Tolerance(_)) {
                return refusal(
                    "`bdf` chooses its steps itself".into(),
                    "give a `tolerance` instead of a `step`",
                );
            }
        }
        _ => {}
    }
    Ok(())
}

/// Sentences about combinations that run but deserve a warning.
pub(crate) fn warnings(system: &dyn System, settings: &Settings) -> Vec<String> {
    let sizes = system.sizes();
    let mut warnings = Vec::new();
    let undamped = settings.coefficients.constraint_radius() >= 1.0 - 1e-9;
    let by_multipliers = matches!(
        settings.formulation,
        Formulation::Index3 { .. }
            | Formulation::Index2
            | Formulation::Ggl(_)
            | Formulation::Soi2 { .. }
    );
    if sizes.multipliers() > 0 && undamped && by_multipliers {
        warnings.push(
            "these coefficients do not damp the multipliers: expect reactions that oscillate from \
             step to step (choose a spectral radius below 1)"
                .into(),
        );
    }
    if matches!(settings.formulation, Formulation::Index1) && sizes.multipliers() > 0 {
        warnings.push(
            "`index1` meets constraints at acceleration level only: positions drift off (use `ggl` \
             or `pva` unless you want to see that)"
                .into(),
        );
    }
    let creeps = matches!(
        settings.formulation,
        Formulation::Nonsmooth { strategy, .. } if strategy != Strategy::Pva
    );
    if creeps && system.contacts().iter().any(|contact| contact.friction > 0.0) {
        warnings.push(
            "friction takes part in the smooth motion with `strategy = \"pva\"` only: with the \
             others, what sticks creeps by a distance proportional to the step"
                .into(),
        );
    }
    warnings
}
