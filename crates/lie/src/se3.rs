//! SE(3): rigid motions, as frames and as 6-vectors.
//!
//! A [`Frame`] `H = (x, R)` maps body components to the outer frame: `p ↦ x + R p`. A 6-vector
//! `Δ = (u; r)` holds the linear part first. Both maps from 6-vectors to frames have the form
//!
//! ```text
//! H(Δ) = (T(r)ᵀ u, R(r))
//! ```
//!
//! with `R` and `T` the rotation and the right tangent map of SO(3), of the exponential or of the
//! Cayley map. Their right tangent maps on SE(3), with `Ḣ = H (T₆(Δ) Δ̇)~`, are
//!
//! ```text
//! T₆(Δ) = ⎡ T(r)  V(r, u) ⎤      V(r, u) = d/dε T(r + εu)
//!         ⎣  0     T(r)   ⎦
//! ```

use crate::coefficients::{
    cayley_tangent as cayley_tangent_coefficients,
    cayley_tangent_inverse as cayley_tangent_inverse_coefficients, exponential_tangent,
    exponential_tangent_inverse, exponential_tangent_inverse_third, exponential_tangent_third,
};
use crate::isotropic::Isotropic;
use crate::quaternion::Quaternion;
use crate::so3::skew;
use nalgebra::{Matrix3, Matrix4, Matrix6, Vector3, Vector6};
use std::ops::Mul;

/// A rigid motion, or the place of a body: `p ↦ position + orientation(p)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// The origin of the frame, in components of the outer frame.
    pub position: Vector3<f64>,
    /// The rotation that maps components of this frame to those of the outer frame; unit norm.
    pub orientation: Quaternion,
}

impl Frame {
    /// The frame at a position with an orientation of unit norm.
    #[inline]
    pub const fn new(position: Vector3<f64>, orientation: Quaternion) -> Self {
        Self { position, orientation }
    }

    /// The frame that moves nothing.
    #[inline]
    pub fn identity() -> Self {
        Self::default()
    }

    /// The inverse motion, `(−Rᵀ x, Rᵀ)`.
    #[inline]
    pub fn inverse(&self) -> Self {
        let back = self.orientation.conjugate();
        Self::new(-back.rotate(&self.position), back)
    }

    /// This frame as seen from `other`: `other⁻¹ ∘ self`.
    #[inline]
    pub fn seen_from(&self, other: &Self) -> Self {
        // subtracting the positions first keeps the digits of nearby frames far from the origin
        Self::new(
            other.orientation.rotate_back(&(self.position - other.position)),
            other.orientation.conjugate() * self.orientation,
        )
    }

    /// A point of this frame, in components of the outer frame: `x + R p`.
    #[inline]
    pub fn transform_point(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.orientation.rotate(point)
    }

    /// A point of the outer frame, in components of this frame: `Rᵀ (p − x)`.
    #[inline]
    pub fn transform_point_back(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.orientation.rotate_back(&(point - self.position))
    }

    /// The homogeneous matrix of the motion, `[R x; 0 1]`.
    #[inline]
    pub fn to_matrix(&self) -> Matrix4<f64> {
        let mut matrix = Matrix4::identity();
        matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.orientation.to_matrix());
        matrix.fixed_view_mut::<3, 1>(0, 3).copy_from(&self.position);
        matrix
    }

    /// The adjoint `Ad`, with `H ∘ exp(Δ) ∘ H⁻¹ = exp(Ad Δ)`:
    ///
    /// ```text
    /// Ad = ⎡ R  x~R ⎤
    ///      ⎣ 0   R  ⎦
    /// ```
    #[inline]
    pub fn adjoint(&self) -> Matrix6<f64> {
        let rotation = self.orientation.to_matrix();
        dual_blocks(&rotation, &(skew(&self.position) * rotation))
    }

    /// The frame at the fraction `s` of the screw motion (helix) from this frame to `other`, by
    /// the shortest turn.
    #[inline]
    pub fn interpolate(&self, other: &Self, s: f64) -> Self {
        *self * exp(&(log(&other.seen_from(self)) * s))
    }
}

impl Mul for Frame {
    type Output = Self;

    /// The composition: `other` is given in components of `self`.
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::new(self.transform_point(&other.position), self.orientation * other.orientation)
    }
}

