//! Rank of constraint matrices: dependent rows, null spaces, least-norm solutions.
//!
//! All by a QR factorisation of the transpose with pivoting, dense, after each row is divided by
//! its norm: for the analysis of a model at its start, not for the inner loops. Of a large sparse
//! matrix only the rows that [`screen`] suspects are factored.

mod screen;

use faer::Mat;
use faer::linalg::solvers::ColPivQr;

use crate::pattern::Pattern;

/// Between equally independent rows the earlier wins by this relative margin, so that the later
/// of two equal constraints is named redundant.
const PREFERENCE: f64 = 1e-3;
/// Coefficients of a combination below this size are rounding noise.
const NEGLIGIBLE: f64 = 1e-9;
/// Rank tolerance of [`minimum_norm_solve`].
const SOLVE_TOLERANCE: f64 = 1e-10;

/// Matrices with more rows are screened before.
const SCREENED: usize = 64;

/// A row that is a combination of independent rows.
#[derive(Clone, Debug, PartialEq)]
pub struct DependentRow {
    /// Index of the row.
    pub row: usize,
    /// Independent rows and their coefficients; empty for a zero row.
    pub combination: Vec<(usize, f64)>,
}

/// Rank of a matrix and the rows that do not add to it.
#[derive(Clone, Debug, PartialEq)]
pub struct RankReport {
    /// Number of independent rows.
    pub rank: usize,
    /// The other rows, increasing.
    pub dependent: Vec<DependentRow>,
}

/// Rows divided by their norms, transposed, factored with pivoting.
struct Factored {
    norms: Vec<f64>,
    qr: ColPivQr<f64>,
    /// Row chosen at each step.
    order: Vec<usize>,
    rank: usize,
}

impl Factored {
    fn new(pattern: &Pattern, values: &[f64], tolerance: f64) -> Factored {
        assert_eq!(values.len(), pattern.entries(), "one value per entry");
        let (m, n) = (pattern.rows(), pattern.cols());
        let norms = row_norms(pattern, values);
        let mut transposed = Mat::<f64>::zeros(n, m);
        for ((i, j), value) in pattern.iter().zip(values) {
            if norms[i] > 0.0 {
                transposed[(j, i)] = value / norms[i] * preference(i, m);
            }
        }
        let qr = transposed.col_piv_qr();
        let order: Vec<usize> = qr.P().arrays().0.to_vec();
        let r = qr.thin_R();
        let steps = r.nrows().min(m);
        let rank = (0..steps).take_while(|&k| r[(k, k)].abs() > tolerance).count();
        Factored { norms, qr, order, rank }
    }

    /// Factor by which a row was multiplied.
    fn weight(&self, row: usize) -> f64 {
        preference(row, self.norms.len()) / self.norms[row]
    }
}

fn row_norms(pattern: &Pattern, values: &[f64]) -> Vec<f64> {
    let mut norms = vec![0.0_f64; pattern.rows()];
    for ((i, _), value) in pattern.iter().zip(values) {
        norms[i] = norms[i].hypot(*value);
    }
    norms
}

fn preference(row: usize, rows: usize) -> f64 {
    1.0 - PREFERENCE * row as f64 / rows as f64
}

/// Finds the rows that depend on others. A row counts as dependent if less than
/// `scale_tolerance` of its length is independent; 1e-10 suits constraint gradients.
pub fn dependent_rows(pattern: &Pattern, values: &[f64], scale_tolerance: f64) -> RankReport {
    assert_eq!(values.len(), pattern.entries(), "one value per entry");
    let m = pattern.rows();
    if m > SCREENED
        && let Some(rows) = screen::suspects(pattern, values, &row_norms(pattern, values))
        && rows.len() < m
    {
        let (part, part_values) = selected(pattern, values, &rows);
        let mut report = dependent_among(&part, &part_values, scale_tolerance);
        for entry in &mut report.dependent {
            entry.row = rows[entry.row];
            entry.combination.iter_mut().for_each(|(other, _)| *other = rows[*other]);
        }
        report.rank += m - rows.len();
        return report;
    }
    dependent_among(pattern, values, scale_tolerance)
}

/// The given rows (increasing) without their empty columns, and their values.
fn selected(pattern: &Pattern, values: &[f64], rows: &[usize]) -> (Pattern, Vec<f64>) {
    let (mut entries, mut kept, mut columns) = (Vec::new(), Vec::new(), 0);
    for j in 0..pattern.cols() {
        let before = entries.len();
        for (p, row) in pattern.column(j).iter().enumerate() {
            if let Ok(place) = rows.binary_search(row) {
                entries.push((place, columns));
                kept.push(values[pattern.column_start(j) + p]);
            }
        }
        columns += usize::from(entries.len() > before);
    }
    (Pattern::from_entries(rows.len(), columns, &entries), kept)
}

