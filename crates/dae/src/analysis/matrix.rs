//! Matrices as results: plain numbers, column by column.

use faer::Mat;
use serde::Serialize;

/// A dense matrix.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Entries, column by column.
    pub values: Vec<f64>,
}

impl Matrix {
    /// One entry.
    pub fn at(&self, row: usize, col: usize) -> f64 {
        self.values[col * self.rows + row]
    }
}

impl From<&Mat<f64>> for Matrix {
    fn from(matrix: &Mat<f64>) -> Self {
        let (rows, cols) = (matrix.nrows(), matrix.ncols());
        let entries = (0..cols).flat_map(|j| (0..rows).map(move |i| (i, j)));
        Matrix { rows, cols, values: entries.map(|(i, j)| matrix[(i, j)]).collect() }
    }
}
