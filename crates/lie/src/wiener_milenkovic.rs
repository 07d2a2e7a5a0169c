//! The Wiener–Milenković map, `r = 4 tan(φ/4) n`, of rotations and, by transference, of motions.
//!
//! With `x = r·r` and `D = 1 + x/16` the quaternion and the right tangent map are rational:
//!
//! ```text
//! q = (2/D − 1, r/(2D)),    T = I/D − r~/(2D²) + r~²/(8D²),    T⁻¹ = D I + r~/2 + r~²/8
//! ```
//!
//! It is four times closer to the exponential than the Cayley map, and fails only at a full turn.

use crate::isotropic::Isotropic;
use crate::quaternion::Quaternion;
use crate::se3::{Frame, extend, extend_gradient, join, split};
use nalgebra::{Matrix6, Vector3, Vector6};

/// The rotation of `r = 4 tan(φ/4) n`.
#[inline]
pub fn rotation(r: &Vector3<f64>) -> Quaternion {
    let inverse = 1.0 / (1.0 + r.norm_squared() / 16.0);
    Quaternion::from_parts(2.0 * inverse - 1.0, r * (0.5 * inverse))
}

/// The vector `r = 4 tan(φ/4) n = 4 v/(1 + w)` of the shortest turn, so that `|r| ≤ 4`.
#[inline]
pub fn vector(rotation: &Quaternion) -> Vector3<f64> {
    let q = rotation.shortest();
    q.vector * (4.0 / (1.0 + q.scalar))
}

/// The motion of `Δ = (u; r)`: rotation by `r` and `x = T(r)ᵀ u`.
#[inline]
pub fn motion(delta: &Vector6<f64>) -> Frame {
    let (u, r) = split(delta);
    let position = tangent_coefficients(r.norm_squared()).apply_transposed(&r, &u);
    Frame::new(position, rotation(&r))
}

/// The 6-vector whose [`motion`] is `frame`, of the shortest turn.
#[inline]
pub fn motion_vector(frame: &Frame) -> Vector6<f64> {
    let r = vector(&frame.orientation);
    let inverse = tangent_inverse_coefficients(r.norm_squared());
    join(&inverse.apply_transposed(&r, &frame.position), &r)
}

/// The right tangent map of [`motion`]: body variation `δ = T(Δ) dΔ`.
#[inline]
pub fn tangent(delta: &Vector6<f64>) -> Matrix6<f64> {
    extend(delta, tangent_coefficients)
}

/// The inverse of [`tangent`].
#[inline]
pub fn tangent_inverse(delta: &Vector6<f64>) -> Matrix6<f64> {
    extend(delta, tangent_inverse_coefficients)
}

/// The derivative `∂(T(Δ) a)/∂Δ` of [`tangent`] at constant `a`.
#[inline]
pub fn tangent_derivative(delta: &Vector6<f64>, a: &Vector6<f64>) -> Matrix6<f64> {
    extend_gradient(delta, a, tangent_coefficients)
}

/// The derivative `∂(T⁻¹(Δ) a)/∂Δ` of [`tangent_inverse`] at constant `a`.
#[inline]
pub fn tangent_inverse_derivative(delta: &Vector6<f64>, a: &Vector6<f64>) -> Matrix6<f64> {
    extend_gradient(delta, a, tangent_inverse_coefficients)
}

/// `T = I/D − r~/(2D²) + r~²/(8D²)`, with two derivatives.
#[inline]
fn tangent_coefficients(x: f64) -> Isotropic {
    let inverse = 1.0 / (1.0 + x / 16.0);
    let square = inverse * inverse;
    let first = [inverse, -square / 8.0, square * inverse / 32.0];
    let second = [square, -square * inverse / 4.0, square * square * (3.0 / 32.0)];
    Isotropic { o: first, p: second.map(|term| -0.5 * term), q: second.map(|term| 0.125 * term) }
}

/// `T⁻¹ = D I + r~/2 + r~²/8`, with two derivatives.
#[inline]
fn tangent_inverse_coefficients(x: f64) -> Isotropic {
    Isotropic { o: [1.0 + x / 16.0, 0.125, 0.0], p: [0.5, 0.0, 0.0], q: [0.125, 0.0, 0.0] }
}
