//! How far forces are from convergence, row by row: the worst one counts.
//!
//! ```text
//! max_i |r_i| / s_i            imbalance of the equations of motion before a correction
//! max_i |(Gᵀδλ)_i| / s_i      correction of the reactions on row i
//! s_i = load of row i + what rounding of positions does to it
//! ```
//!
//! With the matrix `J δ = r` the two bound every other force that a correction changes. Multipliers are measured by what
//! they do to bodies: constraints of different kinds have multipliers of different units, and at singular positions
//! multipliers are not determined where the forces on bodies are.

use crate::formulation::Core;
use crate::loads::Loads;
use crate::newton::Accuracy;
use crate::system::{Point, System};
use crate::weighted_reactions::WeightedReactions;
use serde::{Deserialize, Serialize};

/// Loads that changed by more than this factor are measured anew.
const OUTDATED: f64 = 4.0;

/// See the [module](self).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ForceMeasure {
    loads: Loads,
    /// `1/s_i`.
    inverse: Vec<f64>,
    /// Sizes of accelerations and multipliers when the loads were measured.
    measured_at: [f64; 2],
    reactions: WeightedReactions,
}

impl ForceMeasure {
    pub fn new(system: &dyn System, core: &Core) -> Self {
        ForceMeasure {
            loads: Loads::new(system),
            inverse: vec![0.0; system.sizes().motion],
            measured_at: [0.0; 2],
            reactions: WeightedReactions::new(&core.buffers.reactions),
        }
    }

    /// Measures the loads at a point, for a matrix just made whose balance begins at row `balance`.
    pub fn renew(
        &mut self,
        system: &mut dyn System,
        (core, balance): (&Core, usize),
        at: &Point,
        accuracy: Accuracy,
    ) {
        self.loads.measure(system, at);
        self.measured_at = [at.vdot, at.multipliers].map(sum_of_sizes);
        let scales = self.loads.scales().iter();
        for (i, (load, scale)) in self.loads.sizes.iter().zip(scales).enumerate() {
            let diagonal = core.matrix.diagonal(balance + i).abs();
            let rounding = diagonal * scale * accuracy.floor;
            let size = load + rounding / accuracy.forces;
            self.inverse[i] = if size > 0.0 { size.recip() } else { 0.0 };
        }
        self.take_reactions(core);
    }

    /// Takes the directions of the reactions from a matrix just made.
    pub fn take_reactions(&mut self, core: &Core) {
        self.reactions.set(&core.buffers.reactions, &self.inverse);
    }

    /// Whether the motion, accelerations and then multipliers, has become so much larger or smaller that the loads
    /// no longer fit.
    pub fn outdated(&self, core: &Core, unknowns: &[f64]) -> bool {
        let (n, m) = (core.sizes.motion, core.sizes.multipliers());
        let now = [&unknowns[..n], &unknowns[n..n + m]].map(sum_of_sizes);
        now.iter()
            .zip(self.measured_at)
            .any(|(&now, then)| now > OUTDATED * then || then > OUTDATED * now)
    }

    /// The worst imbalance, from residuals whose first rows are those of the balance.
    pub fn imbalance(&self, residual: &[f64]) -> f64 {
        largest(residual, &self.inverse)
    }

    /// The worst correction of reactions, from corrections of accelerations and then multipliers.
    pub fn reactions(&self, core: &Core, correction: &[f64]) -> f64 {
        let (n, m) = (core.sizes.motion, core.sizes.multipliers());
        self.reactions.largest(&correction[n..n + m])
    }
}

/// Sums and maxima in so many lanes: in one, each number would wait for the one before it.
const LANES: usize = 8;

fn sum_of_sizes(values: &[f64]) -> f64 {
    let (groups, rest) = values.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for group in groups {
        sums.iter_mut().zip(group).for_each(|(sum, value)| *sum += value.abs());
    }
    sums.iter().sum::<f64>() + rest.iter().map(|value| value.abs()).sum::<f64>()
}

/// The largest relative size; what is no number is the largest of all.
fn largest(values: &[f64], inverse: &[f64]) -> f64 {
    let n = inverse.len();
    let (groups, rest) = values[..n].as_chunks::<LANES>();
    let (weights, others) = inverse.as_chunks::<LANES>();
    let (mut worst, mut finite) = ([0.0; LANES], [0.0; LANES]);
    let mut see = |lane: usize, value: f64, inverse: f64| {
        let size = (value * inverse).abs();
        worst[lane] = if size > worst[lane] { size } else { worst[lane] };
        finite[lane] += size * 0.0;
    };
    for (group, weights) in groups.iter().zip(weights) {
        (0..LANES).for_each(|lane| see(lane, group[lane], weights[lane]));
    }
    rest.iter().zip(others).enumerate().for_each(|(lane, (v, w))| see(lane, *v, *w));
    // zero, or no number where one of them was not finite
    worst.into_iter().fold(0.0, f64::max) + finite.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_row_counts_wherever_it_is() {
        for n in 1..30 {
            let inverse = vec![2.0; n];
            for worst in 0..n {
                let mut values: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
                assert_eq!(sum_of_sizes(&vec![-1.0; n]), n as f64);
                values[worst] = -3.0;
                assert_eq!(largest(&values, &inverse), 6.0);
                values[worst] = f64::NAN;
                assert!(largest(&values, &inverse).is_nan());
            }
        }
    }
}
