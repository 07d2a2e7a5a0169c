//! Vibrations of small dense matrices, the lowest first.

use super::super::eigen::{Complex, abs};
use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

/// Eigenvalues of a symmetric problem with definite `K + σ²M`, lowest first, with vectors.
pub(super) fn definite(
    mass: &Mat<f64>,
    stiffness: &Mat<f64>,
    shift: f64,
) -> Option<Vec<(Complex, Vec<Complex>)>> {
    let size = mass.nrows();
    let symmetric = |m: &Mat<f64>| (m + m.transpose()) * faer::Scale(0.5);
    let mass = symmetric(mass);
    let shifted = symmetric(stiffness) + &mass * faer::Scale(shift * shift);
    let factor = shifted.llt(Side::Lower).ok()?;
    let lower = factor.L();
    // L⁻¹ M L⁻ᵀ has the eigenvalues 1/(ω² + σ²)
    let mut inner = mass;
    lower.solve_lower_triangular_in_place(&mut inner);
    let mut inner = inner.transpose().to_owned();
    lower.solve_lower_triangular_in_place(&mut inner);
    let eigen = symmetric(&inner).self_adjoint_eigen(Side::Lower).ok()?;
    let mut shapes = eigen.U().to_owned();
    lower.transpose().solve_upper_triangular_in_place(&mut shapes);
    let value = |k: usize| eigen.S().column_vector()[k];
    let top = value(size - 1);
    // motions without mass have no vibration
    let with_mass = (0..size).rev().take_while(|k| value(*k) > 1e-14 * top);
    let pair = |k: usize| {
        let squared = 1.0 / value(k) - shift * shift;
        let root = squared.abs().sqrt();
        let value = if squared >= 0.0 { Complex::new(0.0, root) } else { Complex::new(root, 0.0) };
        (value, (0..size).map(|i| Complex::new(shapes[(i, k)], 0.0)).collect())
    };
    Some(with_mass.map(pair).collect())
}

/// Eigenvalues of any small problem, nearest to the shift first, with vectors.
pub(super) fn general(
    [mass, damping, stiffness]: [&Mat<f64>; 3],
    shift: f64,
) -> Option<Vec<(Complex, Vec<Complex>)>> {
    let size = mass.nrows();
    let scale = faer::Scale;
    let shifted = stiffness + damping * scale(shift) + mass * scale(shift * shift);
    let factor = shifted.col_piv_qr();
    let by_position = factor.solve(damping + mass * scale(shift));
    let by_velocity = factor.solve(mass);
    // velocities in a unit in which both parts of the lowest vibrations are alike
    let square = (0..size).fold(0.0_f64, |m, i| m.max(by_velocity[(i, i)].abs()));
    let rate = if square > 0.0 { 1.0 / square.sqrt() } else { 1.0 };
    // (x, y) ↦ (q, x + σq), see the operator above with θ = 1/(λ − σ)
    let operator = Mat::from_fn(2 * size, 2 * size, |i, j| {
        let (row, col) = (i % size, j % size);
        let position = match j < size {
            true => -by_position[(row, col)],
            false => -by_velocity[(row, col)] * rate,
        };
        let identity = if row == col && j < size { 1.0 } else { 0.0 };
        match i < size {
            true => position,
            false => (identity + shift * position) / rate,
        }
    });
    let eigen = operator.eigen().ok()?;
    let theta = |k: usize| eigen.S().column_vector()[k];
    let mut order: Vec<usize> = (0..2 * size).collect();
    order.sort_by(|a, b| abs(theta(*b)).total_cmp(&abs(theta(*a))));
    let top = order.first().map_or(0.0, |k| abs(theta(*k)));
    order.retain(|k| abs(theta(*k)) > 1e-14 * top);
    let pair = |k: usize| {
        let value = Complex::new(1.0, 0.0) / theta(k) + Complex::new(shift, 0.0);
        (value, (0..size).map(|i| eigen.U()[(i, k)]).collect())
    };
    Some(order.into_iter().map(pair).collect())
}
