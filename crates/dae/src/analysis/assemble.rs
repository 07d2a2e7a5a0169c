//! Assembly of a mechanism from rough guesses: loops are closed, joints brought together, by the
//! least motion that does it.

use super::dense::{gradient, move_by, scales, top};
use super::projection::{Kicks, Projected, project, worst};
use super::space::row_norms;
use super::sparse::Block;
use super::words::{Share, constraints_of, count, list};
use crate::consistency::{Change, not_finite};
use crate::diagnosis::{Diagnosis, Failure, Sentence, Subject};
use crate::state::State;
use crate::system::{Component, Level, System, Terms, Weights};
use serde::Serialize;
use std::fmt;

/// How dear the motion of a coordinate is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// All alike, measured by their scales.
    #[default]
    Unit,
    /// Heavy things move less.
    Mass,
}

/// A constraint before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Closing {
    /// Which constraint.
    pub name: String,
    /// Its residual as given.
    pub before: f64,
    /// Its residual afterwards.
    pub after: f64,
}

/// What assembling did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AssemblyReport {
    /// Every position constraint before and after.
    pub constraints: Vec<Closing>,
    /// How far each coordinate moved, for those that did.
    pub moved: Vec<Change>,
    /// Steps of the iteration.
    pub iterations: usize,
    /// Times the start was shaken because the iteration was caught.
    pub restarts: usize,
}

/// Restarts from shaken positions before a contradiction is believed.
const MOST_RESTARTS: usize = 8;

/// Moves `state.q` so that all position constraints hold at `state.t`, from far away if need be.
///
/// Fails with the names of the constraints that contradict each other: at the best compromise,
/// their residuals balance each other.
pub fn assemble_position(
    system: &mut dyn System,
    state: &mut State,
    weighting: Weighting,
) -> Result<AssemblyReport, Diagnosis> {
    let given = state.clone();
    let weights = weights(system, state, weighting);
    let before = residuals(system, state);
    let mut kicks = Kicks::new();
    let mut best: Option<(State, Projected)> = None;
    let mut iterations = 0;
    let scale = scales(system);
    for restart in 0..=MOST_RESTARTS {
        let mut trial = given.clone();
        if restart > 0 {
            let size = 0.1 * restart as f64;
            let kick: Vec<f64> = scale.iter().map(|s| size * s * kicks.number()).collect();
            move_by(system, &mut trial, &kick);
        }
        let Some(projected) = project(system, &mut trial, &weights) else {
            if restart == 0 {
                return Err(not_finite(system, &given));
            }
            continue;
        };
        iterations += projected.iterations;
        if projected.met {
            state.q = trial.q;
            state.increment.fill(0.0);
            let after = residuals(system, state);
            let name = |i| system.name(Component::Constraint(i));
            let closing = |i: usize| Closing { name: name(i), before: before[i], after: after[i] };
            let constraints = (0..before.len()).map(closing).collect();
            let moved = changes(system, &given, state);
            return Ok(AssemblyReport { constraints, moved, iterations, restarts: restart });
        }
        let better = |(_, old): &(State, Projected)| {
            worst(&projected.residual) < 0.999 * worst(&old.residual)
        };
        if best.as_ref().is_none_or(better) {
            best = Some((trial, projected));
        }
    }
    let (nearest, projected) = best.expect("the first attempt was recorded");
    Err(contradiction(system, &nearest, &projected))
}

/// One weight per coordinate.
pub(super) fn weights(system: &mut dyn System, state: &State, weighting: Weighting) -> Vec<f64> {
    let scale = scales(system);
    let unit: Vec<f64> = scale.iter().map(|s| 1.0 / (s * s)).collect();
    match weighting {
        Weighting::Unit => unit,
        Weighting::Mass => {
            let matrix =
                Block::tangent(system, &state.point(), Weights::MASS, Terms::INERTIA).diagonal();
            // measured by the scales, so that inertias and masses compare
            let heavy: Vec<f64> = matrix.iter().zip(&scale).map(|(m, s)| m.abs() * s * s).collect();
            let largest = heavy.iter().fold(0.0_f64, |m, h| m.max(*h));
            if largest == 0.0 {
                return unit;
            }
            heavy.iter().zip(&unit).map(|(h, u)| (h / largest).max(1e-6) * u).collect()
        }
    }
}

