//! Sparse factorisations that know their condition.

use super::Entries;
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Llt, Lu};
use faer::{Mat, Side};

/// Solutions are believed up to this condition number, measured by sums of columns.
const TRUSTED: f64 = 1e11;
/// Definite matrices are told from semidefinite ones up to this condition number.
const DEFINITE: f64 = 1e13;

/// A regular square matrix, factored.
pub(in crate::analysis) struct SparseLu {
    lu: Lu<usize, f64>,
    size: usize,
    condition: f64,
}

impl SparseLu {
    /// Factors a matrix; `None` if it is singular or nearly so.
    pub fn new(size: usize, entries: &Entries) -> Option<Self> {
        let matrix = entries.columns(size, size)?;
        let norm = largest_column(size, &matrix);
        let lu = matrix.sp_lu().ok()?;
        let condition = norm * inverse_norm(size, |b| lu.solve(b), |b| lu.solve_transpose(b));
        // not a number is not trusted either
        (condition <= TRUSTED).then_some(SparseLu { lu, size, condition })
    }

    /// An estimate of the condition number, measured by sums of columns.
    pub fn condition(&self) -> f64 {
        self.condition
    }

    /// The solution for one right-hand side.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let x = self.lu.solve(Mat::from_fn(self.size, 1, |i, _| b[i]));
        (0..self.size).map(|i| x[(i, 0)]).collect()
    }
}

/// Whether the symmetric part of a matrix is positive definite beyond rounding.
pub(super) fn is_definite(size: usize, entries: &Entries) -> bool {
    let mut symmetric = Entries::default();
    for entry in &entries.0 {
        symmetric.push(entry.row, entry.col, 0.5 * entry.val);
        symmetric.push(entry.col, entry.row, 0.5 * entry.val);
    }
    let Some(matrix) = symmetric.columns(size, size) else { return false };
    let norm = largest_column(size, &matrix);
    let Ok(factor): Result<Llt<usize, f64>, _> = matrix.sp_cholesky(Side::Lower) else {
        return false;
    };
    norm * inverse_norm(size, |b| factor.solve(b), |b| factor.solve(b)) <= DEFINITE
}

/// The largest sum of magnitudes of a column.
fn largest_column(size: usize, matrix: &faer::sparse::SparseColMat<usize, f64>) -> f64 {
    let sum = |j: usize| matrix.val_of_col(j).iter().map(|v| v.abs()).sum::<f64>();
    (0..size).map(sum).fold(0.0, f64::max)
}

/// Hager's estimate of the largest column sum of an inverse, from below and rarely far from it.
fn inverse_norm(
    size: usize,
    solve: impl Fn(&Mat<f64>) -> Mat<f64>,
    solve_transposed: impl Fn(&Mat<f64>) -> Mat<f64>,
) -> f64 {
    let sum = |x: &Mat<f64>| (0..size).map(|i| x[(i, 0)].abs()).sum::<f64>();
    // besides Hager's start, one of alternating signs: matrices exist that hide from either
    let signs = Mat::from_fn(size, 1, |i, _| {
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        sign * (1.0 + i as f64 / size as f64) * 2.0 / (3.0 * size as f64)
    });
    let mut estimate = sum(&solve(&signs));
    let mut x = Mat::from_fn(size, 1, |_, _| 1.0 / size as f64);
    for _ in 0..5 {
        let y = solve(&x);
        let found = sum(&y);
        if found.is_nan() || found <= estimate {
            // not a number must not look small
            return if found.is_nan() { f64::NAN } else { estimate };
        }
        estimate = found;
        let z = solve_transposed(&Mat::from_fn(size, 1, |i, _| y[(i, 0)].signum()));
        let steepest = (0..size).max_by(|a, b| z[(*a, 0)].abs().total_cmp(&z[(*b, 0)].abs()));
        let Some(steepest) = steepest else { return estimate };
        let along: f64 = (0..size).map(|i| z[(i, 0)] * x[(i, 0)]).sum();
        if z[(steepest, 0)].abs() <= along {
            return estimate;
        }
        x = Mat::from_fn(size, 1, |i, _| if i == steepest { 1.0 } else { 0.0 });
    }
    estimate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::projection::Kicks;

    /// Bands of random numbers, strong on the diagonal.
    fn band(size: usize) -> Entries {
        let mut kicks = Kicks::new();
        let mut entries = Entries::default();
        for i in 0..size {
            for j in i.saturating_sub(3)..(i + 4).min(size) {
                entries.push(i, j, kicks.number() + if i == j { 5.0 } else { 0.0 });
            }
        }
        entries
    }

    #[test]
    fn solutions_satisfy_the_equations() {
        let size = 60;
        let entries = band(size);
        let factor = SparseLu::new(size, &entries).unwrap();
        let b: Vec<f64> = (0..size).map(|i| (i as f64).sin()).collect();
        let x = factor.solve(&b);
        let dense = entries.dense(size, size);
        for i in 0..size {
            let left: f64 = (0..size).map(|j| dense[(i, j)] * x[j]).sum();
            assert!((left - b[i]).abs() < 1e-13);
        }
    }

    #[test]
    fn the_inverse_is_measured() {
        let size = 40;
        let entries = band(size);
        let matrix = entries.columns(size, size).unwrap();
        let lu = matrix.sp_lu().unwrap();
        let estimate = inverse_norm(size, |b| lu.solve(b), |b| lu.solve_transpose(b));
        let inverse = lu.solve(Mat::<f64>::identity(size, size));
        let column = |j: usize| (0..size).map(|i| inverse[(i, j)].abs()).sum::<f64>();
        let exact = (0..size).map(column).fold(0.0, f64::max);
        assert!(estimate <= exact * (1.0 + 1e-12) && estimate > 0.5 * exact, "{estimate} {exact}");
    }

    #[test]
    fn singular_matrices_are_not_believed() {
        let size = 30;
        for (nearly, believed) in [(0.0, false), (1e-13, false), (1e-3, true)] {
            let mut entries = band(size);
            // the last row repeats the first, nearly
            entries.0.retain(|entry| entry.row != size - 1);
            let first: Vec<_> = entries.0.iter().filter(|e| e.row == 0).cloned().collect();
            first.iter().for_each(|e| entries.push(size - 1, e.col, e.val));
            entries.push(size - 1, size - 1, nearly);
            assert_eq!(SparseLu::new(size, &entries).is_some(), believed, "{nearly}");
        }
    }

    #[test]
    fn definite_matrices_are_told_from_others() {
        let chain = |wall: f64| {
            let mut entries = Entries::default();
            for i in 0..50 {
                for (j, value) in [(i, 1.0), (i + 1, -1.0)] {
                    entries.push(i, j, value);
                    entries.push(
                        if i == j { i + 1 } else { j },
                        if i == j { i + 1 } else { i },
                        value,
                    );
                }
            }
            entries.push(0, 0, wall);
            entries
        };
        assert!(is_definite(51, &chain(1.0)));
        assert!(!is_definite(51, &chain(0.0)));
        assert!(!is_definite(51, &chain(-0.1)));
    }
}
