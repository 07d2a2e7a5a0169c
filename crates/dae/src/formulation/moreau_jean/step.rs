//! One step of the θ method: rounds of linearisation, each with its contact problem.

use super::MoreauJeanScheme;
use crate::contact_problem::Bound;
use crate::formulation::Core;
use crate::newton::Trouble;
use crate::state::State;
use crate::statistics::Statistics;
use crate::system::{Level, System, Terms, Weights};
use crate::vector::{larger, max_abs, over, rms_weighted};

/// Most linearisations of one step.
const MOST_ROUNDS: usize = 40;
/// Sweeps need not go below this part of the error that the round began with: the gradients of the next round differ
/// anyway.
const ENOUGH: f64 = 0.02;
/// Gaps below this, relative to the size of the configuration, are what accuracy leaves of a closed
/// contact.
const CLOSED: f64 = 1e-12;
/// Rows are met more exactly than forces where nothing is lost by it: what is left of a rate adds up to a gap.
const FINER: f64 = 1e-3;
pub(super) const FORCES: Terms = Terms { inertia: false, forces: true, reactions: false };

/// Bounds of residuals as accelerations: root mean square of the motion, largest of the bilateral rows.
struct Bounds {
    motion: f64,
    rows: f64,
}

impl MoreauJeanScheme {
    /// Which contacts may act, by the gap that a part of the step leaves, and their rebound.
    pub(super) fn begin_contacts(&mut self, system: &mut dyn System, state: &State, h: f64) {
        let n = self.core.sizes.motion;
        if self.candidates.len() == 0 {
            return;
        }
        self.half.copy_from(state);
        for i in 0..n {
            self.half.increment[i] = self.activation * h * state.v[i];
        }
        system.retract(&state.q, &self.half.increment, &mut self.half.q);
        system.contact(Level::Position, &self.half.point(), &mut self.rows);
        system.contact(Level::Velocity, &state.point(), &mut self.rebound);
        // Else a resting contact would let go now and then.
        let closed = CLOSED * (1.0 + max_abs(&state.q));
        for (active, &first) in self.active.iter_mut().zip(&self.candidates.first) {
            *active = self.rows[first] <= closed;
        }
        self.candidates.rebound(&mut self.rebound);
    }

