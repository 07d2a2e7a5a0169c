//! Total multipliers: what the smooth reaction of the past contributes, and the impulses of a step.
//! [Brüls et al. 2018, eqs. 64, 65m–n]

use super::response::MOST_COLOURS;
use super::{NonsmoothScheme, UNSETTLED};
use crate::formulation::Core;
use crate::saddle::{Rows, Saddle};
use crate::settings::{Adjustment, NonsmoothVariant, Strategy};
use crate::state::State;
use crate::system::{Level, Point, System};
use rotula_linear::FactorError;
use std::collections::HashSet;

impl NonsmoothScheme {
    /// Prepares history and first guess of a step.
    pub(super) fn begin_totals(&mut self, h: f64) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        self.smooth[..m].copy_from_slice(&self.core.base.multipliers);
        self.eta_start.copy_from_slice(&self.eta);
        let alpha = &self.alpha;
        if let Some(ratio) = alpha.step_ratio(h).filter(|_| alpha.adjustment != Adjustment::Off) {
            let factor = alpha.coefficients.alpha() * (ratio - 1.0); // [Jay & Negrut 2009, eq. 14a]
            for i in 0..self.eta.len() {
                self.eta_start[i] += factor * (self.eta[i] - self.eta_before[i]);
            }
        }
        let c = alpha.c;
        for j in 0..self.smooth.len() {
            let (lambda, eta) = (self.smooth[j], self.eta_start[j]);
            self.stages.history[0][j] = (c.c1 * lambda + c.c2 * eta) / c.c8;
            self.stages.history[1][j] = (c.c3 * lambda + c.c4 * eta) / c.c7;
        }
        let x = &mut self.stages.x;
        x[0][..n].copy_from_slice(&self.core.base.vdot);
        let width = n + self.smooth.len();
        x[0][n..width].copy_from_slice(&self.smooth);
        let states = self.core.sizes.states;
        x[0][width..width + states].copy_from_slice(&self.core.base.xdot);
        x[0][width + states..].copy_from_slice(&self.core.base.y);
        x[1].fill(0.0);
        x[2].fill(0.0);
        if self.stages.variant == NonsmoothVariant::Star {
            // What is open starts without a total multiplier.
            for (i, status) in self.settled.iter().enumerate() {
                if status.closed() {
                    continue;
                }
                let candidates = &self.stages.candidates;
                for row in candidates.first[i]..candidates.first[i + 1] {
                    x[0][n + m + row] = 0.0;
                    x[2][n + m + row] = -self.stages.history[1][m + row];
                    x[1][n + m + row] = -self.stages.history[0][m + row];
                }
            }
        }
    }

    /// Whole reactions. With constraints at acceleration level they are the smooth ones and what a jump of velocities
    /// takes, as a mean over the step; otherwise the smooth ones may oscillate, and the impulse of the step tells.
    pub(super) fn commit_reactions(&mut self) {
        let (n, c) = (self.core.sizes.motion, self.alpha.c);
        let [smooth, _, jumps] = self.stages.x.each_ref().map(|x| &x[n..]);
        for (j, value) in self.reactions.iter_mut().enumerate() {
            *value = match self.stages.strategy {
                Strategy::Pva => smooth[j] + c.c7 / c.h * jumps[j],
                _ => self.contact_state.bilateral[j] / self.contact_state.h,
            };
        }
    }

    /// Impulses, forces and gaps of the concluded step.
    pub(super) fn conclude_totals(&mut self, system: &mut dyn System) {
        let (n, m, c) = (self.core.sizes.motion, self.core.sizes.multipliers(), self.alpha.c);
        let offset = n + m;
        for j in 0..self.eta_new.len() {
            let lambda = self.stages.x[0][n + j];
            let old = self.smooth[j];
            self.eta_new[j] = c.c5 * old + c.c6 * self.eta_start[j] + c.c9 * lambda;
        }
        let state = &mut self.contact_state;
        state.h = c.h;
        for j in 0..self.eta_new.len() {
            let total = self.stages.x[2][n + j] + self.stages.x[0][n + j];
            let impulse = c.c7 * (total + self.stages.history[1][j]);
            if j < m {
                state.bilateral[j] = impulse;
                state.smooth_reactions[j] = self.stages.x[0][n + j];
            } else {
                state.impulses[j - m] = impulse;
                state.smooth[j - m] = self.stages.x[0][offset + j - m];
            }
        }
        self.find_jump(system);
        let state = &mut self.contact_state;
        let star = self.stages.variant == NonsmoothVariant::Star;
        for (i, closed) in state.closed.iter_mut().enumerate() {
            *closed = self.stages.status[2][i].closed();
            if star && !*closed {
                // Zero but for rounding.
                let rows = &self.stages.candidates.first;
                state.impulses[rows[i]..rows[i + 1]].fill(0.0);
            }
        }
        if !state.gaps.is_empty() {
            self.stages.look(system, (&self.core, &self.alpha), 1);
            for i in 0..state.gaps.len() {
                let first = self.stages.candidates.first[i];
                self.contact_state.gaps[i] = self.stages.rows[1][first] * c.c8;
            }
        }
    }

    /// The part of the change of velocity that takes no way, and the work of forces on that way.
    ///
    /// A step goes the way `Δq = h v̄ − ½hw` with `w = W − 2U/h`: the jump `W` of velocities comes at its end, the
    /// correction `U` of positions without a velocity. Its smooth forces and reactions are `M(ṽ − v₀)/h`, of
    /// which `GᵀΛ̃/h` are reactions. Since `MW = GᵀΛ_W` and `MU = GᵀΛ_U`, the work of the forces on the rest of the
    /// way is `½(ṽ − v₀)ᵀGᵀ(Λ_W − 2Λ_U/h) − ½wᵀGᵀΛ̃`.
    fn find_jump(&mut self, system: &mut dyn System) {
        let (n, m, c) = (self.core.sizes.motion, self.core.sizes.multipliers(), self.alpha.c);
        let [smooth, position, velocity] = &self.stages.x;
        let late = |i: usize| c.c7 * velocity[i] - 2.0 / c.h * c.c8 * position[i];
        let early = |row: usize| c.c7 * (smooth[n + row] + self.stages.history[1][row]);
        let state = &mut self.contact_state;
        state.jump.clear();
        state.jump.extend((0..n).map(late));
        state.late_work = 0.0;
        let rows = self.rates.len();
        if rows == m || (0..rows).all(|row| late(n + row) == 0.0) {
            return;
        }
        let before = &self.core.base.v;
        self.shifted.clear();
        self.shifted.extend(before.iter().zip(&state.jump).map(|(v, w)| v + w));
        // rates are affine in the velocity: differences from those of v₀
        let parts =
            [(0.5, 0.0, &self.stages.smooth_v), (0.0, -0.5, &self.shifted), (-0.5, 0.5, before)];
        for (of_late, of_early, v) in parts {
            let at = Point { v, ..self.core.trial.point() };
            let (bilateral, contacts) = self.rates.split_at_mut(m);
            system.constraint(Level::Velocity, &at, bilateral);
            system.contact(Level::Velocity, &at, contacts);
            let impulse = |row: usize| of_late * late(n + row) + of_early * early(row);
            let work = self.rates.iter().enumerate().map(|(row, rate)| rate * impulse(row));
            state.late_work += work.sum::<f64>();
        }
    }

    /// The concluded step is accepted.
    pub(super) fn commit_totals(&mut self) {
        let (n, rows) = (self.core.sizes.motion, self.smooth.len());
        let changed = self.changed();
        self.quiet = if changed { 0 } else { self.quiet + 1 };
        self.settled.copy_from_slice(&self.stages.status[2]);
        let closed = self.settled.iter().filter(|status| status.closed()).count();
        let outrun = self.accuracy.outruns(self.longest);
        self.waiting.see((self.settled.len(), closed), self.quiet >= UNSETTLED, outrun);
        self.hold_open();
        let bounds = self.accuracy.velocity_bounds(self.alpha.c.c7);
        let contacts = bounds.skip(self.core.sizes.multipliers());
        self.left_over.iter_mut().zip(contacts).for_each(|(left, bound)| *left = bound);
        self.smooth.copy_from_slice(&self.stages.x[0][n..n + rows]);
        std::mem::swap(&mut self.eta_before, &mut self.eta_start);
        self.eta.copy_from_slice(&self.eta_new);
    }

    /// A contact that leaves the list takes its share of the algorithmic acceleration with it: no
    /// multiplier is left to cancel what remains of its past reaction.
    pub(super) fn forget_dropped(&mut self, system: &mut dyn System, state: &State) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let old = &self.stages.candidates;
        let kept: HashSet<u64> =
            (0..system.contacts().len()).map(|i| system.contact_key(i)).collect();
        let mut forces = vec![0.0; old.rows()];
        for (i, _) in old.keys.iter().enumerate().filter(|(_, key)| !kept.contains(key)) {
            let range = old.first[i]..old.first[i + 1];
            forces[range.clone()].copy_from_slice(&self.eta[m + range.start..m + range.end]);
        }
        if forces.iter().all(|&force| force == 0.0) {
            return;
        }
        let mut saddle = Saddle::new(self.core.sizes, &system.patterns());
        // A mass that cannot be factorised is for the next step to report.
        if saddle.factorise(system, &state.point(), Rows::All).is_err() {
            return;
        }
        saddle.rhs.fill(0.0);
        let gradient = &self.stages.gradient;
        old.patterns.rows.multiply_transposed_add(gradient, 1.0, &forces, &mut saddle.rhs[..n]);
        saddle.solve();
        for (a, share) in self.alpha.a.iter_mut().zip(&saddle.rhs) {
            *a -= share;
        }
        for (eta, share) in self.eta.iter_mut().zip(&saddle.rhs[n..n + m]) {
            *eta -= share;
        }
    }

    /// Effective masses of the contact rows, in the presence of the bilateral constraints: of the
    /// smooth stage for the normal factors r, of the mass for the rest. [sheet 002 §6, §7]
    pub(super) fn find_effective_masses(
        &mut self,
        system: &mut dyn System,
    ) -> Result<(), FactorError> {
        for status in &mut self.stages.status {
            status.fill(super::Status::Open);
        }
        self.stages.set_trial(system, (&mut self.core, &self.alpha));
        let strategy = std::mem::replace(&mut self.stages.strategy, Strategy::Bilateral);
        let found = self.factorise_open(system);
        self.stages.strategy = strategy;
        self.memory.forget();
        found?;
        let Core { trial, matrix, .. } = &mut self.core;
        let at = trial.point();
        let stages = &mut self.stages;
        system.contact_gradient(&at, &mut stages.gradient);
        let pattern = &stages.candidates.patterns.rows;
        let inverse = self.accuracy.inverse_mass();
        let rough = self.response.colours() > MOST_COLOURS;
        let mut compliance = vec![0.0; stages.candidates.rows()];
        for pass in 0..2 {
            compliance.fill(0.0);
            if rough {
                for (entry, (row, column)) in pattern.iter().enumerate() {
                    let inverse = if inverse[column] > 0.0 { inverse[column] } else { 1.0 };
                    compliance[row] += stages.gradient[entry].powi(2) * inverse;
                }
            } else {
                let matrix = if pass == 0 { &mut *matrix } else { &mut self.corrections[1] };
                let mut unit = vec![0.0; stages.candidates.rows()];
                let mut rhs = vec![0.0; matrix.size()];
                let position = |row: usize, column: usize| pattern.position(row, column);
                self.response.each(
                    pattern,
                    &stages.gradient,
                    &mut unit,
                    &mut rhs,
                    |rhs| matrix.solve(rhs),
                    |row, reach, response| {
                        for &i in reach {
                            if let Some(p) = position(row, i as usize) {
                                compliance[row] += stages.gradient[p] * response[i as usize];
                            }
                        }
                    },
                );
            }
            for (i, law) in stages.candidates.laws.iter().enumerate() {
                let first = stages.candidates.first[i];
                for row in first..first + law.rows() {
                    let mass = 1.0 / compliance[row].max(f64::MIN_POSITIVE);
                    let mass = if mass.is_finite() { mass } else { 1.0 };
                    if pass == 1 {
                        stages.mass[row] = mass;
                    }
                    if (pass == 0) == (row == first) {
                        stages.r[row] = mass;
                    }
                }
            }
        }
        Ok(())
    }

    fn factorise_open(&mut self, system: &mut dyn System) -> Result<(), FactorError> {
        let (Core { trial, buffers, matrix, .. }, alpha) = (&mut self.core, &self.alpha);
        let (c7, c8) = (alpha.c.c7, alpha.c.c8);
        self.stages.factorise(system, (trial, buffers, c7, c8), &mut self.blocks[0], matrix)?;
        let velocity = (&mut self.blocks[2], &mut self.corrections[1]);
        self.stages.factorise(system, (trial, buffers, c7, c8), velocity.0, velocity.1)
    }
}
