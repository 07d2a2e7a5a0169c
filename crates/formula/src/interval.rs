//! Ranges of numbers under the operations of formulas: what is computed from any numbers of the operands lies within the result,
//! up to rounding, which [`Interval::wider`] covers.

use crate::operation::{Binary, Unary};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Rounding of one operation, generously.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Interval {
    pub const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

    pub fn new(low: f64, high: f64) -> Self {
        Interval { low, high }
    }

    pub fn point(x: f64) -> Self {
        Interval { low: x, high: x }
    }

    pub fn width(self) -> f64 {
        self.high - self.low
    }

    pub fn is_point(self) -> bool {
        self.low == self.high
    }

    pub fn hull(self, other: Self) -> Self {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    fn holds(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// With room for rounding; everything where it is undefined.
    pub fn wider(self) -> Self {
        if self.low.is_nan() || self.high.is_nan() || self.low > self.high {
            return Interval::ALL;
        }
        let more = |x: f64| if x.is_finite() { x.abs() * ROUNDING } else { 0.0 };
        Interval::new(self.low - more(self.low), self.high + more(self.high))
    }

    /// Of a function that only grows.
    fn growing(self, f: impl Fn(f64) -> f64) -> Self {
        Interval::new(f(self.low), f(self.high))
    }

    /// Of a function that falls up to zero and grows beyond.
    fn even(self, f: impl Fn(f64) -> f64) -> Self {
        let (a, b) = (f(self.low), f(self.high));
        let least = if self.holds(0.0) { f(0.0) } else { a.min(b) };
        Interval::new(least, a.max(b))
    }

    pub fn unary(self, operation: Unary) -> Self {
        use Unary::*;
        let f = |x: f64| operation.apply(x);
        match operation {
            Negate | Not => Interval::new(f(self.high), f(self.low)),
            Sin => self.sine(0.0),
            Cos => self.sine(FRAC_PI_2),
            Tan => {
                let branch = |x: f64| ((x + FRAC_PI_2) / PI).floor();
                match branch(self.low) == branch(self.high) {
                    true => self.growing(f),
                    false => Interval::ALL,
                }
            }
            Acos => Interval::new(f(self.high.min(1.0)), f(self.low.max(-1.0))),
            Asin => Interval::new(f(self.low.max(-1.0)), f(self.high.min(1.0))),
            Log | Log10 | Sqrt => self.clipped(0.0).growing(f),
            Acosh => self.clipped(1.0).growing(f),
            Abs | Cosh => self.even(f),
            Atan | Sinh | Tanh | Asinh | Atanh | Exp | Cbrt | Sign | Floor | Ceil | Heaviside => {
                self.growing(f)
            }
        }
    }

    fn clipped(self, least: f64) -> Self {
        Interval::new(self.low.max(least), self.high)
    }

    /// sin(x + shift).
    fn sine(self, shift: f64) -> Self {
        // the range of turns that a sine takes is that of its argument
        if !(self.width() < TAU) {
            return Interval::new(-1.0, 1.0);
        }
        let (a, b) = (self.low + shift, self.high + shift);
        let reached = |peak: f64| ((a - peak) / TAU).floor() != ((b - peak) / TAU).floor();
        let ends = [a.sin(), b.sin()];
        Interval::new(
            if reached(-FRAC_PI_2) { -1.0 } else { ends[0].min(ends[1]) },
            if reached(FRAC_PI_2) { 1.0 } else { ends[0].max(ends[1]) },
        )
    }

    pub fn binary(self, operation: Binary, other: Self) -> Self {
        use Binary::*;
        match operation {
            Add => Interval::new(self.low + other.low, self.high + other.high),
            Subtract => Interval::new(self.low - other.high, self.high - other.low),
            Multiply => self.corners(other, |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b }),
            Divide if other.holds(0.0) => Interval::ALL,
            Divide => self.corners(other, |a, b| a / b),
            Power => self.power(other),
            Atan2 if self.is_point() && other.is_point() => {
                Interval::point(self.low.atan2(other.low))
            }
            Atan2 => Interval::new(-PI, PI),
            Hypot => {
                let (a, b) = (self.even(f64::abs), other.even(f64::abs));
                Interval::new(a.low.hypot(b.low), a.high.hypot(b.high))
            }
            Minimum => Interval::new(self.low.min(other.low), self.high.min(other.high)),
            Maximum => Interval::new(self.low.max(other.low), self.high.max(other.high)),
            Modulo if other.is_point() => {
                let b = other.low;
                match (self.low / b).floor() == (self.high / b).floor() {
                    true => self.growing(|x| operation.apply(x, b)),
                    false => Interval::new(b.min(0.0), b.max(0.0)),
                }
            }
            Modulo => Interval::new(other.low.min(0.0), other.high.max(0.0)),
            Less => truth(self.high < other.low, self.low >= other.high),
            LessOrEqual => truth(self.high <= other.low, self.low > other.high),
            Equal => truth(
                self.is_point() && self == other,
                self.high < other.low || self.low > other.high,
            ),
            And => Interval::new(self.low * other.low, self.high * other.high),
            Or => Interval::new(self.low.max(other.low), self.high.max(other.high)),
        }
    }

    fn corners(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let all = [
            f(self.low, other.low),
            f(self.low, other.high),
            f(self.high, other.low),
            f(self.high, other.high),
        ];
        if all.iter().any(|x| x.is_nan()) {
            return Interval::ALL;
        }
        Interval::new(
            all.iter().copied().fold(f64::INFINITY, f64::min),
            all.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        )
    }

    fn power(self, exponent: Self) -> Self {
        if !exponent.is_point() {
            return match self.low > 0.0 {
                true => self.corners(exponent, f64::powf),
                false => Interval::ALL,
            };
        }
        let p = exponent.low;
        let f = |x: f64| x.powf(p);
        if p.fract() != 0.0 {
            let clipped = self.clipped(0.0);
            return if p > 0.0 {
                clipped.growing(f)
            } else {
                Interval::new(f(clipped.high), f(clipped.low))
            };
        }
        if p < 0.0 {
            return match self.holds(0.0) {
                true => Interval::ALL,
                false => {
                    Interval::point(1.0).binary(Binary::Divide, self.power(Interval::point(-p)))
                }
            };
        }
        if p % 2.0 == 0.0 { self.even(f) } else { self.growing(f) }
    }

    /// `self` is a condition.
    pub fn select(self, a: Self, b: Self) -> Self {
        match (self.low, self.high) {
            (1.0, 1.0) => a,
            (0.0, 0.0) => b,
            _ => a.hull(b),
        }
    }
}

fn truth(holds: bool, fails: bool) -> Interval {
    match (holds, fails) {
        (true, _) => Interval::point(1.0),
        (_, true) => Interval::point(0.0),
        _ => Interval::new(0.0, 1.0),
    }
}
