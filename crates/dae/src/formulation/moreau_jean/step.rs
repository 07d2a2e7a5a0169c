//! One step of the θ method as a system of equations, and its iteration.

use super::MoreauJeanScheme;
use super::apart::Apart;
use crate::formulation::Core;
use crate::formulation::nonsmooth::cones;
use crate::formulation::nonsmooth::law::{Sight, Status};
use crate::newton::Trouble;
use crate::state::State;
use crate::statistics::Statistics;
use crate::system::{Level, System, Terms, Weights};
use crate::vector::{larger, max_abs, over, rms_weighted};

const MOST_ITERATIONS: usize = 40;
/// Most rows of candidates that Newton's method treats at once; beyond, Gauss–Seidel sweeps are tried
/// before.
pub(super) const MOST_NEWTON_ROWS: usize = 90;
/// Sweeps after which all contacts are solved at once, and sweeps where there are too many for this.
const FEW_SWEEPS: usize = 200;
/// Rows of candidates from which on many sweeps cost less than the matrix of all contacts.
const FEW_ROWS: usize = 300;
const MOST_SWEEPS: usize = 5000;
/// Gaps below this, relative to the size of the configuration, are what accuracy leaves of a closed
/// contact.
const CLOSED: f64 = 1e-12;
/// Newton's method meets rows more exactly than forces, since nothing is lost by it: what is left of a
/// rate adds up to a gap.
pub(super) const FINER: f64 = 1e-3;
pub(super) const FORCES: Terms = Terms { inertia: false, forces: true, reactions: false };

