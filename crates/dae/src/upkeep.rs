//! When a matrix costs more than its successor would: the further a motion has gone since a matrix was made, the more
//! iterations a step takes.
//!
//! ```text
//! kₙ > (C + k₁ + … + kₙ)/n        k iterations of each step since then, C those that a matrix is worth
//! ```
//!
//! The right side is what a step costs on average with the matrix in it. It falls as long as steps are cheaper than that; when they have become
//! dearer, a new matrix is due. Steps that are dear with a new matrix too never come to that.

use serde::{Deserialize, Serialize};

/// What a matrix is worth. It costs as much as 13 iterations of beams with many elements, 20 of those with few; a larger number
/// leaves matrices alone whose steps get only a little dearer.
const WORTH: f64 = 80.0;

/// Numbers of iterations go up and down: the latest steps are a part of all of them, and so many at least.
const PART: f64 = 0.25;
const FEWEST: f64 = 8.0;
/// An odd step counts no more than so many iterations above them.
const ODD: f64 = 1.0;

/// The steps solved with a matrix.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Upkeep {
    steps: f64,
    iterations: f64,
    /// Mean of the latest steps.
    latest: f64,
}

impl Upkeep {
    /// Takes account of a step.
    pub fn add(&mut self, iterations: usize) {
        let iterations = iterations as f64;
        let before = if self.steps == 0.0 { iterations } else { self.latest };
        self.steps += 1.0;
        let more = (iterations - before).min(ODD);
        self.latest = before + more / (PART * self.steps).max(FEWEST);
        self.iterations += iterations;
    }

    /// A new matrix would be cheaper.
    pub fn is_dear(&self) -> bool {
        self.latest * self.steps > WORTH + self.iterations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The step after which a new matrix is due.
    fn due(iterations: impl Fn(usize) -> usize) -> Option<usize> {
        let mut upkeep = Upkeep::default();
        (1..1000).find(|&n| {
            upkeep.add(iterations(n));
            upkeep.is_dear()
        })
    }

    #[test]
    fn a_matrix_is_kept_while_its_steps_are_no_dearer_than_on_average() {
        assert_eq!(due(|_| 5), None);
        // sixty steps of 2 save 120 against steps of 4: more than a matrix is worth, once it is sure that they stay dear
        let grown = due(|n| if n <= 60 { 2 } else { 4 });
        assert!(grown.is_some_and(|n| (70..100).contains(&n)), "{grown:?}");
        // five do not, and nothing gets worse
        assert_eq!(due(|n| if n <= 5 { 2 } else { 4 }), None);
        // now and then one more
        assert_eq!(due(|n| 3 + usize::from(n % 7 == 0)), None);
        assert_eq!(due(|n| 1 + usize::from(n % 30 == 0)), None);
    }
}
