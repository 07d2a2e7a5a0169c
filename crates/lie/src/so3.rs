//! SO(3): rotation vectors and rotation matrices.
//!
//! Two maps take a vector `r` to a rotation about the axis `n = r/|r|`:
//!
//! | | angle φ | matrix | range |
//! |---|---|---|---|
//! | exponential | `r = φ n` | `R = I + (sin φ/φ) r~ + ((1 − cos φ)/φ²) r~²` | all; `log` returns φ ≤ π |
//! | Cayley | `r = 2 tan(φ/2) n` | `R = I + (r~ + r~²/2)/(1 + r·r/4)` | φ < π |
//!
//! The right tangent map `T(r)` of each gives the body-frame variation: `Ṙ = R (T(r) ṙ)~`.
//! The left one is its transpose, `T(r)ᵀ = T(−r) = R T(r)`.

use crate::coefficients::{
    cayley_rotation, cayley_tangent as cayley_tangent_coefficients,
    cayley_tangent_inverse as cayley_tangent_inverse_coefficients, exponential_rotation,
    exponential_tangent, exponential_tangent_inverse,
};
use crate::quaternion::Quaternion;
use nalgebra::{Matrix3, Vector3};

/// The skew matrix `a~` with `a~ b = a × b`.
#[inline]
pub fn skew(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// The vector `a` of which `matrix` has the skew part `a~`; its symmetric part is ignored.
#[inline]
pub fn unskew(matrix: &Matrix3<f64>) -> Vector3<f64> {
    Vector3::new(
        matrix[(2, 1)] - matrix[(1, 2)],
        matrix[(0, 2)] - matrix[(2, 0)],
        matrix[(1, 0)] - matrix[(0, 1)],
    ) * 0.5
}

/// The exponential map, `R = exp(r~)`.
#[inline]
pub fn exp(r: &Vector3<f64>) -> Matrix3<f64> {
    exponential_rotation(r.norm_squared()).matrix(r)
}

/// The rotation vector of a rotation matrix, `|log(R)| ≤ π`; at a half turn either sign.
#[inline]
pub fn log(rotation: &Matrix3<f64>) -> Vector3<f64> {
    // the quaternion keeps all digits at every angle, the matrix's trace does not
    Quaternion::from_matrix(rotation).log()
}

/// The right tangent map of the exponential, `Ṙ = R (T(r) ṙ)~`:
///
/// ```text
/// T(r) = I − ((1 − cos φ)/φ²) r~ + ((φ − sin φ)/φ³) r~²
/// ```
#[inline]
pub fn tangent(r: &Vector3<f64>) -> Matrix3<f64> {
    exponential_tangent::<0>(r.norm_squared()).matrix(r)
}

/// The inverse of [`tangent`], singular at φ = 2π:
///
/// ```text
/// T⁻¹(r) = I + r~/2 + ((1 − (φ/2) cot(φ/2))/φ²) r~²
/// ```
#[inline]
pub fn tangent_inverse(r: &Vector3<f64>) -> Matrix3<f64> {
    exponential_tangent_inverse::<0>(r.norm_squared()).matrix(r)
}

/// The derivative `∂(T(r) a)/∂r` of [`tangent`] at constant `a`.
#[inline]
pub fn tangent_derivative(r: &Vector3<f64>, a: &Vector3<f64>) -> Matrix3<f64> {
    exponential_tangent::<1>(r.norm_squared()).gradient(r, a)
}

/// The derivative `∂(T⁻¹(r) a)/∂r` of [`tangent_inverse`] at constant `a`.
#[inline]
pub fn tangent_inverse_derivative(r: &Vector3<f64>, a: &Vector3<f64>) -> Matrix3<f64> {
    exponential_tangent_inverse::<1>(r.norm_squared()).gradient(r, a)
}

/// The Cayley map with `r = 2 tan(φ/2) n`, `R = (I − r~/2)⁻¹ (I + r~/2)`. [Dymore note, eq. 29]
#[inline]
pub fn cayley(r: &Vector3<f64>) -> Matrix3<f64> {
    cayley_rotation(r.norm_squared()).matrix(r)
}

/// The vector `r = 2 tan(φ/2) n` of a rotation matrix; it grows without bound as φ → π.
#[inline]
pub fn cayley_inverse(rotation: &Matrix3<f64>) -> Vector3<f64> {
    Quaternion::from_matrix(rotation).cayley_inverse()
}

/// The right tangent map of the Cayley map, `T(r) = (I − r~/2)/(1 + r·r/4)`. [Dymore note, eq. 29]
#[inline]
pub fn cayley_tangent(r: &Vector3<f64>) -> Matrix3<f64> {
    cayley_tangent_coefficients(r.norm_squared()).matrix(r)
}

/// The inverse of [`cayley_tangent`], `T⁻¹(r) = I + r~/2 + r rᵀ/4`.
#[inline]
pub fn cayley_tangent_inverse(r: &Vector3<f64>) -> Matrix3<f64> {
    cayley_tangent_inverse_coefficients(r.norm_squared()).matrix(r)
}

/// The derivative `∂(T(r) a)/∂r` of [`cayley_tangent`] at constant `a`.
#[inline]
pub fn cayley_tangent_derivative(r: &Vector3<f64>, a: &Vector3<f64>) -> Matrix3<f64> {
    cayley_tangent_coefficients(r.norm_squared()).gradient(r, a)
}

/// The derivative `∂(T⁻¹(r) a)/∂r` of [`cayley_tangent_inverse`] at constant `a`.
#[inline]
pub fn cayley_tangent_inverse_derivative(r: &Vector3<f64>, a: &Vector3<f64>) -> Matrix3<f64> {
    cayley_tangent_inverse_coefficients(r.norm_squared()).gradient(r, a)
}
