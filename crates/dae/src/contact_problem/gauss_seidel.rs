//! Nonlinear block Gauss–Seidel: each contact in turn takes the forces that its local problem asks for, and its
//! bodies move at once.

use super::delassus::{Delassus, root_mean};
use super::local_problem::LocalProblem;
use crate::stop::Stop;

/// Sweeps between two leaps, the longest leap in sweeps, and rounding as part of a change.
const BETWEEN: usize = 20;
const LONGEST: f64 = 1e13;
const ROUNDING: f64 = 0.01;

/// How sweeps are made faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Acceleration {
    /// There and back, so that what happens below is known above at once, and the reverse; then further the same way by
    /// conjugate directions.
    ConjugateDirections,
    /// A long step along the last change now and then. More contacts than freedoms, wedged by friction, let sweeps
    /// creep: each adds the same little to the forces, until one of them reaches its cone.
    Leaps,
}

/// Forces before two sweeps, and the direction in which sweeps went, by acting contact.
#[derive(Default)]
pub(super) struct GaussSeidel {
    before: Vec<[f64; 3]>,
    direction: Vec<[f64; 3]>,
}

impl GaussSeidel {
    /// Sweeps until they change rows by less than `target` or by less than a part of what the first one changed;
    /// the number of sweeps, or none if that takes too many.
    pub fn solve(
        &mut self,
        delassus: &mut Delassus,
        forces: &mut [f64],
        (mut target, part): (f64, f64),
        (acceleration, most, stop): (Acceleration, usize, &Stop),
    ) -> Option<usize> {
        self.direction.clear();
        self.direction.resize(delassus.contacts.len(), [0.0; 3]);
        self.remember(delassus, forces);
        let mut last = f64::INFINITY;
        for sweep in 1..=most {
            if stop.asked() {
                return None;
            }
            let backward = acceleration == Acceleration::ConjugateDirections && sweep % 2 == 0;
            let change = self.sweep(delassus, backward, forces);
            if sweep == 1 {
                target = target.max(part * change);
            }
            if change <= target {
                return Some(sweep);
            }
            if backward {
                last = self.extrapolate(delassus, last, forces);
            } else if acceleration == Acceleration::Leaps && sweep % BETWEEN == 0 {
                self.leap(delassus, forces, change);
            }
        }
        None
    }

    /// Every contact once. Returns the root mean square of what this changed in its own rows.
    fn sweep(&self, delassus: &mut Delassus, backward: bool, forces: &mut [f64]) -> f64 {
        let (mut change, count) = (0.0, delassus.contacts.len());
        for k in 0..count {
            let k = if backward { count - 1 - k } else { k };
            let now = delassus.rows(k);
            let acting = &delassus.contacts[k];
            let (compliance, rows, range) = (&acting.own, acting.rows(), acting.range());
            let before = delassus.forces(k, forces);
            let mut free = now;
            for a in 0..rows {
                for b in 0..rows {
                    free[a] -= compliance[a][b] * before[b];
                }
            }
            let problem = LocalProblem { compliance, free, rows, friction: acting.friction };
            let next = problem.solve(before).unwrap_or_else(|| problem.project(now, before));
            let mut step = [0.0; 3];
            for a in 0..rows {
                step[a] = next[a] - before[a];
                let own = step[a] * compliance[a][a];
                change += own * own;
            }
            if step != [0.0; 3] {
                forces[range].copy_from_slice(&next[..rows]);
                delassus.push(k, &step);
            }
        }
        root_mean(change, delassus.row_count())
    }

    fn remember(&mut self, delassus: &Delassus, forces: &[f64]) {
        self.before.clear();
        self.before.extend((0..delassus.contacts.len()).map(|k| delassus.forces(k, forces)));
    }

    /// Goes further the way that sweeps went: the nonlinear conjugate gradients of Fletcher and Reeves, with what
    /// sweeps changed as gradient. `last` is the square of this before; returns that of now. Where it grew, the
    /// direction is forgotten.
    fn extrapolate(&mut self, delassus: &mut Delassus, last: f64, forces: &mut [f64]) -> f64 {
        let mut now = 0.0;
        for (acting, before) in delassus.contacts.iter().zip(&self.before) {
            for (a, force) in forces[acting.range()].iter().enumerate() {
                now += (force - before[a]).powi(2) * acting.own[a][a];
            }
        }
        let factor = if now < last { now / last } else { 0.0 };
        for k in 0..delassus.contacts.len() {
            let mut further = [0.0; 3];
            for (a, force) in forces[delassus.contacts[k].range()].iter_mut().enumerate() {
                further[a] = factor * self.direction[k][a];
                self.direction[k][a] = further[a] + (*force - self.before[k][a]);
                *force += further[a];
            }
            if factor > 0.0 {
                delassus.push(k, &further);
            }
        }
        self.remember(delassus, forces);
        now
    }

    /// Takes the longest step along the change of a sweep after which the next one changes no more than `change`.
    fn leap(&mut self, delassus: &mut Delassus, forces: &mut [f64], change: f64) {
        self.remember(delassus, forces);
        self.sweep(delassus, false, forces);
        for (k, direction) in self.direction.iter_mut().enumerate() {
            let now = delassus.forces(k, forces);
            *direction = std::array::from_fn(|a| now[a] - self.before[k][a]);
        }
        let (mut best, mut motion) = (forces.to_vec(), delassus.motion.clone());
        let mut length = 1.0;
        while length < LONGEST {
            for (k, direction) in self.direction.iter().enumerate() {
                let now = delassus.forces(k, forces);
                let next = std::array::from_fn(|a| now[a] + length * direction[a]);
                delassus.set(k, &next, forces);
            }
            let next = self.sweep(delassus, false, forces);
            if next.is_nan() || next > (1.0 + ROUNDING) * change {
                break;
            }
            best.copy_from_slice(forces);
            motion.copy_from_slice(&delassus.motion);
            length *= 2.0;
        }
        forces.copy_from_slice(&best);
        delassus.motion.copy_from_slice(&motion);
    }
}
