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
    /// Rows while it is made.
    rows: Vec<Lanes>,
}

impl Inverse {
    /// None where it never pays.
    pub(super) fn new(n: usize) -> Option<Inverse> {
        let lanes = n.div_ceil(4);
        (n >= SMALLEST && lanes <= MOST).then(|| Inverse {
            columns: vec![[0.0; 4]; n * lanes],
            solutions: 0,
            rows: vec![[0.0; 4]; n * lanes],
        })
    }

    /// The factor has changed.
    pub(super) fn forget(&mut self) {
        self.solutions = 0;
    }

    /// Counts a solution; true if the inverse is ready, which it is made now if it is due.
    #[inline(always)]
    pub(super) fn ready<const FUSED: bool>(&mut self, factor: &DenseFactor) -> bool {
        self.solutions += 1;
        if self.solutions == WORTH {
            self.invert::<FUSED>(factor);
        }
        self.solutions >= WORTH
    }

    #[inline(always)]
    fn invert<const FUSED: bool>(&mut self, factor: &DenseFactor) {
        match factor.n.div_ceil(4) {
            3 => self.invert_sized::<FUSED, 3>(factor),
            4 => self.invert_sized::<FUSED, 4>(factor),
            5 => self.invert_sized::<FUSED, 5>(factor),
            6 => self.invert_sized::<FUSED, 6>(factor),
            7 => self.invert_sized::<FUSED, 7>(factor),
            _ => self.invert_sized::<FUSED, 8>(factor),
        }
    }

    /// Solves for all columns of the unit matrix at once: whole rows of them, which do not wait for each other.
    #[inline(always)]
    fn invert_sized<const FUSED: bool, const LANES: usize>(&mut self, factor: &DenseFactor) {
        let n = factor.n;
        self.rows.fill([0.0; 4]);
        let (rows, _) = self.rows.as_chunks_mut::<LANES>();
        for (row, &pivot) in rows.iter_mut().zip(&factor.rows) {
            row.as_flattened_mut()[pivot as usize] = 1.0;
        }
        let take = |row: &mut [Lanes; LANES], head: &[Lanes; LANES], entry: f64| {
            for l in 0..LANES {
                row[l] = multiply_add_lanes::<FUSED>(-entry, head[l], row[l]);
            }
        };
        let (lower, _) = factor.lower.as_chunks::<LANES>();
        for (k, column) in lower.iter().enumerate().take(n) {
            let head = rows[k];
            let below = rows[k + 1..].iter_mut().zip(&column.as_flattened()[k + 1..n]);
            below.for_each(|(row, entry)| take(row, &head, *entry));
        }
        let (upper, _) = factor.upper.as_chunks::<LANES>();
        for (k, column) in upper.iter().enumerate().take(n).rev() {
            let inverse = factor.inverse_pivots[k];
            let head = rows[k].map(|lanes| lanes.map(|entry| entry * inverse));
            rows[k] = head;
            let above = rows[..k].iter_mut().zip(&column.as_flattened()[..k]);
            above.for_each(|(row, entry)| take(row, &head, *entry));
        }
        let (columns, _) = self.columns.as_chunks_mut::<LANES>();
        for (j, column) in columns.iter_mut().enumerate() {
            let column = column.as_flattened_mut().iter_mut().zip(rows.iter());
            column.for_each(|(entry, row)| *entry = row.as_flattened()[j]);
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