/// Position residuals as they are.
pub(super) fn residuals(system: &mut dyn System, state: &State) -> Vec<f64> {
    let mut residual = vec![0.0; system.sizes().holonomic];
    if !residual.is_empty() {
        system.constraint(Level::Position, &state.point(), &mut residual);
    }
    residual
}

/// Coordinates that differ between two states.
pub(super) fn changes(system: &dyn System, from: &State, to: &State) -> Vec<Change> {
    let mut increment = vec![0.0; to.v.len()];
    system.displacement(&from.q, &to.q, &mut increment);
    let moved = |(i, d): &(usize, &f64)| d.abs() > 1e-12 * system.scale(*i);
    let name = |i| system.name(Component::Coordinate(i));
    let changes = increment.iter().enumerate().filter(moved);
    changes.map(|(i, change)| Change { name: name(i), change: *change }).collect()
}

/// At the best compromise `Gᵀr = 0`: the residuals themselves say who contradicts whom.
fn contradiction(system: &mut dyn System, state: &State, projected: &Projected) -> Diagnosis {
    let residual = &projected.residual;
    let top = worst(residual);
    let mut fighting: Vec<usize> =
        (0..residual.len()).filter(|i| residual[*i].abs() > 1e-2 * top).collect();
    fighting.sort_by(|a, b| residual[*b].abs().total_cmp(&residual[*a].abs()));
    let raw = residuals(system, state);
    let shares: Vec<Share> = fighting
        .iter()
        .map(|i| Share { name: system.name(Component::Constraint(*i)), value: raw[*i] })
        .collect();
    let names = list(shares.iter().take(6).map(|s| s.name.as_str()));
    let vanishing = vanishing_gradients(system, state);
    let missing = |share: &Share| {
        let text = format!("at the best compromise `{}` misses by {:.3e}", share.name, share.value);
        Sentence::about(text, [Subject::Constraint(share.name.clone())])
    };
    let evidence = shares.iter().take(12).map(missing).chain(vanishing);
    let message = match shares.len() {
        1 => format!("constraint {names} cannot be met (at t = {})", state.t),
        n => format!(
            "{} contradict each other: {names} (at t = {})",
            count(n, "constraint"),
            state.t
        ),
    };
    let message = Sentence::about(message, constraints_of(&shares));
    Diagnosis::new(Failure::InconsistentStart, state.t, message).because(evidence).remedied_by(
        vec![
            "check lengths and places of the named joints: no position meets them all".into(),
            "or give a start nearer to the assembled position".into(),
        ],
    )
}

/// Rows that no motion changes at a state.
fn vanishing_gradients(system: &mut dyn System, state: &State) -> Vec<Sentence> {
    let rows = system.sizes().holonomic;
    let gradient = top(&gradient(system, &state.point()), rows);
    let norms = row_norms(&gradient, &scales(system));
    let still = norms.iter().enumerate().filter(|(_, n)| **n == 0.0);
    let sentence = |(i, _)| {
        let constraint = system.subject(Component::Constraint(i));
        Sentence::about(format!("no motion changes `{constraint}` here"), [constraint])
    };
    still.map(sentence).collect()
}

impl fmt::Display for AssemblyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = self.constraints.iter().map(|c| c.before.abs()).fold(0.0, f64::max);
        let left = self.constraints.iter().map(|c| c.after.abs()).fold(0.0, f64::max);
        write!(
            f,
            "Assembled in {}: the largest gap fell from {open:.3e} to {left:.3e}.",
            count(self.iterations, "step")
        )?;
        let moved = self
            .constraints
            .iter()
            .filter(|c| c.before.abs() > 1e-9 && c.before.abs() > c.after.abs());
        for closing in moved {
            write!(f, "\n  `{}`: {:+.3e} → {:+.1e}", closing.name, closing.before, closing.after)?;
        }
        for change in &self.moved {
            write!(f, "\n  `{}` moved by {:+.6e}", change.name, change.change)?;
        }
        Ok(())
    }
}
