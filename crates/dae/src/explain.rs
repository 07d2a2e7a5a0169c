//! Turns a failed attempt into a diagnosis: which equation dominates, how the iteration went, what
//! to try.

use crate::consistency::{not_finite, redundant_constraints};
use crate::diagnosis::{Diagnosis, Failure, Sentence, readable};
use crate::formulation::{Equation, Scheme};
use crate::newton::Trouble;
use crate::out_of_range::out_of_range;
use crate::singular_position::SingularPosition;
use crate::state::State;
use crate::statistics::Statistics;
use crate::step::Failed;
use crate::system::{Component, Level, System};
use rotula_linear::FactorError;

/// A body that turns farther than this within a step, in radians, is not resolved.
pub(crate) const FAR_TURN: f64 = 2.0;

/// What is left of an iteration that failed.
pub(crate) struct Attempt<'a> {
    /// Sizes of the corrections.
    pub history: &'a [f64],
    /// The last correction, in the order of the unknowns.
    pub correction: &'a [f64],
    /// The last unknowns and the guess that the iteration started from, both empty if none took place.
    pub unknowns: &'a [f64],
    pub start: &'a [f64],
}

/// Explains why an iteration leads to no step.
pub(crate) fn explain(
    system: &mut dyn System,
    scheme: &mut dyn Scheme,
    failed: Failed,
    attempt: Attempt,
) -> Diagnosis {
    let mut evidence: Vec<Sentence> = Vec::new();
    // At the start of the iteration the point is where the last motion leads.
    if !attempt.start.is_empty() {
        scheme.residual(system, attempt.start, &mut vec![0.0; attempt.start.len()]);
    }
    let found = Circumstances::find(system, (failed.from, &scheme.core().trial));
    evidence.extend(dominant(system, scheme, (attempt.unknowns, attempt.start)));
    evidence.extend(restless(system, attempt.correction));
    if !attempt.history.is_empty() {
        evidence.push(history(attempt.history).into());
    }
    if let Trouble::Matrix(FactorError::Singular { unknown }) = failed.trouble {
        let equation = name_equation(system, scheme.equation(unknown));
        evidence
            .push(equation.within(|name| format!("the iteration matrix is singular at {name}")));
    }
    let mut remedies = vec![
        "look at the named equation for a force that is too stiff or jumps".into(),
        "try another start guess: `newton.predictor = \"hold\"`, or more iterations".into(),
    ];
    if !meets_velocities(system, scheme) {
        remedies.push(
            "try a formulation that also meets the velocity constraints, such as `ggl`".into(),
        );
    }
    found.diagnose(&failed, evidence, remedies)
}

/// Explains why a method that iterates nothing takes no step, from the place where it stands.
pub(crate) fn explain_place(system: &mut dyn System, trial: &State, failed: &Failed) -> Diagnosis {
    let remedies = vec!["try an implicit formulation, such as `bdf` or `ggl`".into()];
    Circumstances::find(system, (failed.from, trial)).diagnose(failed, Vec::new(), remedies)
}

/// Explains an attempt that met something that is not a finite number, at `trial`.
pub(crate) fn explain_undefined(
    system: &mut dyn System,
    trial: &State,
    failed: &Failed,
) -> Diagnosis {
    let grown = out_of_range(system, trial).or_else(|| out_of_range(system, failed.next));
    let mut diagnosis = grown.unwrap_or_else(|| not_finite(system, trial));
    let t = failed.from.t;
    diagnosis.t = t;
    let reached = format!(
        "the last good state is that at t = {}; steps down to {:.1e} s do not lead on",
        readable(t),
        failed.h
    );
    diagnosis.evidence.push(reached.into());
    diagnosis
}

/// Whether there is nothing that a formulation could do about velocities: it sees to their constraints, or there are none.
fn meets_velocities(system: &dyn System, scheme: &dyn Scheme) -> bool {
    let holonomic = system.sizes().holonomic;
    let is_one =
        |equation| matches!(equation, Equation::Constraint(Level::Velocity, i) if i < holonomic);
    holonomic == 0 || (0..scheme.unknowns()).any(|i| is_one(scheme.equation(i)))
}

