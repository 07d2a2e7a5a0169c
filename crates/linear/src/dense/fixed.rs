//! Elimination with the pivots of the previous matrix, checked on the way.

use super::{DenseFactor, UNSUSPICIOUS};
use crate::simd::{Lanes, multiply_add_lanes};

/// A kept pivot may be smaller than the best candidate by this factor.
const TOLERATED_GROWTH: f64 = 8.0;

impl DenseFactor {
    /// Factors with the rows in the order of the previous pivots. False if that order does not
    /// suit the values or a value is not finite: one comparison per entry, off the critical path,
    /// finds both, because whatever is not a number reaches a multiplier or a pivot.
    #[inline(always)]
    pub(super) fn eliminate_fixed<const FUSED: bool>(&mut self, n: usize, values: &[f64]) -> bool {
        let lanes = n.div_ceil(4);
        let rows = &self.rows[..n];
        let columns = &mut self.columns[..n * lanes];
        let sizes = &mut self.weights[..lanes];
        let lower = &mut self.lower[..n * lanes];
        let upper = &mut self.upper[..n * lanes];
        for (column, source) in columns.chunks_exact_mut(lanes).zip(values.chunks_exact(4 * lanes))
        {
            for (target, &row) in column.as_flattened_mut().iter_mut().zip(rows) {
                *target = source[row as usize];
            }
        }
        sizes.fill([0.0; 4]);
        for column in columns.chunks_exact(lanes) {
            for (size, entry) in sizes.iter_mut().zip(column) {
                *size = larger(*size, *entry);
            }
        }
        let mut suits = [u64::MAX; 4];
        let mut pivots_suit = true;
        for k in 0..n {
            let group = k / 4;
            let (left, right) = columns.split_at_mut((k + 1) * lanes);
            let column = &mut left[k * lanes..];
            let pivot = column[group][k % 4];
            let size = sizes[group][k % 4];
            pivots_suit &= pivot.abs() >= UNSUSPICIOUS * size && size >= f64::MIN_POSITIVE;
            let inverse = 1.0 / pivot;
            self.inverse_pivots[k] = inverse;
            let above = upper[k * lanes..].iter_mut().zip(column.iter());
            for (target, entry) in above.take(group) {
                *target = *entry;
            }
            let (before, after) = split(column[group], k % 4);
            upper[k * lanes + group] = before;
            column[group] = after;
            let multipliers = &mut lower[k * lanes + group..(k + 1) * lanes];
            let entries = column[group..].iter().zip(&sizes[group..]);
            for (multiplier, (entry, row_size)) in multipliers.iter_mut().zip(entries) {
                let scaled = multiply_add_lanes::<false>(inverse, *entry, [0.0; 4]);
                suits = both(suits, tolerable(scaled, size, *row_size));
                *multiplier = scaled;
            }
            // Two columns per pass share the loads of the multipliers.
            let mut pairs = right.chunks_exact_mut(2 * lanes);
            for pair in &mut pairs {
                let (first, second) = pair.split_at_mut(lanes);
                let heads = [-first[group][k % 4], -second[group][k % 4]];
                let entries = first[group..].iter_mut().zip(&mut second[group..]);
                for ((a, b), multiplier) in entries.zip(multipliers.iter()) {
                    *a = multiply_add_lanes::<FUSED>(heads[0], *multiplier, *a);
                    *b = multiply_add_lanes::<FUSED>(heads[1], *multiplier, *b);
                }
            }
            let single = pairs.into_remainder();
            if !single.is_empty() {
                let head = -single[group][k % 4];
                for (entry, multiplier) in single[group..].iter_mut().zip(multipliers.iter()) {
                    *entry = multiply_add_lanes::<FUSED>(head, *multiplier, *entry);
                }
            }
        }
        pivots_suit && suits == [u64::MAX; 4]
    }
}

#[inline(always)]
fn larger(size: Lanes, entry: Lanes) -> Lanes {
    let mut result = size;
    for l in 0..4 {
        let candidate = entry[l].abs();
        result[l] = if candidate > size[l] { candidate } else { size[l] };
    }
    result
}

/// The lanes before and after one position; the others are zero. Those after are multiplied by
/// zero or one instead of selected: that keeps NaN visible to the check.
#[inline(always)]
fn split(entry: Lanes, position: usize) -> (Lanes, Lanes) {
    const AFTER: [Lanes; 4] =
        [[0.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]];
    let mask = AFTER[position];
    // Lanes before a position are those not after the position before it.
    let keep = if position == 0 { [1.0; 4] } else { AFTER[position - 1] };
    let (mut before, mut after) = (entry, entry);
    for l in 0..4 {
        before[l] = if keep[l] > 0.0 { 0.0 } else { entry[l] };
        after[l] = entry[l] * mask[l];
    }
    (before, after)
}

/// All bits set in the lanes whose multiplier is small enough for the sizes of the two rows.
#[inline(always)]
fn tolerable(multiplier: Lanes, pivot_size: f64, row_size: Lanes) -> [u64; 4] {
    let mut result = [0; 4];
    for l in 0..4 {
        let small = multiplier[l].abs() * pivot_size <= TOLERATED_GROWTH * row_size[l];
        result[l] = if small { u64::MAX } else { 0 };
    }
    result
}

#[inline(always)]
fn both(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
    let mut result = a;
    for l in 0..4 {
        result[l] = a[l] & b[l];
    }
    result
}
