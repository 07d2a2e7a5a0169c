//! Quaternions, in the order w, x, y, z.
//!
//! A unit quaternion `q = (cos(φ/2), sin(φ/2) n)` is the rotation by φ about the unit vector `n`;
//! `q` and `−q` are the same rotation. The same type without unit norm serves as the algebra of
//! which [`DualQuaternion`](crate::DualQuaternion) is made.

use crate::coefficients::cosine_and_sinc;
use nalgebra::{Matrix3, Vector3};
use std::ops::{Add, Mul, Neg, Sub};

/// A quaternion `w + x i + y j + z k`; a rotation when its norm is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion {
    /// The scalar part, w.
    pub scalar: f64,
    /// The vector part, (x, y, z).
    pub vector: Vector3<f64>,
}

impl Default for Quaternion {
    fn default() -> Self {
        Self::identity()
    }
}

impl Quaternion {
    /// The quaternion with the given components; it is not normalised.
    #[inline]
    pub const fn new(w: f64, x: f64, y: f64, z: f64) -> Self {
        Self { scalar: w, vector: Vector3::new(x, y, z) }
    }

    /// The quaternion of the given scalar and vector parts; it is not normalised.
    #[inline]
    pub const fn from_parts(scalar: f64, vector: Vector3<f64>) -> Self {
        Self { scalar, vector }
    }

    /// The rotation by the angle zero.
    #[inline]
    pub const fn identity() -> Self {
        Self::new(1.0, 0.0, 0.0, 0.0)
    }

    /// The quaternion with the components `[w, x, y, z]`; it is not normalised.
    #[inline]
    pub const fn from_array([w, x, y, z]: [f64; 4]) -> Self {
        Self::new(w, x, y, z)
    }

    /// The components `[w, x, y, z]`.
    #[inline]
    pub fn to_array(&self) -> [f64; 4] {
        [self.scalar, self.vector.x, self.vector.y, self.vector.z]
    }

    /// The conjugate `(w, −v)`: the inverse, when the norm is one.
    #[inline]
    pub fn conjugate(&self) -> Self {
        Self::from_parts(self.scalar, -self.vector)
    }

    /// The scalar product of two quaternions as vectors of four components.
    #[inline]
    pub fn dot(&self, other: &Self) -> f64 {
        self.scalar * other.scalar + self.vector.dot(&other.vector)
    }

