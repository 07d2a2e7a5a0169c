//! Settings of a run as sentences.

use crate::numbers::{counted, precise, short};
use crate::run::Run;
use rotula_dae::{CoefficientChoice, Coefficients, Output, StepControl};

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
    let phrase = run.settings.formulation.phrase();
    match run.settings.member() {
        Some(member) => format!("It was integrated with {phrase}, by {}.", coefficients(member)),
        None => format!("It was integrated with {phrase}."),
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

fn coefficients(member: &Coefficients) -> String {
    let Coefficients { alpha_m, alpha_f, beta, gamma, .. } = member;
    let numbers = format!(
        "α<sub>m</sub> = {}, α<sub>f</sub> = {}, β = {}, γ = {}",
        precise(*alpha_m),
        precise(*alpha_f),
        precise(*beta),
        precise(*gamma)
    );
    match member.choice() {
        CoefficientChoice::GeneralizedAlpha(rho) => format!(
            "the generalized-α method with spectral radius ρ<sub>∞</sub> = {} ({numbers})",
            precise(rho)
        ),
        CoefficientChoice::Hht(alpha) => {
            format!("the HHT method with α = {} ({numbers})", precise(alpha))
        }
        CoefficientChoice::Newmark([beta, gamma]) => {
            format!("Newmark’s method (β = {}, γ = {})", precise(beta), precise(gamma))
        }
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
