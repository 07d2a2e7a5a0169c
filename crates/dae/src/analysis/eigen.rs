//! Eigenvalues of linearised systems: the classical symmetric problem, and the general one.

use super::dense::{column, scaled};
use super::linearise::{Parts, equilibrate};
use faer::{Mat, Side};

pub(super) type Complex = faer::c64;

/// Magnitude.
pub(super) fn abs(c: Complex) -> f64 {
    c.re.hypot(c.im)
}

/// An eigenvalue and its vector over (a, b, x).
pub(super) struct Pair {
    pub value: Complex,
    pub vector: Vec<Complex>,
}

/// Pivots above this part of the largest mean that nothing is without hold.
const HELD: f64 = 1e-12;

/// Eigenvalues with their vectors, and whether none can be zero: then small ones are what they are.
pub(super) struct Spectrum {
    pub pairs: Vec<Pair>,
    pub held: bool,
}

/// `K φ = ω² M φ` on the motions that are left.
pub(super) fn classical(parts: &Parts) -> Option<Spectrum> {
    let (m, k) = (parts.reduced(&parts.mass), parts.reduced(&parts.stiffness));
    if let Some(pairs) = held(&m, &k) {
        return Some(Spectrum { pairs, held: true });
    }
    let size = m.nrows();
    // M = U m Uᵀ; with the columns of U over √m the problem is a symmetric one
    let eigen = m.self_adjoint_eigen(Side::Lower).ok()?;
    let root = |j: usize| eigen.S().column_vector()[j].sqrt();
    let transform = Mat::from_fn(size, size, |i, j| eigen.U()[(i, j)] / root(j));
    let reduced = transform.transpose() * k * &transform;
    let symmetric = (&reduced + reduced.transpose()) * faer::Scale(0.5);
    let eigen = symmetric.self_adjoint_eigen(Side::Lower).ok()?;
    let shapes = transform * eigen.U();
    let pairs =
        (0..size).flat_map(|k| vibration(eigen.S().column_vector()[k], &column(&shapes, k)));
    Some(Spectrum { pairs: pairs.collect(), held: false })
}

/// A vibration and its conjugate from `ω²` and its shape.
fn vibration(squared: f64, shape: &[f64]) -> [Pair; 2] {
    let root = squared.abs().sqrt();
    let values = if squared >= 0.0 {
        [Complex::new(0.0, root), Complex::new(0.0, -root)]
    } else {
        [Complex::new(root, 0.0), Complex::new(-root, 0.0)]
    };
    values.map(|value| {
        let a = shape.iter().map(|x| Complex::new(*x, 0.0));
        let b = shape.iter().map(|x| value * *x);
        Pair { value, vector: a.chain(b).collect() }
    })
}

/// The same with a definite stiffness `K = L Lᵀ`: `L⁻¹ M L⁻ᵀ` has the eigenvalues `1/ω²`, the lowest
/// vibrations first, which a stiff part elsewhere in the system does not spoil.
fn held(mass: &Mat<f64>, stiffness: &Mat<f64>) -> Option<Vec<Pair>> {
    let size = stiffness.nrows();
    // every motion in units of its own stiffness
    let unit: Vec<f64> = (0..size).map(|i| stiffness[(i, i)].sqrt()).collect();
    if unit.iter().any(|u| u.is_nan() || *u <= 0.0) {
        return None;
    }
    let own = |m: &Mat<f64>| {
        Mat::from_fn(size, size, |i, j| 0.5 * (m[(i, j)] + m[(j, i)]) / (unit[i] * unit[j]))
    };
    let factor = own(stiffness).llt(Side::Lower).ok()?;
    let lower = factor.L();
    if (0..size).any(|k| lower[(k, k)].powi(2) <= HELD) {
        return None;
    }
    let mut inner = own(mass);
    // L⁻¹ M, then (L⁻¹ (L⁻¹ M)ᵀ)ᵀ
    lower.solve_lower_triangular_in_place(&mut inner);
    let mut inner = inner.transpose().to_owned();
    lower.solve_lower_triangular_in_place(&mut inner);
    let symmetric = (&inner + inner.transpose()) * faer::Scale(0.5);
    let eigen = symmetric.self_adjoint_eigen(Side::Lower).ok()?;
    let mut shapes = eigen.U().to_owned();
    lower.transpose().solve_upper_triangular_in_place(&mut shapes);
    let value = |k: usize| eigen.S().column_vector()[k];
    // motions without mass would have no vibration
    if (0..size).any(|k| value(k) <= 0.0) {
        return None;
    }
    let shape = |k: usize| (0..size).map(|i| shapes[(i, k)] / unit[i]).collect::<Vec<_>>();
    Some((0..size).flat_map(|k| vibration(1.0 / value(k), &shape(k))).collect())
}

/// Eigenvalues of the first-order system, balanced.
pub(super) fn general(parts: &Parts) -> Option<Spectrum> {
    let mut matrix = parts.first_order.clone();
    let scale = balance(&mut matrix);
    let n = matrix.nrows();
    let eigen = matrix.eigen().ok()?;
    let pair = |k: usize| Pair {
        value: eigen.S().column_vector()[k],
        vector: (0..n).map(|i| eigen.U()[(i, k)] * scale[i]).collect(),
    };
    let held = regular(&parts.first_order);
    Some(Spectrum { pairs: (0..n).map(pair).collect(), held })
}

/// Whether a matrix is far from singular, whatever the units of its rows and columns.
fn regular(matrix: &Mat<f64>) -> bool {
    let Some((rows, cols)) = equilibrate(matrix) else { return false };
    let qr = scaled(matrix, &rows, &cols).col_piv_qr();
    let r = qr.thin_R();
    (0..matrix.nrows()).all(|k| r[(k, k)].abs() > HELD * r[(0, 0)].abs())
}

/// Parlett and Reinsch's balancing: a similarity by powers of two that makes rows and columns
/// equally large. Returns the factors of the vectors.
fn balance(matrix: &mut Mat<f64>) -> Vec<f64> {
    let n = matrix.nrows();
    let mut scale = vec![1.0; n];
    for _ in 0..20 {
        let mut settled = true;
        for i in 0..n {
            let others = || (0..n).filter(move |j| *j != i);
            let row: f64 = others().map(|j| matrix[(i, j)].abs()).sum();
            let col: f64 = others().map(|j| matrix[(j, i)].abs()).sum();
            if row == 0.0 || col == 0.0 {
                continue;
            }
            let factor = ((row / col).log2() / 2.0).round().exp2();
            if row / factor + col * factor < 0.95 * (row + col) {
                settled = false;
                scale[i] *= factor;
                for j in 0..n {
                    matrix[(j, i)] *= factor;
                    matrix[(i, j)] /= factor;
                }
            }
        }
        if settled {
            break;
        }
    }
    scale
}