    /// The norm `√(w² + x² + y² + z²)`.
    #[inline]
    pub fn norm(&self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The unit quaternion in the same direction; not a number when the norm is zero.
    #[inline]
    pub fn normalised(&self) -> Self {
        let excess = self.dot(self) - 1.0;
        // Near unit norm the root's tangent has all digits: its error is 3/8 of the square.
        if excess.abs() < 1e-8 { *self * (1.0 - 0.5 * excess) } else { *self * (1.0 / self.norm()) }
    }

    /// Of the two quaternions of this rotation, the one with w ≥ 0: the turn by at most π.
    #[inline]
    pub fn shortest(&self) -> Self {
        if self.scalar < 0.0 { -*self } else { *self }
    }

    /// Of the two quaternions of this rotation, the one nearer to `other`.
    #[inline]
    pub fn nearest_to(&self, other: &Self) -> Self {
        if self.dot(other) < 0.0 { -*self } else { *self }
    }

    /// The angle of the rotation, between 0 and π.
    #[inline]
    pub fn angle(&self) -> f64 {
        2.0 * self.vector.norm().atan2(self.scalar.abs())
    }

    /// The rotated vector, `R a`.
    #[inline]
    pub fn rotate(&self, a: &Vector3<f64>) -> Vector3<f64> {
        let twice = self.vector.cross(a) * 2.0;
        a + twice * self.scalar + self.vector.cross(&twice)
    }

    /// The vector rotated back, `Rᵀ a`.
    #[inline]
    pub fn rotate_back(&self, a: &Vector3<f64>) -> Vector3<f64> {
        self.conjugate().rotate(a)
    }

    /// The rotation matrix, `R = I + 2 w v~ + 2 v~²`.
    #[inline]
    pub fn to_matrix(&self) -> Matrix3<f64> {
        let [w, x, y, z] = self.to_array();
        let (x2, y2, z2) = (2.0 * x, 2.0 * y, 2.0 * z);
        let (xx, yy, zz) = (x * x2, y * y2, z * z2);
        let (xy, xz, yz) = (x * y2, x * z2, y * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        Matrix3::new(
            1.0 - (yy + zz),
            xy - wz,
            xz + wy,
            xy + wz,
            1.0 - (xx + zz),
            yz - wx,
            xz - wy,
            yz + wx,
            1.0 - (xx + yy),
        )
    }

    /// The unit quaternion of a rotation matrix, with w ≥ 0.
    ///
    /// The largest component is found first, from the diagonal, and the others are divided by it,
    /// so that no angle is ill-conditioned. Rounding in `m` is removed by normalising.
    #[inline]
    pub fn from_matrix(m: &Matrix3<f64>) -> Self {
        let trace = m.trace();
        let i = m.diagonal().imax();
        let raw = if trace >= m[(i, i)] {
            // 4w² = 1 + trace;  4 w v = 2 × skew part
            let vector =
                Vector3::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)]);
            Self::from_parts(1.0 + trace, vector)
        } else {
            // 4 vᵢ² = 1 + mᵢᵢ − mⱼⱼ − mₖₖ;  4 vᵢ vⱼ = mᵢⱼ + mⱼᵢ
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let mut vector = Vector3::zeros();
            vector[i] = 1.0 + m[(i, i)] - m[(j, j)] - m[(k, k)];
            vector[j] = m[(i, j)] + m[(j, i)];
            vector[k] = m[(i, k)] + m[(k, i)];
            Self::from_parts(m[(k, j)] - m[(j, k)], vector)
        };
        // `raw` is four times the quaternion times its largest component
        raw.normalised().shortest()
    }

    /// The exponential of the rotation vector `r = φ n`: `(cos(φ/2), (sin(φ/2)/φ) r)`.
    #[inline]
    pub fn exp(r: &Vector3<f64>) -> Self {
        let (cosine, sinc) = cosine_and_sinc(0.25 * r.norm_squared());
        Self::from_parts(cosine, r * (0.5 * sinc))
    }

    /// The rotation vector `r = φ n` with `|r| ≤ π`, the same for `q` and `−q`.
    #[inline]
    pub fn log(&self) -> Vector3<f64> {
        let q = self.shortest();
        let sine = q.vector.norm();
        if sine == 0.0 {
            q.vector * 2.0
        } else {
            // the arc tangent of two arguments keeps all digits from φ = 0 through π
            q.vector * (2.0 * sine.atan2(q.scalar) / sine)
        }
    }

    /// The Cayley map of `r = 2 tan(φ/2) n`: `(2, r)/√(4 + r·r)`. [Dymore note, eq. 29]
    #[inline]
    pub fn cayley(r: &Vector3<f64>) -> Self {
        Self::from_parts(2.0, *r) * (1.0 / (4.0 + r.norm_squared()).sqrt())
    }

    /// The vector `r = 2 tan(φ/2) n = 2 v/w`; not finite for a half turn.
    #[inline]
    pub fn cayley_inverse(&self) -> Vector3<f64> {
        self.vector * (2.0 / self.scalar)
    }

    /// The rotation at the fraction `s` of the shortest turn from this one to `other`.
    #[inline]
    pub fn interpolate(&self, other: &Self, s: f64) -> Self {
        *self * Self::exp(&((self.conjugate() * *other).log() * s))
    }
}

impl Mul for Quaternion {
    type Output = Self;

    /// The quaternion product; of rotations, `other` first, then `self`.
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::from_parts(
            self.scalar * other.scalar - self.vector.dot(&other.vector),
            other.vector * self.scalar
                + self.vector * other.scalar
                + self.vector.cross(&other.vector),
        )
    }
}

impl Mul<f64> for Quaternion {
    type Output = Self;

    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::from_parts(self.scalar * factor, self.vector * factor)
    }
}

impl Add for Quaternion {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self::from_parts(self.scalar + other.scalar, self.vector + other.vector)
    }
}

impl Sub for Quaternion {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::from_parts(self.scalar - other.scalar, self.vector - other.vector)
    }
}

impl Neg for Quaternion {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self::from_parts(-self.scalar, -self.vector)
    }
}
