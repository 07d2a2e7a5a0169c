//! Dense matrices of a system at a state, and the factorisations that analyses share.
//!
//! Analyses look at a model a few times, not at every step: they use dense orthogonal
//! factorisations, which tell ranks, kernels and least-norm solutions reliably.

use crate::state::State;
use crate::system::{Level, Point, StateWeights, System, Terms, Weights};
use faer::Mat;
use rotula_linear::Pattern;

/// Singular values below this part of the largest are rounding noise.
pub(super) const RANK_TOLERANCE: f64 = 1e-10;

/// A sparse matrix as a dense one.
pub(super) fn dense(pattern: &Pattern, values: &[f64]) -> Mat<f64> {
    let mut matrix = Mat::zeros(pattern.rows(), pattern.cols());
    for ((i, j), value) in pattern.iter().zip(values) {
        matrix[(i, j)] += value;
    }
    matrix
}

/// `[G; K]`, all constraint gradients.
pub(super) fn gradient(system: &mut dyn System, at: &Point) -> Mat<f64> {
    let pattern = system.patterns().constraints;
    let mut values = vec![0.0; pattern.entries()];
    if pattern.rows() > 0 {
        system.constraint_gradient(at, &mut values);
    }
    dense(&pattern, &values)
}

/// The derivative of the constraints at a level.
pub(super) fn constraint_tangent(
    system: &mut dyn System,
    level: Level,
    at: &Point,
    weights: Weights,
) -> Mat<f64> {
    let pattern = system.patterns().constraints;
    let mut values = vec![0.0; pattern.entries()];
    if pattern.rows() > 0 {
        system.constraint_tangent(level, at, weights, &mut values);
    }
    dense(&pattern, &values)
}

/// The derivative of the equations of motion.
pub(super) fn tangent(
    system: &mut dyn System,
    at: &Point,
    weights: Weights,
    terms: Terms,
) -> Mat<f64> {
    let pattern = system.patterns().dynamics;
    let mut values = vec![0.0; pattern.entries()];
    system.tangent(at, weights, terms, &mut values);
    dense(&pattern, &values)
}

/// The mass matrix.
pub(super) fn mass(system: &mut dyn System, at: &Point) -> Mat<f64> {
    tangent(system, at, Weights::MASS, Terms::INERTIA)
}

/// `∂(dynamics)/∂(λ,ψ)`: the system's own, or minus the transposed gradient.
pub(super) fn reactions(system: &mut dyn System, at: &Point) -> Mat<f64> {
    match system.patterns().reactions {
        Some(pattern) => {
            let mut values = vec![0.0; pattern.entries()];
            system.reactions(at, &mut values);
            dense(&pattern, &values)
        }
        None => -gradient(system, at).transpose(),
    }
}

/// Derivatives that involve states and variables.
pub(super) struct AuxiliaryMatrices {
    /// Of the equations of motion by states and variables.
    pub dynamics: Mat<f64>,
    /// Of the auxiliary equations by the motion, with the weights asked for.
    pub motion: Mat<f64>,
    /// Of the auxiliary equations by the multipliers.
    pub multipliers: Mat<f64>,
    /// Of the auxiliary equations by states and variables.
    pub own: Mat<f64>,
}

/// All derivatives that involve states and variables, with the given weights.
pub(super) fn auxiliary(
    system: &mut dyn System,
    at: &Point,
    weights: Weights,
    states: StateWeights,
) -> AuxiliaryMatrices {
    let patterns = system.patterns();
    let zeros = |pattern: &Pattern| vec![0.0; pattern.entries()];
    let mut dynamics = zeros(&patterns.dynamics_auxiliary);
    let mut motion = zeros(&patterns.auxiliary_motion);
    let mut multipliers = zeros(&patterns.auxiliary_multipliers);
    let mut own = zeros(&patterns.auxiliary);
    if system.sizes().auxiliary() > 0 {
        system.auxiliary_tangent(at, weights, states, &mut motion, &mut multipliers, &mut own);
        system.dynamics_auxiliary(at, states, &mut dynamics);
    }
    AuxiliaryMatrices {
        dynamics: dense(&patterns.dynamics_auxiliary, &dynamics),
        motion: dense(&patterns.auxiliary_motion, &motion),
        multipliers: dense(&patterns.auxiliary_multipliers, &multipliers),
        own: dense(&patterns.auxiliary, &own),
    }
}

/// Characteristic magnitudes of all coordinates.
pub(super) fn scales(system: &dyn System) -> Vec<f64> {
    (0..system.sizes().motion).map(|i| system.scale(i)).collect()
}

