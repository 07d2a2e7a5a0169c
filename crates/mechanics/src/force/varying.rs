//! Numbers and vectors that carry their derivatives along, so that a force between two bodies is
//! written once and its tangent is exact.
//!
//! `N` is the number of directions of variation: none for the value alone, and
//! [`VARIATIONS`](super::two_bodies::VARIATIONS) for the tangent.

use nalgebra::{Matrix3, RowSVector, SMatrix, Vector3};
use rotula_lie::so3::{skew, tangent_inverse, tangent_inverse_derivative};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar<const N: usize> {
    pub(crate) value: f64,
    pub(crate) by: RowSVector<f64, N>,
}

/// A vector and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector<const N: usize> {
    pub(crate) value: Vector3<f64>,
    pub(crate) by: SMatrix<f64, 3, N>,
}

impl<const N: usize> Scalar<N> {
    /// A number that does not vary.
    pub(crate) fn constant(value: f64) -> Self {
        Scalar { value, by: RowSVector::zeros() }
    }

    /// A function of this number, given its value and slope.
    pub(crate) fn map(&self, (value, slope): (f64, f64)) -> Self {
        Scalar { value, by: self.by * slope }
    }

    /// One over this number.
    pub(crate) fn inverse(&self) -> Self {
        let inverse = 1.0 / self.value;
        self.map((inverse, -inverse * inverse))
    }

    /// The `k`-th of the numbers that vary.
    pub(crate) fn variable(value: f64, k: usize) -> Self {
        let mut variable = Scalar::constant(value);
        if k < N {
            variable.by[k] = 1.0;
        }
        variable
    }

    pub(crate) fn sin(&self) -> Self {
        let (sin, cos) = self.value.sin_cos();
        self.map((sin, cos))
    }

    pub(crate) fn cos(&self) -> Self {
        let (sin, cos) = self.value.sin_cos();
        self.map((cos, -sin))
    }

    pub(crate) fn atan(&self) -> Self {
        self.map((self.value.atan(), 1.0 / (1.0 + self.value * self.value)))
    }

    pub(crate) fn exp(&self) -> Self {
        let exp = self.value.exp();
        self.map((exp, exp))
    }

    /// A power of a number above zero.
    pub(crate) fn powf(&self, exponent: f64) -> Self {
        let power = self.value.powf(exponent);
        self.map((power, exponent * power / self.value))
    }

    pub(crate) fn squared(&self) -> Self {
        *self * *self
    }

    pub(crate) fn abs(&self) -> Self {
        self.map((self.value.abs(), self.value.signum()))
    }

    /// `√(x² + c²)`: the absolute value with the corner at zero rounded.
    pub(crate) fn hypot(&self, constant: f64) -> Self {
        let length = self.value.hypot(constant);
        self.map((length, self.value / length))
    }

    /// The derivatives of a function of a few numbers, `self`, along directions in which those vary.
    pub(crate) fn through<const M: usize>(&self, inputs: &[Scalar<M>]) -> Scalar<M> {
        let zero = Scalar::constant(self.value);
        inputs.iter().zip(self.by.iter()).fold(zero, |sum, (input, slope)| Scalar {
            value: sum.value,
            by: sum.by + input.by * *slope,
        })
    }

    /// Held between −1 and 1.
    pub(crate) fn clamped(self) -> Self {
        if self.value.abs() <= 1.0 { self } else { Scalar::constant(self.value.signum()) }
    }
}

impl<const N: usize> Vector<N> {
    /// A vector that does not vary.
    pub(crate) fn constant(value: Vector3<f64>) -> Self {
        Vector { value, by: SMatrix::zeros() }
    }

    /// Multiplied by a matrix that does not vary.
    pub(crate) fn transformed(&self, matrix: &Matrix3<f64>) -> Self {
        Vector { value: matrix * self.value, by: matrix * self.by }
    }

    pub(crate) fn dot(&self, other: &Self) -> Scalar<N> {
        Scalar {
            value: self.value.dot(&other.value),
            by: self.value.tr_mul(&other.by) + other.value.tr_mul(&self.by),
        }
    }

    pub(crate) fn cross(&self, other: &Self) -> Self {
        Vector {
            value: self.value.cross(&other.value),
            by: skew(&self.value) * other.by - skew(&other.value) * self.by,
        }
    }

    /// The length of this vector together with a constant at right angles: `√(v·v + ε²)`.
    pub(crate) fn length_with(&self, constant: f64) -> Scalar<N> {
        let square = self.dot(self);
        let length = (square.value + constant * constant).sqrt();
        square.map((length, 0.5 / length))
    }

    /// `T⁻¹(r) a` of the rotation vector `r = self`.
    pub(crate) fn tangent_inverse(&self, a: &Self) -> Self {
        let inverse = tangent_inverse(&self.value);
        Vector {
            value: inverse * a.value,
            by: inverse * a.by + tangent_inverse_derivative(&self.value, &a.value) * self.by,
        }
    }
}

impl<const N: usize> Add for Scalar<N> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Scalar { value: self.value + other.value, by: self.by + other.by }
    }
}

impl<const N: usize> Sub for Scalar<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Scalar { value: self.value - other.value, by: self.by - other.by }
    }
}

impl<const N: usize> Neg for Scalar<N> {
    type Output = Self;
    fn neg(self) -> Self {
        Scalar { value: -self.value, by: -self.by }
    }
}

impl<const N: usize> Mul for Scalar<N> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Scalar {
            value: self.value * other.value,
            by: self.by * other.value + other.by * self.value,
        }
    }
}

impl<const N: usize> Div for Scalar<N> {
    type Output = Self;
    #[allow(
        clippy::suspicious_arithmetic_impl,
        reason = "one rule for slopes: the product with the inverse"
    )]
    fn div(self, other: Self) -> Self {
        self * other.inverse()
    }
}

impl<const N: usize> Add<f64> for Scalar<N> {
    type Output = Self;
    fn add(self, other: f64) -> Self {
        Scalar { value: self.value + other, by: self.by }
    }
}

impl<const N: usize> Sub<f64> for Scalar<N> {
    type Output = Self;
    fn sub(self, other: f64) -> Self {
        self + -other
    }
}

impl<const N: usize> Mul<f64> for Scalar<N> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Scalar { value: self.value * factor, by: self.by * factor }
    }
}

impl<const N: usize> Add for Vector<N> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Vector { value: self.value + other.value, by: self.by + other.by }
    }
}

impl<const N: usize> Sub for Vector<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Vector { value: self.value - other.value, by: self.by - other.by }
    }
}

impl<const N: usize> Neg for Vector<N> {
    type Output = Self;
    fn neg(self) -> Self {
        Vector { value: -self.value, by: -self.by }
    }
}

impl<const N: usize> Mul<Scalar<N>> for Vector<N> {
    type Output = Self;
    fn mul(self, factor: Scalar<N>) -> Self {
        Vector {
            value: self.value * factor.value,
            by: self.by * factor.value + self.value * factor.by,
        }
    }
}
