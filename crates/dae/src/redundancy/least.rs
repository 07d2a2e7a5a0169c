//! Least multipliers: of all that give the same reactions, those with the smallest sum of squares.

use crate::consistency::MOST_ROWS;
use crate::state::State;
use crate::system::{Level, System};
use crate::vector::max_abs;
use rotula_linear::{Pattern, RankReport, dependent_rows};

/// Share of a constraint gradient that must be independent of the others.
const INDEPENDENT: f64 = 1e-7;

/// The same as a multiple of what constraints are missed by: off their surface, rows that follow from others seem not to.
const INDEPENDENT_OF_RESIDUALS: f64 = 10.0;

/// Finds dependent constraint rows and least multipliers of a system.
pub(crate) struct Least {
    pattern: Pattern,
    values: Vec<f64>,
}

impl Least {
    pub fn new(system: &dyn System) -> Self {
        let pattern = system.patterns().constraints;
        let values = vec![0.0; pattern.entries()];
        Least { pattern, values }
    }

    /// Dependent rows at a state; none if there are too many rows or something is not finite.
    pub fn dependent(&mut self, system: &mut dyn System, state: &State) -> RankReport {
        self.dependent_within(system, state, INDEPENDENT)
    }

    fn dependent_within(
        &mut self,
        system: &mut dyn System,
        state: &State,
        share: f64,
    ) -> RankReport {
        let rows = self.pattern.rows();
        let none = RankReport { rank: rows, dependent: Vec::new() };
        if rows == 0 || rows > MOST_ROWS {
            return none;
        }
        system.constraint_gradient(&state.point(), &mut self.values);
        if self.values.iter().any(|v| !v.is_finite()) {
            return none;
        }
        dependent_rows(&self.pattern, &self.values, share)
    }

    /// Replaces multipliers by the least ones with the same reactions `Gᵀλ`: takes out their part in
    /// the null space of `Gᵀ`, which the dependent rows span.
    pub fn lessen(&mut self, system: &mut dyn System, state: &State, multipliers: &mut [f64]) {
        let mut residual = vec![0.0; system.sizes().holonomic];
        system.constraint(Level::Position, &state.point(), &mut residual);
        let missed = max_abs(&residual) / (1.0 + max_abs(&state.q));
        let share = INDEPENDENT.max(INDEPENDENT_OF_RESIDUALS * missed);
        let report = self.dependent_within(system, state, share);
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for row in &report.dependent {
            let mut vector = vec![0.0; multipliers.len()];
            vector[row.row] = 1.0;
            row.combination.iter().for_each(|&(other, c)| vector[other] -= c);
            // twice is enough
            for _ in 0..2 {
                basis.iter().for_each(|other| remove(other, &mut vector));
            }
            let norm = dot(&vector, &vector).sqrt();
            vector.iter_mut().for_each(|x| *x /= norm);
            basis.push(vector);
        }
        basis.iter().for_each(|direction| remove(direction, multipliers));
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Takes the part along a unit vector out of another.
fn remove(direction: &[f64], from: &mut [f64]) {
    let part = dot(direction, from);
    from.iter_mut().zip(direction).for_each(|(x, d)| *x -= part * d);
}
