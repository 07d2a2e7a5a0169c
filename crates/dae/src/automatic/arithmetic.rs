//! Sums, differences, products and quotients of dual numbers.
//!
//! The real part of every operation is computed exactly as for plain numbers, so that a residual and
//! its derivative see the same values to the last bit.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::dual::Dual;
use super::scalar::Scalar;

impl<T: Scalar, const N: usize> From<f64> for Dual<T, N> {
    #[inline]
    fn from(value: f64) -> Self {
        Dual::constant(T::from(value))
    }
}

impl<T: Scalar, const N: usize> Neg for Dual<T, N> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Dual { real: -self.real, dual: self.dual.map(|d| -d) }
    }
}

impl<T: Scalar, const N: usize> Add for Dual<T, N> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let dual = std::array::from_fn(|k| self.dual[k] + other.dual[k]);
        Dual { real: self.real + other.real, dual }
    }
}

impl<T: Scalar, const N: usize> Sub for Dual<T, N> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        let dual = std::array::from_fn(|k| self.dual[k] - other.dual[k]);
        Dual { real: self.real - other.real, dual }
    }
}

impl<T: Scalar, const N: usize> Mul for Dual<T, N> {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        self.chain_two(other, self.real * other.real, [other.real, self.real])
    }
}

impl<T: Scalar, const N: usize> Div for Dual<T, N> {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        let quotient = self.real / other.real;
        let recip = other.real.recip();
        self.chain_two(other, quotient, [recip, -(quotient * recip)])
    }
}

impl<T: Scalar, const N: usize> Add<f64> for Dual<T, N> {
    type Output = Self;

    #[inline]
    fn add(self, other: f64) -> Self {
        Dual { real: self.real + other, dual: self.dual }
    }
}

impl<T: Scalar, const N: usize> Sub<f64> for Dual<T, N> {
    type Output = Self;

    #[inline]
    fn sub(self, other: f64) -> Self {
        Dual { real: self.real - other, dual: self.dual }
    }
}

impl<T: Scalar, const N: usize> Mul<f64> for Dual<T, N> {
    type Output = Self;

    #[inline]
    fn mul(self, other: f64) -> Self {
        Dual { real: self.real * other, dual: self.dual.map(|d| d * other) }
    }
}

impl<T: Scalar, const N: usize> Div<f64> for Dual<T, N> {
    type Output = Self;

    #[inline]
    fn div(self, other: f64) -> Self {
        Dual { real: self.real / other, dual: self.dual.map(|d| d / other) }
    }
}

/// Assignment forms, by way of the operators themselves.
macro_rules! assign {
    ($($trait:ident $method:ident $operator:tt),* $(,)?) => {
        $(
            impl<T: Scalar, const N: usize> $trait for Dual<T, N> {
                #[inline]
                fn $method(&mut self, other: Self) {
                    *self = *self $operator other;
                }
            }

            impl<T: Scalar, const N: usize> $trait<f64> for Dual<T, N> {
                #[inline]
                fn $method(&mut self, other: f64) {
                    *self = *self $operator other;
                }
            }
        )*
    };
}

assign!(
    AddAssign add_assign +,
    SubAssign sub_assign -,
    MulAssign mul_assign *,
    DivAssign div_assign /,
);

impl<T: Scalar, const N: usize> Sum for Dual<T, N> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::from(0.0), |sum, term| sum + term)
    }
}
