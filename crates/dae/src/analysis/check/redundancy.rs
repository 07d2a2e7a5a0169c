//! Constraints that follow from others, and reactions that are not determined by them.

use super::super::space::Space;
use super::super::words::{Share, list};
use crate::state::State;
use crate::system::{Component, Level, System};
use rotula_linear::dependent_rows;
use serde::Serialize;
use std::fmt;

/// A constraint that follows from others at this position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Redundancy {
    /// The constraint.
    pub name: String,
    /// Those it follows from, with their factors; none if no motion changes the constraint.
    pub follows_from: Vec<Share>,
    /// How far its residual is from what the others say: not zero, and it contradicts them.
    pub mismatch: f64,
}

/// Finds redundant constraints and the names of indeterminate multipliers.
pub(super) fn find(
    system: &mut dyn System,
    state: &State,
    space: &Space,
) -> (Vec<Redundancy>, Vec<String>) {
    if space.norms.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let (redundant, _) = dependent(system, state, &space.scale);
    // A multiplier is undetermined if some combination of reactions that vanishes contains it.
    let kernel = space.svd.left_kernel();
    let part = |i: usize| (0..kernel.ncols()).map(|k| kernel[(i, k)].powi(2)).sum::<f64>().sqrt();
    let name = |i: usize| system.name(Component::Constraint(i));
    let indeterminate = (0..kernel.nrows()).filter(|i| part(*i) > 1e-6).map(name).collect();
    (redundant, indeterminate)
}

/// Redundant constraints, and the rank of all, by a sparse factorisation; motions measured by their scales.
pub(super) fn dependent(
    system: &mut dyn System,
    state: &State,
    scale: &[f64],
) -> (Vec<Redundancy>, usize) {
    let sizes = system.sizes();
    let pattern = system.patterns().constraints;
    let mut values = vec![0.0; pattern.entries()];
    system.constraint_gradient(&state.point(), &mut values);
    // measured by the scales, like every rank in the report
    for ((_, j), value) in pattern.iter().zip(&mut values) {
        *value *= scale[j];
    }
    let mut residual = vec![0.0; sizes.multipliers()];
    system.constraint(Level::Position, &state.point(), &mut residual[..sizes.holonomic]);
    let report = dependent_rows(&pattern, &values, 1e-10);
    let name = |i: usize| system.name(Component::Constraint(i));
    let redundant = report
        .dependent
        .iter()
        .map(|row| {
            let others: f64 = row.combination.iter().map(|(i, c)| c * residual[*i]).sum();
            let follows = row.combination.iter().filter(|(_, c)| c.abs() > 1e-7);
            Redundancy {
                name: name(row.row),
                follows_from: follows.map(|(i, c)| Share { name: name(*i), value: *c }).collect(),
                mismatch: residual[row.row] - others,
            }
        })
        .collect();
    (redundant, report.rank)
}

impl fmt::Display for Redundancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = list(self.follows_from.iter().map(|s| s.name.as_str()));
        match self.follows_from.as_slice() {
            [] => write!(f, "`{}` is not changed by any motion here", self.name)?,
            [_] => write!(f, "`{}` repeats {others}", self.name)?,
            _ => write!(f, "`{}` follows from {others}", self.name)?,
        }
        if self.mismatch.abs() > 1e-9 {
            write!(f, ", and contradicts by {:.3e}", self.mismatch)?;
        }
        Ok(())
    }
}
