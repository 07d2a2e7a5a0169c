//! Starts with closed contacts: accelerations and reactions from `0 ≤ g̈ ⊥ λ̃ ≥ 0` on the contacts that
//! touch and do not part or collide. [sheet 002 §2]

use super::law::Status;
use super::{NonsmoothScheme, UNSETTLED};
use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::formulation::Core;
use crate::settings::Strategy;
use crate::state::State;
use crate::system::{Component, Level, System};
use crate::vector::max_abs;
use rotula_linear::FactorError;

/// Where more contacts touch than there are freedoms, forces that change no acceleration creep to their end by a tenth in an iteration.
const MOST_ITERATIONS: usize = 500;
/// From here on sets change one contact at a time.
const PATIENCE: usize = 20;
/// Gaps and rates below this, relative to the size of the state, are zero.
const TOUCHING: f64 = 1e-9;
/// A step that is short enough to see the mass alone.
pub(super) const INSTANT: f64 = 1e-9;

impl NonsmoothScheme {
    pub(super) fn start_with_contacts(
        &mut self,
        system: &mut dyn System,
        state: &mut State,
    ) -> Result<(), Diagnosis> {
        let m = self.core.sizes.multipliers();
        self.smooth.fill(0.0);
        self.memory.forget();
        self.quiet = 0;
        self.prefers_whole = false;
        let touching = match self.waiting.take_pressed() {
            Some(pressed) => pressed,
            None => self.touching(system, state),
        };
        self.settled.iter_mut().zip(&touching).for_each(|(settled, &is)| {
            *settled = if is { Status::Stick } else { Status::Open };
        });
        if self.stages.strategy == Strategy::Pva && touching.contains(&true) {
            let found = self.solve_start(system, state, &touching);
            let solved = found.map_err(|_| self.start_failure(system, state, &touching))?;
            if !solved {
                return Err(self.start_failure(system, state, &touching));
            }
            self.mass_h = None;
        }
        for (impulse, reaction) in self.contact_state.bilateral.iter_mut().zip(&state.multipliers) {
            *impulse = INSTANT * reaction;
        }
        self.reactions.copy_from_slice(&state.multipliers);
        if self.stages.strategy == Strategy::Free {
            self.free_start(system, state);
        }
        self.smooth[..m].copy_from_slice(&state.multipliers);
        self.eta.copy_from_slice(&self.smooth);
        self.eta_before.copy_from_slice(&self.smooth);
        // The forces of the start, as impulses of a step that does not last.
        self.contact_state.h = INSTANT;
        for (impulse, force) in self.contact_state.impulses.iter_mut().zip(&self.smooth[m..]) {
            *impulse = INSTANT * force;
        }
        self.core.see_states(&state.x);
        self.alpha.restart(state);
        let closed = touching.iter().filter(|&&is| is).count();
        let outrun = self.accuracy.outruns(self.longest);
        self.waiting.see((touching.len(), closed), true, outrun);
        if self.waiting.now() {
            // No impact is hidden in the steps to come: their error is that of the smooth motion.
            self.quiet = UNSETTLED;
        }
        self.hold_open();
        Ok(())
    }

    /// Contacts that are closed and stay so for the moment, by gap and rate.
    fn touching(&mut self, system: &mut dyn System, state: &State) -> Vec<bool> {
        let candidates = &self.stages.candidates;
        let mut rows = vec![0.0; candidates.rows()];
        let (length, speed) = (1.0 + max_abs(&state.q), 1.0 + max_abs(&state.v));
        let mut touching = vec![false; candidates.len()];
        if touching.is_empty() {
            return touching;
        }
        system.contact(Level::Position, &state.point(), &mut rows);
        for (i, is) in touching.iter_mut().enumerate() {
            *is = rows[candidates.first[i]] <= TOUCHING * length;
        }
        system.contact(Level::Velocity, &state.point(), &mut rows);
        for (i, is) in touching.iter_mut().enumerate() {
            *is &= rows[candidates.first[i]].abs() <= TOUCHING * speed;
        }
        touching
    }

    /// Without any constraint in the smooth motion its acceleration is that of the forces alone.
    fn free_start(&mut self, system: &mut dyn System, state: &mut State) {
        self.core.begin(state, INSTANT);
        self.alpha.begin(state, &state.v, INSTANT);
        let n = self.core.sizes.motion;
        self.begin_totals(INSTANT);
        self.stages.x[0][n..].fill(0.0);
        self.core.trial.copy_from(state);
        self.core.trial.multipliers.fill(0.0);
        if self.newton_at_start(system, state).is_ok() {
            state.vdot.copy_from_slice(&self.stages.x[0][..n]);
            state.multipliers.fill(0.0);
        }
    }