/// Explains why the smallest step allowed, of size `h`, has an error of `ratio` times the tolerance.
pub(crate) fn error_too_large(
    system: &mut dyn System,
    ends: (&State, &State),
    (h, ratio): (f64, f64),
    so_far: &Statistics,
) -> Diagnosis {
    let t = ends.0.t;
    let mut found = Circumstances::find(system, ends);
    let rejected = format!(
        "{} steps were accepted before, {} were rejected for their error and {} because the \
         iteration did not converge",
        so_far.steps, so_far.rejected_by_error, so_far.rejected_by_iteration
    );
    found.evidence.push(rejected.into());
    found.remedies.extend([
        "write jumps at known times as formulas of time, such as `if(t < 1, 0, 5)`: steps end there"
            .into(),
        "loosen the tolerance or lower `min_step`".into(),
    ]);
    let ratio = if ratio < 1e3 { format!("{ratio:.3}") } else { format!("{ratio:.1e}") };
    let message = found.headline.unwrap_or_default().within(|headline| {
        let colon = if headline.is_empty() { "" } else { ": " };
        format!(
            "at t = {} {headline}{colon}the local error is {ratio} times the tolerance even with the smallest \
             step {h:.1e} s",
            readable(t)
        )
    });
    Diagnosis::new(Failure::ErrorTooLarge, t, message)
        .because(found.evidence)
        .remedied_by(found.remedies)
}

/// What the place in the motion at which a step failed is like.
#[derive(Debug, Default)]
pub(crate) struct Circumstances {
    /// What happened, if the place says so.
    pub headline: Option<Sentence>,
    /// Facts.
    pub evidence: Vec<Sentence>,
    /// What to try because of them.
    pub remedies: Vec<String>,
}

impl Circumstances {
    /// A diagnosis of a step that failed here; `remedies` are those to try where the place itself suggests none.
    fn diagnose(
        self,
        failed: &Failed,
        evidence: Vec<Sentence>,
        remedies: Vec<String>,
    ) -> Diagnosis {
        let failure = match failed.trouble {
            Trouble::Matrix(FactorError::Singular { .. }) => Failure::SingularMatrix,
            _ => Failure::NotConverged,
        };
        let remedies = match self.headline {
            Some(_) => self.remedies,
            None => self.remedies.into_iter().chain(remedies).collect(),
        };
        let what = self.headline.unwrap_or_else(|| match failure {
            Failure::SingularMatrix => "the iteration matrix became singular".into(),
            _ => "the iteration did not converge".into(),
        });
        let t = failed.from.t;
        let message = what.within(|what| {
            format!("at t = {} {what} (smallest step tried {:.1e} s)", readable(t), failed.h)
        });
        Diagnosis::new(failure, t, message)
            .because(self.evidence.into_iter().chain(evidence))
            .remedied_by(remedies)
    }

    /// Looks at the last accepted state and the end of the attempted step.
    pub fn find(system: &mut dyn System, (from, to): (&State, &State)) -> Self {
        let mut found = Circumstances::default();
        let redundant = redundant_constraints(system, from);
        if let Some(position) = SingularPosition::find(system, from) {
            found.headline = Some(position.headline());
            found.evidence.push(position.evidence());
            found.evidence.extend(fastest(system, from));
            found.remedies = position.remedies();
        } else if !redundant.is_empty() {
            found.evidence.extend(redundant);
            found.remedies.push(
                "the mechanism is in a singular position: change its dimensions or remove the \
                 named constraints"
                    .into(),
            );
        }
        let changes = system.explain_change(&from.point(), &to.point());
        if !changes.is_empty() && found.headline.is_none() {
            found.remedies.push(
                "make the named force softer or smoother (less stiffness, a jump spread over time), \
                 or take steps that are short against its period"
                    .into(),
            );
        }
        found.evidence.extend(changes);
        if let Some((turn, sentence)) = turn(system, from, to.t - from.t)
            && turn > FAR_TURN
        {
            found.evidence.push(sentence);
            found.remedies.insert(0, step_for_turn(turn, to.t - from.t));
        }
        found
    }
}

