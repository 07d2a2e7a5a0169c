//! What a formula may do with a number.

use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A real number, or a real number that carries derivatives ([`Dual`](super::Dual)).
///
/// A formula written for any `T: Scalar` can be evaluated and differentiated. Write the constant on
/// the right (`x * 2.0`, not `2.0 * x`), turn a constant into a scalar by `T::from(2.0)`, and branch
/// on [`value`](Self::value).
///
/// Where a derivative does not exist, the one convention is: a direction in which the argument of
/// `sqrt`, `powf` or `hypot` stands still does not move the result. So `v * v.hypot(w)` has its true
/// derivative at rest; `x.sqrt()` at zero has an infinite one.
///
/// ```
/// use rotula_dae::automatic::{Dual, Scalar};
///
/// fn spring<T: Scalar>(x: T) -> T {
///     -(x * 3.0 + x.powi(3))
/// }
/// assert_eq!(spring(2.0), -14.0);
/// assert_eq!(spring(Dual::<f64, 1>::variable(2.0, 0)).dual, [-15.0]);
/// ```
pub trait Scalar:
    Copy
    + Debug
    + From<f64>
    + Sum
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + AddAssign<f64>
    + SubAssign<f64>
    + MulAssign<f64>
    + DivAssign<f64>
{
    /// The number without its derivatives; for branches.
    fn value(&self) -> f64;

    /// Sine and cosine together.
    fn sin_cos(self) -> (Self, Self);
    /// Hyperbolic sine and cosine together.
    fn sinh_cosh(self) -> (Self, Self);
    /// Tangent.
    fn tan(self) -> Self;
    /// Arc sine.
    fn asin(self) -> Self;
    /// Arc cosine.
    fn acos(self) -> Self;
    /// Arc tangent.
    fn atan(self) -> Self;
    /// Angle of the point (`x`, `self`), between −π and π.
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Exponential function.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Power with an integer exponent.
    fn powi(self, exponent: i32) -> Self;
    /// Power with a real exponent.
    fn powf(self, exponent: f64) -> Self;
    /// `√(self² + other²)`.
    fn hypot(self, other: Self) -> Self;
    /// `1 / self`.
    fn recip(self) -> Self;

    /// Sine.
    #[inline]
    fn sin(self) -> Self {
        self.sin_cos().0
    }

    /// Cosine.
    #[inline]
    fn cos(self) -> Self {
        self.sin_cos().1
    }

    /// Hyperbolic sine.
    #[inline]
    fn sinh(self) -> Self {
        self.sinh_cosh().0
    }

    /// Hyperbolic cosine.
    #[inline]
    fn cosh(self) -> Self {
        self.sinh_cosh().1
    }

    /// Magnitude; its derivative at zero is taken as zero.
    #[inline]
    fn abs(self) -> Self {
        let value = self.value();
        if value > 0.0 {
            self
        } else if value < 0.0 {
            -self
        } else {
            // A factor of zero rather than a constant, so that NaN stays NaN.
            self * 0.0
        }
    }

    /// The larger of two; `self` if they are equal, not a number if one of them is not.
    #[inline]
    fn max(self, other: Self) -> Self {
        let first = self.value();
        if first >= other.value() || first.is_nan() { self } else { other }
    }

    /// The smaller of two; `self` if they are equal, not a number if one of them is not.
    #[inline]
    fn min(self, other: Self) -> Self {
        let first = self.value();
        if first <= other.value() || first.is_nan() { self } else { other }
    }
}

/// Passes functions of the trait on to the functions of `f64` with the same name.
macro_rules! of_f64 {
    ($($name:ident($($argument:ident: $type:ty),*)),* $(,)?) => {
        $(
            #[inline]
            fn $name(self $(, $argument: $type)*) -> f64 {
                f64::$name(self $(, $argument)*)
            }
        )*
    };
}

impl Scalar for f64 {
    #[inline]
    fn value(&self) -> f64 {
        *self
    }

    #[inline]
    fn sin_cos(self) -> (f64, f64) {
        f64::sin_cos(self)
    }

    #[inline]
    fn sinh_cosh(self) -> (f64, f64) {
        (f64::sinh(self), f64::cosh(self))
    }

    of_f64!(
        sin(),
        cos(),
        tan(),
        asin(),
        acos(),
        atan(),
        atan2(x: f64),
        sinh(),
        cosh(),
        tanh(),
        exp(),
        ln(),
        sqrt(),
        abs(),
        powi(exponent: i32),
        powf(exponent: f64),
        hypot(other: f64),
        recip(),
    );
}
