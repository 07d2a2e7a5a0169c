//! Overlaps are taken back. [Acary 2013]
//!
//! Impulses meet rates, not gaps: a body that lands overlaps by up to half of the way of its last step, and what the
//! iteration leaves of a rate adds up. So the end of a step whose contacts overlap is moved the shortest way, in the metric of
//! the masses, to where they do not:
//!
//! ```text
//! M δ = Gᵀμ,    0 ≤ g + G δ + d ⊥ μ ≥ 0,    bilateral constraints G_b δ = −g_b
//! ```
//!
//! Velocities stay, so that nothing is set in motion, and what leaves by itself is left alone. The depth `d` that remains is a part of what a body falls from rest in one
//! step, `½ a h²` with the accelerations `a` that the forces alone would give: a resting contact must not let go. It vanishes with
//! the square of the step. What the way does against the forces is booked as work of the contacts.

use super::MoreauJeanScheme;
use super::apart::Apart;
use crate::system::{Level, System};
use rotula_linear::FactorError;

/// Overlaps deeper than what bodies fall in a step are taken back to this part of it.
const LEFT: f64 = 0.5;
const MOST_SWEEPS: usize = 100;
/// Sweeps end when they move contacts by less than this part of the depth that remains.
const STILL: f64 = 0.1;

/// A contact that overlaps or would soon: what its bodies do to its gap, and what a unit of `μ` does to them.
struct Near {
    gap: f64,
    /// By how much the gap grows in a step.
    coming: f64,
    /// The depth that remains.
    left: f64,
    gradient: Vec<(usize, f64)>,
    response: Vec<(usize, f64)>,
    compliance: f64,
    pushed: f64,
}

impl MoreauJeanScheme {
    /// Moves the trial state out of overlaps; returns the work that this does on the system.
    pub(super) fn take_overlaps_back(
        &mut self,
        system: &mut dyn System,
    ) -> Result<f64, FactorError> {
        if self.candidates.len() == 0 {
            return Ok(0.0);
        }
        system.contact(Level::Position, &self.core.trial.point(), &mut self.rows);
        let first = &self.candidates.first[..self.candidates.len()];
        if !first.iter().any(|&row| self.rows[row] < 0.0) {
            return Ok(0.0);
        }
        let gaps: Vec<f64> = first.iter().map(|&row| self.rows[row]).collect();
        system.contact(Level::Velocity, &self.core.trial.point(), &mut self.rows);
        system.contact_gradient(&self.core.trial.point(), &mut self.gradient);
        let mut near = self.near_contacts(&gaps);
        if near.iter().all(|contact| contact.gap * LEFT >= -contact.left) {
            return Ok(0.0);
        }
        let mut way = vec![0.0; self.core.sizes.motion];
        match self.apart.take() {
            Some(apart) if self.sweeps.is_none() => {
                near.iter_mut().for_each(|contact| contact.respond_apart(&apart));
                self.apart = Some(apart);
            }
            other => {
                self.apart = other;
                self.respond_jointly(system, &mut near, &mut way)?;
            }
        }
        for _ in 0..MOST_SWEEPS {
            let mut still = true;
            for contact in &mut near {
                still &= contact.push(&mut way);
            }
            if still {
                break;
            }
        }
        let work = self.forces.iter().zip(&way).map(|(force, way)| force * way).sum();
        let trial = &mut self.core.trial;
        self.half.q.copy_from_slice(&trial.q);
        system.retract(&self.half.q, &way, &mut trial.q);
        system.local(&self.core.base.q, &trial.q, &mut trial.increment);
        Ok(work)
    }

    /// Contacts that overlap, or are nearer than what their bodies fall in a step, and do not leave faster than that.
    fn near_contacts(&self, gaps: &[f64]) -> Vec<Near> {
        let h = self.core.h;
        let mut found: Vec<Near> = (0..self.candidates.len())
            .map(|i| Near {
                gap: gaps[i],
                coming: h * self.rows[self.candidates.first[i]],
                left: 0.0,
                gradient: Vec::new(),
                response: Vec::new(),
                compliance: 0.0,
                pushed: 0.0,
            })
            .collect();
        for ((row, column), &value) in self.candidates.patterns.rows.iter().zip(&self.gradient) {
            let owner = self.candidates.owner(row);
            if self.candidates.first[owner] == row {
                let acceleration = (self.forces[column] * self.inverse_mass[column]).abs();
                found[owner].left += LEFT * 0.5 * h * h * value.abs() * acceleration;
                found[owner].gradient.push((column, value));
            }
        }
        found.retain(|contact| contact.gap.max(contact.coming) * LEFT < contact.left);
        found
    }

    /// Responses of bodies that joints connect; the way begins with what joints are off.
    fn respond_jointly(
        &mut self,
        system: &mut dyn System,
        near: &mut [Near],
        way: &mut [f64],
    ) -> Result<(), FactorError> {
        let (n, holonomic) = (self.core.sizes.motion, self.core.sizes.holonomic);
        self.core.matrix.clear();
        self.fill_smooth(system);
        self.core.matrix.factor()?;
        let mut solution = vec![0.0; self.core.matrix.size()];
        let off = &mut solution[n..n + holonomic];
        system.constraint(Level::Position, &self.core.trial.point(), off);
        off.iter_mut().for_each(|off| *off = -*off);
        self.core.matrix.solve(&mut solution);
        way.copy_from_slice(&solution[..n]);
        for contact in near {
            solution.fill(0.0);
            contact.gradient.iter().for_each(|&(i, g)| solution[i] = g);
            self.core.matrix.solve(&mut solution);
            contact.set_response(solution[..n].iter().copied().enumerate().collect());
        }
        Ok(())
    }
}

impl Near {
    fn respond_apart(&mut self, apart: &Apart) {
        self.set_response(apart.respond(&self.gradient));
    }

    fn set_response(&mut self, response: Vec<(usize, f64)>) {
        let at = |i: usize| response.iter().find(|(j, _)| *j == i).map_or(0.0, |(_, value)| *value);
        self.compliance = self.gradient.iter().map(|&(i, g)| g * at(i)).sum();
        self.response = response;
    }

    /// Takes the push that leaves no more than the depth that remains; true if it hardly changes.
    fn push(&mut self, way: &mut [f64]) -> bool {
        let turned: f64 = self.gradient.iter().map(|&(i, g)| g * way[i]).sum();
        let miss = self.gap + turned + self.left;
        let pushed = (self.pushed - miss / self.compliance.max(f64::MIN_POSITIVE)).max(0.0);
        let step = pushed - self.pushed;
        self.pushed = pushed;
        self.response.iter().for_each(|&(i, response)| way[i] += step * response);
        (step * self.compliance).abs() <= STILL * self.left
    }
}