/// The state moved by an increment; `q` alone changes.
pub(super) fn move_by(system: &dyn System, state: &mut State, increment: &[f64]) {
    let mut moved = state.q.clone();
    system.retract(&state.q, increment, &mut moved);
    state.q = moved;
}

/// A singular value decomposition `A = U Σ Vᵀ`, complete on both sides.
pub(crate) struct Svd {
    /// Left vectors, one column each, as many as rows.
    pub u: Mat<f64>,
    /// Singular values, decreasing.
    pub s: Vec<f64>,
    /// Right vectors, one column each, as many as columns.
    pub v: Mat<f64>,
    /// How many singular values exceed the tolerance.
    pub rank: usize,
}

impl Svd {
    /// Decomposes; `None` if the matrix is not finite.
    pub fn new(matrix: &Mat<f64>, tolerance: f64) -> Option<Self> {
        let (m, n) = (matrix.nrows(), matrix.ncols());
        if m == 0 || n == 0 {
            return Some(Svd { u: eye(m), s: Vec::new(), v: eye(n), rank: 0 });
        }
        if !is_finite(matrix) {
            return None;
        }
        let svd = matrix.svd().ok()?;
        let s: Vec<f64> = (0..m.min(n)).map(|k| svd.S().column_vector()[k]).collect();
        let rank = s.iter().filter(|value| **value > tolerance * s[0] && **value > 0.0).count();
        Some(Svd { u: svd.U().to_owned(), s, v: svd.V().to_owned(), rank })
    }

    /// Least-norm, least-squares solution of `A x = b`, damped by `damping` as in Levenberg and
    /// Marquardt's method.
    pub fn solve(&self, b: &[f64], damping: f64) -> Vec<f64> {
        let mut x = vec![0.0; self.v.nrows()];
        for k in 0..self.rank {
            let along: f64 = (0..b.len()).map(|i| self.u[(i, k)] * b[i]).sum();
            let factor = along * self.s[k] / (self.s[k] * self.s[k] + damping);
            for (i, x) in x.iter_mut().enumerate() {
                *x += factor * self.v[(i, k)];
            }
        }
        x
    }

    /// Orthonormal basis of the kernel `A x = 0`, one column each.
    pub fn kernel(&self) -> Mat<f64> {
        self.v.submatrix(0, self.rank, self.v.nrows(), self.v.nrows() - self.rank).to_owned()
    }

    /// Orthonormal basis of the `y` with `yᵀ A = 0`, one column each.
    pub fn left_kernel(&self) -> Mat<f64> {
        self.u.submatrix(0, self.rank, self.u.nrows(), self.u.nrows() - self.rank).to_owned()
    }

    /// Smallest singular value that counts, relative to the largest.
    pub fn smallest(&self) -> f64 {
        if self.rank == 0 { 1.0 } else { self.s[self.rank - 1] / self.s[0] }
    }
}

/// The identity.
pub(super) fn eye(n: usize) -> Mat<f64> {
    Mat::identity(n, n)
}

/// True if every entry is finite.
pub(super) fn is_finite(matrix: &Mat<f64>) -> bool {
    (0..matrix.ncols()).all(|j| (0..matrix.nrows()).all(|i| matrix[(i, j)].is_finite()))
}

/// Largest magnitude of an entry.
pub(super) fn largest(matrix: &Mat<f64>) -> f64 {
    let column = |j| (0..matrix.nrows()).fold(0.0_f64, |m, i| m.max(matrix[(i, j)].abs()));
    (0..matrix.ncols()).map(column).fold(0.0, f64::max)
}

/// `A x`.
pub(super) fn times(matrix: &Mat<f64>, x: &[f64]) -> Vec<f64> {
    let row = |i| (0..matrix.ncols()).map(|j| matrix[(i, j)] * x[j]).sum();
    (0..matrix.nrows()).map(row).collect()
}

/// One column.
pub(super) fn column(matrix: &Mat<f64>, j: usize) -> Vec<f64> {
    (0..matrix.nrows()).map(|i| matrix[(i, j)]).collect()
}

/// Multiplies rows and columns.
pub(super) fn scaled(matrix: &Mat<f64>, rows: &[f64], cols: &[f64]) -> Mat<f64> {
    Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)] * rows[i] * cols[j])
}

/// The first rows.
pub(super) fn top(matrix: &Mat<f64>, rows: usize) -> Mat<f64> {
    matrix.submatrix(0, 0, rows, matrix.ncols()).to_owned()
}

/// Copies a block into a matrix.
pub(super) fn put(target: &mut Mat<f64>, row: usize, col: usize, block: &Mat<f64>) {
    for j in 0..block.ncols() {
        for i in 0..block.nrows() {
            target[(row + i, col + j)] = block[(i, j)];
        }
    }
}

/// Euclidean norm.
pub(super) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}
