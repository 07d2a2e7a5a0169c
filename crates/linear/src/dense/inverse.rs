//! The inverse of a small matrix, for factors that serve many solutions.
//!
//! The steps of a triangular solution wait for each other; the columns of a product do not. Once a
//! factor has served a few times it is likely to serve more, and the inverse pays. An iteration that
//! corrects itself does not mind that a product with the inverse is a little less exact.

use super::DenseFactor;
use crate::simd::{Lanes, multiply_add_lanes};
use serde::{Deserialize, Serialize};

/// Below this size a triangular solution is as fast.
const SMALLEST: usize = 10;
/// Solutions after which a factor is inverted: those that are to come will have paid for it.
const WORTH: usize = 3;
/// Lanes of the largest system.
const MOST: usize = 8;

/// The inverse, once it is worth having.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Inverse {
    /// Columns, padded like those of the factors.
    columns: Vec<Lanes>,
    solutions: usize,
    unit: Vec<f64>,
}

impl Inverse {
    /// None where it never pays.
    pub(super) fn new(n: usize) -> Option<Inverse> {
        let lanes = n.div_ceil(4);
        (n >= SMALLEST && lanes <= MOST).then(|| Inverse {
            columns: vec![[0.0; 4]; n * lanes],
            solutions: 0,
            unit: vec![0.0; n],
        })
    }

    /// The factor has changed.
    pub(super) fn forget(&mut self) {
        self.solutions = 0;
    }

    /// Counts a solution; true if the inverse is ready, which it is made now if it is due.
    #[inline(always)]
    pub(super) fn ready<const FUSED: bool>(&mut self, factor: &mut DenseFactor) -> bool {
        self.solutions += 1;
        if self.solutions == WORTH {
            self.invert::<FUSED>(factor);
        }
        self.solutions >= WORTH
    }

    #[inline(always)]
    fn invert<const FUSED: bool>(&mut self, factor: &mut DenseFactor) {
        let n = factor.n;
        let stride = DenseFactor::stride(n);
        let columns = self.columns.as_flattened_mut().chunks_exact_mut(stride);
        for (j, column) in columns.enumerate() {
            self.unit.fill(0.0);
            self.unit[j] = 1.0;
            factor.solve_sized::<FUSED>(&mut self.unit);
            column[..n].copy_from_slice(&self.unit);
        }
    }

    /// Replaces `b` by its product with the inverse.
    #[inline(always)]
    pub(super) fn multiply<const FUSED: bool>(&self, b: &mut [f64]) {
        match b.len().div_ceil(4) {
            3 => self.product::<FUSED, 3>(b),
            4 => self.product::<FUSED, 4>(b),
            5 => self.product::<FUSED, 5>(b),
            6 => self.product::<FUSED, 6>(b),
            7 => self.product::<FUSED, 7>(b),
            _ => self.product::<FUSED, 8>(b),
        }
    }

    /// A literal number of lanes keeps the sums in registers.
    #[inline(always)]
    fn product<const FUSED: bool, const LANES: usize>(&self, b: &mut [f64]) {
        let mut sums = [[0.0; 4]; LANES];
        for (head, column) in b.iter().zip(self.columns.as_chunks::<LANES>().0) {
            for l in 0..LANES {
                sums[l] = multiply_add_lanes::<FUSED>(*head, column[l], sums[l]);
            }
        }
        b.copy_from_slice(&sums.as_flattened()[..b.len()]);
    }
}
