//! Contacts whose compliance is singular, or even a little indefinite by rounding, as that of more contacts than freedoms is: some forces may change
//! without a change of rates, and nothing decides about them.
//!
//! Every contact is made a little softer, and its forces of before are taken as those that it has without that, again and again: the proximal
//! point method [Rockafellar 1976]. Forces that change no rates stay what they were, so that each problem begins near its solution.

use super::cones::{Cones, FEW_ROWS, MOST_ITERATIONS};

/// Steps of Newton's method from the forces given: near the solution a few are enough.
const FEW_STEPS: usize = 8;
/// How much softer contacts are made, as a part of their own compliance, how often, and by which part each time must be nearer.
const SOFTER: f64 = 1e-6;
const MOST_APPROACHES: usize = 20;
const NEARER: f64 = 0.7;

impl Cones<'_> {
    /// Finds the forces, beginning with those given. Returns the iterations; the forces are the best that were found.
    pub fn approach(&self, forces: &mut [f64]) -> usize {
        let n = forces.len();
        let mut softer = self.compliance.to_vec();
        let mut more = vec![0.0; n];
        self.each_contact(|range, _| {
            let own = range.clone().map(|i| self.compliance[i * n + i]).sum::<f64>();
            more[range.clone()].fill(SOFTER * own / range.len() as f64);
        });
        (0..n).for_each(|i| softer[i * n + i] += more[i]);
        let (mut next, mut spent, mut best) = (forces.to_vec(), 0, self.worst(forces));
        for _ in 0..MOST_APPROACHES {
            if best <= 1.0 || self.stop.asked() {
                break;
            }
            let free: Vec<f64> = (0..n).map(|i| self.free[i] - more[i] * next[i]).collect();
            let problem = Cones { compliance: &softer, free: &free, ..*self };
            let near = n <= FEW_ROWS && problem.polish(&mut next, FEW_STEPS);
            spent += match near {
                true => 1,
                false => problem.solve(&mut next).unwrap_or(MOST_ITERATIONS),
            };
            let worst = self.worst(&next);
            if worst < best {
                forces.copy_from_slice(&next);
            }
            if worst > NEARER * best {
                break;
            }
            best = worst;
        }
        spent
    }
}