fn dependent_among(pattern: &Pattern, values: &[f64], scale_tolerance: f64) -> RankReport {
    let factored = Factored::new(pattern, values, scale_tolerance);
    let rank = factored.rank;
    let r = factored.qr.thin_R();
    let mut dependent: Vec<DependentRow> = (rank..factored.order.len())
        .map(|column| {
            let row = factored.order[column];
            let mut coefficients: Vec<f64> = (0..rank).map(|k| r[(k, column)]).collect();
            for k in (0..rank).rev() {
                coefficients[k] /= r[(k, k)];
                for i in 0..k {
                    coefficients[i] -= r[(i, k)] * coefficients[k];
                }
            }
            let mut combination: Vec<(usize, f64)> = coefficients
                .iter()
                .enumerate()
                .filter(|&(_, c)| factored.norms[row] > 0.0 && c.abs() > NEGLIGIBLE)
                .map(|(k, c)| {
                    let other = factored.order[k];
                    (other, c * factored.weight(other) / factored.weight(row))
                })
                .collect();
            combination.sort_by_key(|&(other, _)| other);
            DependentRow { row, combination }
        })
        .collect();
    dependent.sort_by_key(|entry| entry.row);
    RankReport { rank, dependent }
}

/// Orthonormal basis of the vectors `x` with `A x = 0`, one vector per element. The tolerance is
/// that of [`dependent_rows`]. For small matrices.
pub fn null_space(pattern: &Pattern, values: &[f64], scale_tolerance: f64) -> Vec<Vec<f64>> {
    let n = pattern.cols();
    if pattern.rows() == 0 {
        let unit = |k: usize| (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect();
        return (0..n).map(unit).collect();
    }
    let factored = Factored::new(pattern, values, scale_tolerance);
    let q = factored.qr.compute_Q();
    (factored.rank..n).map(|k| (0..n).map(|i| q[(i, k)]).collect()).collect()
}

/// Least-norm solution `x` of `A x = b`, whose rows may be redundant as long as `b` is consistent.
/// Returns the largest residual of a row, relative to the norm of that row.
pub fn minimum_norm_solve(pattern: &Pattern, values: &[f64], b: &[f64], x: &mut [f64]) -> f64 {
    let (m, n) = (pattern.rows(), pattern.cols());
    assert_eq!((b.len(), x.len()), (m, n), "vector lengths");
    x.fill(0.0);
    if m == 0 {
        return 0.0;
    }
    let factored = Factored::new(pattern, values, SOLVE_TOLERANCE);
    let q = factored.qr.compute_thin_Q();
    let r = factored.qr.thin_R();
    // Rᵀ y = b on the independent rows, then x = Q y.
    let mut y = vec![0.0; factored.rank];
    for k in 0..factored.rank {
        let row = factored.order[k];
        let known: f64 = (0..k).map(|i| r[(i, k)] * y[i]).sum();
        y[k] = (b[row] * factored.weight(row) - known) / r[(k, k)];
        for i in 0..n {
            x[i] += q[(i, k)] * y[k];
        }
    }
    let mut residual = b.to_vec();
    pattern.multiply_add(values, -1.0, x, &mut residual);
    residual.iter().zip(&factored.norms).fold(0.0, |largest, (r, &norm)| {
        let size = if norm > 0.0 { r.abs() / norm } else { r.abs() };
        largest.max(size)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows: e1, e2, 1000 (e1 + 2 e2), 0, e3 + e4; column-major.
    const VALUES: [f64; 20] = [
        1.0, 0.0, 1e3, 0.0, 0.0, 0.0, 1.0, 2e3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0,
        0.0, 1.0,
    ];

    #[test]
    fn combination_reproduces_the_dependent_row() {
        let pattern = Pattern::dense(5, 4);
        let report = dependent_rows(&pattern, &VALUES, 1e-10);
        assert_eq!(report.rank, 3);
        assert_eq!(report.dependent.len(), 2);
        for entry in &report.dependent {
            for j in 0..4 {
                let sum: f64 = entry.combination.iter().map(|&(i, c)| c * VALUES[5 * j + i]).sum();
                assert!((sum - VALUES[5 * j + entry.row]).abs() < 1e-9);
            }
        }
        assert_eq!(report.dependent[1].row, 3);
    }

    #[test]
    fn the_later_of_equal_rows_is_dependent() {
        let pattern = Pattern::dense(3, 3);
        let values = [0.3, 0.5, 0.3, -0.1, 0.2, -0.1, 0.4, 0.9, 0.4];
        let report = dependent_rows(&pattern, &values, 1e-10);
        assert_eq!((report.rank, report.dependent[0].row), (2, 2));
        let (row, coefficient) = report.dependent[0].combination[0];
        assert_eq!(row, 0);
        assert!((coefficient - 1.0).abs() < 1e-12);
        assert_eq!(report.dependent[0].combination.len(), 1);
    }

    /// A chain of rows, each coupled with the next by one column, and some that follow from others.
    #[test]
    fn screening_finds_what_the_full_factorisation_finds() {
        let independent = 90;
        let mut entries: Vec<(usize, usize, f64)> = Vec::new();
        for i in 0..independent {
            let angle = i as f64;
            entries.push((i, 2 * i, 2.0 + angle.sin()));
            entries.push((i, 2 * i + 1, angle.cos()));
            entries.push((i, 2 * i + 2, 0.7 + 0.1 * angle.sin()));
        }
        let row = |i: usize, entries: &[(usize, usize, f64)]| -> Vec<(usize, f64)> {
            entries.iter().filter(|e| e.0 == i).map(|e| (e.1, e.2)).collect()
        };
        // Three times row 7; row 20 minus half of row 22; a zero row; a row that only looks like 40.
        let copies: [&[(usize, f64)]; 4] =
            [&[(7, 3.0)], &[(20, 1.0), (22, -0.5)], &[(3, 0.0)], &[(40, 1.0)]];
        for (k, copy) in copies.iter().enumerate() {
            for &(from, factor) in copy.iter() {
                for (column, value) in row(from, &entries) {
                    entries.push((independent + k, column, factor * value));
                }
            }
        }
        entries.push((independent + 3, 5, 1e-6));
        let places: Vec<_> = entries.iter().map(|e| (e.0, e.1)).collect();
        let pattern = Pattern::from_entries(independent + 4, 2 * independent + 1, &places);
        let mut values = vec![0.0; pattern.entries()];
        for &(i, j, value) in &entries {
            values[pattern.position(i, j).unwrap()] += value;
        }
        let norms = row_norms(&pattern, &values);
        let suspects = screen::suspects(&pattern, &values, &norms).unwrap();
        assert!(suspects.len() < 12, "{suspects:?}");
        let report = dependent_rows(&pattern, &values, 1e-10);
        let full = dependent_among(&pattern, &values, 1e-10);
        assert_eq!(report.rank, independent + 1);
        assert_eq!(report.rank, full.rank);
        assert_eq!(report.dependent.len(), full.dependent.len());
        for (a, b) in report.dependent.iter().zip(&full.dependent) {
            assert_eq!(a.row, b.row);
            let rows = |entry: &DependentRow| -> Vec<usize> {
                entry.combination.iter().map(|c| c.0).collect()
            };
            assert_eq!(rows(a), rows(b));
            for (x, y) in a.combination.iter().zip(&b.combination) {
                assert!((x.1 - y.1).abs() < 1e-9, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn null_space_is_orthonormal_and_annihilated() {
        let pattern = Pattern::dense(5, 4);
        let basis = null_space(&pattern, &VALUES, 1e-10);
        assert_eq!(basis.len(), 1);
        let mut y = [0.0; 5];
        pattern.multiply_add(&VALUES, 1.0, &basis[0], &mut y);
        assert!(y.iter().all(|v| v.abs() < 1e-12));
        assert!((basis[0].iter().map(|v| v * v).sum::<f64>() - 1.0).abs() < 1e-14);
        assert_eq!(null_space(&Pattern::empty(0, 2), &[], 1e-10).len(), 2);
    }

    #[test]
    fn least_norm() {
        let pattern = Pattern::dense(5, 4);
        let mut x = [0.0; 4];
        let residual = minimum_norm_solve(&pattern, &VALUES, &[1.0, 2.0, 5e3, 0.0, 1.0], &mut x);
        assert!(residual < 1e-14);
        for (value, expected) in x.iter().zip([1.0, 2.0, 0.5, 0.5]) {
            assert!((value - expected).abs() < 1e-14);
        }
        let residual = minimum_norm_solve(&pattern, &VALUES, &[1.0, 2.0, 5e3, 1.0, 1.0], &mut x);
        assert_eq!(residual, 1.0);
    }
}
