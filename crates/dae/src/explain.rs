//! Turns a failed attempt into a diagnosis: which equation dominates, how the iteration went, what
//! to try.

use crate::consistency::redundant_constraints;
use crate::diagnosis::{Diagnosis, Failure};
use crate::formulation::{Equation, Scheme};
use crate::newton::Trouble;
use crate::state::State;
use crate::system::{Component, Level, System};
use rotula_linear::FactorError;

/// The last attempt before giving up.
pub(crate) struct Attempt<'a> {
    pub h: f64,
    pub trouble: Trouble,
    pub history: &'a [f64],
    /// The last correction, in the order of the unknowns.
    pub correction: &'a [f64],
}

/// Explains why no step could be taken from `state`; `unknowns` are the last ones and the guess the
/// iteration started from.
pub(crate) fn explain(
    system: &mut dyn System,
    scheme: &mut dyn Scheme,
    unknowns: (&[f64], &[f64]),
    state: &State,
    attempt: Attempt,
) -> Diagnosis {
    let t = state.t;
    let mut evidence = Vec::new();
    if let Some(sentence) = dominant(system, scheme, unknowns) {
        evidence.push(sentence);
    }
    if let Some(sentence) = restless(system, attempt.correction) {
        evidence.push(sentence);
    }
    evidence.push(history(attempt.history));
    evidence.push(format!("the smallest step tried was {:.3e}", attempt.h));
    let redundant = redundant_constraints(system, state);
    evidence.extend(redundant.iter().cloned());
    let mut remedies = Vec::new();
    let failure = match attempt.trouble {
        Trouble::Matrix(FactorError::Singular { unknown }) => {
            let name = name_equation(system, scheme.equation(unknown));
            evidence.push(format!("the iteration matrix is singular at {name}"));
            Failure::SingularMatrix
        }
        _ => Failure::NotConverged,
    };
    if !redundant.is_empty() {
        remedies.push("the mechanism is at a singular position: pass it faster or remove the named constraints".into());
    }
    remedies.extend([
        "try another start guess: `newton.predictor = \"hold\"`, or more iterations".into(),
        "look at the named equation for a force that is too stiff or jumps".into(),
        "try a formulation that also meets the velocity constraints, such as `ggl`".into(),
    ]);
    let what = match failure {
        Failure::SingularMatrix => "the iteration matrix became singular",
        _ => "the iteration did not converge",
    };
    Diagnosis {
        failure,
        t,
        message: format!("at t = {t} {what}, down to a step of {:.3e}", attempt.h),
        evidence,
        remedies,
    }
}

fn dominant(
    system: &mut dyn System,
    scheme: &mut dyn Scheme,
    (unknowns, start): (&[f64], &[f64]),
) -> Option<String> {
    let mut residual = vec![0.0; unknowns.len()];
    scheme.residual(system, unknowns, &mut residual);
    if residual.iter().any(|r| !r.is_finite()) {
        // The iteration left the domain; its start says more.
        scheme.residual(system, start, &mut residual);
    }
    let (index, value) =
        residual.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    let name = name_equation(system, scheme.equation(index));
    Some(format!("the largest residual, {value:.3e}, is that of {name}"))
}

/// The coordinate that the last correction moved most: accelerations come first among the unknowns.
fn restless(system: &dyn System, correction: &[f64]) -> Option<String> {
    let moves = correction.iter().take(system.sizes().motion).enumerate();
    let finite = moves.filter(|(_, d)| d.is_finite());
    let size = |i: usize, d: f64| d.abs() / system.scale(i);
    let (index, _) = finite.max_by(|a, b| size(a.0, *a.1).total_cmp(&size(b.0, *b.1)))?;
    let name = system.name(Component::Coordinate(index));
    Some(format!("the acceleration of `{name}` was corrected most"))
}

fn history(sizes: &[f64]) -> String {
    let shown: Vec<_> = sizes.iter().take(8).map(|s| format!("{s:.1e}")).collect();
    let more = if sizes.len() > shown.len() { ", …" } else { "" };
    format!("sizes of the corrections: {}{more}", shown.join(", "))
}

fn name_equation(system: &dyn System, equation: Equation) -> String {
    let sizes = system.sizes();
    match equation {
        Equation::Motion(i) => {
            format!("the equation of motion of `{}`", system.name(Component::Coordinate(i)))
        }
        Equation::Correction(i) => {
            format!("the stabilising correction of `{}`", system.name(Component::Coordinate(i)))
        }
        Equation::Constraint(level, i) => {
            let level = match level {
                Level::Position => "position",
                Level::Velocity => "velocity",
                Level::Acceleration => "acceleration",
            };
            format!("constraint `{}` at {level} level", system.name(Component::Constraint(i)))
        }
        Equation::Contact(i) => format!("row {} of the contacts", i + 1),
        Equation::Auxiliary(i) if i < sizes.states => {
            format!("the rate of state `{}`", system.name(Component::State(i)))
        }
        Equation::Auxiliary(i) => {
            format!("variable `{}`", system.name(Component::Variable(i - sizes.states)))
        }
    }
}
