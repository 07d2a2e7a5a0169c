//! Settings of a run as sentences.

use crate::numbers::{counted, precise, short};
use crate::run::Run;
use rotula_dae::{
    BdfForm, Coefficients, DaeIteration, Formulation, GglVariant, HhtMode, NonsmoothVariant,
    Output, StepControl, Strategy,
};

/// What the system is made of.
pub(crate) fn system(run: &Run) -> String {
    let sizes = run.trajectory.sizes;
    let mut parts = vec![counted(sizes.motion, "coordinate")];
    let mut add = |number: usize, noun: &str| {
        if number > 0 {
            parts.push(counted(number, noun));
        }
    };
    add(sizes.holonomic, "holonomic constraint");
    add(sizes.nonholonomic, "nonholonomic constraint");
    add(sizes.states, "first-order state");
    add(sizes.variables, "algebraic variable");
    add(run.trajectory.contacts.names.len(), "contact");
    let freedom = match run.freedom() {
        1 => "1 degree of freedom".to_owned(),
        n => format!("{n} degrees of freedom"),
    };
    format!("The system has {freedom}: {}.", enumeration(&parts))
}

/// How it was integrated.
pub(crate) fn method(run: &Run) -> String {
    let settings = run.settings;
    let formulation = formulation(&settings.formulation);
    match settings.formulation {
        Formulation::Bdf { max_order, .. } => {
            format!("It was integrated by {formulation} up to order {max_order}.")
        }
        _ => format!(
            "It was integrated with {formulation}, by {}.",
            coefficients(&settings.coefficients)
        ),
    }
}

/// Interval, steps and recording.
pub(crate) fn steps(run: &Run) -> String {
    let settings = run.settings;
    let unit = unit(&run.units.time);
    let control = match &settings.control {
        StepControl::Fixed { h } => format!("in equal steps of {}{unit}", precise(*h)),
        StepControl::Repeated { h, fractions } => format!(
            "in steps that repeat {} times {}{unit}",
            enumeration(&fractions.iter().map(|f| precise(*f)).collect::<Vec<_>>()),
            precise(*h)
        ),
        StepControl::Tolerance(control) => format!(
            "in steps between {}{unit} and {}{unit} chosen for a local error below {}",
            short(control.min),
            short(control.max),
            short(control.tolerance)
        ),
    };
    let output = match &settings.output {
        Output::EachStep => "recorded after every step".to_owned(),
        Output::Every(interval) => format!("recorded every {}{unit}", precise(*interval)),
        Output::At(times) => format!("recorded at {}", counted(times.len(), "given time")),
    };
    let (start, until) = (precise(settings.start), precise(settings.until));
    let verb = if run.diagnosis.is_some() { "was to be" } else { "was" };
    format!(
        "The motion from t = {start}{unit} to {until}{unit} {verb} computed {control}, and {output}."
    )
}

fn formulation(formulation: &Formulation) -> String {
    match *formulation {
        Formulation::Index3 { scaling, augmented } => {
            let scaled = if scaling { ", scaled" } else { "" };
            let penalty = if augmented { ", with an augmented Lagrangian" } else { "" };
            format!("the constraints at position level (index 3{scaled}{penalty})")
        }
        Formulation::Index2 => "the constraints at velocity level (index 2)".into(),
        Formulation::Index1 => "the constraints at acceleration level (index 1)".into(),
        Formulation::Baumgarte { alpha, beta } => format!(
            "Baumgarte's stabilisation of the constraints (α = {}, β = {})",
            precise(alpha),
            precise(beta)
        ),
        Formulation::Ggl(variant) => format!(
            "the constraints at position and velocity level (Gear–Gupta–Leimkuhler, {})",
            match variant {
                GglVariant::OldGradient => "old gradient",
                GglVariant::MassWeighted => "mass-weighted",
            }
        ),
        Formulation::Pva => "the constraints at position, velocity and acceleration level".into(),
        Formulation::Soi2 { .. } => "the stabilised overdetermined index-2 formulation".into(),
        Formulation::HhtSoi2 => {
            "the stabilised overdetermined index-2 formulation in its compact HHT form".into()
        }
        Formulation::HhtI3(mode) => format!(
            "the HHT-I3 formulation ({} mode)",
            match mode {
                HhtMode::Paper => "published",
                HhtMode::Recommended => "recommended",
            }
        ),
        Formulation::Projected => {
            "the underlying differential equation and projection to the constraints".into()
        }
        Formulation::DaeAlpha { iteration, .. } => format!(
            "the DAE-α formulation ({})",
            match iteration {
                DaeIteration::Newton => "Newton iteration",
                DaeIteration::Cs => "coordinate splitting",
                DaeIteration::Cm => "modified coordinate splitting",
                DaeIteration::Hybrid => "modified coordinate splitting with curvature near the end",
            }
        ),
        Formulation::Nonsmooth { strategy, variant, .. } => format!(
            "the nonsmooth generalized-α method ({}{})",
            match strategy {
                Strategy::Free => "free smooth motion",
                Strategy::Bilateral => "smooth motion along the bilateral constraints",
                Strategy::Pvv => "smooth motion along the bilateral velocity constraints",
                Strategy::Pva => "smooth motion along constraints and closed contacts",
            },
            match variant {
                NonsmoothVariant::Star => "",
                NonsmoothVariant::Printed => ", as printed",
            }
        ),
        Formulation::MoreauJean { theta, .. } => {
            format!("Moreau and Jean's time stepping (θ = {})", precise(theta))
        }
        Formulation::Bdf { form, .. } => format!(
            "backward differentiation formulas ({})",
            match form {
                BdfForm::Index3 => "constraints at position level",
                BdfForm::Si2 => "constraints at position and velocity level",
            }
        ),
    }
}

fn coefficients(c: &Coefficients) -> String {
    let numbers = format!(
        "α<sub>m</sub> = {}, α<sub>f</sub> = {}, β = {}, γ = {}",
        precise(c.alpha_m),
        precise(c.alpha_f),
        precise(c.beta),
        precise(c.gamma)
    );
    let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let rho = c.alpha_f / (1.0 - c.alpha_f);
    let second_order = close(c.gamma, 0.5 - c.alpha());
    if close(c.alpha_m, 0.0) && close(c.alpha_f, 0.0) {
        format!("Newmark’s method (β = {}, γ = {})", precise(c.beta), precise(c.gamma))
    } else if second_order && close(c.alpha_m, (2.0 * rho - 1.0) / (rho + 1.0)) {
        format!(
            "the generalized-α method with spectral radius ρ<sub>∞</sub> = {} ({numbers})",
            precise(rho)
        )
    } else if second_order && close(c.alpha_m, 0.0) {
        format!("the HHT method with α = {} ({numbers})", precise(-c.alpha_f))
    } else {
        format!("the generalized-α method ({numbers})")
    }
}

/// A unit after a number.
pub(crate) fn unit(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!("\u{202f}{unit}") }
}

/// `a`, `a and b`, `a, b and c`.
fn enumeration(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
