//! Modes of vibration, K x = λ M x, by block Lanczos iteration with the inverse of K − σM.
//!
//! All vectors are kept orthogonal to each other, twice over, so that no mode is found again; the
//! basis is restarted from its best vectors when it is full. Small systems are solved as a whole. Each mode is checked by its residual,
//! and the number of modes by the inertia of K − σM between the last mode and the next: no mode is
//! missed.

use crate::factor::{Factor, FactorError};
use crate::lanczos::Lanczos;
use crate::matrices::Matrices;
use nalgebra::{DMatrix, DVector};

/// Eigenvalues closer than this are not separated by a count.
pub(crate) const CLUSTER: f64 = 1e-6;
/// Shift of bodies that float, as a part of the largest ratio of stiffness and mass.
const SHIFT: f64 = 1e-9;
/// Most unknowns of a system whose modes are all found at once.
const SMALL: usize = 60;

/// Modes in the order of their frequencies.
#[derive(Clone, Debug)]
pub struct Modes {
    /// Squares of the angular frequencies.
    pub values: Vec<f64>,
    /// Shapes as columns, of unit modal mass.
    pub shapes: DMatrix<f64>,
    /// Largest residual of a mode, ‖x − (λ − σ)(K − σM)⁻¹Mx‖ in the norm of the mass.
    pub residual: f64,
    /// The shift with which they were found; negative if the body floats.
    pub shift: f64,
}

impl Modes {
    /// Frequencies in hertz.
    pub fn frequencies(&self) -> Vec<f64> {
        let hertz = |value: &f64| value.max(0.0).sqrt() / (2.0 * std::f64::consts::PI);
        self.values.iter().map(hertz).collect()
    }
}

/// Which modes are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// So many of the lowest.
    Lowest(usize),
    /// All below a frequency in hertz.
    Below(f64),
}

/// Why there are no modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModesError {
    /// Neither stiffness nor mass determines this unknown.
    Singular {
        /// Its index.
        unknown: usize,
    },
    /// The matrix is too large for the memory.
    TooLarge,
    /// The iteration did not find all modes to full accuracy.
    NotConverged,
}

impl From<FactorError> for ModesError {
    fn from(error: FactorError) -> Self {
        match error {
            FactorError::Singular { unknown } => ModesError::Singular { unknown },
            FactorError::TooLarge => ModesError::TooLarge,
        }
    }
}

/// Number of modes below a frequency in hertz.
pub fn count_below(matrices: &Matrices, frequency: f64) -> Result<usize, ModesError> {
    let value = (2.0 * std::f64::consts::PI * frequency).powi(2);
    // next to an eigenvalue there is no factorisation: the count just above serves as well
    Factor::new(matrices, value)
        .or_else(|_| Factor::new(matrices, value * (1.0 + CLUSTER)))
        .map(|factor| factor.negative)
        .map_err(ModesError::from)
}

/// Finds the lowest modes.
pub fn modes(matrices: &Matrices, wanted: Wanted) -> Result<Modes, ModesError> {
    let n = matrices.size();
    let count = match wanted {
        Wanted::Lowest(count) => count.min(n),
        Wanted::Below(frequency) => count_below(matrices, frequency)?,
    };
    let (factor, shift) = factor_below(matrices)?;
    if count == 0 {
        let shapes = DMatrix::zeros(n, 0);
        return Ok(Modes { values: Vec::new(), shapes, residual: 0.0, shift });
    }
    if n <= SMALL
        && let Some(modes) = small(matrices, count, shift)
    {
        return Ok(modes);
    }
    Lanczos::new(matrices, factor, shift, count).run(count)
}

/// The lowest modes of a system so small that all of them are found at once; none if the mass is not
/// positive definite.
fn small(matrices: &Matrices, count: usize, shift: f64) -> Option<Modes> {
    let whole = DMatrix::identity(matrices.size(), matrices.size());
    let (stiffness, mass) = (matrices.stiffness_times(&whole), matrices.mass_times(&whole));
    let (values, shapes) = dense_modes(&stiffness, &mass)?;
    let shapes = shapes.columns(0, count).into_owned();
    let values = values.iter().take(count).copied().collect();
    Some(Modes { values, shapes, residual: 0.0, shift })
}

