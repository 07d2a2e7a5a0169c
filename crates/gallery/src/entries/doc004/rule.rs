//! Rules of convergence as sheet 004 states them, applied to the corrections of a run. [Yen et al. 1998, sheet §3.2, §3.3]

use super::iterates::{Step, Watched};
use crate::study::larger;

/// How velocities enter the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Velocity {
    /// `h |dv|`.
    Scaled,
    /// `|dv|`.
    Unscaled,
}

/// When an iteration has converged, and when it is given up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Bound of the largest correction of positions and velocities.
    pub tolerance: f64,
    /// How velocities enter.
    pub velocity: Velocity,
    /// Most iterations.
    pub most: usize,
    /// Largest allowed ratio of successive corrections. With such a test, the next correction that
    /// the ratio promises is what must be small.
    pub rate: Option<f64>,
}

impl Rule {
    /// Iterations until a step is converged, if the rule lets it get there.
    pub fn iterations(&self, step: &Step) -> Option<usize> {
        let factor = if self.velocity == Velocity::Scaled { step.h } else { 1.0 };
        let mut before = f64::INFINITY;
        for (k, correction) in step.corrections.iter().take(self.most).enumerate() {
            let size = larger(correction.position, factor * correction.velocity);
            if size <= self.tolerance {
                return Some(k + 1);
            }
            if let Some(largest) = self.rate.filter(|_| k > 0) {
                let rate = size / before;
                if rate >= largest {
                    return None;
                }
                if rate / (1.0 - rate) * size <= self.tolerance {
                    return Some(k + 1);
                }
            }
            before = size;
        }
        None
    }

    /// Whether every step of a run converges.
    pub fn accepts(&self, run: &Watched) -> bool {
        run.converged && run.steps.iter().all(|step| self.iterations(step).is_some())
    }

    /// Mean and largest number of iterations of a run, if all steps converge.
    pub fn counts(&self, run: &Watched) -> Option<(f64, usize)> {
        let counts: Option<Vec<_>> = run.steps.iter().map(|step| self.iterations(step)).collect();
        let counts = counts.filter(|counts| run.converged && !counts.is_empty())?;
        let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
        Some((mean, counts.into_iter().max().unwrap_or(0)))
    }
}
