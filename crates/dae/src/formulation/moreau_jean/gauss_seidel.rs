//! Projected Gauss–Seidel sweeps over contacts: each contact in turn takes the impulse that its own law
//! asks for, and the bodies it touches move at once. The response `S⁻¹Gᵀ` of every contact is stored.

use super::MoreauJeanScheme;
use crate::formulation::nonsmooth::law::Status;
use crate::formulation::nonsmooth::{Candidates, MOST_COLOURS, Response};
use crate::newton::Trouble;
use crate::statistics::Statistics;
use crate::system::System;
use serde::{Deserialize, Serialize};

/// Most linearisations of the smooth forces.
const MOST_ROUNDS: usize = 30;

const PRESENT: &str = "made with the list of contacts";

/// Rows and responses of the contacts, by row.
#[derive(Serialize, Deserialize)]
pub(super) struct GaussSeidel {
    response: Response,
    /// Columns and positions of the entries of each row.
    entries: Vec<Vec<(u32, u32)>>,
    /// Where the response of each row is stored: coordinates as in its reach.
    values: Vec<Vec<f64>>,
    /// `G S⁻¹ Gᵀ` of each row with itself.
    compliance: Vec<f64>,
    unit: Vec<f64>,
    rhs: Vec<f64>,
    /// Constant part of the rows.
    constant: Vec<f64>,
}

impl GaussSeidel {
    pub fn new(candidates: &Candidates, response: Response) -> Self {
        let rows = candidates.rows();
        let mut entries = vec![Vec::new(); rows];
        for (position, (row, column)) in candidates.patterns.rows.iter().enumerate() {
            entries[row].push((column as u32, position as u32));
        }
        GaussSeidel {
            values: (0..rows).map(|row| vec![0.0; response.reach(row).len()]).collect(),
            response,
            entries,
            compliance: vec![1.0; rows],
            unit: vec![0.0; rows],
            rhs: Vec::new(),
            constant: vec![0.0; rows],
        }
    }

    fn dot(&self, row: usize, gradient: &[f64], w: &[f64]) -> f64 {
        self.entries[row].iter().map(|&(j, p)| gradient[p as usize] * w[j as usize]).sum()
    }

    /// A force more in a row moves the bodies.
    fn push(&self, row: usize, force: f64, w: &mut [f64]) {
        for (&i, value) in self.response.reach(row).iter().zip(&self.values[row]) {
            w[i as usize] += force * value;
        }
    }
}

impl MoreauJeanScheme {
    /// Responses and effective masses of all rows at the start of the step.
    pub(super) fn find_responses(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        self.status.fill(Status::Open);
        self.evaluate(system);
        self.factorise_smooth(system, statistics)?;
        let sweeps = self.sweeps.as_mut().expect(PRESENT);
        if sweeps.response.colours() > MOST_COLOURS {
            // Too many contacts on one body to solve for each: the diagonal mass must do.
            for (row, entries) in sweeps.entries.iter().enumerate() {
                let square = |&(j, p): &(u32, u32)| {
                    self.gradient[p as usize].powi(2) * self.inverse_mass[j as usize]
                };
                let compliance: f64 = entries.iter().map(square).sum();
                self.masses[row] = 1.0 / compliance.max(f64::MIN_POSITIVE);
            }
            return Ok(());
        }
        system.contact_gradient(&self.core.trial.point(), &mut self.gradient);
        let matrix = &mut self.core.matrix;
        sweeps.rhs.resize(matrix.size(), 0.0);
        let GaussSeidel { response, entries, values, compliance, unit, rhs, .. } = sweeps;
        let gradient = &self.gradient;
        response.each(
            &self.candidates.patterns.rows,
            gradient,
            unit,
            rhs,
            |rhs| matrix.solve(rhs),
            |row, reach, solution| {
                for (value, &i) in values[row].iter_mut().zip(reach) {
                    *value = solution[i as usize];
                }
                let dot = |&(j, p): &(u32, u32)| gradient[p as usize] * solution[j as usize];
                compliance[row] = entries[row].iter().map(dot).sum();
            },
        );
        for (mass, compliance) in self.masses.iter_mut().zip(&*compliance) {
            let found = 1.0 / compliance.max(f64::MIN_POSITIVE);
            *mass = if found.is_finite() { found } else { 1.0 };
        }
        Ok(())
    }

