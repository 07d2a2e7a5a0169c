//! Subsystems: what nothing but contacts connects, such as single bodies or mechanisms.
//!
//! The matrix `S` of the smooth motion falls into one block for each of them. Their coordinates are kept in blocks
//! of six, so that a contact reads and moves the bodies it touches in place.

use super::candidates::Candidates;
use rotula_linear::{FactorError, Pattern};
use serde::{Deserialize, Serialize};

/// Coordinates of a block.
pub(super) const WIDTH: usize = 6;

/// Numbers of one block; those beyond its coordinates are zero.
pub(crate) type Six = [f64; WIDTH];

/// A coordinate or an entry that there is not.
const NONE: u32 = u32::MAX;

/// The subsystems of a system and the blocks of their coordinates.
#[derive(Serialize, Deserialize)]
pub(crate) struct Subsystems {
    /// Block and place in it of each coordinate, and the coordinates of each block.
    places: Vec<(u32, u32)>,
    coordinates: Vec<[u32; WIDTH]>,
    /// Subsystem of each block, and the first block of each subsystem.
    owners: Vec<u32>,
    first: Vec<u32>,
}

impl Subsystems {
    /// The parts that dynamics and bilateral constraints leave apart.
    pub fn find(dynamics: &Pattern, constraints: &Pattern) -> Self {
        let n = dynamics.cols();
        let mut parent: Vec<usize> = (0..n).collect();
        for (i, j) in dynamics.iter() {
            join(&mut parent, i, j);
        }
        let mut first_of_row = vec![None; constraints.rows()];
        for (row, column) in constraints.iter() {
            let first = *first_of_row[row].get_or_insert(column);
            join(&mut parent, first, column);
        }
        let mut members = vec![Vec::new(); n];
        (0..n).for_each(|i| members[root(&mut parent, i)].push(i as u32));
        let mut found = Subsystems {
            places: vec![(0, 0); n],
            coordinates: Vec::new(),
            owners: Vec::new(),
            first: vec![0],
        };
        for members in members.iter().filter(|members| !members.is_empty()) {
            let subsystem = found.first.len() as u32 - 1;
            for six in members.chunks(WIDTH) {
                let mut coordinates = [NONE; WIDTH];
                coordinates[..six.len()].copy_from_slice(six);
                for (place, &i) in six.iter().enumerate() {
                    found.places[i as usize] = (found.owners.len() as u32, place as u32);
                }
                found.coordinates.push(coordinates);
                found.owners.push(subsystem);
            }
            found.first.push(found.owners.len() as u32);
        }
        found
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.owners.len()
    }

    /// Number of subsystems.
    pub fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// True if every subsystem fits into one block.
    pub fn all_single(&self) -> bool {
        self.count() == self.blocks()
    }

    /// Block of a coordinate, and its place there.
    pub fn place(&self, coordinate: usize) -> (usize, usize) {
        let (block, place) = self.places[coordinate];
        (block as usize, place as usize)
    }

    /// Subsystem of a block.
    pub fn owner(&self, block: usize) -> usize {
        self.owners[block] as usize
    }

    /// All blocks of a subsystem.
    pub fn blocks_of(&self, subsystem: usize) -> std::ops::Range<usize> {
        self.first[subsystem] as usize..self.first[subsystem + 1] as usize
    }

    /// Numbers of one block.
    pub fn six(&self, block: usize, values: &[f64]) -> Six {
        self.coordinates[block].map(|i| if i == NONE { 0.0 } else { values[i as usize] })
    }

    /// Numbers of all coordinates by block.
    pub fn gather(&self, values: &[f64], out: &mut Vec<Six>) {
        out.clear();
        out.extend((0..self.blocks()).map(|block| self.six(block, values)));
    }

    /// And back.
    pub fn scatter(&self, values: &[Six], out: &mut [f64]) {
        for (&(block, place), out) in self.places.iter().zip(out) {
            *out = values[block as usize][place as usize];
        }
    }

    /// Rows of contacts by colour: those of one colour touch different subsystems, so that one solution with the
    /// matrix of the whole system serves all of them.
    pub fn colour(&self, candidates: &Candidates) -> Vec<Vec<usize>> {
        let mut used: Vec<Vec<bool>> = vec![Vec::new(); self.count()];
        let mut colours: Vec<Vec<usize>> = Vec::new();
        let mut touched = Vec::new();
        for contact in 0..candidates.len() {
            touched.clear();
            touched.extend(candidates.columns(contact).map(|(i, _)| self.owner(self.place(i).0)));
            for row in candidates.first[contact]..candidates.first[contact + 1] {
                let taken = |c: usize| touched.iter().any(|&s| used[s].get(c) == Some(&true));
                let colour = (0..).find(|&c| !taken(c)).expect("some colour is free");
                for &subsystem in &touched {
                    let used = &mut used[subsystem];
                    used.resize(used.len().max(colour + 1), false);
                    used[colour] = true;
                }
                colours.resize(colours.len().max(colour + 1), Vec::new());
                colours[colour].push(row);
            }
        }
        colours
    }
}

fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

fn join(parent: &mut [usize], i: usize, j: usize) {
    let (a, b) = (root(parent, i), root(parent, j));
    parent[a.max(b)] = a.min(b);
}

/// The inverse of `S`, block by block, where every subsystem is one block.
#[derive(Serialize, Deserialize)]
pub(crate) struct BlockInverses {
    /// Where the entries of each block are in the values of the dynamics, by row and column.
    entries: Vec<[[u32; WIDTH]; WIDTH]>,
    inverse: Vec<[Six; WIDTH]>,
}

impl BlockInverses {
    pub fn new(subsystems: &Subsystems, dynamics: &Pattern) -> Self {
        let entry = |row: u32, column: u32| match (row, column) {
            (NONE, _) | (_, NONE) => NONE,
            _ => dynamics.position(row as usize, column as usize).map_or(NONE, |p| p as u32),
        };
        let block = |of: &[u32; WIDTH]| of.map(|row| of.map(|column| entry(row, column)));
        BlockInverses {
            entries: subsystems.coordinates.iter().map(block).collect(),
            inverse: vec![[[0.0; WIDTH]; WIDTH]; subsystems.blocks()],
        }
    }

    /// Inverts every block of a matrix given by its values.
    pub fn invert(&mut self, subsystems: &Subsystems, values: &[f64]) -> Result<(), FactorError> {
        let blocks = subsystems.coordinates.iter().zip(&self.entries).zip(&mut self.inverse);
        for ((coordinates, entries), inverse) in blocks {
            let count = coordinates.iter().take_while(|&&i| i != NONE).count();
            let mut matrix = [[0.0; WIDTH]; WIDTH];
            for a in 0..count {
                for b in (0..count).filter(|&b| entries[a][b] != NONE) {
                    matrix[a][b] = values[entries[a][b] as usize];
                }
            }
            if !invert(&mut matrix, count, inverse) {
                return Err(FactorError::Singular { unknown: coordinates[0] as usize });
            }
        }
        Ok(())
    }

    /// Inverse times forces on a block.
    #[inline]
    pub fn respond(&self, block: usize, forces: &Six) -> Six {
        let inverse = &self.inverse[block];
        std::array::from_fn(|a| (0..WIDTH).map(|b| inverse[a][b] * forces[b]).sum())
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
    fn subsystems_are_found_and_inverted() {
        // coordinates 0–1 hang together, 2 is alone, 3–5 are a chain
        let entries: &[(usize, usize)] =
            &[(0, 0), (1, 0), (1, 1), (2, 2), (3, 3), (3, 4), (4, 4), (4, 5), (5, 5), (5, 4)];
        let pattern = Pattern::from_entries(6, 6, entries);
        let subsystems = Subsystems::find(&pattern, &Pattern::empty(0, 6));
        assert!(subsystems.all_single() && subsystems.count() == 3);
        assert_eq!(subsystems.place(4), (2, 1));
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
        let mut inverses = BlockInverses::new(&subsystems, &pattern);
        inverses.invert(&subsystems, &values).unwrap();
        let x = [0.3, -0.7, 1.1, 2.0, -0.4, 0.9];
        let mut forces = [0.0; 6];
        pattern.multiply_add(&values, 1.0, &x, &mut forces);
        let mut by_block = Vec::new();
        subsystems.gather(&forces, &mut by_block);
        let answer: Vec<Six> = (0..3).map(|k| inverses.respond(k, &by_block[k])).collect();
        let mut found = [0.0; 6];
        subsystems.scatter(&answer, &mut found);
        for (a, b) in found.iter().zip(x) {
            assert!((a - b).abs() < 1e-14, "{found:?}");
        }
        values.fill(0.0);
        assert!(inverses.invert(&subsystems, &values).is_err());
        // seven coordinates take two blocks; a constraint joins what forces leave apart
        assert_eq!(Subsystems::find(&Pattern::dense(7, 7), &Pattern::empty(0, 7)).blocks(), 2);
        let joined = Subsystems::find(&pattern, &Pattern::from_entries(1, 6, &[(0, 1), (0, 5)]));
        assert_eq!((joined.count(), joined.blocks()), (2, 2));
    }
}
