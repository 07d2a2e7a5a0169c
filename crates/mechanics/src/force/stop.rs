//! Soft stops: a coordinate meets a stiff, damped buffer at its bounds.

use super::{Law, Pull};
use crate::error::{ModelError, refusal};
use crate::scene::Scene;
use crate::stop::check_bounds;

/// A buffer after Hunt and Crossley: with the depth `d` beyond a bound, the force back is
/// `k dⁿ (1 + c ḋ)`, and never pulls.
///
/// An exponent above one makes the onset smooth, and damping that grows with the depth leaves no jump
/// of force at first touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftStop {
    lower: f64,
    upper: f64,
    stiffness: f64,
    exponent: f64,
    damping: f64,
}

impl SoftStop {
    /// A buffer with stiffness `k`, exponent 3/2 and no damping below `lower` and above `upper`; an
    /// infinite bound is none.
    pub fn new(lower: f64, upper: f64, stiffness: f64) -> Result<Self, ModelError> {
        check_bounds(lower, upper).map_err(|what| ModelError::invalid("soft stop", what))?;
        let stop = SoftStop { lower, upper, stiffness, exponent: 1.5, damping: 0.0 };
        stop.check("stiffness", stiffness, stiffness > 0.0, "greater than zero")
    }

    /// With damping `c`, in inverse speed: about `3(1 − e)/(2v)` for restitution `e` close to one at
    /// impact speed `v`.
    pub fn damped(self, damping: f64) -> Result<Self, ModelError> {
        SoftStop { damping, ..self }.check("damping", damping, damping >= 0.0, "not below zero")
    }

    /// With another exponent `n`.
    pub fn with_exponent(self, exponent: f64) -> Result<Self, ModelError> {
        let stop = SoftStop { exponent, ..self };
        stop.check("exponent", exponent, exponent >= 1.0, "not below one")
    }

    fn check(self, word: &str, number: f64, fine: bool, right: &str) -> Result<Self, ModelError> {
        if fine && number.is_finite() {
            return Ok(self);
        }
        let what = refusal!("its {word} is {number}"; "give a finite number {right}");
        Err(ModelError::invalid("soft stop", what))
    }

    /// How deep the coordinate is in a buffer, and into which direction the buffer pushes.
    fn depth(&self, value: f64) -> Option<(f64, f64)> {
        if value < self.lower {
            Some((self.lower - value, 1.0))
        } else if value > self.upper {
            Some((value - self.upper, -1.0))
        } else {
            None
        }
    }
}

impl Law for SoftStop {
    fn pull(&mut self, value: f64, rate: f64, _: Scene) -> Pull {
        let Some((depth, sign)) = self.depth(value) else { return Pull::default() };
        let elastic = self.stiffness * depth.powf(self.exponent);
        // d = sign (bound − value), so ḋ = −sign rate
        let factor = 1.0 - self.damping * sign * rate;
        if factor <= 0.0 {
            return Pull::default();
        }
        let slope = self.stiffness * self.exponent * depth.powf(self.exponent - 1.0);
        Pull {
            force: sign * elastic * factor,
            by_value: -slope * factor,
            by_rate: -elastic * self.damping,
        }
    }

    fn energy(&mut self, value: f64, _: Scene) -> f64 {
        let n = self.exponent + 1.0;
        self.depth(value).map_or(0.0, |(depth, _)| self.stiffness * depth.powf(n) / n)
    }

    fn conservative(&mut self, value: f64, _: Scene) -> f64 {
        self.depth(value)
            .map_or(0.0, |(depth, sign)| sign * self.stiffness * depth.powf(self.exponent))
    }
}
