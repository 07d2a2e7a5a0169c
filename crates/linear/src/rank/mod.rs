//! Rank of constraint matrices: dependent rows, null spaces, least-norm solutions.
//!
//! All by a QR factorisation of the transpose with pivoting, dense, after each row is divided by
//! its norm: for the analysis of a model at its start, not for the inner loops. Of a large sparse
//! matrix only the rows that `screen` suspects are factored.

mod screen;
#[cfg(test)]
mod tests;

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
        if rows.is_empty() {
            return RankReport { rank: m, dependent: Vec::new() };
        }
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
            if let Ok(place) = rows.binary_search(&(*row as usize)) {
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