/// All modes of small matrices, K x = λ M x, in increasing order and of unit modal mass; none if the mass
/// is not positive definite, or a number is not finite.
pub(crate) fn dense_modes(
    stiffness: &DMatrix<f64>,
    mass: &DMatrix<f64>,
) -> Option<(DVector<f64>, DMatrix<f64>)> {
    let lower = mass.clone().cholesky()?.l();
    let half = lower.solve_lower_triangular(stiffness)?;
    let both = lower.solve_lower_triangular(&half.transpose())?;
    if !both.iter().all(|value| value.is_finite()) {
        return None;
    }
    let eigen = ((&both + both.transpose()) * 0.5).symmetric_eigen();
    let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    let values = DVector::from_iterator(order.len(), order.iter().map(|k| eigen.eigenvalues[*k]));
    let shapes =
        lower.tr_solve_lower_triangular(&eigen.eigenvectors.select_columns(order.iter()))?;
    Some((values, shapes))
}

/// Factors the stiffness, or with a small negative shift if the body floats.
fn factor_below(matrices: &Matrices) -> Result<(Factor, f64), ModesError> {
    if let Ok(factor) = Factor::new(matrices, 0.0)
        && factor.negative == 0
    {
        return Ok((factor, 0.0));
    }
    let stiffness = matrices.diagonal(&matrices.stiffness);
    let mass = matrices.diagonal(&matrices.mass);
    let ratios = stiffness.iter().zip(&mass).filter(|(_, m)| **m > 0.0).map(|(k, m)| k / m);
    let shift = -SHIFT * ratios.fold(0.0, f64::max);
    Ok((Factor::new(matrices, shift)?, shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An n × n membrane of masses and springs: λ_ij = μ_i + μ_j, most of them double.
    fn membrane(n: usize, held: bool) -> (Matrices, Vec<f64>) {
        let mut stiffness = Vec::new();
        let at = |i: usize, j: usize| i * n + j;
        for i in 0..n {
            for j in 0..n {
                let near = [(i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)];
                for (a, b) in near {
                    let inside = a < n && b < n;
                    if inside {
                        stiffness.push((at(i, j), at(a, b), -1.0));
                    }
                    if inside || held {
                        stiffness.push((at(i, j), at(i, j), 1.0));
                    }
                }
            }
        }
        let mass: Vec<_> = (0..n * n).map(|i| (i, i, 1.0)).collect();
        let angle = |k: usize| match held {
            true => (k + 1) as f64 * std::f64::consts::PI / (2.0 * (n + 1) as f64),
            false => k as f64 * std::f64::consts::PI / (2.0 * n as f64),
        };
        let line = |k: usize| 4.0 * angle(k).sin().powi(2);
        let mut exact: Vec<f64> = (0..n * n).map(|k| line(k / n) + line(k % n)).collect();
        exact.sort_by(f64::total_cmp);
        (Matrices::from_entries(n * n, &stiffness, &mass), exact)
    }

    #[test]
    fn double_modes_are_found_twice() {
        for held in [true, false] {
            let (matrices, exact) = membrane(20, held);
            for count in [1, 3, 40] {
                let modes = modes(&matrices, Wanted::Lowest(count)).unwrap();
                for (found, exact) in modes.values.iter().zip(&exact) {
                    assert!((found - exact).abs() < 1e-10, "{found} {exact}");
                }
                assert_eq!(modes.values.len(), count);
            }
        }
    }

    #[test]
    fn shapes_are_orthonormal_and_solve_the_equation() {
        let (matrices, _) = membrane(12, true);
        let modes = modes(&matrices, Wanted::Lowest(10)).unwrap();
        let gram = modes.shapes.tr_mul(&matrices.mass_times(&modes.shapes));
        assert!((gram - DMatrix::identity(10, 10)).abs().max() < 1e-12);
        let values = DMatrix::from_diagonal(&nalgebra::DVector::from_column_slice(&modes.values));
        let rest =
            matrices.stiffness_times(&modes.shapes) - matrices.mass_times(&modes.shapes) * values;
        assert!(rest.abs().max() < 1e-9);
    }

    #[test]
    fn a_limit_counts_and_small_systems_are_found_whole() {
        let (matrices, exact) = membrane(5, true);
        let frequency = exact[9].sqrt() / (2.0 * std::f64::consts::PI);
        let below = exact.iter().filter(|value| **value < exact[9] * 1.01).count();
        let found = modes(&matrices, Wanted::Below(frequency * 1.005)).unwrap();
        assert_eq!(found.values.len(), below);
        assert_eq!(modes(&matrices, Wanted::Lowest(100)).unwrap().values.len(), 25);
    }
}