    fn solve_start(
        &mut self,
        system: &mut dyn System,
        state: &mut State,
        touching: &[bool],
    ) -> Result<bool, FactorError> {
        let n = self.core.sizes.motion;
        let (m, width) = (self.core.sizes.multipliers(), self.stages.width());
        self.core.begin(state, INSTANT);
        self.alpha.begin(state, &state.v, INSTANT);
        self.begin_totals(INSTANT);
        self.stages.x[1].fill(0.0);
        self.stages.x[2].fill(0.0);
        self.find_effective_masses(system)?;
        self.core.trial.copy_from(state);
        self.stages.x[0][n + m..width].fill(0.0);
        let mut rates = vec![0.0; self.stages.candidates.rows()];
        system.contact(Level::Velocity, &state.point(), &mut rates);
        for contact in self.waiting.take_stopped() {
            let first = &self.stages.candidates.first;
            rates[first[contact] + 1..first[contact + 1]].fill(0.0);
        }
        let speed = 1.0 + max_abs(&state.v);
        for iteration in 0..MOST_ITERATIONS {
            self.stages.look(system, (&self.core, &self.alpha), 0);
            let mut changed = false;
            for i in 0..touching.len() {
                let next = self.status_at_start(i, touching[i], &rates, speed);
                let old = self.stages.status[0][i];
                changed |= !old.same_kind(next);
                self.stages.status[0][i] = next;
                if changed && iteration >= PATIENCE {
                    break;
                }
            }
            let correction = self.newton_at_start(system, state)?;
            let scale = max_abs(&self.stages.x[0]).max(f64::MIN_POSITIVE);
            if !changed && iteration > 0 && correction <= 1e-11 * scale {
                let x = &self.stages.x[0];
                state.vdot.copy_from_slice(&x[..n]);
                state.multipliers.copy_from_slice(&x[n..n + m]);
                let (xdot, y) = x[width..].split_at(self.core.sizes.states);
                state.xdot.copy_from_slice(xdot);
                state.y.copy_from_slice(y);
                self.smooth[m..].copy_from_slice(&x[n + m..width]);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn status_at_start(&self, i: usize, touching: bool, rates: &[f64], speed: f64) -> Status {
        let sight = self.stages.sight(i, 0);
        if !touching || sight.augmented() < 0.0 {
            return Status::Open;
        }
        let first = self.stages.candidates.first[i];
        let mut direction = [0.0; 2];
        for k in 0..sight.law.directions {
            direction[k] = -rates[first + 1 + k];
        }
        let size = direction[0].hypot(direction[1]);
        match size > TOUCHING * speed {
            true => Status::Slip(direction.map(|part| part / size)),
            false => sight.friction(),
        }
    }

    /// One correction of accelerations and reactions at the start; its size.
    fn newton_at_start(
        &mut self,
        system: &mut dyn System,
        state: &State,
    ) -> Result<f64, FactorError> {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let width = self.stages.width();
        let mut residual = vec![0.0; self.stages.x[0].len()];
        self.stages.residual(system, (&self.core, &self.alpha), 0, &mut residual);
        let Core { trial, buffers, matrix, .. } = &mut self.core;
        let at = (&*trial, buffers, 0.0, 0.0);
        self.stages.factorise(system, at, &mut self.blocks[0], matrix)?;
        matrix.solve(&mut residual);
        for (x, d) in self.stages.x[0].iter_mut().zip(&residual) {
            *x -= d;
        }
        self.stages.clean(0);
        let (x, trial) = (&self.stages.x[0], &mut self.core.trial);
        trial.vdot.copy_from_slice(&x[..n]);
        trial.multipliers.copy_from_slice(&x[n..n + m]);
        let (xdot, y) = x[width..].split_at(state.xdot.len());
        trial.xdot.copy_from_slice(xdot);
        trial.y.copy_from_slice(y);
        Ok(max_abs(&residual))
    }

    fn start_failure(
        &self,
        system: &mut dyn System,
        state: &State,
        touching: &[bool],
    ) -> Diagnosis {
        let closed = (0..touching.len()).filter(|&i| touching[i]).take(8);
        Diagnosis::new(
            Failure::NotConverged,
            state.t,
            format!("at t = {} no reactions of the closed contacts fit the accelerations", state.t),
        )
        .because(closed.map(|i| {
            let contact = system.subject(Component::Contact(i));
            Sentence::about(format!("contact `{contact}` is closed"), [contact])
        }))
        .remedied_by(vec![
            "lower the friction of the named contacts: with strong friction there may be no \
                 solution at all"
                .into(),
            "or start with a small gap".into(),
        ])
    }
}
