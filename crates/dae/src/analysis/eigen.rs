//! Eigenvalues of linearised systems: the classical symmetric problem, and the general one.

use super::dense::column;
use super::linearise::Parts;
use faer::{Mat, Side};

pub(super) type Complex = faer::c64;

/// An eigenvalue and its vector over (a, b, x).
pub(super) struct Pair {
    pub value: Complex,
    pub vector: Vec<Complex>,
}

/// `K φ = ω² M φ` on the motions that are left.
pub(super) fn classical(parts: &Parts) -> Option<Vec<Pair>> {
    let (m, k) = (parts.reduced(&parts.mass), parts.reduced(&parts.stiffness));
    let size = m.nrows();
    // M = U m Uᵀ; with the columns of U over √m the problem is a symmetric one
    let eigen = m.self_adjoint_eigen(Side::Lower).ok()?;
    let root = |j: usize| eigen.S().column_vector()[j].sqrt();
    let transform = Mat::from_fn(size, size, |i, j| eigen.U()[(i, j)] / root(j));
    let reduced = transform.transpose() * k * &transform;
    let symmetric = (&reduced + reduced.transpose()) * faer::Scale(0.5);
    let eigen = symmetric.self_adjoint_eigen(Side::Lower).ok()?;
    let shapes = transform * eigen.U();
    let mut pairs = Vec::new();
    for k in 0..size {
        let squared = eigen.S().column_vector()[k];
        let root = squared.abs().sqrt();
        let values = if squared >= 0.0 {
            [Complex::new(0.0, root), Complex::new(0.0, -root)]
        } else {
            [Complex::new(root, 0.0), Complex::new(-root, 0.0)]
        };
        for value in values {
            let a: Vec<Complex> =
                column(&shapes, k).iter().map(|x| Complex::new(*x, 0.0)).collect();
            let b = a.iter().map(|x| value * x);
            pairs.push(Pair { value, vector: a.iter().copied().chain(b).collect() });
        }
    }
    Some(pairs)
}

/// Eigenvalues of the first-order system, balanced.
pub(super) fn general(parts: &Parts) -> Option<Vec<Pair>> {
    let mut matrix = parts.first_order.clone();
    let scale = balance(&mut matrix);
    let n = matrix.nrows();
    let eigen = matrix.eigen().ok()?;
    let pair = |k: usize| Pair {
        value: eigen.S().column_vector()[k],
        vector: (0..n).map(|i| eigen.U()[(i, k)] * scale[i]).collect(),
    };
    Some((0..n).map(pair).collect())
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
