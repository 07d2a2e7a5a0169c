//! All acting contacts at once, where sweeps from one to the next are slow.
//!
//! A round takes the smooth motion with its bilateral constraints under the forces that contacts have, and then the problem of all contacts
//! with the matrix of that motion (`nonsmooth::answers`). Forces of the last step are where it begins; a step is solved when the motion
//! meets its bounds and each force what its law makes of it and its row.

use super::MoreauJeanScheme;
use super::step::FINER;
use crate::formulation::nonsmooth::answers::{Acting, Answers};
use crate::formulation::nonsmooth::law::Status;
use crate::newton::Trouble;
use crate::statistics::Statistics;
use crate::system::System;

const MOST_ROUNDS: usize = 30;
/// Where errors fall by less than this in a round, rounding is what is left.
const NEARER: f64 = 0.5;
/// Rounds with one matrix.
const OLD: usize = 6;

impl MoreauJeanScheme {
    pub(super) fn solve_together(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        self.complete(system);
        let mut contacts = Acting::default();
        for i in (0..self.candidates.len()).filter(|&i| self.active[i]) {
            contacts.add(self.candidates.first[i], &self.candidates.laws[i]);
        }
        let mut answers = Answers::new(&self.candidates.patterns.rows);
        let (mut spent, mut before) = (0, f64::INFINITY);
        let mut nearest = Vec::new();
        self.status.fill(Status::Open);
        for round in 0..MOST_ROUNDS {
            self.evaluate(system);
            statistics.residuals += 1;
            if round > 0 {
                // rows are met finely as far as rounding allows: what is left of a rate adds up to a gap
                let fine = self.settled(FINER)?;
                let left = std::mem::replace(&mut before, self.last);
                if fine || (self.last > NEARER * left && self.settled(1.0)?) {
                    return Ok(spent);
                }
            }
            if round % OLD == 0 {
                self.factorise_smooth(system, statistics)?;
                answers.forget();
            }
            spent += self.push_together(system, &contacts, &mut answers);
            statistics.iterations += 1;
            if round == 0 {
                nearest.clone_from(&self.x);
            }
        }
        // where forces are unique Newton's method on all equations may find them from the first guess
        self.x = nearest;
        Ok(spent + self.newton(system, statistics)?)
    }

    /// Smooth motion and bilateral constraints under the present forces of contacts, then these; the residual is that of the present unknowns.
    fn push_together(
        &mut self,
        system: &mut dyn System,
        contacts: &Acting,
        answers: &mut Answers,
    ) -> usize {
        let n = self.core.sizes.motion;
        let offset = n + self.core.sizes.multipliers();
        self.hold_forces(system);
        let matrix = &mut self.core.matrix;
        matrix.solve(&mut self.residual[..offset]);
        for i in 0..offset {
            self.x[i] -= self.residual[i];
        }
        answers.find(&contacts.rows, &self.gradient, offset, |forces| matrix.solve(forces));
        for &row in &contacts.rows {
            self.rows[row] -= answers.dot(row, &self.gradient, &self.residual[..n]);
            let found = 1.0 / answers.coupling(row, row, &self.gradient).max(f64::MIN_POSITIVE);
            self.masses[row] = if found.is_finite() { found } else { 1.0 };
        }
        let bound = self.bounds(FINER).rows;
        answers.solve(
            contacts,
            (&self.gradient, &self.rows),
            (&mut self.x, offset),
            bound,
            &self.core.stop,
        )
    }
}
