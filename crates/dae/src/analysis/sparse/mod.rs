//! Sparse matrices for models that are too large for dense ones.
//!
//! Dense orthogonal factorisations tell ranks and kernels reliably, at a cost that grows with the third
//! power. Large models first try a sparse factorisation and believe it only if its condition shows that
//! nothing is near a singularity; where it is, the dense way decides.

mod constraints;
mod factor;
mod pencil;
mod small;
mod vibrations;

pub(super) use constraints::{Independent, all_have_mass, holds};
pub(super) use factor::SparseLu;
pub(super) use vibrations::{ACCEPTED, Vibrations, lowest};

use crate::system::{Point, StateWeights, System, Terms, Weights};
use faer::Mat;
use faer::sparse::{SparseColMat, Triplet};
use rotula_linear::Pattern;

/// Coordinates and multipliers above which sparse factorisations are tried.
pub const LARGE: usize = 250;

/// Entries of a matrix, in any order; those at one place add up.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries(Vec<Triplet<usize, usize, f64>>);

impl Entries {
    /// Adds one.
    pub fn push(&mut self, row: usize, col: usize, value: f64) {
        self.0.push(Triplet::new(row, col, value));
    }

    /// Adds a block times a factor.
    pub fn add(&mut self, block: &Block, row: usize, col: usize, factor: f64) {
        for ((i, j), value) in block.pattern.iter().zip(&block.values) {
            self.push(row + i, col + j, factor * value);
        }
    }

    /// Adds a transposed block times a factor.
    pub fn add_transposed(&mut self, block: &Block, row: usize, col: usize, factor: f64) {
        for ((i, j), value) in block.pattern.iter().zip(&block.values) {
            self.push(row + j, col + i, factor * value);
        }
    }

    /// Adds the product of two blocks times a factor.
    pub fn add_product(&mut self, left: &Block, right: &Block, factor: f64) {
        let mut columns = vec![Vec::new(); left.pattern.cols()];
        for ((i, j), value) in left.pattern.iter().zip(&left.values) {
            columns[j].push((i, *value));
        }
        for ((k, j), value) in right.pattern.iter().zip(&right.values) {
            columns[k].iter().for_each(|(i, other)| self.push(*i, j, factor * other * value));
        }
    }

    /// Multiplies rows and columns.
    pub fn scale(&mut self, row: impl Fn(usize) -> f64, col: impl Fn(usize) -> f64) {
        for entry in &mut self.0 {
            entry.val *= row(entry.row) * col(entry.col);
        }
    }

    /// As a dense matrix.
    pub fn dense(&self, rows: usize, cols: usize) -> Mat<f64> {
        let mut matrix = Mat::zeros(rows, cols);
        for entry in &self.0 {
            matrix[(entry.row, entry.col)] += entry.val;
        }
        matrix
    }

    /// By columns; `None` if an entry is not finite.
    fn columns(&self, rows: usize, cols: usize) -> Option<SparseColMat<usize, f64>> {
        if self.0.iter().any(|entry| !entry.val.is_finite()) {
            return None;
        }
        SparseColMat::try_new_from_triplets(rows, cols, &self.0).ok()
    }
}

/// A block of derivatives of a system.
pub(super) struct Block {
    pub pattern: Pattern,
    pub values: Vec<f64>,
}

impl Block {
    /// Fills a block with a pattern.
    fn fill(pattern: Pattern, fill: impl FnOnce(&mut [f64])) -> Self {
        let mut values = vec![0.0; pattern.entries()];
        if pattern.rows() > 0 {
            fill(&mut values);
        }
        Block { pattern, values }
    }

    /// Gathers entries.
    pub fn gathered(rows: usize, cols: usize, entries: &Entries) -> Self {
        let places: Vec<(usize, usize)> = entries.0.iter().map(|e| (e.row, e.col)).collect();
        let pattern = Pattern::from_entries(rows, cols, &places);
        let mut values = vec![0.0; pattern.entries()];
        for entry in &entries.0 {
            let place = pattern.position(entry.row, entry.col);
            values[place.expect("every entry has its place")] += entry.val;
        }
        Block { pattern, values }
    }