/// How far the body that turns fastest turns in a step of size `h`.
pub(crate) fn turn(system: &dyn System, state: &State, h: f64) -> Option<(f64, Sentence)> {
    let (coordinate, rate) = system.fastest_turn(&state.v)?;
    let turn = rate * h;
    let turning = system.subject(Component::Coordinate(coordinate));
    let sentence = format!(
        "a step of {h:.1e} s turns `{turning}` by {turn:.1} rad (t = {}, {rate:.3e} rad/s)",
        readable(state.t)
    );
    Some((turn, Sentence::about(sentence, [turning])))
}

/// The remedy for a body that turns too far in a step.
pub(crate) fn step_for_turn(turn: f64, h: f64) -> String {
    format!("take steps of {:.1e} s, which turn this body by half a radian", 0.5 * h / turn)
}

/// The velocity that stands out.
fn fastest(system: &dyn System, state: &State) -> Option<Sentence> {
    let sized = |(i, v): (usize, &f64)| (i, v.abs() / system.scale(i));
    let (index, _) = state.v.iter().enumerate().map(sized).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let coordinate = system.subject(Component::Coordinate(index));
    let text = format!(
        "the fastest velocity is that of `{coordinate}`, {:.3e} per second",
        state.v[index]
    );
    Some(Sentence::about(text, [coordinate]))
}

fn dominant(
    system: &mut dyn System,
    scheme: &mut dyn Scheme,
    (unknowns, start): (&[f64], &[f64]),
) -> Option<Sentence> {
    if unknowns.is_empty() {
        return None;
    }
    let mut residual = vec![0.0; unknowns.len()];
    scheme.residual(system, unknowns, &mut residual);
    if residual.iter().any(|r| !r.is_finite()) {
        // The iteration left the domain; its start says more.
        scheme.residual(system, start, &mut residual);
    }
    let (index, value) =
        residual.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    let equation = name_equation(system, scheme.equation(index));
    Some(equation.within(|name| format!("the largest residual, {value:.3e}, is that of {name}")))
}

/// The coordinate that the last correction moved most: accelerations come first among the unknowns.
fn restless(system: &dyn System, correction: &[f64]) -> Option<Sentence> {
    let moves = correction.iter().take(system.sizes().motion).enumerate();
    let finite = moves.filter(|(_, d)| d.is_finite());
    let size = |i: usize, d: f64| d.abs() / system.scale(i);
    let (index, _) = finite.max_by(|a, b| size(a.0, *a.1).total_cmp(&size(b.0, *b.1)))?;
    let coordinate = system.subject(Component::Coordinate(index));
    let text = format!("the acceleration of `{coordinate}` was corrected most");
    Some(Sentence::about(text, [coordinate]))
}

fn history(sizes: &[f64]) -> String {
    let shown: Vec<_> = sizes.iter().take(8).map(|s| format!("{s:.1e}")).collect();
    let more = if sizes.len() > shown.len() { ", …" } else { "" };
    format!("sizes of the corrections: {}{more}", shown.join(", "))
}

fn name_equation(system: &dyn System, equation: Equation) -> Sentence {
    let sizes = system.sizes();
    let about = |what: &str, component: Component, level: &str| {
        let subject = system.subject(component);
        Sentence::about(format!("{what} `{subject}`{level}"), [subject])
    };
    match equation {
        Equation::Motion(i) => about("the equation of motion of", Component::Coordinate(i), ""),
        Equation::Correction(i) => {
            about("the stabilising correction of", Component::Coordinate(i), "")
        }
        Equation::Constraint(level, i) => {
            let level = match level {
                Level::Position => " at position level",
                Level::Velocity => " at velocity level",
                Level::Acceleration => " at acceleration level",
            };
            about("constraint", Component::Constraint(i), level)
        }
        Equation::Auxiliary(i) if i < sizes.states => {
            about("the rate of state", Component::State(i), "")
        }
        Equation::Auxiliary(i) => about("variable", Component::Variable(i - sizes.states), ""),
    }
}
