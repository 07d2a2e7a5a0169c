//! Where the blocks of elements go in the values of a sparse matrix.

use crate::node::Node;
use nalgebra::{Matrix3, Matrix6, Vector6};
use rotula_linear::Pattern;

/// The place of a block of two nodes in a square matrix of all motions.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    rows: &'static [usize],
    cols: &'static [usize],
    /// For each column, where the first row is; rows of a node follow each other.
    start: [usize; 6],
}

impl Block {
    /// Finds the block in a pattern that contains it.
    pub(super) fn find(pattern: &Pattern, row: &Node, col: &Node) -> Self {
        let (rows, cols) = (row.kind.columns(), col.kind.columns());
        let mut start = [0; 6];
        if !rows.is_empty() {
            for k in 0..cols.len() {
                start[k] = pattern.position(row.v, col.v + k).expect("the block is in the pattern");
            }
        }
        Block { rows, cols, start }
    }

    /// Adds the components that both nodes have.
    #[inline]
    pub(super) fn add(&self, block: &Matrix6<f64>, weight: f64, values: &mut [f64]) {
        if self.rows.is_empty() {
            return;
        }
        if self.rows.len() == 6 && self.cols.len() == 6 {
            for (start, column) in self.start.iter().zip(block.as_slice().chunks_exact(6)) {
                let out = &mut values[*start..*start + 6];
                out.iter_mut().zip(column).for_each(|(out, value)| *out += weight * value);
            }
            return;
        }
        for (k, &col) in self.cols.iter().enumerate() {
            let out = &mut values[self.start[k]..self.start[k] + self.rows.len()];
            for (out, &row) in out.iter_mut().zip(self.rows) {
                *out += weight * block[(row, col)];
            }
        }
    }

    /// The block of the values, with zeros for components that the nodes do not have.
    pub(crate) fn read(&self, values: &[f64]) -> Matrix6<f64> {
        let mut block = Matrix6::zeros();
        for (k, &col) in self.cols.iter().enumerate() {
            for (i, &row) in self.rows.iter().enumerate() {
                block[(row, col)] = values[self.start[k] + i];
            }
        }
        block
    }

    /// Adds the block of two planar nodes.
    #[inline(always)]
    pub(super) fn add_flat(&self, block: &Matrix3<f64>, values: &mut [f64]) {
        for (start, column) in self.start.iter().zip(block.as_slice().chunks_exact(3)) {
            let out = &mut values[*start..*start + 3];
            out.iter_mut().zip(column).for_each(|(out, value)| *out += value);
        }
    }
}

/// The place of a few rows that follow each other, in the columns of one node.
#[derive(Clone, Debug)]
pub(crate) struct Strip {
    cols: &'static [usize],
    start: [usize; 6],
}

impl Strip {
    /// Finds the strip that begins at a row.
    pub(crate) fn find(pattern: &Pattern, row: usize, col: &Node) -> Self {
        let cols = col.kind.columns();
        let mut start = [0; 6];
        for k in 0..cols.len() {
            start[k] = pattern.position(row, col.v + k).expect("the strip is in the pattern");
        }
        Strip { cols, start }
    }

    /// The first row of the strip, with zeros for components that the node does not have.
    pub(crate) fn read(&self, values: &[f64]) -> Vector6<f64> {
        let mut row = Vector6::zeros();
        self.cols.iter().enumerate().for_each(|(k, &col)| row[col] = values[self.start[k]]);
        row
    }

    /// Adds to row `row` of the strip.
    #[inline]
    pub(super) fn add(&self, row: usize, values: &Vector6<f64>, weight: f64, out: &mut [f64]) {
        for (k, &col) in self.cols.iter().enumerate() {
            out[self.start[k] + row] += weight * values[col];
        }
    }
}

/// All entries of a block of two nodes.
pub(super) fn block_entries(row: &Node, col: &Node, out: &mut Vec<(usize, usize)>) {
    for c in 0..col.kind.columns().len() {
        for r in 0..row.kind.columns().len() {
            out.push((row.v + r, col.v + c));
        }
    }
}

/// All entries of some rows in the columns of a node.
pub(super) fn strip_entries(row: usize, rows: usize, col: &Node, out: &mut Vec<(usize, usize)>) {
    for c in 0..col.kind.columns().len() {
        out.extend((row..row + rows).map(|r| (r, col.v + c)));
    }
}