/// The matrix `ad(a)` of the Lie bracket, with `ad(a) b = [a, b]`: the adjoint's derivative.
///
/// ```text
/// ad(u; r) = ⎡ r~  u~ ⎤
///            ⎣ 0   r~ ⎦
/// ```
#[inline]
pub fn adjoint_bracket(a: &Vector6<f64>) -> Matrix6<f64> {
    let (u, r) = split(a);
    dual_blocks(&skew(&r), &skew(&u))
}

/// `ad(a) b`, without forming the matrix.
#[inline]
pub fn bracket(a: &Vector6<f64>, b: &Vector6<f64>) -> Vector6<f64> {
    let ((u, r), (v, s)) = (split(a), split(b));
    join(&(r.cross(&v) + u.cross(&s)), &r.cross(&s))
}

/// `ad(a)ᵀ w` of a wrench `w`, without forming the matrix.
#[inline]
pub fn bracket_transposed(a: &Vector6<f64>, w: &Vector6<f64>) -> Vector6<f64> {
    let ((u, r), (f, m)) = (split(a), split(w));
    join(&f.cross(&r), &(f.cross(&u) + m.cross(&r)))
}

/// The exponential map, `H = exp(Δ)`: the screw motion of constant twist `Δ` for unit time.
#[inline]
pub fn exp(delta: &Vector6<f64>) -> Frame {
    let (u, r) = split(delta);
    Frame::new(
        exponential_tangent::<0>(r.norm_squared()).apply_transposed(&r, &u),
        Quaternion::exp(&r),
    )
}

/// The 6-vector of a frame, with a turn of at most π.
#[inline]
pub fn log(frame: &Frame) -> Vector6<f64> {
    let r = frame.orientation.log();
    let u =
        exponential_tangent_inverse::<0>(r.norm_squared()).apply_transposed(&r, &frame.position);
    join(&u, &r)
}

/// The right tangent map of the exponential: body variation `δ = T(Δ) dΔ`.
#[inline]
pub fn tangent(delta: &Vector6<f64>) -> Matrix6<f64> {
    extend(delta, exponential_tangent::<1>)
}

/// The inverse of [`tangent`], singular for a full turn.
#[inline]
pub fn tangent_inverse(delta: &Vector6<f64>) -> Matrix6<f64> {
    extend(delta, exponential_tangent_inverse::<1>)
}

/// The derivative `∂(T(Δ) a)/∂Δ` of [`tangent`] at constant `a`.
#[inline]
pub fn tangent_derivative(delta: &Vector6<f64>, a: &Vector6<f64>) -> Matrix6<f64> {
    extend_gradient(delta, a, exponential_tangent::<2>)
}

/// The derivative `∂(T⁻¹(Δ) a)/∂Δ` of [`tangent_inverse`] at constant `a`.
#[inline]
pub fn tangent_inverse_derivative(delta: &Vector6<f64>, a: &Vector6<f64>) -> Matrix6<f64> {
    extend_gradient(delta, a, exponential_tangent_inverse::<2>)
}

/// The derivative of [`tangent`] along a direction, `d/dε T(Δ + εe)`.
#[inline]
pub fn tangent_variation(delta: &Vector6<f64>, e: &Vector6<f64>) -> Matrix6<f64> {
    extend_variation(delta, e, exponential_tangent::<2>)
}

/// The derivative of [`tangent_inverse`] along a direction, `d/dε T⁻¹(Δ + εe)`.
#[inline]
pub fn tangent_inverse_variation(delta: &Vector6<f64>, e: &Vector6<f64>) -> Matrix6<f64> {
    extend_variation(delta, e, exponential_tangent_inverse::<2>)
}

/// [`tangent_variation`] times a vector, without forming the matrix.
#[inline]
pub fn tangent_variation_times(
    delta: &Vector6<f64>,
    e: &Vector6<f64>,
    a: &Vector6<f64>,
) -> Vector6<f64> {
    extend_variation_times(delta, e, a, exponential_tangent::<2>)
}

/// [`tangent_inverse_variation`] times a vector, without forming the matrix.
#[inline]
pub fn tangent_inverse_variation_times(
    delta: &Vector6<f64>,
    e: &Vector6<f64>,
    a: &Vector6<f64>,
) -> Vector6<f64> {
    extend_variation_times(delta, e, a, exponential_tangent_inverse::<2>)
}

/// The derivative of [`tangent_derivative`] along a direction: `∂(d/dε T(Δ + εe) a)/∂Δ`.
#[inline]
pub fn tangent_second_derivative(
    delta: &Vector6<f64>,
    e: &Vector6<f64>,
    a: &Vector6<f64>,
) -> Matrix6<f64> {
    extend_second(delta, e, a, exponential_tangent::<2>, exponential_tangent_third)
}

