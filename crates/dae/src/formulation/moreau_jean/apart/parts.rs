//! The parts of a system that nothing but contacts connects: bodies without joints or springs.

use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// Most coordinates of a part.
pub(super) const WIDTH: usize = 6;

/// Numbers of one part; those beyond its coordinates are zero.
pub(super) type Six = [f64; WIDTH];

/// An entry that the pattern does not have.
const NONE: u32 = u32::MAX;

/// One part: its coordinates follow each other.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Part {
    start: u32,
    count: u32,
}

/// All parts, and the inverse of the matrix of each.
#[derive(Serialize, Deserialize)]
pub(in super::super) struct Parts {
    parts: Vec<Part>,
    /// Part and place in it of each coordinate.
    places: Vec<(u32, u32)>,
    /// Where the entries of each part are in the values of the dynamics, by row and column.
    entries: Vec<[[u32; WIDTH]; WIDTH]>,
    inverse: Vec<[Six; WIDTH]>,
}

impl Parts {
    /// The parts that a pattern leaves apart, if all of them are small.
    pub fn find(dynamics: &Pattern) -> Option<Self> {
        let n = dynamics.cols();
        // a part ends where no entry reaches across
        let mut last: Vec<usize> = (0..n).collect();
        for (i, j) in dynamics.iter() {
            let (low, high) = (i.min(j), i.max(j));
            last[low] = last[low].max(high);
        }
        let (mut parts, mut places) = (Vec::new(), Vec::with_capacity(n));
        let mut start = 0;
        while start < n {
            let (mut end, mut i) = (start, start);
            while i <= end {
                end = end.max(last[i]);
                i += 1;
            }
            let count = end + 1 - start;
            if count > WIDTH {
                return None;
            }
            places.extend((0..count).map(|k| (parts.len() as u32, k as u32)));
            parts.push(Part { start: start as u32, count: count as u32 });
            start = end + 1;
        }
        let entry = |row: usize, col: usize| {
            dynamics.position(row, col).map_or(NONE, |position| position as u32)
        };
        let entries = parts.iter().map(|part| {
            let mut found = [[NONE; WIDTH]; WIDTH];
            for a in 0..part.count as usize {
                for b in 0..part.count as usize {
                    found[a][b] = entry(part.start as usize + a, part.start as usize + b);
                }
            }
            found
        });
        let entries: Vec<_> = entries.collect();
        let inverse = vec![[[0.0; WIDTH]; WIDTH]; parts.len()];
        Some(Parts { parts, places, entries, inverse })
    }

    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// Part of a coordinate, and its place there.
    pub fn place(&self, coordinate: usize) -> (usize, usize) {
        let (part, place) = self.places[coordinate];
        (part as usize, place as usize)
    }

    /// Coordinates of a part.
    pub fn coordinates(&self, part: usize) -> std::ops::Range<usize> {
        let Part { start, count } = self.parts[part];
        start as usize..(start + count) as usize
    }

    /// Inverts the matrix of every part; false if one is singular.
    pub fn invert(&mut self, values: &[f64]) -> bool {
        for ((part, entries), inverse) in
            self.parts.iter().zip(&self.entries).zip(&mut self.inverse)
        {
            let count = part.count as usize;
            let mut matrix = [[0.0; WIDTH]; WIDTH];
            for a in 0..count {
                for b in 0..count {
                    if entries[a][b] != NONE {
                        matrix[a][b] = values[entries[a][b] as usize];
                    }
                }
            }
            if !invert(&mut matrix, count, inverse) {
                return false;
            }
        }
        true
    }

    /// Inverse times forces on a part.
    #[inline]
    pub fn respond(&self, part: usize, forces: &Six) -> Six {
        let inverse = &self.inverse[part];
        std::array::from_fn(|a| (0..WIDTH).map(|b| inverse[a][b] * forces[b]).sum())
    }

    /// Numbers of all coordinates by part.
    pub fn gather(&self, values: &[f64], out: &mut [Six]) {
        for (part, out) in self.parts.iter().zip(out) {
            let start = part.start as usize;
            let count = part.count as usize;
            out[..count].copy_from_slice(&values[start..start + count]);
        }
    }

    /// And back.
    pub fn scatter(&self, values: &[Six], out: &mut [f64]) {
        for (part, values) in self.parts.iter().zip(values) {
            let start = part.start as usize;
            let count = part.count as usize;
            out[start..start + count].copy_from_slice(&values[..count]);
        }
    }
}

/// Gauss–Jordan elimination with row pivoting. The matrix is spoilt.
fn invert(matrix: &mut [Six; WIDTH], count: usize, inverse: &mut [Six; WIDTH]) -> bool {
    *inverse = [[0.0; WIDTH]; WIDTH];
    (0..count).for_each(|a| inverse[a][a] = 1.0);
    for column in 0..count {
        let size = |row: usize, matrix: &[Six; WIDTH]| matrix[row][column].abs();
        let mut pivot = column;
        for row in column + 1..count {
            if size(row, matrix) > size(pivot, matrix) {
                pivot = row;
            }
        }
        let factor = 1.0 / matrix[pivot][column];
        if !factor.is_finite() {
            return false;
        }
        matrix.swap(pivot, column);
        inverse.swap(pivot, column);
        for b in 0..count {
            matrix[column][b] *= factor;
            inverse[column][b] *= factor;
        }
        let (own, own_inverse) = (matrix[column], inverse[column]);
        for row in (0..count).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for b in 0..count {
                matrix[row][b] -= factor * own[b];
                inverse[row][b] -= factor * own_inverse[b];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_and_inverted() {
        // coordinates 0–1 hang together, 2 is alone, 3–5 are a chain
        let entries: &[(usize, usize)] =
            &[(0, 0), (1, 0), (1, 1), (2, 2), (3, 3), (3, 4), (4, 4), (4, 5), (5, 5), (5, 4)];
        let pattern = Pattern::from_entries(6, 6, entries);
        let mut parts = Parts::find(&pattern).unwrap();
        assert_eq!(parts.count(), 3);
        assert_eq!(parts.place(4), (2, 1));
        let mut values = vec![0.0; pattern.entries()];
        let mut set = |i, j, value| values[pattern.position(i, j).unwrap()] = value;
        for (i, j, x) in [(0, 0, 2.0), (1, 0, 1.0), (1, 1, 4.0), (2, 2, 5.0)] {
            set(i, j, x);
        }
        // the first pivot of the last rows is zero
        for (i, j, x) in
            [(3, 3, 1.0), (3, 4, 3.0), (4, 4, 0.0), (4, 5, 2.0), (5, 5, 1.0), (5, 4, 7.0)]
        {
            set(i, j, x);
        }
        assert!(parts.invert(&values));
        let x = [0.3, -0.7, 1.1, 2.0, -0.4, 0.9];
        let mut forces = [0.0; 6];
        pattern.multiply_add(&values, 1.0, &x, &mut forces);
        let mut by_part = vec![[0.0; WIDTH]; 3];
        parts.gather(&forces, &mut by_part);
        let answer: Vec<Six> = (0..3).map(|k| parts.respond(k, &by_part[k])).collect();
        let mut found = [0.0; 6];
        parts.scatter(&answer, &mut found);
        for (a, b) in found.iter().zip(x) {
            assert!((a - b).abs() < 1e-14, "{found:?}");
        }
        values.fill(0.0);
        assert!(!parts.invert(&values));
        assert!(Parts::find(&Pattern::dense(7, 7)).is_none());
    }
}
