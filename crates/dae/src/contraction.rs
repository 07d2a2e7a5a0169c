//! Contraction of an iteration: what corrections tell about the error that is left. [Negrut et al. 2005, sheet §3.2]

use serde::{Deserialize, Serialize};

/// No contraction below this is believed when the remaining error is estimated.
const BEST_TRUSTED_RATE: f64 = 1e-3;

/// The same of what is made of parts that shrink differently: the fast one hides the slow one at first. Of forces
/// the part that comes from the motion falls at once, that of the multipliers with a matrix of old directions
/// slowly. Measured on 51 runs of a pendulum: believing 1e-3 leaves 9 of them out of balance, 0.1 none.
const BEST_TRUSTED_RATE_OF_MIXTURES: f64 = 0.1;

/// Contraction as measured in an earlier step, to judge a first correction by.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Belief {
    pub motion: f64,
    pub forces: f64,
    /// `∂Δ/∂v̇` of that step: another one makes another matrix.
    pub factor: f64,
}

impl Belief {
    /// A matrix suits a later step less than the one it was measured in.
    const CAUTION: f64 = 2.0;
    /// Growth per step in which nothing was measured.
    const AGEING: f64 = 1.25;

    pub fn measured(motion: f64, forces: f64, factor: f64) -> Self {
        Belief {
            motion: Self::CAUTION * motion.max(BEST_TRUSTED_RATE),
            forces: Self::CAUTION * forces.max(BEST_TRUSTED_RATE_OF_MIXTURES),
            factor,
        }
    }

    pub fn older(self) -> Self {
        Belief { motion: Self::AGEING * self.motion, forces: Self::AGEING * self.forces, ..self }
    }
}

/// What corrections are measured by.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bounds {
    /// The error that may be left.
    pub target: f64,
    /// Corrections of this size are rounding and need no second look.
    pub rounding: f64,
    /// Corrections of this size that no longer shrink are as good as it gets.
    pub stagnation: f64,
}

/// How one group of unknowns fares in an iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    iteration: usize,
    size: f64,
    target: f64,
    /// No contraction better than this is believed.
    best: f64,
    pub rate: f64,
    pub converged: bool,
}

impl Progress {
    /// Judges a correction by the one before it, or the first one by the contraction `believed`.
    pub fn new(iteration: usize, sizes: (f64, f64), bounds: Bounds, believed: Option<f64>) -> Self {
        Self::trusting(BEST_TRUSTED_RATE, iteration, sizes, bounds, believed)
    }

    /// The same for a mixture of parts that shrink differently.
    pub fn mixed(iteration: usize, sizes: (f64, f64), target: f64, believed: Option<f64>) -> Self {
        let bounds = Bounds { target, ..Bounds::default() };
        let mut found =
            Self::trusting(BEST_TRUSTED_RATE_OF_MIXTURES, iteration, sizes, bounds, believed);
        // What was within the bound before the correction is so after it, also where rounding keeps it from
        // shrinking.
        found.converged |= iteration > 1 && sizes.0 <= target;
        found
    }

    fn trusting(
        best: f64,
        iteration: usize,
        (size, before): (f64, f64),
        Bounds { target, rounding, stagnation }: Bounds,
        believed: Option<f64>,
    ) -> Self {
        let rate = match (iteration, size) {
            (1, _) => f64::NAN,
            // 0/0 means that nothing is left to correct.
            (_, 0.0) => 0.0,
            _ => size / before,
        };
        // Two corrections are thin evidence for a contraction far better than usual.
        let trusted = rate.max(best);
        let stagnant = rate > 0.3 && size <= stagnation;
        let estimated = rate < 1.0 && trusted / (1.0 - rate) * size <= target;
        let expected =
            believed.is_some_and(|rate| rate < 1.0 && rate / (1.0 - rate) * size <= target);
        let at_once = iteration == 1 && (size <= 0.3 * target || expected);
        let converged = size <= rounding || stagnant || estimated || at_once;
        Progress { iteration, size, target, best, rate, converged }
    }

    /// The error that is left is estimated to be below `bound`.
    pub fn within(&self, bound: f64) -> bool {
        self.rate < 1.0 && self.rate.max(self.best) / (1.0 - self.rate) * self.size <= bound
    }

    /// Not converged, and not going to within the allowed iterations.
    pub fn hopeless(&self, most: usize) -> bool {
        if self.converged {
            return false;
        }
        let left = (most - self.iteration) as i32;
        let too_slow =
            self.rate < 1.0 && self.size * self.rate.powi(left) / (1.0 - self.rate) > self.target;
        self.rate >= 2.0 || (self.iteration > 2 && self.rate >= 1.0) || too_slow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_correction_is_judged_by_what_was_measured_before() {
        let bounds = Bounds { target: 1.0, ..Bounds::default() };
        let judge = |size: f64, believed| Progress::new(1, (size, f64::NAN), bounds, believed);
        assert!(!judge(1.0, None).converged);
        assert!(judge(0.3, None).converged);
        // A contraction of 0.1 leaves a ninth of the correction.
        assert!(judge(8.9, Some(0.1)).converged);
        assert!(!judge(9.1, Some(0.1)).converged);
        assert!(!judge(1.0, Some(1.5)).converged);
    }

    #[test]
    fn a_belief_is_cautious_and_fades() {
        let belief = Belief::measured(0.1, 0.2, 1.0);
        assert!(belief.motion >= 0.2 && belief.older().motion > belief.motion);
        assert!(belief.forces >= 0.4 && belief.older().forces > belief.forces);
        // An exact first iteration is no proof of exact ones to come.
        let exact = Belief::measured(0.0, 0.0, 1.0);
        assert!(exact.motion >= BEST_TRUSTED_RATE);
        assert!(exact.forces >= BEST_TRUSTED_RATE_OF_MIXTURES);
    }

    #[test]
    fn a_mixture_hides_what_shrinks_slowly() {
        // A part of 1 falls by 1e-4, one of 1e-3 by 0.3: the second correction looks too good.
        let second: f64 = 1e-4 + 0.3e-3;
        let left = 0.3 * 0.3e-3;
        let bounds = Bounds { target: 0.1 * left, ..Bounds::default() };
        let plain = Progress::new(2, (second, 1.0), bounds, None);
        let mixed = Progress::mixed(2, (second, 1.0), 0.1 * left, None);
        assert!(plain.converged && !mixed.converged);
    }

    #[test]
    fn later_corrections_are_judged_by_their_own_contraction() {
        let bounds = Bounds { target: 1e-2, ..Bounds::default() };
        let judge = |size: f64| Progress::new(2, (size, 1.0), bounds, Some(1e-3));
        assert!(judge(0.09).converged && !judge(0.11).converged);
        assert!(judge(2.5).hopeless(10) && !judge(0.11).hopeless(10));
        assert!(judge(0.11).within(0.02) && !judge(0.11).within(0.01) && !judge(2.5).within(9.0));
    }
}
