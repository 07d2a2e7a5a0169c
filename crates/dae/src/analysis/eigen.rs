//! Eigenvalues of linearised systems: the classical symmetric problem, and the general one.

use super::dense::column;
use super::linearise::Parts;
use super::noise;
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
    /// What rounding makes of the value, to first order; see [`noise`](super::noise).
    pub floor: f64,
}

/// Pivots above this part of the largest let a stiffness be divided by.
const HELD: f64 = 1e-12;

/// `K φ = ω² M φ` on the motions that are left.
pub(super) fn classical(parts: &Parts) -> Option<Vec<Pair>> {
    let (m, k) = (parts.reduced(&parts.mass), parts.reduced(&parts.stiffness));
    let basis = (&parts.velocities, &parts.velocities_noise);
    let of_mass = noise::reduced(basis, (&parts.mass, &parts.noise.mass));
    let of_stiffness = noise::reduced(basis, (&parts.stiffness, &parts.noise.stiffness));
    // with φᵀMφ = 1 the square moves by |φ|ᵀ(δK + ω²δM)|φ| and by what the iteration leaves
    let floor = |squared: f64, shape: &[f64], iteration: f64| {
        let stiffness = noise::along(&of_stiffness, shape);
        let mass = squared.abs() * noise::along(&of_mass, shape);
        (stiffness + mass + iteration).sqrt() / noise::ROOT
    };
    if let Some(found) = held(&m, &k) {
        let pairs = found.into_iter().flat_map(|(squared, shape)| {
            // relative to the stiffness: the iteration adds nothing absolute
            vibration(squared, floor(squared, &shape, 0.0), &shape)
        });
        return Some(pairs.collect());
    }
    let size = m.nrows();
    // M = U m Uᵀ; with the columns of U over √m the problem is a symmetric one
    let eigen = m.self_adjoint_eigen(Side::Lower).ok()?;
    let root = |j: usize| eigen.S().column_vector()[j].sqrt();
    let transform = Mat::from_fn(size, size, |i, j| eigen.U()[(i, j)] / root(j));
    let reduced = transform.transpose() * k * &transform;
    let symmetric: Mat<f64> = (&reduced + reduced.transpose()) * faer::Scale(0.5);
    let eigen = symmetric.self_adjoint_eigen(Side::Lower).ok()?;
    let shapes = transform * eigen.U();
    let iteration = noise::of_iteration(&symmetric);
    let pairs = (0..size).flat_map(|k| {
        let (squared, shape) = (eigen.S().column_vector()[k], column(&shapes, k));
        vibration(squared, floor(squared, &shape, iteration), &shape)
    });
    Some(pairs.collect())
}

/// A vibration and its conjugate from `ω²` and its shape.
fn vibration(squared: f64, floor: f64, shape: &[f64]) -> [Pair; 2] {
    let root = squared.abs().sqrt();
    let values = if squared >= 0.0 {
        [Complex::new(0.0, root), Complex::new(0.0, -root)]
    } else {
        [Complex::new(root, 0.0), Complex::new(-root, 0.0)]
    };
    values.map(|value| {
        let a = shape.iter().map(|x| Complex::new(*x, 0.0));
        let b = shape.iter().map(|x| value * *x);
        Pair { value, vector: a.chain(b).collect(), floor }
    })
}

/// The same with a definite stiffness `K = L Lᵀ`: `L⁻¹ M L⁻ᵀ` has the eigenvalues `1/ω²`, the lowest
/// vibrations first, which a stiff part elsewhere in the system does not spoil.
/// Gives `ω²` with its shape, `φᵀMφ = 1`.
fn held(mass: &Mat<f64>, stiffness: &Mat<f64>) -> Option<Vec<(f64, Vec<f64>)>> {
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
    // of unit stiffness as they come
    let shape = |k: usize| (0..size).map(|i| shapes[(i, k)] / unit[i] / value(k).sqrt()).collect();
    Some((0..size).map(|k| (1.0 / value(k), shape(k))).collect())
}

/// Eigenvalues of the first-order system, balanced.
pub(super) fn general(parts: &Parts) -> Option<Vec<Pair>> {
    let mut matrix = parts.first_order.clone();
    let scale = balance(&mut matrix);
    let n = matrix.nrows();
    let iteration = noise::of_iteration(&matrix);
    let noise = Mat::from_fn(n, n, |i, j| parts.first_order_noise[(i, j)] * scale[j] / scale[i]);
    let eigen = matrix.eigen().ok()?;
    let floors = floors(&eigen.U().to_owned(), &noise, iteration)?;
    let pair = |k: usize| Pair {
        value: eigen.S().column_vector()[k],
        vector: (0..n).map(|i| eigen.U()[(i, k)] * scale[i]).collect(),
        floor: floors[k],
    };
    Some((0..n).map(pair).collect())
}

/// `|y|ᵀ E |x| + ε‖A‖ ‖y‖ ‖x‖` of every eigenvalue, with the left vectors as rows of the inverse of the right ones. Where these
/// are parallel, as at double zeros, the inverse is as large as rounding allows.
fn floors(vectors: &Mat<Complex>, noise: &Mat<f64>, iteration: f64) -> Option<Vec<f64>> {
    let n = vectors.nrows();
    let size = |k: usize| (0..n).map(|i| abs(vectors[(i, k)]).powi(2)).sum::<f64>().sqrt();
    let sizes: Vec<f64> = (0..n).map(|k| size(k).max(f64::MIN_POSITIVE)).collect();
    let right = Mat::from_fn(n, n, |i, k| vectors[(i, k)] / Complex::new(sizes[k], 0.0));
    let svd = right.svd().ok()?;
    let singular = |k: usize| svd.S().column_vector()[k].re;
    let least = f64::EPSILON * singular(0);
    // X⁻¹ = V Σ⁻¹ Uᴴ
    let scaled = Mat::from_fn(n, n, |i, k| {
        svd.V()[(i, k)] / Complex::new(singular(k).max(least).max(f64::MIN_POSITIVE), 0.0)
    });
    let left = scaled * svd.U().adjoint();
    let right_size = Mat::from_fn(n, n, |i, k| abs(right[(i, k)]));
    let spread = noise * right_size;
    // the right vectors have length one
    let floor = |k: usize| {
        let of_entries: f64 = (0..n).map(|i| abs(left[(k, i)]) * spread[(i, k)]).sum();
        let length: f64 = (0..n).map(|i| abs(left[(k, i)]).powi(2)).sum();
        of_entries + iteration * length.sqrt()
    };
    Some((0..n).map(floor).collect())
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