    /// `[G; K]`, all constraint gradients.
    pub fn gradient(system: &mut dyn System, at: &Point) -> Self {
        Block::fill(system.patterns().constraints, |out| system.constraint_gradient(at, out))
    }

    /// The derivative of the equations of motion.
    pub fn tangent(system: &mut dyn System, at: &Point, weights: Weights, terms: Terms) -> Self {
        Block::fill(system.patterns().dynamics, |out| system.tangent(at, weights, terms, out))
    }

    /// `∂(dynamics)/∂(λ,ψ)`, if it is not minus the transposed gradient.
    pub fn reactions(system: &mut dyn System, at: &Point) -> Option<Self> {
        let pattern = system.patterns().reactions?;
        Some(Block::fill(pattern, |out| system.reactions(at, out)))
    }

    /// Multiplies rows and columns.
    pub fn scaled(mut self, row: impl Fn(usize) -> f64, col: impl Fn(usize) -> f64) -> Self {
        for ((i, j), value) in self.pattern.iter().zip(&mut self.values) {
            *value *= row(i) * col(j);
        }
        self
    }

    /// Largest magnitude.
    pub fn largest(&self) -> f64 {
        self.values.iter().fold(0.0, |m, v| m.max(v.abs()))
    }

    /// Adds the product with a vector.
    pub fn add_product(&self, x: &[f64], factor: f64, out: &mut [f64]) {
        for ((i, j), value) in self.pattern.iter().zip(&self.values) {
            out[i] += factor * value * x[j];
        }
    }

    /// Adds the product of its transpose with a vector.
    pub fn add_transposed_product(&self, x: &[f64], factor: f64, out: &mut [f64]) {
        self.pattern.multiply_transposed_add(&self.values, factor, x, out);
    }

    /// As a dense matrix.
    pub fn dense(&self) -> Mat<f64> {
        super::dense::dense(&self.pattern, &self.values)
    }

    /// Its diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        let mut out = vec![0.0; self.pattern.rows()];
        for ((i, j), value) in self.pattern.iter().zip(&self.values) {
            if i == j {
                out[i] += value;
            }
        }
        out
    }

    /// Norms of the rows.
    pub fn row_norms(&self) -> Vec<f64> {
        let mut squares = vec![0.0; self.pattern.rows()];
        for ((i, _), value) in self.pattern.iter().zip(&self.values) {
            squares[i] += value * value;
        }
        squares.into_iter().map(f64::sqrt).collect()
    }

    /// The first rows only.
    pub fn top(self, rows: usize) -> Self {
        let entries: Vec<_> = self.pattern.iter().zip(&self.values).collect();
        let kept = || entries.iter().filter(|((i, _), _)| *i < rows);
        let places: Vec<(usize, usize)> = kept().map(|(place, _)| *place).collect();
        // columns keep their order, so values do too
        let values = kept().map(|(_, value)| **value).collect();
        let pattern = Pattern::from_entries(rows, self.pattern.cols(), &places);
        Block { pattern, values }
    }
}

/// Adds the derivatives that involve states and variables, at the given rows and columns.
pub(super) fn add_auxiliary(
    system: &mut dyn System,
    at: &Point,
    (weights, states): (Weights, StateWeights),
    [row, multipliers, own]: [usize; 3],
    entries: &mut Entries,
) {
    let patterns = system.patterns();
    let zeros = |pattern: &Pattern| vec![0.0; pattern.entries()];
    let mut motion = zeros(&patterns.auxiliary_motion);
    let mut by_multipliers = zeros(&patterns.auxiliary_multipliers);
    let mut by_own = zeros(&patterns.auxiliary);
    let mut dynamics = zeros(&patterns.dynamics_auxiliary);
    system.auxiliary_tangent(at, weights, states, &mut motion, &mut by_multipliers, &mut by_own);
    system.dynamics_auxiliary(at, states, &mut dynamics);
    for (pattern, values, place) in [
        (patterns.dynamics_auxiliary, dynamics, [0, own]),
        (patterns.auxiliary_motion, motion, [row, 0]),
        (patterns.auxiliary_multipliers, by_multipliers, [row, multipliers]),
        (patterns.auxiliary, by_own, [row, own]),
    ] {
        entries.add(&Block { pattern, values }, place[0], place[1], 1.0);
    }
}
