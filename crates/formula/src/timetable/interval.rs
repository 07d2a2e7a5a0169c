//! Bounds of operations on intervals of their operands.

use crate::operation::{Binary, FixedExponent, Unary};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const ANY: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    const UNIT: Interval = Interval { low: -1.0, high: 1.0 };
    const TRUTH: Interval = Interval { low: 0.0, high: 1.0 };

    pub fn new(low: f64, high: f64) -> Self {
        Interval { low, high }
    }

    pub fn point(x: f64) -> Self {
        Interval::hull([x])
    }

    /// The interval of some numbers; any if one is undefined.
    pub fn hull(numbers: impl IntoIterator<Item = f64>) -> Self {
        let mut hull = Interval::new(f64::INFINITY, f64::NEG_INFINITY);
        for x in numbers {
            if x.is_nan() {
                return Interval::ANY;
            }
            hull = Interval::new(hull.low.min(x), hull.high.max(x));
        }
        hull
    }

    pub fn join(self, other: Self) -> Self {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub fn contains(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    fn ends(self, f: impl Fn(f64) -> f64) -> Self {
        Interval::hull([f(self.low), f(self.high)])
    }

    fn corners(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let pairs = [
            (self.low, other.low),
            (self.low, other.high),
            (self.high, other.low),
            (self.high, other.high),
        ];
        Interval::hull(pairs.map(|(a, b)| f(a, b)))
    }

    /// The sine of it, by where it has its tops and bottoms.
    fn sine(self) -> Self {
        // of endless ones nothing else is known
        let width = self.width();
        if width.is_nan() || width >= TAU {
            return Interval::UNIT;
        }
        let holds = |top: f64| {
            let next = top + TAU * ((self.low - top) / TAU).ceil();
            next <= self.high
        };
        let mut bounds = self.ends(f64::sin);
        if holds(FRAC_PI_2) {
            bounds.high = 1.0;
        }
        if holds(-FRAC_PI_2) {
            bounds.low = -1.0;
        }
        bounds
    }

    fn magnitude(self) -> Self {
        match self.contains(0.0) {
            true => Interval::new(0.0, self.high.max(-self.low)),
            false => self.ends(f64::abs),
        }
    }

    pub fn unary(self, operation: Unary) -> Self {
        use Unary::*;
        match operation {
            Sin => self.sine(),
            Cos => Interval::new(self.low + FRAC_PI_2, self.high + FRAC_PI_2).sine(),
            Tan if (self.low / PI - 0.5).floor() != (self.high / PI - 0.5).floor() => Interval::ANY,
            Cosh => self.magnitude().ends(f64::cosh),
            Abs => self.magnitude(),
            // all others grow or fall
            _ => self.ends(|x| operation.apply(x)),
        }
    }

    pub fn power(self, exponent: FixedExponent) -> Self {
        let ends = self.ends(|x| exponent.apply(x));
        // between both ends lies what happens at zero
        match self.contains(0.0) {
            true => ends.join(Interval::point(exponent.apply(0.0))),
            false => ends,
        }
    }

    pub fn binary(self, operation: Binary, other: Self) -> Self {
        use Binary::*;
        let Interval { low, high } = self;
        let known = |holds: bool, fails: bool| match (holds, fails) {
            (true, _) => Interval::point(1.0),
            (_, true) => Interval::point(0.0),
            _ => Interval::TRUTH,
        };
        match operation {
            Add => Interval::new(low + other.low, high + other.high),
            Subtract => Interval::new(low - other.high, high - other.low),
            Multiply => self.corners(other, |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { a * b }),
            Divide if other.contains(0.0) => Interval::ANY,
            Divide => self.corners(other, |a, b| a / b),
            Power if low >= 0.0 => self.corners(other, f64::powf),
            Power => Interval::ANY,
            Atan2 if other.low > 0.0 => self.corners(other, f64::atan2),
            Atan2 => Interval::new(-PI, PI),
            Hypot => self.magnitude().corners(other.magnitude(), f64::hypot),
            Minimum => Interval::new(low.min(other.low), high.min(other.high)),
            Maximum => Interval::new(low.max(other.low), high.max(other.high)),
            Modulo => self.modulo(other),
            Less => known(high < other.low, low >= other.high),
            LessOrEqual => known(high <= other.low, low > other.high),
            Equal => known(false, high < other.low || low > other.high),
            And => Interval::new(low.min(other.low), high.min(other.high)),
            Or => Interval::new(low.max(other.low), high.max(other.high)),
        }
    }

    fn modulo(self, other: Self) -> Self {
        let divisor = other.low;
        if other.width() != 0.0 || divisor == 0.0 {
            return Interval::ANY;
        }
        // within one turn it grows as its operand does; quotients are rounded and do not tell where a turn ends
        let [low, high] = [self.low, self.high].map(|x| Binary::Modulo.apply(x, divisor));
        let within = (high - low - self.width()).abs() < 1e-9 * divisor.abs();
        if within { Interval::hull([low, high]) } else { Interval::hull([0.0, divisor]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_what_happens_between() {
        let span = Interval::new(-1.3, 2.1);
        let other = Interval::new(0.4, 0.9);
        for k in 0..=1000 {
            let s = f64::from(k) / 1000.0;
            let x = span.low + s * span.width();
            for operation in
                [Unary::Sin, Unary::Cos, Unary::Abs, Unary::Exp, Unary::Sign, Unary::Floor]
            {
                let bounds = span.unary(operation);
                let value = operation.apply(x);
                assert!(
                    bounds.low <= value + 1e-13 && value <= bounds.high + 1e-13,
                    "{operation:?}"
                );
            }
            for j in 0..=10 {
                let y = other.low + f64::from(j) / 10.0 * other.width();
                for operation in
                    [Binary::Add, Binary::Multiply, Binary::Divide, Binary::Hypot, Binary::Less]
                {
                    let bounds = span.binary(operation, other);
                    let value = operation.apply(x, y);
                    assert!(
                        bounds.low <= value + 1e-13 && value <= bounds.high + 1e-13,
                        "{operation:?}"
                    );
                }
            }
        }
        assert_eq!(span.binary(Binary::Modulo, Interval::point(3.0)), Interval::new(0.0, 3.0));
        // 12.5 is no whole multiple of the number nearest to 0.02
        let wide = Interval::new(12.5, 12.5195).binary(Binary::Modulo, Interval::point(0.02));
        assert!(wide.contains(0.01));
        let within = Interval::new(3.5, 4.0).binary(Binary::Modulo, Interval::point(3.0));
        assert!((within.low - 0.5).abs() < 1e-15 && (within.high - 1.0).abs() < 1e-15);
    }
}
