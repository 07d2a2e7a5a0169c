//! Generators of realistic saddle-point matrices and a driver for them.
//!
//! Each problem has several value sets on one pattern, as the instants of a motion have.
#![allow(dead_code)]

pub mod bodies;
pub mod elastic;

use rotula_linear::{Block, BlockBuilder, BlockMatrix, Options, Pattern};

/// A pattern, value sets on it, and which unknowns are multipliers.
pub struct Problem {
    pub pattern: Pattern,
    pub values: Vec<Vec<f64>>,
    pub multipliers: Vec<bool>,
}

impl Problem {
    /// From one list of (row, column, value) per value set.
    pub fn new(multipliers: Vec<bool>, sets: &[Triplets]) -> Problem {
        let n = multipliers.len();
        let places = |set: &Triplets| set.0.iter().map(|&(i, j, _)| (i, j)).collect::<Vec<_>>();
        let pattern = Pattern::from_entries(n, n, &places(&sets[0]));
        let values = sets
            .iter()
            .map(|set| {
                let mut values = vec![0.0; pattern.entries()];
                for &(i, j, value) in &set.0 {
                    values[pattern.position(i, j).expect("same pattern in each set")] += value;
                }
                values
            })
            .collect();
        Problem { pattern, values, multipliers }
    }

    pub fn size(&self) -> usize {
        self.multipliers.len()
    }

    pub fn matrix(&self, options: Options) -> (BlockMatrix, Block) {
        let mut builder = BlockBuilder::new(self.size());
        let block = builder.place(&self.pattern, 0, 0);
        (builder.build(&self.multipliers, options), block)
    }

    /// All velocities first, then all multipliers, as a block composite numbers them.
    pub fn velocities_first(&self) -> Problem {
        let n = self.size();
        let mut old: Vec<usize> = (0..n).collect();
        old.sort_by_key(|&i| self.multipliers[i]);
        let mut new = vec![0; n];
        for (k, &i) in old.iter().enumerate() {
            new[i] = k;
        }
        let sets: Vec<Triplets> = self
            .values
            .iter()
            .map(|values| {
                let entries = self.pattern.iter().zip(values);
                Triplets(entries.map(|((i, j), &v)| (new[i], new[j], v)).collect())
            })
            .collect();
        Problem::new(old.iter().map(|&i| self.multipliers[i]).collect(), &sets)
    }
}

/// Entries of a matrix; repeated places add up.
#[derive(Default)]
pub struct Triplets(pub Vec<(usize, usize, f64)>);

impl Triplets {
    pub fn add(&mut self, row: usize, col: usize, value: f64) {
        self.0.push((row, col, value));
    }

    /// Adds an entry and its mirror image.
    pub fn add_pair(&mut self, row: usize, col: usize, value: f64) {
        self.add(row, col, value);
        self.add(col, row, value);
    }
}

/// A small reproducible generator, so that the matrices never change with a library.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
}

/// A solution with parts of different sign and size.
pub fn known_solution(n: usize) -> Vec<f64> {
    let mut random = Random::new(99);
    (0..n).map(|_| random.signed()).collect()
}

/// Largest difference relative to the largest entry of `reference`.
pub fn relative_error(x: &[f64], reference: &[f64]) -> f64 {
    let size = reference.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let difference = x.iter().zip(reference).fold(0.0_f64, |m, (a, b)| {
        let d = (a - b).abs();
        if d.is_nan() { f64::INFINITY } else { m.max(d) }
    });
    difference / size
}
