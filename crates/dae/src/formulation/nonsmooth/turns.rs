//! Gauss–Seidel sweeps: contacts take turns, each solved exactly, until none changes.
//!
//! More contacts than freedoms, wedged by friction, let sweeps creep: each adds the same little to the
//! forces, until one of them reaches its cone. Now and then a long step along the creep is tried.

use super::local::Problem;
use crate::contact::Contact;
use crate::stop::Stop;

const MOST_SWEEPS: usize = 2000;
/// Sweeps between two long steps, and the longest step in sweeps.
const BETWEEN: usize = 20;
const LONGEST: f64 = 1e13;
/// Rounding, as part of the change.
const ROUNDING: f64 = 0.01;

/// Rows that follow forces as `free + compliance × forces`.
pub(crate) struct Turns<'a> {
    pub laws: &'a [Contact],
    /// First row of each contact.
    pub first: &'a [usize],
    /// The contacts that may push.
    pub acting: &'a [usize],
    /// Row by row.
    pub compliance: &'a [f64],
    pub free: &'a [f64],
    pub friction: bool,
    pub rows: usize,
    /// Normal forces that each contact has at least, also where it opens, if there are such.
    pub least: Option<&'a [f64]>,
    /// Sweeps end when they change impulses by less than this part.
    pub still: f64,
    pub stop: &'a Stop,
}

impl Turns<'_> {
    /// Finds the forces, beginning with those given. Returns the number of sweeps.
    pub fn take(&self, total: &mut [f64]) -> usize {
        let (mut before, mut trial) = (total.to_vec(), total.to_vec());
        let mut sweeps = 0;
        while sweeps < MOST_SWEEPS && !self.stop.asked() {
            before.copy_from_slice(total);
            let (change, size) = self.sweep(total);
            sweeps += 1;
            if change <= self.still * size {
                break;
            }
            if sweeps % BETWEEN != 0 {
                continue;
            }
            // the longest step along the last change after which a sweep changes no more than before
            let mut length = 1.0;
            let mut best: Option<Vec<f64>> = None;
            while length < LONGEST {
                for (i, trial) in trial.iter_mut().enumerate() {
                    *trial = total[i] + length * (total[i] - before[i]);
                }
                let (next, _) = self.sweep(&mut trial);
                sweeps += 1;
                if next > (1.0 + ROUNDING) * change {
                    break;
                }
                best = Some(trial.clone());
                length *= 2.0;
            }
            if let Some(best) = best {
                total.copy_from_slice(&best);
            }
        }
        sweeps
    }

    /// Each contact once; the largest change and the largest size, as accelerations.
    fn sweep(&self, total: &mut [f64]) -> (f64, f64) {
        let (mut change, mut size) = (0.0f64, 0.0f64);
        for &i in self.acting {
            let (first, law) = (self.first[i], &self.laws[i]);
            let count = if self.friction { law.rows() } else { 1 };
            let (mut own, mut rest, mut before) = ([[0.0; 3]; 3], [0.0; 3], [0.0; 3]);
            before[..count].copy_from_slice(&total[first..first + count]);
            for a in 0..count {
                let row = first + a;
                let line = &self.compliance[row * self.rows..(row + 1) * self.rows];
                own[a][..count].copy_from_slice(&line[first..first + count]);
                rest[a] = self.free[row] + dot(line, total) - dot(&own[a], &before);
            }
            let problem =
                Problem { compliance: &own, free: rest, rows: count, friction: law.friction };
            let next = match self.least {
                None => problem.solve(before),
                Some(least) => Some(problem.solve_above(least[i])),
            };
            let Some(next) = next else { continue };
            for a in 0..count {
                change = change.max((next[a] - before[a]).abs() * own[a][a]);
                size = size.max(next[a].abs() * own[a][a]);
                total[first + a] = next[a];
            }
        }
        (change, size)
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
