//! Frequencies of small vibrations of a constrained system.

use crate::entry::GalleryError;
use crate::study::larger;
use nalgebra::DMatrix;
use rotula_dae::{State, System, Terms, Weights};

/// Frequencies in rad per unit of time about a state, ascending: `det(Zᵀ(K − ω²M)Z) = 0`, where the
/// columns of `Z` span the kernel of the constraint gradient. Forces and reactions at the state are
/// left out of `K`. `dependent` are coordinates that the others determine.
pub(super) fn frequencies<S: System>(
    system: &mut S,
    state: &State,
    dependent: &[usize],
) -> Result<Vec<f64>, GalleryError> {
    let patterns = system.patterns();
    let at = state.point();
    let (n, m) = (patterns.dynamics.rows(), patterns.constraints.rows());
    let mut values = vec![0.0; patterns.dynamics.entries()];
    let mut block = |weights| {
        system.tangent(&at, weights, Terms::WITHOUT_REACTIONS, &mut values);
        let mut matrix = DMatrix::<f64>::zeros(n, n);
        for ((row, col), value) in patterns.dynamics.iter().zip(&values) {
            matrix[(row, col)] += *value;
        }
        matrix
    };
    let (mass, stiffness) = (block(Weights::MASS), block(Weights::STIFFNESS));
    let mut values = vec![0.0; patterns.constraints.entries()];
    system.constraint_gradient(&at, &mut values);
    let mut gradient = DMatrix::<f64>::zeros(m, n);
    for ((row, col), value) in patterns.constraints.iter().zip(&values) {
        gradient[(row, col)] += *value;
    }
    let free: Vec<usize> = (0..n).filter(|i| !dependent.contains(i)).collect();
    let trouble = |what: &str| GalleryError::Reference(format!("{what} is singular at this state"));
    let follow = gradient
        .select_columns(dependent)
        .lu()
        .solve(&gradient.select_columns(&free))
        .ok_or_else(|| trouble("the gradient of the dependent coordinates"))?;
    let mut basis = DMatrix::<f64>::zeros(n, free.len());
    for (j, &i) in free.iter().enumerate() {
        basis[(i, j)] = 1.0;
        for (k, &y) in dependent.iter().enumerate() {
            basis[(y, j)] = -follow[(k, j)];
        }
    }
    let reduce = |matrix: &DMatrix<f64>| basis.transpose() * matrix * &basis;
    let root = reduce(&mass).cholesky().ok_or_else(|| trouble("the mass matrix"))?.l();
    let inverse = root.try_inverse().ok_or_else(|| trouble("the mass matrix"))?;
    let similar = &inverse * reduce(&stiffness) * inverse.transpose();
    let mut squares: Vec<f64> = similar.symmetric_eigenvalues().iter().copied().collect();
    squares.sort_by(f64::total_cmp);
    // the rigid motion has none, up to rounding
    Ok(squares.into_iter().map(|square| larger(square, 0.0).sqrt()).collect())
}
