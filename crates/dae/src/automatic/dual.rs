//! Numbers that carry derivatives.

use super::scalar::Scalar;

/// A number and its derivatives in `N` directions.
///
/// `T` may itself be a dual number: `Dual<Dual<f64, 1>, N>` carries second derivatives.
///
/// ```
/// use rotula_dae::automatic::Dual;
///
/// let x = Dual::<f64, 2>::variable(3.0, 0);
/// let y = Dual::<f64, 2>::variable(4.0, 1);
/// let product = x * y + 1.0;
/// assert_eq!((product.real, product.dual), (13.0, [4.0, 3.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<T, const N: usize> {
    /// The number.
    pub real: T,
    /// Its derivatives.
    pub dual: [T; N],
}

impl<T: Scalar, const N: usize> Dual<T, N> {
    /// A number that does not move.
    #[inline]
    pub fn constant(real: T) -> Self {
        Dual { real, dual: [T::from(0.0); N] }
    }

    /// A number that moves with unit rate in one direction.
    ///
    /// # Panics
    /// If `direction` is not less than `N`.
    #[inline]
    pub fn variable(real: T, direction: usize) -> Self {
        let mut variable = Self::constant(real);
        variable.dual[direction] = T::from(1.0);
        variable
    }

    /// `function(self)` from its value and its slope.
    #[inline]
    fn chain(self, value: T, slope: T) -> Self {
        Dual { real: value, dual: self.dual.map(|d| d * slope) }
    }

    /// Like [`chain`](Self::chain) for functions with points of infinite slope: a direction in which
    /// the argument stands still has no part in it, where plain arithmetic says 0·∞ = NaN.
    #[inline]
    fn chain_steep(self, value: T, slope: T) -> Self {
        if slope.value().is_infinite() {
            let zero = T::from(0.0);
            let dual = self.dual.map(|d| if d.value() == 0.0 { zero } else { d * slope });
            return Dual { real: value, dual };
        }
        self.chain(value, slope)
    }

    /// `function(self, other)` from its value and its two slopes.
    #[inline]
    pub(super) fn chain_two(self, other: Self, value: T, slopes: [T; 2]) -> Self {
        let dual = std::array::from_fn(|k| self.dual[k] * slopes[0] + other.dual[k] * slopes[1]);
        Dual { real: value, dual }
    }
}

impl<T: Scalar, const N: usize> Scalar for Dual<T, N> {
    #[inline]
    fn value(&self) -> f64 {
        self.real.value()
    }

    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.real.sin_cos();
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    #[inline]
    fn sinh_cosh(self) -> (Self, Self) {
        let (sinh, cosh) = self.real.sinh_cosh();
        (self.chain(sinh, cosh), self.chain(cosh, sinh))
    }

    #[inline]
    fn tan(self) -> Self {
        let tan = self.real.tan();
        self.chain(tan, tan * tan + 1.0)
    }

    #[inline]
    fn asin(self) -> Self {
        self.chain_steep(self.real.asin(), one_minus_square(self.real).sqrt().recip())
    }

    #[inline]
    fn acos(self) -> Self {
        self.chain_steep(self.real.acos(), -one_minus_square(self.real).sqrt().recip())
    }

    #[inline]
    fn atan(self) -> Self {
        self.chain(self.real.atan(), (self.real * self.real + 1.0).recip())
    }

    #[inline]
    fn atan2(self, x: Self) -> Self {
        let square = self.real * self.real + x.real * x.real;
        let slopes = [x.real / square, -self.real / square];
        self.chain_two(x, self.real.atan2(x.real), slopes)
    }

    #[inline]
    fn tanh(self) -> Self {
        let tanh = self.real.tanh();
        self.chain(tanh, one_minus_square(tanh))
    }

    #[inline]
    fn exp(self) -> Self {
        let exp = self.real.exp();
        self.chain(exp, exp)
    }

    #[inline]
    fn ln(self) -> Self {
        self.chain(self.real.ln(), self.real.recip())
    }

    #[inline]
    fn sqrt(self) -> Self {
        let sqrt = self.real.sqrt();
        self.chain_steep(sqrt, sqrt.recip() * 0.5)
    }

    #[inline]
    fn powi(self, exponent: i32) -> Self {
        // The constant needs its own branch: its slope 0·x⁻¹ is not a number at zero.
        if exponent == 0 {
            return Self::from(1.0);
        }
        let slope = self.real.powi(exponent - 1) * f64::from(exponent);
        self.chain(self.real.powi(exponent), slope)
    }

    #[inline]
    fn powf(self, exponent: f64) -> Self {
        if exponent == 0.0 {
            return Self::from(1.0);
        }
        let slope = self.real.powf(exponent - 1.0) * exponent;
        self.chain_steep(self.real.powf(exponent), slope)
    }

    #[inline]
    fn hypot(self, other: Self) -> Self {
        let hypot = self.real.hypot(other.real);
        if hypot.value() == 0.0 {
            // The tip of the cone: the mean of all slopes, zero, keeps forces like `v |v|` exact.
            return Self::constant(hypot);
        }
        self.chain_two(other, hypot, [self.real / hypot, other.real / hypot])
    }

    #[inline]
    fn recip(self) -> Self {
        let recip = self.real.recip();
        self.chain(recip, -(recip * recip))
    }
}

/// `1 − x²` without cancellation near ±1.
#[inline]
fn one_minus_square<T: Scalar>(x: T) -> T {
    (-x + 1.0) * (x + 1.0)
}
