//! Which formulation can treat which system, and what to beware of.

use crate::diagnosis::{Diagnosis, Failure, Sentence, Subject};
use crate::settings::{Formulation, HhtMode, Settings, StepControl, Strategy};
use crate::system::{Component, System};

/// Refuses combinations that cannot work, with the remedy.
pub(crate) fn refuse(system: &dyn System, settings: &Settings) -> Result<(), Diagnosis> {
    let sizes = system.sizes();
    let c = settings.coefficients;
    let refusal = |of: Subject, message: String, remedy: &str| {
        let message = Sentence::about(message, [of]);
        Err(Diagnosis::new(Failure::Unsupported, settings.start, message)
            .remedied_by(vec![remedy.into()]))
    };
    let key = |key: &str| Subject::Setting(key.into());
    if !settings.formulation.has_impacts() && !system.contacts().is_empty() {
        let count = system.contacts().len();
        let first = system.subject(Component::Contact(0));
        let text = format!(
            "the system has contacts ({count}, the first is `{first}`), which this formulation would ignore"
        );
        return refusal(
            key("formulation"),
            text,
            "set `formulation = \"nonsmooth\"` (or `\"moreau-jean\"`), or remove the contacts",
        );
    }
    for (i, contact) in system.contacts().iter().enumerate() {
        if let Some(fault) = contact.fault() {
            let contact = system.subject(Component::Contact(i));
            let text = format!("contact `{contact}`: {fault}");
            return refusal(contact, text, "correct the number");
        }
    }
    let other_reactions = system.patterns().reactions.is_some();
    let auxiliary = sizes.auxiliary() > 0 || other_reactions;
    let tolerant = matches!(settings.control, StepControl::Tolerance(_));
    if let Formulation::MoreauJean { .. } = settings.formulation {
        if auxiliary {
            return refusal(
                key("formulation"),
                "`moreau-jean` treats no states, variables, or forces that depend on multipliers"
                    .into(),
                "use `nonsmooth`, which has no such limits",
            );
        }
        if tolerant {
            return refusal(
                key("tolerance"),
                "`moreau-jean` has no error estimate".into(),
                "give a `step` instead of a `tolerance`",
            );
        }
    }
    if let Formulation::HhtI3 { mode } = settings.formulation {
        // Weakly damped multipliers oscillate: measured limits of sheet 003, E12.
        let least = if mode == HhtMode::Paper { 0.1 } else { 0.05 };
        if sizes.multipliers() > 0 && c.alpha_f < least - 1e-12 {
            return refusal(
                key("coefficients"),
                format!(
                    "`hht-i3` needs alpha <= -{least} with constraints, not {}: the multipliers \
                     would oscillate without end",
                    -c.alpha_f
                ),
                "set `coefficients = { hht = -0.3 }`",
            );
        }
    }
    if settings.formulation == Formulation::HhtSoi2 && (sizes.nonholonomic > 0 || other_reactions) {
        return refusal(
            key("formulation"),
            "`hht-soi2` treats holonomic constraints with reactions +Gᵀλ only: no \
             nonholonomic constraints, and no forces that depend on multipliers"
                .into(),
            "use `soi2`, which has no such limits",
        );
    }
    if matches!(settings.formulation, Formulation::Bdf { .. }) && !tolerant {
        return refusal(
            key("step"),
            "`bdf` chooses its steps itself".into(),
            "give a `tolerance` instead of a `step`",
        );
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
            | Formulation::Ggl { .. }
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
    if matches!(settings.formulation, Formulation::Index2) && sizes.holonomic > 0 {
        warnings.push(
            "`index2` meets constraints at velocity level only: positions drift off slowly, and at a dead \
             point a mechanism may go on along another branch (use `ggl` or `pva` unless you want to see that)"
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
