//! Compressed-column sparsity patterns.

use serde::de::Deserializer;
use serde::{Deserialize, Serialize, Serializer};
use std::sync::Arc;

/// Compressed-column sparsity pattern.
///
/// The pattern carries no values; a value array with one number per entry, in the order of
/// [`Pattern::iter`], goes with it. Row indices are sorted within each column. Clones share what they
/// hold: a system may hand its patterns to all who ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Arc<Places>);

/// Rows of the entries, column after column. They are as short as they can be: large matrices are read
/// from memory, and their patterns with them.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Places {
    rows: usize,
    starts: Vec<usize>,
    indices: Vec<u32>,
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Pattern(Arc::new(Places::deserialize(from)?)))
    }
}

impl Pattern {
    /// Pattern of columns whose rows increase, one after the other.
    pub(crate) fn of(rows: usize, starts: Vec<usize>, indices: Vec<u32>) -> Pattern {
        Pattern(Arc::new(Places { rows, starts, indices }))
    }

    /// Full matrix; the values are column-major.
    pub fn dense(rows: usize, cols: usize) -> Pattern {
        let starts = (0..=cols).map(|j| j * rows).collect();
        Pattern::of(rows, starts, (0..cols).flat_map(|_| 0..rows as u32).collect())
    }

    /// Square diagonal matrix.
    pub fn diagonal(n: usize) -> Pattern {
        Pattern::of(n, (0..=n).collect(), (0..n as u32).collect())
    }

    /// Matrix without entries.
    pub fn empty(rows: usize, cols: usize) -> Pattern {
        Pattern::of(rows, vec![0; cols + 1], Vec::new())
    }

    /// Pattern of (row, column) pairs in any order; duplicates are merged.
    ///
    /// # Panics
    /// If a pair lies outside the matrix.
    pub fn from_entries(rows: usize, cols: usize, entries: &[(usize, usize)]) -> Pattern {
        Pattern::from_repeated(rows, cols, |f| entries.iter().for_each(|&(i, j)| f(i, j)))
    }

    /// The same of pairs that are told twice and never held: those of a large matrix fill more memory than the matrix.
    pub(crate) fn from_repeated(
        rows: usize,
        cols: usize,
        each: impl Fn(&mut dyn FnMut(usize, usize)),
    ) -> Pattern {
        let mut starts = vec![0; cols + 1];
        each(&mut |row, col| {
            assert!(
                row < rows && col < cols,
                "entry ({row}, {col}) outside a {rows} by {cols} matrix"
            );
            starts[col + 1] += 1;
        });
        for j in 0..cols {
            starts[j + 1] += starts[j];
        }
        let mut next = starts.clone();
        let mut indices = vec![0_u32; starts[cols]];
        each(&mut |row, col| {
            indices[next[col]] = row as u32;
            next[col] += 1;
        });
        // each column is sorted, and moved to the end of those before it without what it has twice
        let mut end = 0;
        for j in 0..cols {
            let column = starts[j]..starts[j + 1];
            indices[column.clone()].sort_unstable();
            starts[j] = end;
            for p in column {
                if end == starts[j] || indices[end - 1] != indices[p] {
                    indices[end] = indices[p];
                    end += 1;
                }
            }
        }
        starts[cols] = end;
        indices.truncate(end);
        indices.shrink_to_fit();
        Pattern::of(rows, starts, indices)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.0.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.0.starts.len() - 1
    }

    /// Number of stored entries.
    pub fn entries(&self) -> usize {
        self.0.indices.len()
    }

    /// Row indices of column `j`, increasing.
    #[inline]
    pub fn column(&self, j: usize) -> &[u32] {
        &self.0.indices[self.0.starts[j]..self.0.starts[j + 1]]
    }

    /// Position of the first entry of column `j` in the value array; `j` may equal the number of
    /// columns.
    #[inline]
    pub fn column_start(&self, j: usize) -> usize {
        self.0.starts[j]
    }

    /// Position of an entry in the value array, if it is stored.
    pub fn position(&self, row: usize, col: usize) -> Option<usize> {
        let found = self.column(col).binary_search(&(row as u32)).ok()?;
        Some(self.0.starts[col] + found)
    }

    /// Pattern that holds the entries of both.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn union(&self, other: &Pattern) -> Pattern {
        assert_eq!(
            (self.rows(), self.cols()),
            (other.rows(), other.cols()),
            "union of patterns of different size"
        );
        Pattern::from_repeated(self.rows(), self.cols(), |f| {
            self.iter().chain(other.iter()).for_each(|(i, j)| f(i, j));
        })
    }

    /// The (row, column) pairs in the order of the value array.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.cols()).flat_map(move |j| self.column(j).iter().map(move |&i| (i as usize, j)))
    }

    /// `y += c A x`.
    pub fn multiply_add(&self, values: &[f64], c: f64, x: &[f64], y: &mut [f64]) {
        self.check(values, x.len(), y.len());
        for j in 0..self.cols() {
            let factor = c * x[j];
            let range = self.column_start(j)..self.column_start(j + 1);
            for (&i, &value) in self.column(j).iter().zip(&values[range]) {
                y[i as usize] += value * factor;
            }
        }
    }

    /// `y += c Aᵀ x`.
    pub fn multiply_transposed_add(&self, values: &[f64], c: f64, x: &[f64], y: &mut [f64]) {
        self.check(values, y.len(), x.len());
        for j in 0..self.cols() {
            let range = self.column_start(j)..self.column_start(j + 1);
            let entries = self.column(j).iter().zip(&values[range]);
            y[j] += c * entries.map(|(&i, &v)| v * x[i as usize]).sum::<f64>();
        }
    }

    fn check(&self, values: &[f64], cols: usize, rows: usize) {
        assert_eq!(values.len(), self.entries(), "one value per entry");
        assert_eq!((cols, rows), (self.cols(), self.rows()), "vector lengths");
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
