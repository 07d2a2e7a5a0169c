//! Which rows the columns of a triangular factor have, and what neighbouring columns have in common.

use std::ops::Range;

/// The rows of the columns of a triangle, each in order.
pub(super) struct Columns {
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl Columns {
    /// Number of entries.
    pub(super) fn entries(&self) -> usize {
        self.rows.len()
    }

    /// From the rows of all columns in any order, and where those of each start.
    pub(super) fn new(starts: Vec<usize>, mut rows: Vec<u32>) -> Columns {
        starts.windows(2).for_each(|range| rows[range[0]..range[1]].sort_unstable());
        Columns { starts, rows }
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn rows(&self, k: usize) -> &[u32] {
        &self.rows[self.starts[k]..self.starts[k + 1]]
    }
}

/// Those of some rows in order that lie below the rows of a panel of these columns.
pub(super) fn below<'a>(rows: &'a [u32], own: &Range<usize>) -> &'a [u32] {
    &rows[rows.partition_point(|&row| (row as usize) < own.end)..]
}

/// Those that lie above.
pub(super) fn above<'a>(rows: &'a [u32], own: &Range<usize>) -> &'a [u32] {
    &rows[..rows.partition_point(|&row| (row as usize) < own.start)]
}

/// What is in one of two lists in order.
pub(super) fn merge(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut into = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        into.push(a[i].min(b[j]));
        (i, j) = (i + usize::from(a[i] <= b[j]), j + usize::from(b[j] <= a[i]));
    }
    into.extend_from_slice(&a[i..]);
    into.extend_from_slice(&b[j..]);
    into
}