    /// Solves the step by sweeps, linearising the smooth forces between them.
    pub(super) fn sweep(
        &mut self,
        system: &mut dyn System,
        most: usize,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        if self.sweeps.as_ref().is_none_or(|sweeps| sweeps.response.colours() > MOST_COLOURS) {
            return Err(Trouble::NotConverged);
        }
        let n = self.core.sizes.motion;
        let offset = n + self.core.sizes.multipliers();
        let mut corrections = 0;
        for round in 0..MOST_ROUNDS {
            // Smooth forces and bilateral constraints with the present contact forces.
            self.status.fill(Status::Open);
            self.hold_forces(system);
            if round > 0 {
                self.residual[offset..].fill(0.0);
                if self.settled(1.0)? {
                    return Ok(corrections);
                }
                self.factorise_smooth(system, statistics)?;
            }
            self.hold_forces(system);
            self.core.matrix.solve(&mut self.residual[..offset]);
            for i in 0..offset {
                self.x[i] -= self.residual[i];
            }
            corrections += self.sweeps_until_still(system, most, statistics)?;
        }
        Err(Trouble::NotConverged)
    }

    /// Evaluates the residual without rows for the contact forces.
    pub(super) fn hold_forces(&mut self, system: &mut dyn System) {
        self.evaluate(system);
        let offset = self.core.sizes.motion + self.core.sizes.multipliers();
        self.residual[offset..].fill(0.0);
    }

    /// True if motion, constraints and laws of contact hold, the rows `finer` than forces.
    pub(super) fn settled(&mut self, finer: f64) -> Result<bool, Trouble> {
        let offset = self.core.sizes.motion + self.core.sizes.multipliers();
        for i in 0..self.candidates.len() {
            let range = self.candidates.first[i]..self.candidates.first[i + 1];
            let natural = self.natural_error(i);
            for (a, row) in range.enumerate() {
                self.residual[offset + row] = natural[a];
            }
        }
        Ok(self.measure(finer)? <= 1.0)
    }

    /// Distance of the forces of a contact from what its law makes of them, as accelerations.
    pub(super) fn natural_error(&self, i: usize) -> [f64; 3] {
        if self.active[i] { self.sight(i).natural_error() } else { [0.0; 3] }
    }

    fn sweeps_until_still(
        &mut self,
        system: &mut dyn System,
        most: usize,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        let n = self.core.sizes.motion;
        let offset = n + self.core.sizes.multipliers();
        self.evaluate(system);
        let mut sweeps = self.sweeps.take().expect(PRESENT);
        for row in 0..self.rows.len() {
            sweeps.constant[row] = self.rows[row] - sweeps.dot(row, &self.gradient, &self.x[..n]);
        }
        let found = self.sweep_rows(&sweeps, offset, most, statistics);
        self.sweeps = Some(sweeps);
        found
    }

    fn sweep_rows(
        &mut self,
        sweeps: &GaussSeidel,
        offset: usize,
        most: usize,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        let n = self.core.sizes.motion;
        for sweep in 1..=most {
            if self.core.stop.asked() {
                return Err(Trouble::NotConverged);
            }
            let mut change = 0.0f64;
            let mut size = 0.0f64;
            for i in 0..self.candidates.len() {
                if !self.active[i] {
                    continue;
                }
                let range = self.candidates.first[i]..self.candidates.first[i + 1];
                for (a, row) in range.clone().enumerate() {
                    self.rows[row] =
                        sweeps.constant[row] + sweeps.dot(row, &self.gradient, &self.x[..n]);
                    let next = self.sight(i).projected()[a];
                    let step = next - self.x[offset + row];
                    if step != 0.0 {
                        self.x[offset + row] = next;
                        sweeps.push(row, step, &mut self.x[..n]);
                    }
                    change = change.max(step.abs() / self.masses[row]);
                    size = size.max(next.abs() / self.masses[row]);
                }
            }
            statistics.iterations += 1;
            if change <= 0.1 * self.tolerance * size || size == 0.0 {
                return Ok(sweep);
            }
        }
        Err(Trouble::NotConverged)
    }
}
