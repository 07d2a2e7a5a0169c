//! Dense LU factorisation with scaled partial pivoting, for small systems.
//!
//! Rows are weighted by the inverse of their largest entry, only to compare candidates: a
//! momentum row in newtons and a constraint row in metres then compete on equal terms, and the
//! right-hand side needs no scaling. A pivot counts as zero if it is no more than rounding leaves of a
//! column that is a combination of those before it, so neither row nor column units matter.
//!
//! The search for pivots takes longer than the arithmetic of a small system. The pivots of the
//! previous matrix are therefore tried first and checked on the way.
//!
//! | module | content |
//! |---|---|
//! | [`pivoted`] | elimination with a search for pivots |
//! | [`fixed`] | elimination with the pivots of the previous matrix |
//! | [`inverse`] | the inverse of a matrix that serves an iteration |

mod fixed;
mod inverse;
mod pivoted;

use crate::error::FactorError;
use crate::simd::{Lanes, multiply_add_lanes};
use inverse::Inverse;
use serde::{Deserialize, Serialize};

/// Weighted pivots above this size are accepted without looking at the column.
const UNSUSPICIOUS: f64 = 1e-6;

/// The factors of a matrix, kept apart from its values. Columns are padded with zeros to whole
/// lanes, so that no loop has a remainder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct DenseFactor {
    n: usize,
    /// Columns during the elimination. Rows stay in place: exchanging them costs more than
    /// passing over those that have had their pivot.
    columns: Vec<Lanes>,
    weights: Vec<Lanes>,
    /// Row of each pivot.
    rows: Vec<u32>,
    /// True once `rows` holds the pivots of a matrix.
    ordered: bool,
    inverse_pivots: Vec<f64>,
    /// Strict triangles in pivot order; the other triangle stays zero.
    lower: Vec<Lanes>,
    upper: Vec<Lanes>,
    work: Vec<Lanes>,
    inverse: Option<Inverse>,
}

impl DenseFactor {
    /// `exact` asks for solutions as exact as elimination gives them.
    pub(crate) fn new(n: usize, exact: bool) -> DenseFactor {
        let lanes = n.div_ceil(4);
        let zeros = |count: usize| vec![[0.0; 4]; count];
        DenseFactor {
            n,
            columns: zeros(n * lanes),
            weights: zeros(lanes),
            rows: vec![0; n],
            ordered: false,
            inverse_pivots: vec![0.0; n],
            lower: zeros(n * lanes),
            upper: zeros(n * lanes),
            work: zeros(lanes),
            inverse: if exact { None } else { Inverse::new(n) },
        }
    }

    /// Rows per column of the values, padding included.
    pub(crate) fn stride(n: usize) -> usize {
        4 * n.div_ceil(4)
    }

    /// Factors `values`, column-major with [`stride`](Self::stride) and zeros as padding.
    pub(crate) fn factor(&mut self, values: &[f64]) -> Result<(), FactorError> {
        self.inverse.iter_mut().for_each(Inverse::forget);
        #[cfg(target_arch = "x86_64")]
        if crate::simd::available() {
            // SAFETY: the processor has the features the copy is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.factor_fused(values) };
        }
        self.factor_sized::<false>(values)
    }