/// Bounds of residuals as accelerations: root mean square of the motion, largest of the rows.
pub(super) struct Bounds {
    pub motion: f64,
    pub rows: f64,
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
        for (i, law) in self.candidates.laws.iter().enumerate() {
            let first = self.candidates.first[i];
            self.active[i] = self.rows[first] <= closed;
            self.rebound[first] *= law.restitution;
            for k in 0..law.directions {
                self.rebound[first + 1 + k] *= law.tangential_restitution;
            }
        }
    }

    /// Sets the point of evaluation from the unknowns.
    pub(super) fn set_trial(&mut self, system: &dyn System) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let h = self.core.h;
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
        self.evaluate_rows(system);
        self.set_equations();
    }

    /// The same without the equations of the contacts.
    pub(super) fn evaluate_rows(&mut self, system: &mut dyn System) {
        self.set_trial(system);
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let h = self.core.h;
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

    /// Equations of the contacts with their present status.
    fn set_equations(&mut self) {
        let offset = self.core.sizes.motion + self.core.sizes.multipliers();
        for i in 0..self.candidates.len() {
            let range = self.candidates.first[i]..self.candidates.first[i + 1];
            let forces = &self.x[offset + range.start..offset + range.end];
            let equations = self.sight(i).equations(self.status[i], forces);
            self.residual[offset + range.start..offset + range.end]
                .copy_from_slice(&equations.residual[..range.len()]);
            self.equations[i] = equations;
        }
    }

    pub(super) fn sight(&self, i: usize) -> Sight<'_> {
        let offset = self.core.sizes.motion + self.core.sizes.multipliers();
        let range = self.candidates.first[i]..self.candidates.first[i + 1];
        Sight {
            law: &self.candidates.laws[i],
            rows: &self.rows[range.clone()],
            total: &self.x[offset + range.start..offset + range.end],
            r: &self.masses[range.clone()],
            mass: &self.masses[range],
            turns: true,
        }
    }

    fn update_sets(&mut self) {
        for i in 0..self.candidates.len() {
            let sight = self.sight(i);
            let closed = self.active[i] && sight.augmented() >= 0.0;
            self.status[i] = if closed { sight.friction() } else { Status::Open };
        }
    }

    pub(super) fn solve_step(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        self.start_step(system);
        let acting = self.active.contains(&true);
        if self.sweeps.is_none()
            && let Some(mut apart) = self.apart.take()
        {
            let solved = self.solve_many(system, &mut apart, acting, statistics);
            self.apart = Some(apart);
            return solved;
        }
        if acting && self.prefers_together {
            let found = self.solve_together(system, statistics);
            if found.is_ok() {
                return found;
            }
            self.restart();
        }
        self.prefers_together = false;
        if acting {
            self.find_responses(system, statistics)?;
        }
        // Sweeps are cheap where impulses act on few neighbours, and slow in tall stacks and tight chains.
        let many = self.candidates.rows() > MOST_NEWTON_ROWS;
        let tried = match many {
            true => self.sweep_smoothly(system, acting, FEW_SWEEPS, statistics),
            false => self.newton(system, statistics),
        };
        match tried {
            Err(_) if acting => {}
            solved => return solved,
        }
        self.restart();
        if self.acting_rows() <= cones::MOST_ROWS {
            // what was slow in this step will be so in the next one
            let found = self.solve_together(system, statistics);
            self.prefers_together = found.is_ok();
            return found;
        }
        self.find_responses(system, statistics)?;
        self.sweep_smoothly(system, acting, MOST_SWEEPS, statistics)
    }

    /// The same for many contacts of bodies that nothing else connects.
    fn solve_many(
        &mut self,
        system: &mut dyn System,
        apart: &mut Apart,
        acting: bool,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        // in heaps sweeps settle soon enough, and cost less than the matrix of all contacts
        let few = self.candidates.rows() <= FEW_ROWS;
        let most = if few { FEW_SWEEPS } else { MOST_SWEEPS };
        match self.solve_apart(system, apart, most, statistics) {
            Err(_) if acting => {}
            // the general way says what is singular
            Err(_) => {
                self.complete(system);
                return self.newton(system, statistics);
            }
            solved => return solved,
        }
        self.restart();
        match self.acting_rows() <= cones::MOST_ROWS {
            true => self.solve_together(system, statistics),
            false => self.solve_apart(system, apart, 2 * MOST_SWEEPS, statistics),
        }
    }

    /// Rows of the contacts that may act.
    pub(super) fn acting_rows(&self) -> usize {
        let laws = self.candidates.laws.iter().zip(&self.active);
        laws.filter(|(_, active)| **active).map(|(law, _)| law.rows()).sum()
    }

    /// Forgets what an iteration found that led nowhere.
    fn restart(&mut self) {
        let n = self.core.sizes.motion;
        self.x[..n].copy_from_slice(&self.core.base.vdot);
        self.x[n..].fill(0.0);
    }

    /// Sweeps with a matrix of the smooth motion, which is at hand if contacts act.
    fn sweep_smoothly(
        &mut self,
        system: &mut dyn System,
        acting: bool,
        most: usize,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        if !acting {
            self.evaluate(system);
            self.factorise_smooth(system, statistics)?;
        }
        self.sweep(system, most, statistics)
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
            self.status[i] = Status::Open;
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
    pub(super) fn bounds(&self, finer: f64) -> Bounds {
        let h = self.core.h;
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
    pub(super) fn size(&self, values: &[f64]) -> f64 {
        rms_weighted([values, &self.inverse_mass], |[a, b]| a * b, &self.weights)
    }

    /// The worst residual over its bound; that of the rows times `finer`.
    pub(super) fn measure(&mut self, finer: f64) -> Result<f64, Trouble> {
        let n = self.core.sizes.motion;
        let bounds = self.bounds(finer);
        let motion = self.size(&self.residual[..n]);
        let row = max_abs(&self.residual[n..]);
        let worst = larger(over(motion, bounds.motion), over(row, bounds.rows));
        if worst.is_nan() {
            let equation = self.residual.iter().position(|r| !r.is_finite()).unwrap_or(0);
            return Err(Trouble::NotFinite { equation });
        }
        self.last = worst;
        Ok(worst)
    }

    pub(super) fn newton(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        for corrections in 0..=MOST_ITERATIONS {
            if self.core.stop.asked() {
                break;
            }
            self.evaluate(system);
            self.update_sets();
            self.set_equations();
            statistics.residuals += 1;
            if self.measure(FINER)? <= 1.0 {
                self.let_go_of_open();
                return Ok(corrections);
            }
            statistics.iterations += 1;
            self.correct_whole(system, statistics)?;
        }
        Err(Trouble::NotConverged)
    }

    /// What an iteration leaves of the forces of open contacts is nothing: none of them pulls, to the last digit.
    fn let_go_of_open(&mut self) {
        let offset = self.core.sizes.motion + self.core.sizes.multipliers();
        let first = &self.candidates.first;
        for i in (0..self.candidates.len()).filter(|&i| self.status[i] == Status::Open) {
            self.x[offset + first[i]..offset + first[i + 1]].fill(0.0);
        }
    }

    /// Impulses, forces and gaps of the step.
    pub(super) fn record_contacts(&mut self, system: &mut dyn System) {
        let (n, m, h) = (self.core.sizes.motion, self.core.sizes.multipliers(), self.core.h);
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
