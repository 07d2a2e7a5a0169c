//! Symmetric matrices within an envelope: each row from its first entry to its diagonal. A chain has
//! rows of two numbers, whatever its length.

use serde::{Deserialize, Serialize};

/// A matrix, and the factor of the part of it that is switched on.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Envelope {
    /// First column of each row.
    first: Vec<usize>,
    /// Where the row ends, its diagonal last.
    end: Vec<usize>,
    values: Vec<f64>,
    factor: Vec<f64>,
}

/// A pivot below this part of its diagonal is rounding.
const SMALLEST_PIVOT: f64 = 1e-11;

impl Envelope {
    /// A matrix of zeros whose rows begin at the given columns.
    pub fn lay_out(&mut self, first: impl Iterator<Item = usize>) {
        self.first.clear();
        self.end.clear();
        let mut end = 0;
        for (row, first) in first.enumerate() {
            end += row - first + 1;
            self.first.push(first);
            self.end.push(end);
        }
        self.values.clear();
        self.values.resize(end, 0.0);
    }

    fn size(&self) -> usize {
        self.first.len()
    }

    /// Adds to an entry of the lower triangle.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        debug_assert!(self.first[row] <= column && column <= row);
        self.values[self.end[row] - 1 - (row - column)] += value;
    }

    pub fn diagonal(&self, row: usize) -> f64 {
        self.values[self.end[row] - 1]
    }

    fn start(&self, row: usize) -> usize {
        self.end[row] - 1 - (row - self.first[row])
    }

    /// `out = A x`.
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for row in 0..self.size() {
            let entries = &self.values[self.start(row)..self.end[row]];
            let (diagonal, left) = entries.split_last().expect("a row has its diagonal");
            let mut sum = diagonal * x[row];
            for (k, value) in left.iter().enumerate() {
                sum += value * x[self.first[row] + k];
                out[self.first[row] + k] += value * x[row];
            }
            out[row] += sum;
        }
    }

    /// Cholesky's factor of the rows and columns that are on; false if they depend on each other.
    pub fn factorise(&mut self, on: &[bool]) -> bool {
        self.factor.clear();
        self.factor.extend_from_slice(&self.values);
        for row in 0..self.size() {
            let (first, start) = (self.first[row], self.start(row));
            if !on[row] {
                self.factor[start..self.end[row]].fill(0.0);
                continue;
            }
            let (before, own) = self.factor.split_at_mut(start);
            let own = &mut own[..row - first + 1];
            for column in first..row {
                if !on[column] {
                    own[column - first] = 0.0;
                    continue;
                }
                let from = first.max(self.first[column]);
                let other_start = self.end[column] - 1 - (column - from);
                let other = &before[other_start..self.end[column]];
                let (pivot, other) = other.split_last().expect("a row has its diagonal");
                let sum: f64 = other.iter().zip(&own[from - first..]).map(|(a, b)| a * b).sum();
                own[column - first] = (own[column - first] - sum) / pivot;
            }
            let (diagonal, left) = own.split_last_mut().expect("a row has its diagonal");
            let rest = *diagonal - left.iter().map(|x| x * x).sum::<f64>();
            if rest.is_nan() || rest <= SMALLEST_PIVOT * *diagonal {
                return false;
            }
            *diagonal = rest.sqrt();
        }
        true
    }

    /// Solves for the rows that were on; the others are left alone.
    pub fn solve(&self, on: &[bool], x: &mut [f64]) {
        let row_of = |row: usize| &self.factor[self.start(row)..self.end[row]];
        for row in (0..self.size()).filter(|&row| on[row]) {
            let (pivot, left) = row_of(row).split_last().expect("a row has its diagonal");
            let known = &x[self.first[row]..row];
            // the factor is zero where a column is off
            let sum: f64 = left.iter().zip(known).map(|(a, b)| a * b).sum();
            x[row] = (x[row] - sum) / pivot;
        }
        for row in (0..self.size()).rev().filter(|&row| on[row]) {
            let (pivot, left) = row_of(row).split_last().expect("a row has its diagonal");
            x[row] /= pivot;
            let own = x[row];
            for (x, value) in x[self.first[row]..row].iter_mut().zip(left) {
                *x -= value * own;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_on_are_solved() {
        // positive by a strong diagonal
        let entries: &[(usize, usize, f64)] = &[
            (0, 0, 4.0),
            (1, 0, -1.0),
            (1, 1, 5.0),
            (2, 2, 3.0),
            (3, 1, 0.7),
            (3, 2, -1.1),
            (3, 3, 6.0),
            (4, 3, 2.0),
            (4, 4, 4.0),
        ];
        let mut matrix = Envelope::default();
        matrix.lay_out([0, 0, 2, 1, 3].into_iter());
        entries.iter().for_each(|&(i, j, value)| matrix.add(i, j, value));
        for off in [None, Some(1), Some(3)] {
            let on: Vec<bool> = (0..5).map(|i| Some(i) != off).collect();
            let x: Vec<f64> =
                (0..5).map(|i| if on[i] { 1.0 + (i as f64).sin() } else { 0.0 }).collect();
            let mut b = vec![0.0; 5];
            matrix.multiply(&x, &mut b);
            let mut dense = vec![0.0; 5];
            for &(i, j, value) in entries {
                dense[i] += value * x[j];
                if i != j {
                    dense[j] += value * x[i];
                }
            }
            assert!(b.iter().zip(&dense).all(|(a, b)| (a - b).abs() < 1e-14), "{b:?} {dense:?}");
            (0..5).filter(|&i| !on[i]).for_each(|i| b[i] = 0.0);
            assert!(matrix.factorise(&on));
            matrix.solve(&on, &mut b);
            assert!(b.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-14), "{b:?} {x:?}");
        }
        // two rows that say the same
        matrix.lay_out([0, 0].into_iter());
        [(0, 0), (1, 0), (1, 1)].iter().for_each(|&(i, j)| matrix.add(i, j, 2.0));
        assert!(!matrix.factorise(&[true, true]));
        assert!(matrix.factorise(&[false, true]));
    }
}
