//! Compressed-column sparsity patterns.

use serde::{Deserialize, Serialize};

/// Compressed-column sparsity pattern.
///
/// The pattern carries no values; a value array with one number per entry, in the order of
/// [`Pattern::iter`], goes with it. Row indices are sorted within each column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    rows: usize,
    starts: Vec<usize>,
    indices: Vec<usize>,
}

impl Pattern {
    /// Full matrix; the values are column-major.
    pub fn dense(rows: usize, cols: usize) -> Pattern {
        Pattern {
            rows,
            starts: (0..=cols).map(|j| j * rows).collect(),
            indices: (0..cols).flat_map(|_| 0..rows).collect(),
        }
    }

    /// Square diagonal matrix.
    pub fn diagonal(n: usize) -> Pattern {
        Pattern { rows: n, starts: (0..=n).collect(), indices: (0..n).collect() }
    }

    /// Matrix without entries.
    pub fn empty(rows: usize, cols: usize) -> Pattern {
        Pattern { rows, starts: vec![0; cols + 1], indices: Vec::new() }
    }

    /// Pattern of (row, column) pairs in any order; duplicates are merged.
    ///
    /// # Panics
    /// If a pair lies outside the matrix.
    pub fn from_entries(rows: usize, cols: usize, entries: &[(usize, usize)]) -> Pattern {
        let mut starts = vec![0; cols + 1];
        for &(row, col) in entries {
            assert!(
                row < rows && col < cols,
                "entry ({row}, {col}) outside a {rows} by {cols} matrix"
            );
            starts[col + 1] += 1;
        }
        for j in 0..cols {
            starts[j + 1] += starts[j];
        }
        let mut next = starts.clone();
        let mut unsorted = vec![0; entries.len()];
        for &(row, col) in entries {
            unsorted[next[col]] = row;
            next[col] += 1;
        }
        let mut indices = Vec::with_capacity(entries.len());
        let mut merged = vec![0; cols + 1];
        for j in 0..cols {
            let column = &mut unsorted[starts[j]..starts[j + 1]];
            column.sort_unstable();
            for &row in column.iter() {
                if indices.len() == merged[j] || indices[indices.len() - 1] != row {
                    indices.push(row);
                }
            }
            merged[j + 1] = indices.len();
        }
        Pattern { rows, starts: merged, indices }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of stored entries.
    pub fn entries(&self) -> usize {
        self.indices.len()
    }

    /// Row indices of column `j`, increasing.
    #[inline]
    pub fn column(&self, j: usize) -> &[usize] {
        &self.indices[self.starts[j]..self.starts[j + 1]]
    }

    /// Position of the first entry of column `j` in the value array; `j` may equal the number of
    /// columns.
    #[inline]
    pub fn column_start(&self, j: usize) -> usize {
        self.starts[j]
    }

    /// Position of an entry in the value array, if it is stored.
    pub fn position(&self, row: usize, col: usize) -> Option<usize> {
        let found = self.column(col).binary_search(&row).ok()?;
        Some(self.starts[col] + found)
    }

    /// Pattern that holds the entries of both.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn union(&self, other: &Pattern) -> Pattern {
        assert_eq!(
            (self.rows, self.cols()),
            (other.rows, other.cols()),
            "union of patterns of different size"
        );
        let entries: Vec<_> = self.iter().chain(other.iter()).collect();
        Pattern::from_entries(self.rows, self.cols(), &entries)
    }

    /// The (row, column) pairs in the order of the value array.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.cols()).flat_map(move |j| self.column(j).iter().map(move |&i| (i, j)))
    }

    /// `y += c A x`.
    pub fn multiply_add(&self, values: &[f64], c: f64, x: &[f64], y: &mut [f64]) {
        self.check(values, x.len(), y.len());
        for j in 0..self.cols() {
            let factor = c * x[j];
            let range = self.starts[j]..self.starts[j + 1];
            for (&i, &value) in self.indices[range.clone()].iter().zip(&values[range]) {
                y[i] += value * factor;
            }
        }
    }

    /// `y += c Aᵀ x`.
    pub fn multiply_transposed_add(&self, values: &[f64], c: f64, x: &[f64], y: &mut [f64]) {
        self.check(values, y.len(), x.len());
        for j in 0..self.cols() {
            let range = self.starts[j]..self.starts[j + 1];
            let indices = &self.indices[range.clone()];
            let dot: f64 = indices.iter().zip(&values[range]).map(|(&i, &v)| v * x[i]).sum();
            y[j] += c * dot;
        }
    }

    fn check(&self, values: &[f64], cols: usize, rows: usize) {
        assert_eq!(values.len(), self.entries(), "one value per entry");
        assert_eq!((cols, rows), (self.cols(), self.rows), "vector lengths");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_merged() {
        let pattern = Pattern::from_entries(3, 2, &[(2, 1), (0, 0), (1, 1), (2, 1), (0, 0)]);
        assert_eq!(pattern.iter().collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 1)]);
        assert_eq!(pattern.position(2, 1), Some(2));
        assert_eq!(pattern.position(2, 0), None);
        assert_eq!(pattern.column_start(2), 3);
    }

    #[test]
    fn constructors_agree_with_their_entries() {
        for pattern in [Pattern::dense(3, 2), Pattern::diagonal(4), Pattern::empty(2, 5)] {
            let entries: Vec<_> = pattern.iter().collect();
            let again = Pattern::from_entries(pattern.rows(), pattern.cols(), &entries);
            assert_eq!(pattern, again);
        }
    }

    #[test]
    fn union_holds_both() {
        let union = Pattern::diagonal(2).union(&Pattern::from_entries(2, 2, &[(0, 1), (1, 1)]));
        assert_eq!(union.iter().collect::<Vec<_>>(), [(0, 0), (0, 1), (1, 1)]);
    }

    #[test]
    fn products() {
        let pattern = Pattern::dense(2, 3);
        let values = [1.0, 4.0, 2.0, 5.0, 3.0, 6.0];
        let mut y = [1.0, 1.0];
        pattern.multiply_add(&values, 2.0, &[1.0, 0.0, -1.0], &mut y);
        assert_eq!(y, [-3.0, -3.0]);
        let mut z = [0.0; 3];
        pattern.multiply_transposed_add(&values, 1.0, &[1.0, -1.0], &mut z);
        assert_eq!(z, [-3.0, -3.0, -3.0]);
    }
}