    /// Replaces `b` by the solution.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if crate::simd::available() {
            // SAFETY: the processor has the features the copy is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.solve_fused(b) };
        }
        self.solve_quickest::<false>(b)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn factor_fused(&mut self, values: &[f64]) -> Result<(), FactorError> {
        self.factor_sized::<true>(values)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn solve_fused(&mut self, b: &mut [f64]) {
        self.solve_quickest::<true>(b)
    }

    #[inline(always)]
    fn solve_quickest<const FUSED: bool>(&mut self, b: &mut [f64]) {
        let Some(mut inverse) = self.inverse.take() else { return self.solve_sized::<FUSED>(b) };
        if inverse.ready::<FUSED>(self) {
            inverse.multiply::<FUSED>(b);
        } else {
            self.solve_sized::<FUSED>(b);
        }
        self.inverse = Some(inverse);
    }

    /// Literal sizes let the compiler unroll the kernels of the smallest systems.
    #[inline(always)]
    fn factor_sized<const FUSED: bool>(&mut self, values: &[f64]) -> Result<(), FactorError> {
        if self.n == 0 {
            return Ok(());
        }
        if self.ordered {
            let done = match self.n {
                2 => self.eliminate_fixed::<FUSED>(2, values),
                3 => self.eliminate_fixed::<FUSED>(3, values),
                4 => self.eliminate_fixed::<FUSED>(4, values),
                5 => self.eliminate_fixed::<FUSED>(5, values),
                6 => self.eliminate_fixed::<FUSED>(6, values),
                7 => self.eliminate_fixed::<FUSED>(7, values),
                8 => self.eliminate_fixed::<FUSED>(8, values),
                9 => self.eliminate_fixed::<FUSED>(9, values),
                n => self.eliminate_fixed::<FUSED>(n, values),
            };
            if done {
                return Ok(());
            }
        }
        self.ordered = false;
        // An attempt with values that are not finite leaves NaN where zeros are relied upon.
        self.lower.fill([0.0; 4]);
        self.upper.fill([0.0; 4]);
        self.eliminate::<FUSED>(self.n.div_ceil(4), values)?;
        self.ordered = true;
        Ok(())
    }

    #[inline(always)]
    fn solve_sized<const FUSED: bool>(&mut self, b: &mut [f64]) {
        match self.n {
            2 => self.substitute::<FUSED>(2, b, &mut [[0.0; 4]; 1]),
            3 => self.substitute::<FUSED>(3, b, &mut [[0.0; 4]; 1]),
            4 => self.substitute::<FUSED>(4, b, &mut [[0.0; 4]; 1]),
            5 => self.substitute::<FUSED>(5, b, &mut [[0.0; 4]; 2]),
            6 => self.substitute::<FUSED>(6, b, &mut [[0.0; 4]; 2]),
            7 => self.substitute::<FUSED>(7, b, &mut [[0.0; 4]; 2]),
            8 => self.substitute::<FUSED>(8, b, &mut [[0.0; 4]; 2]),
            9 => self.substitute::<FUSED>(9, b, &mut [[0.0; 4]; 3]),
            n => {
                let mut work = std::mem::take(&mut self.work);
                self.substitute::<FUSED>(n, b, &mut work);
                self.work = work;
            }
        }
    }

    #[inline(always)]
    fn substitute<const FUSED: bool>(&self, n: usize, b: &mut [f64], work: &mut [Lanes]) {
        let lanes = n.div_ceil(4);
        let work = &mut work[..lanes];
        for (target, &row) in work.as_flattened_mut().iter_mut().zip(&self.rows[..n]) {
            *target = b[row as usize];
        }
        for k in 0..n {
            let column = &self.lower[k * lanes..(k + 1) * lanes];
            let head = -work[k / 4][k % 4];
            for (entry, factor) in work[k / 4..].iter_mut().zip(&column[k / 4..]) {
                *entry = multiply_add_lanes::<FUSED>(head, *factor, *entry);
            }
        }
        for k in (0..n).rev() {
            let column = &self.upper[k * lanes..(k + 1) * lanes];
            let head = work[k / 4][k % 4] * self.inverse_pivots[k];
            b[k] = head;
            for (entry, factor) in work[..=k / 4].iter_mut().zip(&column[..=k / 4]) {
                *entry = multiply_add_lanes::<FUSED>(-head, *factor, *entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(n: usize, values: &[f64], b: &mut [f64]) -> Result<(), FactorError> {
        let mut padded = vec![0.0; n * DenseFactor::stride(n)];
        for (target, source) in padded.chunks_mut(DenseFactor::stride(n)).zip(values.chunks(n)) {
            target[..n].copy_from_slice(source);
        }
        let mut factor = DenseFactor::new(n, true);
        factor.factor(&padded)?;
        factor.solve(b);
        Ok(())
    }

    #[test]
    fn pivots_past_a_zero_diagonal() {
        let mut b = [3.0, 5.0];
        solve(2, &[0.0, 2.0, 1.0, 1.0], &mut b).unwrap();
        assert_eq!(b, [1.0, 3.0]);
    }

    #[test]
    fn units_of_rows_and_columns_do_not_matter() {
        // Index-3 system of a point mass at h = 1e-6: entries from 1 to 1e12.
        let w = 1e12;
        let mut b = [0.0, -1.0, 0.0];
        solve(3, &[w, 0.0, 0.6, 0.0, w, 0.8, 0.6, 0.8, 0.0], &mut b).unwrap();
        assert!((b[2] + 0.8).abs() < 1e-15, "{b:?}");
    }

    #[test]
    fn names_the_singular_unknown() {
        let dependent = [1.0, 2.0, 3.0, 0.1, 0.7, 0.2, 2.2, 5.4, 6.4];
        let mut b = [0.0; 3];
        assert_eq!(solve(3, &dependent, &mut b), Err(FactorError::Singular { unknown: 2 }));
        let zero_row = [1.0, 0.0, 3.0, 0.1, 0.0, 0.2, 2.2, 0.0, 6.4];
        assert_eq!(solve(3, &zero_row, &mut b), Err(FactorError::Singular { unknown: 1 }));
        let scaled = dependent.map(|v| v * 1e-200);
        assert_eq!(solve(3, &scaled, &mut b), Err(FactorError::Singular { unknown: 2 }));
    }

    #[test]
    fn a_sound_matrix_is_solved_after_one_that_was_not_finite() {
        // Sizes with and without padding, and a first factorisation that fixes the pivots.
        for n in 2..14 {
            let stride = DenseFactor::stride(n);
            let mut sound = vec![0.0; n * stride];
            for i in 0..n {
                sound[i * stride + i] = 2.0;
                sound[i * stride + (i + 1) % n] = 1.0;
            }
            let mut bad = sound.clone();
            bad[stride + 1] = f64::INFINITY;
            let mut factor = DenseFactor::new(n, true);
            factor.factor(&sound).unwrap();
            assert!(factor.factor(&bad).is_err());
            factor.factor(&sound).unwrap();
            let mut b = vec![3.0; n];
            factor.solve(&mut b);
            assert!(b.iter().all(|x| (x - 1.0).abs() < 1e-12), "{n}: {b:?}");
            let mut b = vec![3.0; n];
            factor.factor(&sound).unwrap();
            factor.solve(&mut b);
            assert!(b.iter().all(|x| (x - 1.0).abs() < 1e-12), "{n}: {b:?}");
        }
    }

    #[test]
    fn the_inverse_takes_over_and_is_forgotten() {
        for n in 9..=32 {
            let stride = DenseFactor::stride(n);
            let mut factor = DenseFactor::new(n, false);
            for round in 1..4 {
                let mut values = vec![0.0; n * stride];
                for i in 0..n {
                    values[i * stride + i] = round as f64;
                    values[i * stride + (i + 1) % n] = 1.0;
                    values[i * stride + (i * i) % n] += 0.25;
                }
                factor.factor(&values).unwrap();
                for solution in 0..6 {
                    let expected: Vec<f64> = (0..n).map(|i| (i + solution) as f64).collect();
                    let mut b = vec![0.0; n];
                    for j in 0..n {
                        for i in 0..n {
                            b[i] += values[j * stride + i] * expected[j];
                        }
                    }
                    factor.solve(&mut b);
                    let same = b.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9);
                    assert!(same, "{n} {round} {solution}: {b:?}");
                }
            }
        }
    }

    #[test]
    fn names_the_entry_that_is_not_finite() {
        let mut values = [1.0; 9];
        values[5] = f64::NAN;
        let mut b = [0.0; 3];
        assert_eq!(solve(3, &values, &mut b), Err(FactorError::NotFinite { row: 2, col: 1 }));
    }
}