/// The derivative of [`tangent_inverse_derivative`] along a direction.
#[inline]
pub fn tangent_inverse_second_derivative(
    delta: &Vector6<f64>,
    e: &Vector6<f64>,
    a: &Vector6<f64>,
) -> Matrix6<f64> {
    extend_second(delta, e, a, exponential_tangent_inverse::<2>, exponential_tangent_inverse_third)
}

/// The derivative `∂(Tᵀ(Δ) w)/∂Δ` at a constant wrench `w`: the transposed map of a motion is the
/// map of the opposite motion, once force and moment have changed places.
#[inline]
pub fn tangent_transposed_derivative(delta: &Vector6<f64>, w: &Vector6<f64>) -> Matrix6<f64> {
    -exchanged_rows(&tangent_derivative(&-delta, &exchanged(w)))
}

/// The derivative `∂(T⁻ᵀ(Δ) w)/∂Δ` at a constant wrench `w`.
#[inline]
pub fn tangent_inverse_transposed_derivative(
    delta: &Vector6<f64>,
    w: &Vector6<f64>,
) -> Matrix6<f64> {
    -exchanged_rows(&tangent_inverse_derivative(&-delta, &exchanged(w)))
}

/// The matrix of `a ↦ ad(a)ᵀ w`, symmetric: how a wrench is carried along by a motion.
///
/// ```text
/// ⎡ 0   f~ ⎤      w = (f; m)
/// ⎣ f~  m~ ⎦
/// ```
#[inline]
pub fn coadjoint_bracket(w: &Vector6<f64>) -> Matrix6<f64> {
    let (force, moment) = split(w);
    let mut matrix = Matrix6::zeros();
    matrix.fixed_view_mut::<3, 3>(0, 3).copy_from(&skew(&force));
    matrix.fixed_view_mut::<3, 3>(3, 0).copy_from(&skew(&force));
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&skew(&moment));
    matrix
}

/// The two halves in each other's place.
#[inline]
fn exchanged(w: &Vector6<f64>) -> Vector6<f64> {
    Vector6::new(w[3], w[4], w[5], w[0], w[1], w[2])
}

#[inline]
fn exchanged_rows(m: &Matrix6<f64>) -> Matrix6<f64> {
    let mut out = Matrix6::zeros();
    out.fixed_rows_mut::<3>(0).copy_from(&m.fixed_rows::<3>(3));
    out.fixed_rows_mut::<3>(3).copy_from(&m.fixed_rows::<3>(0));
    out
}

/// The Cayley map of the motion form: rotation by `r = 2 tan(φ/2) n` and
/// `x = (u + r × u/2)/(1 + r·r/4)`. [Dymore note, eq. 29]
///
/// It is not the Cayley transform of the 4 × 4 matrix, which has `r (r·u)/4` more in `x`.
#[inline]
pub fn cayley(delta: &Vector6<f64>) -> Frame {
    let (u, r) = split(delta);
    Frame::new(
        cayley_tangent_coefficients(r.norm_squared()).apply_transposed(&r, &u),
        Quaternion::cayley(&r),
    )
}

/// The 6-vector whose [`cayley`] map is `frame`; it grows without bound towards a half turn.
#[inline]
pub fn cayley_inverse(frame: &Frame) -> Vector6<f64> {
    let r = frame.orientation.cayley_inverse();
    let u =
        cayley_tangent_inverse_coefficients(r.norm_squared()).apply_transposed(&r, &frame.position);
    join(&u, &r)
}

/// The right tangent map of [`cayley`]. With `D = 1 + r·r/4` and `Q = I − r~/2`,
///
/// ```text
/// T = ⎡ Q/D  −u~/(2D) − (r·u) Q/(2D²) ⎤
///     ⎣  0              Q/D           ⎦
/// ```
#[inline]
pub fn cayley_tangent(delta: &Vector6<f64>) -> Matrix6<f64> {
    extend(delta, cayley_tangent_coefficients)
}

/// The inverse of [`cayley_tangent`].
#[inline]
pub fn cayley_tangent_inverse(delta: &Vector6<f64>) -> Matrix6<f64> {
    extend(delta, cayley_tangent_inverse_coefficients)
}

