//! Initial values: which equation they violate, at which level, by how much, and what projection
//! would change.

use super::super::assemble::{Weighting, assemble_position, changes, residuals};
use super::super::dense::scales;
use super::super::projection::project_velocity;
use super::super::space::{no_space, too_large};
use super::super::sparse::Block;
use crate::consistency::{Change, not_finite};
use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::state::State;
use crate::system::{Component, Level, System};
use serde::Serialize;

/// Residuals below this part of their constraint's norm are rounding of the input.
const NEGLIGIBLE: f64 = 1e-9;

/// A constraint that initial values violate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Violation {
    /// `position` or `velocity`.
    pub level: &'static str,
    /// The constraint.
    pub name: String,
    /// By how much.
    pub residual: f64,
}

/// What the initial values are like.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct InitialCheck {
    /// Every violated constraint.
    pub violations: Vec<Violation>,
    /// What projection would change in the positions.
    pub moved: Vec<Change>,
    /// What projection would change in the velocities.
    pub accelerated: Vec<Change>,
    /// Why projection is impossible, if it is.
    pub impossible: Option<Diagnosis>,
    /// The state projection would give.
    #[serde(skip)]
    pub assembled: Option<State>,
}

/// Looks at both levels and projects a copy.
pub(super) fn examine(system: &mut dyn System, state: &State) -> Result<InitialCheck, Diagnosis> {
    let sizes = system.sizes();
    let mut report = InitialCheck::default();
    if sizes.multipliers() == 0 {
        report.assembled = Some(state.clone());
        return Ok(report);
    }
    let scale = scales(system);
    let norms = Block::gradient(system, &state.point()).scaled(|_| 1.0, |j| scale[j]).row_norms();
    let position = residuals(system, state);
    let mut velocity = vec![0.0; sizes.multipliers()];
    system.constraint(Level::Velocity, &state.point(), &mut velocity);
    if position.iter().chain(&velocity).any(|r| !r.is_finite()) {
        return Err(not_finite(system, state));
    }
    for (level, residual) in [("position", &position), ("velocity", &velocity)] {
        for (i, r) in residual.iter().enumerate() {
            if r.abs() > NEGLIGIBLE * norms[i].max(NEGLIGIBLE) {
                let name = system.name(Component::Constraint(i));
                report.violations.push(Violation { level, name, residual: *r });
            }
        }
    }
    if report.violations.is_empty() {
        // nothing to project
        report.assembled = Some(state.clone());
        return Ok(report);
    }
    let mut assembled = state.clone();
    match assemble_position(system, &mut assembled, Weighting::Mass) {
        Ok(_) => {}
        Err(diagnosis) if diagnosis.failure == Failure::InconsistentStart => {
            report.impossible = Some(diagnosis);
            return Ok(report);
        }
        Err(diagnosis) => return Err(diagnosis),
    }
    report.moved = changes(system, state, &assembled);
    if !project_velocity(system, &mut assembled) {
        let mut left = vec![0.0; sizes.multipliers()];
        system.constraint(Level::Velocity, &assembled.point(), &mut left);
        report.impossible = Some(match too_large(system) {
            true => no_space(system, &assembled),
            false => velocity_contradiction(system, &assembled, &left),
        });
    }
    for (i, (new, old)) in assembled.v.iter().zip(&state.v).enumerate() {
        let change = new - old;
        if change.abs() > 1e-12 * (1.0 + old.abs()) {
            let name = format!("{}'", system.name(Component::Coordinate(i)));
            report.accelerated.push(Change { name, change });
        }
    }
    report.assembled = Some(assembled);
    Ok(report)
}

fn velocity_contradiction(system: &dyn System, state: &State, left: &[f64]) -> Diagnosis {
    let shares = super::super::words::constraints(system, left);
    let message = format!(
        "no velocity meets all constraints here: {} contradict each other",
        super::super::words::names(&shares)
    );
    let message = Sentence::about(message, super::super::words::constraints_of(&shares));
    Diagnosis::new(Failure::InconsistentStart, state.t, message)
        .remedied_by(vec!["look for drives that demand different rates of the same motion".into()])
}
