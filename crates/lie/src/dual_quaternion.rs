//! Dual quaternions: the Euler motion parameters of a rigid motion.
//!
//! The motion with rotation `q` and position `x` is `p̂ = q + ε ½ x q`, with `x` taken as a
//! quaternion without scalar part. Unit means unit *dual* norm: `q·q = 1` and `q·q' = 0`, where
//! `q'` is the dual part. Composition of motions is the product.

use crate::coefficients::{sinc, sinc_derivative};
use crate::quaternion::Quaternion;
use crate::se3::{self, Frame, join, split};
use nalgebra::{Vector3, Vector6};
use std::ops::{Mul, Neg};

/// A dual quaternion `real + ε dual`; a rigid motion when its dual norm is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuaternion {
    /// The rotation.
    pub real: Quaternion,
    /// Half the position times the rotation.
    pub dual: Quaternion,
}

impl Default for DualQuaternion {
    fn default() -> Self {
        Self::identity()
    }
}

impl DualQuaternion {
    /// The dual quaternion with the given parts; it is not normalised.
    #[inline]
    pub const fn new(real: Quaternion, dual: Quaternion) -> Self {
        Self { real, dual }
    }

    /// The motion that moves nothing.
    #[inline]
    pub const fn identity() -> Self {
        Self::new(Quaternion::identity(), Quaternion::new(0.0, 0.0, 0.0, 0.0))
    }

    /// The conjugate of both parts: the inverse motion, when the dual norm is one.
    #[inline]
    pub fn conjugate(&self) -> Self {
        Self::new(self.real.conjugate(), self.dual.conjugate())
    }

    /// The motion of a frame, `q + ε ½ x q`.
    #[inline]
    pub fn from_frame(frame: &Frame) -> Self {
        let position = Quaternion::from_parts(0.0, frame.position * 0.5);
        Self::new(frame.orientation, position * frame.orientation)
    }

    /// The frame of a motion of unit norm, `x = 2 q' q*`.
    #[inline]
    pub fn to_frame(&self) -> Frame {
        Frame::new(self.position(), self.real)
    }

    #[inline]
    fn position(&self) -> Vector3<f64> {
        (self.dual * self.real.conjugate()).vector * 2.0
    }

    /// The dual norm, as its real and dual part: `(|q|, q·q'/|q|)`; `(1, 0)` for a motion.
    #[inline]
    pub fn norm(&self) -> (f64, f64) {
        let real = self.real.norm();
        (real, self.real.dot(&self.dual) / real)
    }

    /// The dual quaternion divided by its dual norm.
    #[inline]
    pub fn normalised(&self) -> Self {
        let (norm, dual_norm) = self.norm();
        let inverse = 1.0 / norm;
        let real = self.real * inverse;
        // 1/(n + ε n') = 1/n − ε n'/n²
        Self::new(real, (self.dual - real * dual_norm) * inverse)
    }

    /// Of the two dual quaternions of this motion, the one that turns by at most π.
    #[inline]
    pub fn shortest(&self) -> Self {
        if self.real.scalar < 0.0 { -*self } else { *self }
    }

    /// The exponential of `Δ = (u; r)`: `exp(½ (r + εu))` with the dual angle of the screw.
    #[inline]
    pub fn exp(delta: &Vector6<f64>) -> Self {
        let (u, r) = split(delta);
        let x = r.norm_squared();
        let half_angle = 0.5 * x.sqrt();
        let k = 0.5 * sinc(half_angle);
        // dual parts of cos(φ/2) and of k = sin(φ/2)/φ when r becomes r + εu
        let along = r.dot(&u);
        let k_1 = 0.125 * sinc_derivative(0.25 * x);
        Self::new(
            Quaternion::from_parts(half_angle.cos(), r * k),
            Quaternion::from_parts(-0.5 * k * along, u * k + r * (k_1 * along)),
        )
    }

    /// The 6-vector of a motion of unit norm, with a turn of at most π.
    #[inline]
    pub fn log(&self) -> Vector6<f64> {
        se3::log(&self.to_frame())
    }

    /// The Cayley increment of `Δ = (u; r)`, with `n₀ = √(4 + r·r)` [Dymore note, eq. 29]:
    ///
    /// ```text
    /// real = (2, r)/n₀,   dual = (0, u)/n₀ − (2, r) (r·u)/n₀³
    /// ```
    ///
    /// that is, `(2, r + εu)` divided by its dual norm.
    #[inline]
    pub fn cayley(delta: &Vector6<f64>) -> Self {
        let (u, r) = split(delta);
        let inverse = 1.0 / (4.0 + r.norm_squared()).sqrt();
        let real = Quaternion::from_parts(2.0, r) * inverse;
        let along = r.dot(&u) * inverse * inverse;
        Self::new(real, Quaternion::from_parts(0.0, u * inverse) - real * along)
    }

    /// The 6-vector whose [`cayley`](Self::cayley) increment is this motion; the norm does not
    /// matter. It grows without bound towards a half turn.
    #[inline]
    pub fn cayley_inverse(&self) -> Vector6<f64> {
        // r + εu = 2 (v + εv')/(w + εw')
        let inverse = 1.0 / self.real.scalar;
        let r = self.real.vector * (2.0 * inverse);
        let u = (self.dual.vector * 2.0 - r * self.dual.scalar) * inverse;
        join(&u, &r)
    }

    /// The motion at the fraction `s` of the screw motion from this one to `other`, by the
    /// shortest turn (ScLERP).
    #[inline]
    pub fn interpolate(&self, other: &Self, s: f64) -> Self {
        *self * Self::exp(&((self.conjugate() * *other).log() * s))
    }
}

impl Mul for DualQuaternion {
    type Output = Self;

    /// The product: the composition of motions, `other` in components of `self`. [Dymore note, eq. 31]
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::new(self.real * other.real, self.real * other.dual + self.dual * other.real)
    }
}

impl Neg for DualQuaternion {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::new(-self.real, -self.dual)
    }
}