    /// Sets the point of evaluation from the unknowns.
    pub(super) fn set_trial(&mut self, system: &dyn System) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let h = self.core.alpha.c.h;
        let Core { trial, base, .. } = &mut self.core;
        for i in 0..n {
            let w = self.x[i];
            trial.vdot[i] = w;
            trial.v[i] = base.v[i] + h * w;
            trial.increment[i] = h * (base.v[i] + self.theta * h * w);
        }
        trial.multipliers.copy_from_slice(&self.x[n..n + m]);
        system.retract(&base.q, &trial.increment, &mut trial.q);
    }

    /// Residual of the equations of motion and rows of all constraints.
    pub(super) fn evaluate(&mut self, system: &mut dyn System) {
        self.set_trial(system);
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let h = self.core.alpha.c.h;
        let at = self.core.trial.point();
        system.dynamics(&at, Terms::WITHOUT_FORCES, &mut self.residual[..n]);
        system.dynamics(&at, FORCES, &mut self.forces);
        for i in 0..n {
            self.residual[i] +=
                (1.0 - self.theta) * self.old_forces[i] + self.theta * self.forces[i];
        }
        if m > 0 {
            system.constraint(Level::Velocity, &at, &mut self.residual[n..n + m]);
            self.residual[n..n + m].iter_mut().for_each(|r| *r /= h);
        }
        if self.candidates.len() == 0 {
            return;
        }
        system.contact_gradient(&at, &mut self.gradient);
        self.candidates.patterns.rows.multiply_transposed_add(
            &self.gradient,
            -1.0,
            &self.x[n + m..],
            &mut self.residual[..n],
        );
        system.contact(Level::Velocity, &at, &mut self.rows);
        for (row, rebound) in self.rows.iter_mut().zip(&self.rebound) {
            *row = (*row + rebound) / h;
        }
    }

    /// Solves the step that was begun. Returns the number of iterations.
    pub(super) fn solve_step(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        self.start_step(system);
        let (mut iterations, mut fine) = (0, false);
        // of the contacts: a bound that holds for all rounds is known in the first
        let (mut bound, mut met) = (None, f64::INFINITY);
        for round in 0..MOST_ROUNDS {
            self.evaluate(system);
            statistics.residuals += 1;
            let contacts = match round {
                0 => 0.0,
                _ => self.problem.delassus.error(&self.rows, &self.x[self.residual.len()..]) / met,
            };
            if self.measure(contacts, fine)? <= 1.0 && round > 0 {
                return Ok(iterations);
            }
            if self.smooth.is_old(round) {
                let Core { trial, buffers, matrix, alpha, .. } = &mut self.core;
                let weights = (alpha.c.h, self.theta);
                self.smooth.factorise(system, (trial, buffers), weights, matrix)?;
                statistics.factorisations += 1;
            }
            self.set_up_problem();
            let bound = *bound.get_or_insert_with(|| self.contact_bound());
            let forces = &mut self.x[self.residual.len()..];
            let solved =
                self.problem.solve(forces, bound, &self.core.stop).ok_or(Trouble::NotConverged)?;
            (met, fine) = (solved.bound, solved.fine);
            statistics.iterations += solved.iterations;
            iterations += solved.iterations;
            self.take_motion();
        }
        Err(Trouble::NotConverged)
    }

    /// The contact problem of a linearised step, with the motion that the smooth residual leads to.
    fn set_up_problem(&mut self) {
        let n = self.core.sizes.motion;
        let offset = self.residual.len();
        let delassus = &mut self.problem.delassus;
        let subsystems = &self.smooth.subsystems;
        subsystems.gather(&self.x[..n], &mut delassus.motion);
        let active = |i: usize| self.active[i];
        delassus.assemble(&self.candidates, subsystems, active, false, &self.gradient);
        let gradient = (&self.candidates.patterns.rows, &self.gradient[..]);
        let matrix = &mut self.core.matrix;
        self.smooth.respond(delassus, gradient, matrix);
        delassus.set_rows(&self.rows);
        self.before.clear();
        self.before.extend_from_slice(&self.x[offset..]);
        self.smooth.correct(&mut self.residual, matrix, &mut self.x, &mut delassus.motion);
    }

    /// How exactly the contacts meet their laws: relative to the rows that there would be without their forces.
    fn contact_bound(&mut self) -> Bound {
        let offset = self.residual.len();
        let rounding = self.bounds(0.0).rows;
        let size = self.tolerance * self.problem.delassus.free_size(&self.x[offset..]);
        Bound { coarse: size + rounding, fine: FINER * size + rounding, part: ENOUGH }
    }

    /// The motion that the contact forces lead to, and the reactions of bilateral constraints.
    fn take_motion(&mut self) {
        let n = self.core.sizes.motion;
        let offset = self.residual.len();
        if self.smooth.by_blocks() {
            self.smooth.subsystems.scatter(&self.problem.delassus.motion, &mut self.x[..n]);
            return;
        }
        let changes = self.before.iter_mut().zip(&self.x[offset..]);
        changes.for_each(|(before, now)| *before = now - *before);
        if self.before.iter().all(|&change| change == 0.0) {
            return;
        }
        self.residual.fill(0.0);
        let pattern = &self.candidates.patterns.rows;
        let forces = &mut self.residual[..n];
        pattern.multiply_transposed_add(&self.gradient, 1.0, &self.before, forces);
        self.core.matrix.solve(&mut self.residual);
        self.x.iter_mut().zip(&self.residual).for_each(|(x, step)| *x += step);
    }

    /// First guess, and the sizes against which residuals are measured.
    fn start_step(&mut self, system: &mut dyn System) {
        let n = self.core.sizes.motion;
        let offset = n + self.core.sizes.multipliers();
        for i in 0..self.candidates.len() {
            if !self.active[i] {
                let range = self.candidates.first[i]..self.candidates.first[i + 1];
                self.x[offset + range.start..offset + range.end].fill(0.0);
            }
        }
        self.x[..n].copy_from_slice(&self.core.base.vdot);
        let Core { base, buffers, .. } = &mut self.core;
        system.tangent(&base.point(), Weights::MASS, Terms::INERTIA, &mut buffers.dynamics);
        for (i, entry) in self.diagonal.iter().enumerate() {
            let mass = entry.map_or(0.0, |p| buffers.dynamics[p]);
            self.inverse_mass[i] = if mass > 0.0 { 1.0 / mass } else { 1.0 };
        }
    }

    /// How large residuals may be; those of the rows times `finer`.
    fn bounds(&self, finer: f64) -> Bounds {
        let h = self.core.alpha.c.h;
        let n = self.core.sizes.motion;
        let accelerations = rms_weighted([&self.x[..n]], |[a]| a, &self.weights);
        let speed = rms_weighted([&self.core.base.v], |[v]| v, &self.weights);
        let scale = self.size(&self.forces) + self.size(&self.old_forces) + accelerations;
        // Rows are accelerations: velocities over the step.
        let rounding = 100.0 * f64::EPSILON * (scale + speed / h);
        let length = self.weights.iter().copied().fold(0.0f64, f64::max);
        Bounds {
            motion: (self.tolerance * scale + rounding).max(f64::MIN_POSITIVE),
            rows: ((finer * self.tolerance * scale + rounding) * length).max(f64::MIN_POSITIVE),
        }
    }

    /// The size of forces as accelerations.
    fn size(&self, values: &[f64]) -> f64 {
        rms_weighted([values, &self.inverse_mass], |[a, b]| a * b, &self.weights)
    }

    /// The worst of motion, bilateral rows and contacts over their bounds.
    fn measure(&mut self, contacts: f64, fine: bool) -> Result<f64, Trouble> {
        let n = self.core.sizes.motion;
        let bounds = self.bounds(if fine { FINER } else { 1.0 });
        let motion = over(self.size(&self.residual[..n]), bounds.motion);
        let bilateral = over(max_abs(&self.residual[n..]), bounds.rows);
        let worst = larger(larger(motion, bilateral), contacts);
        if worst.is_nan() {
            let equation = self.residual.iter().position(|r| !r.is_finite()).unwrap_or(0);
            return Err(Trouble::NotFinite { equation });
        }
        self.last = worst;
        Ok(worst)
    }

    /// Impulses, forces and gaps of the step.
    pub(super) fn record_contacts(&mut self, system: &mut dyn System) {
        let (n, m, h) =
            (self.core.sizes.motion, self.core.sizes.multipliers(), self.core.alpha.c.h);
        let state = &mut self.contact_state;
        state.h = h;
        state.smooth_reactions.copy_from_slice(&self.x[n..n + m]);
        for (impulse, force) in state.bilateral.iter_mut().zip(&self.x[n..n + m]) {
            *impulse = h * force;
        }
        for (impulse, force) in state.impulses.iter_mut().zip(&self.x[n + m..]) {
            *impulse = h * force;
        }
        if state.gaps.is_empty() {
            return;
        }
        system.contact(Level::Position, &self.core.trial.point(), &mut self.rows);
        for i in 0..state.gaps.len() {
            let first = self.candidates.first[i];
            state.gaps[i] = self.rows[first];
            state.closed[i] = self.x[n + m + first] > 0.0;
        }
    }
}
