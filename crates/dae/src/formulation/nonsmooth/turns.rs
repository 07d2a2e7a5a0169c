//! Gauss–Seidel sweeps: contacts take turns, each solved exactly, until none changes.
//!
//! More contacts than freedoms, wedged by friction, let sweeps creep: each adds the same little to the
//! forces, until one of them reaches its cone. Now and then a long step along the creep is tried, and in the end all contacts are
//! solved at once (`cones`).

use super::cones::{self, Cones};
use super::local::Problem;
use crate::contact::Contact;
use crate::stop::Stop;
use crate::vector::max_abs;

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
        self.take_some(total, MOST_SWEEPS).unwrap_or(MOST_SWEEPS)
    }

    /// The same with so many sweeps at most; none if they did not come to an end.
    pub fn take_some(&self, total: &mut [f64], most: usize) -> Option<usize> {
        let (mut before, mut trial) = (total.to_vec(), total.to_vec());
        let mut sweeps = 0;
        while sweeps < most && !self.stop.asked() {
            before.copy_from_slice(total);
            let (change, size) = self.sweep(total);
            sweeps += 1;
            if change <= self.still * size {
                return Some(sweeps);
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
        None
    }

    /// Solves all contacts at once, if there are not too many, with errors of rates below this part of the largest. What is
    /// found is no worse than what was given. Returns the iterations.
    pub fn take_together(&self, total: &mut [f64], part: f64) -> usize {
        let laws: Vec<Contact> = self.acting.iter().map(|&i| self.law(i)).collect();
        let own = |(&i, law): (&usize, &Contact)| self.first[i]..self.first[i] + law.rows();
        let rows: Vec<usize> = self.acting.iter().zip(&laws).flat_map(own).collect();
        let count = rows.len();
        if count > cones::MOST_ROWS {
            return 0;
        }
        let entry = |k: usize| self.compliance[rows[k / count] * self.rows + rows[k % count]];
        let compliance: Vec<f64> = (0..count * count).map(entry).collect();
        let free: Vec<f64> = rows.iter().map(|&row| self.free[row]).collect();
        let contacts: Vec<usize> = (0..laws.len()).collect();
        let problem = Cones {
            laws: &laws,
            contacts: &contacts,
            compliance: &compliance,
            free: &free,
            bound: (part * max_abs(&free)).max(f64::MIN_POSITIVE),
            stop: self.stop,
        };
        let mut forces: Vec<f64> = rows.iter().map(|&row| total[row]).collect();
        let iterations = problem.solve(&mut forces);
        rows.iter().zip(&forces).for_each(|(&row, force)| total[row] = *force);
        iterations.unwrap_or(cones::MOST_ITERATIONS)
    }

    /// The law of a contact as it counts here.
    fn law(&self, contact: usize) -> Contact {
        match self.friction {
            true => self.laws[contact],
            false => Contact::smooth(self.laws[contact].restitution),
        }
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
