//! Elimination with scaled partial pivoting.

use super::{DenseFactor, UNSUSPICIOUS};
use crate::error::FactorError;
use crate::simd::{Lanes, multiply_add_lanes};

impl DenseFactor {
    /// Factors with a search for the best pivot of each column.
    #[inline(always)]
    pub(super) fn eliminate<const FUSED: bool>(
        &mut self,
        lanes: usize,
        values: &[f64],
    ) -> Result<(), FactorError> {
        let n = self.n;
        let columns = &mut self.columns[..n * lanes];
        let weights = &mut self.weights[..lanes];
        columns.as_flattened_mut().copy_from_slice(values);
        weigh(n, columns, weights, values)?;
        for k in 0..n {
            let (left, right) = columns.split_at_mut((k + 1) * lanes);
            let pivot_column = &mut left[k * lanes..];
            let (row, largest) = largest_candidate(pivot_column, weights);
            if largest < UNSUSPICIOUS && vanishes(n, values, k, largest) {
                return Err(FactorError::Singular { unknown: k });
            }
            self.rows[k] = row as u32;
            let inverse = 1.0 / pivot_column.as_flattened()[row];
            self.inverse_pivots[k] = inverse;
            // Rows with a pivot keep their entry of the upper factor and take part no more. The
            // weight is cleared lane-wise: a scalar store would stall the next vector load.
            let multipliers = &mut self.work[..lanes];
            for (chunk, ((entry, multiplier), weight)) in pivot_column
                .iter_mut()
                .zip(multipliers.iter_mut())
                .zip(weights.iter_mut())
                .enumerate()
            {
                for l in 0..4 {
                    let cleared = if 4 * chunk + l == row { 0.0 } else { weight[l] };
                    weight[l] = cleared;
                    let active = cleared > 0.0;
                    let scaled = entry[l] * inverse;
                    multiplier[l] = if active { scaled } else { 0.0 };
                    entry[l] = if active { scaled } else { entry[l] };
                }
            }
            for column in right.chunks_exact_mut(lanes) {
                let head = -column.as_flattened()[row];
                for (entry, multiplier) in column.iter_mut().zip(multipliers.iter()) {
                    *entry = multiply_add_lanes::<FUSED>(head, *multiplier, *entry);
                }
            }
        }
        let sources = self.columns.as_flattened();
        let (lower, upper) = (self.lower.as_flattened_mut(), self.upper.as_flattened_mut());
        for k in 0..n {
            let start = 4 * k * lanes;
            let source = &sources[start..start + 4 * lanes];
            let (above, below) =
                (&mut upper[start..start + k], &mut lower[start + k + 1..start + n]);
            for (target, &row) in above.iter_mut().zip(&self.rows[..k]) {
                *target = source[row as usize];
            }
            for (target, &row) in below.iter_mut().zip(&self.rows[k + 1..n]) {
                *target = source[row as usize];
            }
        }
        Ok(())
    }
}

/// Sets the weights to the inverse sizes of the rows; zero for the padding.
#[inline(always)]
fn weigh(
    n: usize,
    columns: &[Lanes],
    weights: &mut [Lanes],
    values: &[f64],
) -> Result<(), FactorError> {
    weights.fill([0.0; 4]);
    let mut finite = [0.0; 4];
    for column in columns.chunks_exact(weights.len()) {
        for (weight, entry) in weights.iter_mut().zip(column) {
            for l in 0..4 {
                let size = entry[l].abs();
                weight[l] = if size > weight[l] { size } else { weight[l] };
                // Zero times a number is zero, times an infinity or NaN it is NaN.
                finite[l] += entry[l] * 0.0;
            }
        }
    }
    if finite.iter().sum::<f64>() != 0.0 {
        return Err(not_finite(n, values));
    }
    let mut smallest = f64::INFINITY;
    for &weight in &weights.as_flattened()[..n] {
        smallest = smallest.min(weight);
    }
    if smallest < f64::MIN_POSITIVE {
        let weak = weights.as_flattened().iter().position(|&w| w < f64::MIN_POSITIVE);
        return Err(FactorError::Singular { unknown: weak.unwrap_or(0) });
    }
    for weight in weights {
        for l in 0..4 {
            weight[l] = if weight[l] > 0.0 { 1.0 / weight[l] } else { 0.0 };
        }
    }
    Ok(())
}

/// Row and weighted size of the largest entry among the rows with a weight.
#[inline(always)]
fn largest_candidate(column: &[Lanes], weights: &[Lanes]) -> (usize, f64) {
    let mut best = [-1.0; 4];
    let mut place = [0_u64; 4];
    for (chunk, (entry, weight)) in column.iter().zip(weights).enumerate() {
        for l in 0..4 {
            let size = entry[l].abs() * weight[l];
            // Rows that have had their pivot must lose even against an exact zero.
            let size = if weight[l] > 0.0 { size } else { -1.0 };
            let better = size > best[l];
            best[l] = if better { size } else { best[l] };
            place[l] = if better { chunk as u64 } else { place[l] };
        }
    }
    let mut l = 0;
    for other in 1..4 {
        if best[other] > best[l] {
            l = other;
        }
    }
    (4 * place[l] as usize + l, best[l])
}

/// True if a weighted pivot is rounding noise compared with the original column `k`.
#[cold]
fn vanishes(n: usize, values: &[f64], k: usize, pivot: f64) -> bool {
    let size = |i: usize, j: usize| values[j * DenseFactor::stride(n) + i].abs();
    let row_size = |i: usize| (0..n).fold(0.0_f64, |m, j| m.max(size(i, j)));
    let column_size = (0..n).fold(0.0_f64, |m, i| m.max(size(i, k) / row_size(i)));
    pivot <= n as f64 * f64::EPSILON * column_size
}

#[cold]
fn not_finite(n: usize, values: &[f64]) -> FactorError {
    let position = values.iter().position(|v| !v.is_finite()).unwrap_or(0);
    FactorError::NotFinite {
        row: position % DenseFactor::stride(n),
        col: position / DenseFactor::stride(n),
    }
}