/// The derivative `∂(T(Δ) a)/∂Δ` of [`cayley_tangent`] at constant `a`.
#[inline]
pub fn cayley_tangent_derivative(delta: &Vector6<f64>, a: &Vector6<f64>) -> Matrix6<f64> {
    extend_gradient(delta, a, cayley_tangent_coefficients)
}

/// The derivative `∂(T⁻¹(Δ) a)/∂Δ` of [`cayley_tangent_inverse`] at constant `a`.
#[inline]
pub fn cayley_tangent_inverse_derivative(delta: &Vector6<f64>, a: &Vector6<f64>) -> Matrix6<f64> {
    extend_gradient(delta, a, cayley_tangent_inverse_coefficients)
}

/// The dual extension of an isotropic function of `r` to `r + εu`, as a block matrix.
#[inline]
pub(crate) fn extend(
    delta: &Vector6<f64>,
    coefficients: impl Fn(f64) -> Isotropic,
) -> Matrix6<f64> {
    let (u, r) = split(delta);
    let function = coefficients(r.norm_squared());
    dual_blocks(&function.matrix(&r), &function.variation(&r, &u))
}

/// The dual extension of the gradient to `r + εu` and `a + εα`, where the 6-vector is `(α; a)`.
#[inline]
pub(crate) fn extend_gradient(
    delta: &Vector6<f64>,
    vector: &Vector6<f64>,
    coefficients: impl Fn(f64) -> Isotropic,
) -> Matrix6<f64> {
    let (u, r) = split(delta);
    let (alpha, a) = split(vector);
    let function = coefficients(r.norm_squared());
    dual_blocks(
        &function.gradient(&r, &a),
        &(function.gradient(&r, &alpha) + function.gradient_variation(&r, &u, &a)),
    )
}

/// The dual extension of a variation to `r + εu` along `e + εη`, where the 6-vector is `(η; e)`.
#[inline]
fn extend_variation(
    delta: &Vector6<f64>,
    direction: &Vector6<f64>,
    coefficients: impl Fn(f64) -> Isotropic,
) -> Matrix6<f64> {
    let ((u, r), (eta, e)) = (split(delta), split(direction));
    let function = coefficients(r.norm_squared());
    dual_blocks(
        &function.variation(&r, &e),
        &(function.variation(&r, &eta) + function.second_variation(&r, &u, &e)),
    )
}

/// The dual extension of a variation, times a vector.
#[inline]
fn extend_variation_times(
    delta: &Vector6<f64>,
    direction: &Vector6<f64>,
    vector: &Vector6<f64>,
    coefficients: impl Fn(f64) -> Isotropic,
) -> Vector6<f64> {
    let ((u, r), (eta, e), (alpha, a)) = (split(delta), split(direction), split(vector));
    let function = coefficients(r.norm_squared());
    let linear = function.variation_times(&r, &e, &alpha)
        + function.variation_times(&r, &eta, &a)
        + function.second_variation_times(&r, [&u, &e], &a);
    join(&linear, &function.variation_times(&r, &e, &a))
}

/// The dual extension of the variation of a gradient.
#[inline]
fn extend_second(
    delta: &Vector6<f64>,
    direction: &Vector6<f64>,
    vector: &Vector6<f64>,
    coefficients: impl Fn(f64) -> Isotropic,
    third: impl Fn(f64) -> [f64; 3],
) -> Matrix6<f64> {
    let ((u, r), (eta, e), (alpha, a)) = (split(delta), split(direction), split(vector));
    let x = r.norm_squared();
    let function = coefficients(x);
    dual_blocks(
        &function.gradient_variation(&r, &e, &a),
        &(function.gradient_variation(&r, &e, &alpha)
            + function.gradient_variation(&r, &eta, &a)
            + function.gradient_second_variation(&third(x), &r, [&u, &e], &a)),
    )
}

/// The block matrix `[real dual; 0 real]`.
#[inline]
fn dual_blocks(real: &Matrix3<f64>, dual: &Matrix3<f64>) -> Matrix6<f64> {
    let mut matrix = Matrix6::zeros();
    matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(real);
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(real);
    matrix.fixed_view_mut::<3, 3>(0, 3).copy_from(dual);
    matrix
}

/// The linear and the angular part.
#[inline]
pub(crate) fn split(delta: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (Vector3::new(delta[0], delta[1], delta[2]), Vector3::new(delta[3], delta[4], delta[5]))
}

/// The 6-vector of a linear and an angular part.
#[inline]
pub(crate) fn join(u: &Vector3<f64>, r: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(u.x, u.y, u.z, r.x, r.y, r.z)
}
