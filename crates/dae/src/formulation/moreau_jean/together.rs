//! All acting contacts at once, where sweeps from one to the next are slow.
//!
//! Rounds linearise the smooth motion with its bilateral constraints. Its matrix `S` gives what every acting row does to
//! all others, `W = G S⁻¹Gᵀ`, and the problem of the cones is solved for all of them (`nonsmooth::cones`). From there
//! Newton's method is near, which meets the rows finely.

use super::MoreauJeanScheme;
use crate::formulation::nonsmooth::cones::Cones;
use crate::formulation::nonsmooth::law::Status;
use crate::newton::Trouble;
use crate::statistics::Statistics;
use crate::system::System;

const MOST_ROUNDS: usize = 12;
/// Part of the motion's own accelerations to which forces are found before Newton's method is tried; after it failed,
/// they are found to a part of the bound.
const COARSE: f64 = 1e-6;
const INNER: f64 = 0.3;

impl MoreauJeanScheme {
    pub(super) fn solve_together(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        self.complete(system);
        let contacts: Vec<usize> = (0..self.candidates.len()).filter(|&i| self.active[i]).collect();
        let rows: Vec<usize> = contacts
            .iter()
            .flat_map(|&i| self.candidates.first[i]..self.candidates.first[i + 1])
            .collect();
        let mut spent = 0;
        for round in 0..MOST_ROUNDS {
            self.move_smoothly(system, statistics)?;
            let bound = match round {
                0 => (COARSE / self.tolerance).max(INNER),
                _ => INNER,
            };
            spent += self.push_together(system, (&contacts, &rows), bound, statistics)?;
            // where forces are not unique Newton's method does not find any, however near it begins
            if round == 0 {
                let found = self.x.clone();
                match self.newton(system, statistics) {
                    Ok(corrections) => return Ok(spent + corrections),
                    Err(_) => self.x.copy_from_slice(&found),
                }
            }
            if self.laws_hold(system)? {
                return Ok(spent);
            }
        }
        Err(Trouble::NotConverged)
    }

    /// Smooth motion and bilateral constraints under the present contact forces.
    fn move_smoothly(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        let offset = self.core.sizes.motion + self.core.sizes.multipliers();
        self.status.fill(Status::Open);
        self.evaluate(system);
        self.factorise_smooth(system, statistics)?;
        self.core.matrix.solve(&mut self.residual[..offset]);
        for i in 0..offset {
            self.x[i] -= self.residual[i];
        }
        Ok(())
    }

    /// Forces of all acting contacts, and the motion that follows; errors of rows below so many times their bound are
    /// small enough.
    fn push_together(
        &mut self,
        system: &mut dyn System,
        (contacts, acting): (&[usize], &[usize]),
        bound: f64,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        let n = self.core.sizes.motion;
        let offset = n + self.core.sizes.multipliers();
        self.evaluate(system);
        let count = acting.len();
        let pattern = &self.candidates.patterns.rows;
        let mut places = vec![None; self.candidates.rows()];
        acting.iter().enumerate().for_each(|(k, &row)| places[row] = Some(k));
        let mut entries = vec![Vec::new(); count];
        for ((row, column), &value) in pattern.iter().zip(&self.gradient) {
            if let Some(k) = places[row] {
                entries[k].push((column, value));
            }
        }
        let dot = |k: usize, x: &[f64]| -> f64 {
            entries[k].iter().map(|&(column, value)| value * x[column]).sum()
        };
        let mut compliance = vec![0.0; count * count];
        let mut responses = vec![0.0; count * offset];
        for (k, response) in responses.chunks_exact_mut(offset).enumerate() {
            entries[k].iter().for_each(|&(column, value)| response[column] = value);
            self.core.matrix.solve(response);
            (0..count).for_each(|i| compliance[i * count + k] = dot(i, response));
        }
        let before: Vec<f64> = acting.iter().map(|&row| self.x[offset + row]).collect();
        let mut free: Vec<f64> = acting.iter().map(|&row| self.rows[row]).collect();
        for (k, &row) in acting.iter().enumerate() {
            let line = &compliance[k * count..(k + 1) * count];
            free[k] -= line.iter().zip(&before).map(|(w, force)| w * force).sum::<f64>();
            let found = 1.0 / line[k].max(f64::MIN_POSITIVE);
            self.masses[row] = if found.is_finite() { found } else { 1.0 };
        }
        let cones = Cones {
            laws: &self.candidates.laws,
            contacts,
            compliance: &compliance,
            free: &free,
            bound: bound * self.bounds(1.0).rows,
            stop: &self.core.stop,
        };
        let mut forces = before.clone();
        let iterations = cones.solve(&mut forces);
        for (k, &row) in acting.iter().enumerate() {
            let step = forces[k] - before[k];
            self.x[offset + row] = forces[k];
            let response = &responses[k * offset..(k + 1) * offset];
            self.x[..offset].iter_mut().zip(response).for_each(|(x, r)| *x += step * r);
        }
        // what is not exact enough is judged with the motion
        let iterations =
            iterations.unwrap_or(crate::formulation::nonsmooth::cones::MOST_ITERATIONS);
        statistics.iterations += iterations;
        Ok(iterations)
    }

    /// True if motion, constraints and laws of contact hold at the present unknowns.
    fn laws_hold(&mut self, system: &mut dyn System) -> Result<bool, Trouble> {
        self.status.fill(Status::Open);
        self.evaluate(system);
        self.settled()
    }
}
