//! Impacts: what each took from the motion, and what its law of restitution says it takes.

use crate::contact::Contact;
use crate::delassus::Delassus;
use crate::saddle::Saddle;
use crate::state::State;
use crate::system::System;
use serde::{Deserialize, Serialize};

/// An impact: a contact that closed while its bodies approached each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Impact {
    /// End of the step in which it closed.
    pub t: f64,
    /// Which contact it is, by its number in the table of contacts.
    pub contact: usize,
    /// Normal impulse of the step: the change of momentum less the impulses of all other forces.
    pub impulse: f64,
    /// Rate of the gap before: negative, because the bodies approach.
    pub before: f64,
    /// Rate of the gap after.
    pub after: f64,
    /// Kinetic energy that the jump of the velocities took, friction included.
    pub energy: f64,
}

/// More rows of contacts that act at once are not taken apart: their impulses stand for those of the jump.
const MOST_ROWS: usize = 48;

/// Contacts whose rows are independent by less than this part of the largest repeat each other: how impulses are
/// shared among them is not determined.
const REDUNDANT: f64 = 1e-8;

/// A step with impacts, row by row of its contacts.
pub(crate) struct Step<'a> {
    pub laws: &'a [Contact],
    /// First row of each contact.
    pub first: &'a [usize],
    /// Total impulses.
    pub impulses: &'a [f64],
    /// Rates of gaps and slips before and after.
    pub rates: &'a [Vec<f64>; 2],
}

/// Energy of an impact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Loss {
    /// What the jump of the velocities took, friction included.
    pub energy: f64,
    /// What the law of restitution says that the normal direction takes: `½(1 − e²)v²/w` with the inverse
    /// `1/w` of the effective mass, if nothing else acts.
    pub law: f64,
}

/// Finds the impulses that belong to the jump of velocities alone. The total impulse of a step also carries
/// what finite forces did in it, such as the weight.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Percussion {
    saddle: Option<Saddle>,
}

impl Percussion {
    /// The energy of each of some impacts of a step that ended at a state.
    pub fn losses(
        &mut self,
        system: &mut dyn System,
        state: &State,
        step: &Step,
        contacts: &[usize],
    ) -> Vec<Loss> {
        let impulses = self.of_jump(system, state, step);
        let impulses = impulses.as_deref().unwrap_or(step.impulses);
        let [before, after] = step.rates;
        let loss = |&i: &usize| {
            let (row, law) = (step.first[i], &step.laws[i]);
            let rows = row..row + law.rows();
            let taken = rows.map(|k| -0.5 * impulses[k] * (before[k] + after[k]));
            let approach = (-before[row]).max(0.0);
            let law = 0.5 * impulses[row] * (1.0 - law.restitution) * approach;
            Loss { energy: taken.sum(), law }
        };
        contacts.iter().map(loss).collect()
    }

    /// `p` with `W p = u⁺ − u⁻` on all rows that act, where `W` says how impulses change the rates.
    fn of_jump(&mut self, system: &mut dyn System, state: &State, step: &Step) -> Option<Vec<f64>> {
        let acting = |&i: &usize| step.impulses[step.first[i]] != 0.0;
        let contacts = (0..step.laws.len()).filter(acting);
        let rows: Vec<usize> = contacts
            .flat_map(|i| (0..step.laws[i].rows()).map(move |k| step.first[i] + k))
            .collect();
        if rows.len() > MOST_ROWS {
            return None;
        }
        let sizes = system.sizes();
        let saddle = self.saddle.get_or_insert_with(|| Saddle::new(sizes, &system.patterns()));
        let mut matrix = Delassus::new(system, &state.point(), saddle, &rows).ok()?.matrix;
        let [before, after] = step.rates;
        let mut jump: Vec<f64> = rows.iter().map(|&row| after[row] - before[row]).collect();
        solve_symmetric(&mut matrix, &mut jump)?;
        let mut impulses = vec![0.0; step.impulses.len()];
        rows.iter().zip(jump).for_each(|(&row, impulse)| impulses[row] = impulse);
        Some(impulses)
    }
}

/// Solves with a symmetric, positive matrix by Cholesky's method; the solution replaces the right-hand side.
/// Nothing if the matrix is singular.
fn solve_symmetric(matrix: &mut [f64], rhs: &mut [f64]) -> Option<()> {
    let n = rhs.len();
    let largest = (0..n).map(|i| matrix[i * n + i]).fold(0.0, f64::max);
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            let rest = matrix[i * n + j] - dot;
            matrix[i * n + j] = match i == j {
                true => Some(rest).filter(|pivot| *pivot > REDUNDANT * largest)?.sqrt(),
                false => rest / matrix[j * n + j],
            };
        }
    }
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| matrix[i * n + k] * rhs[k]).sum();
        rhs[i] = (rhs[i] - dot) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| matrix[k * n + i] * rhs[k]).sum();
        rhs[i] = (rhs[i] - dot) / matrix[i * n + i];
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::solve_symmetric;

    #[test]
    fn a_symmetric_matrix_is_solved() {
        let mut matrix = [4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 2.0];
        let mut rhs = [4.0 + 2.0 - 1.5, 1.0 + 6.0 + 3.0, 0.5 - 2.0 - 6.0];
        solve_symmetric(&mut matrix, &mut rhs).unwrap();
        for (found, expected) in rhs.iter().zip([1.0, 2.0, -3.0]) {
            assert!((found - expected).abs() < 1e-9, "{rhs:?}");
        }
        assert!(solve_symmetric(&mut [f64::NAN], &mut [1.0]).is_none());
        assert!(solve_symmetric(&mut [1.0, 1.0, 1.0, 1.0], &mut [1.0, 2.0]).is_none());
    }
}
