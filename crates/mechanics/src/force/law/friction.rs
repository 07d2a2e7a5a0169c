//! Dry friction made smooth: Coulomb's law with Stribeck's fall from rest to sliding.

use super::{Law, Pull};
use crate::error::{ModelError, refusal};
use crate::force::{Amplitude, Auxiliary};
use crate::scene::Scene;

/// A coefficient of friction over the speed of sliding `s`:
///
/// ```text
/// μ(s) = μ_k + (μ_s − μ_k) exp(−(s/s_S)²)
/// ```
///
/// The force on the sliding velocity `v` is `−μ(s) N v/s` with `s = √(v² + ε²)`, or `−μ(v) N tanh(v/ε)` (see [`Smoothing`]): where
/// a dry contact would stick, it creeps with a speed of the order of the regularisation velocity ε.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stribeck {
    /// Coefficient at rest, μ_s.
    pub rest: f64,
    /// Coefficient when sliding, μ_k.
    pub sliding: f64,
    /// Stribeck velocity s_S: how soon friction falls from one to the other.
    pub velocity: f64,
    /// Regularisation velocity ε, much below the speeds of interest.
    pub regularisation: f64,
    /// How friction passes through rest.
    pub smoothing: Smoothing,
}

/// How friction passes from one direction to the other over the regularisation velocity ε. Both have the slope 1/ε at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Smoothing {
    /// `v/√(v² + ε²)`.
    #[default]
    Root,
    /// `tanh(v/ε)`, which comes sooner to full friction: 96 % at 2ε, where the root has 89 %.
    Tanh,
}

impl Stribeck {
    /// One coefficient at rest and when sliding.
    pub const fn coulomb(coefficient: f64, regularisation: f64) -> Self {
        Stribeck {
            rest: coefficient,
            sliding: coefficient,
            velocity: 1.0,
            regularisation,
            smoothing: Smoothing::Root,
        }
    }

    /// What is added to the speed as `s = √(v² + offset²)`, so that its direction is smooth.
    pub(crate) fn offset(&self) -> f64 {
        match self.smoothing {
            Smoothing::Root => self.regularisation,
            // changes tanh by 10⁻⁶ at most
            Smoothing::Tanh => 1e-3 * self.regularisation,
        }
    }

    /// Says which number makes no sense.
    pub(crate) fn validate(&self, thing: &str) -> Result<(), ModelError> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let checks = [
            (self.rest >= 0.0 && self.rest.is_finite(), "coefficient at rest", self.rest),
            (self.sliding >= 0.0 && self.sliding.is_finite(), "sliding coefficient", self.sliding),
            (positive(self.velocity), "Stribeck velocity", self.velocity),
            (positive(self.regularisation), "regularisation velocity", self.regularisation),
        ];
        match checks.iter().find(|(good, ..)| !good) {
            None => Ok(()),
            Some((_, what, value)) => Err(ModelError::invalid(
                thing,
                refusal!("its {what} of friction is {value}"; "give a positive number"),
            )),
        }
    }

    /// The friction coefficient over the speed `s`, which has its [`offset`](Self::offset), and its derivative.
    pub(crate) fn over_speed(&self, s: f64) -> (f64, f64) {
        let ratio = s / self.velocity;
        let fall = (self.rest - self.sliding) * (-ratio * ratio).exp();
        let mut coefficient = self.sliding + fall;
        let mut slope = -2.0 * ratio / self.velocity * fall;
        if self.smoothing == Smoothing::Tanh {
            let share = (s / self.regularisation).tanh();
            slope = slope * share + coefficient * (1.0 - share * share) / self.regularisation;
            coefficient *= share;
        }
        (coefficient / s, (slope - coefficient / s) / s)
    }
}

/// Friction on a coordinate of a joint. With an effective radius `r` (1 for a sliding joint), the
/// surfaces slide with `v = r · rate`, and the force on the coordinate is
///
/// ```text
/// f = −r μ(s) |N| v/s − viscous · rate
/// ```
///
/// For a moment of preload instead of a force, take it as the normal force with a radius of 1;
/// the velocities of the law then are angular.
#[derive(Clone, Debug)]
pub struct Friction {
    law: Stribeck,
    viscous: f64,
    normal: Amplitude,
    radius: f64,
    auxiliary: Option<Auxiliary>,
}

impl Friction {
    /// Friction under a normal force: a number, a function of time, or a variable that reads the
    /// reaction of the joint, of which the magnitude counts.
    pub fn new(law: Stribeck, normal: Amplitude, radius: f64) -> Result<Self, ModelError> {
        law.validate("joint friction")?;
        if !(radius.is_finite() && radius > 0.0) {
            return Err(ModelError::invalid(
                "joint friction",
                refusal!("its effective radius is {radius}"; "give a positive number"),
            ));
        }
        Ok(Friction { law, viscous: 0.0, normal, radius, auxiliary: normal.auxiliary() })
    }

    /// Adds a force proportional to the rate.
    pub fn with_viscous(mut self, viscous: f64) -> Self {
        self.viscous = viscous;
        self
    }

    /// The force per magnitude of the normal force, and its derivative by the rate.
    fn per_normal(&self, rate: f64) -> (f64, f64) {
        let v = self.radius * rate;
        let s = v.hypot(self.law.offset());
        let (over, slope) = self.law.over_speed(s);
        (-self.radius * over * v, -self.radius * self.radius * (over + slope * v * v / s))
    }
}

impl Law for Friction {
    fn pull(&mut self, _: f64, rate: f64, scene: Scene) -> Pull {
        let normal = self.normal.value(scene).abs();
        let (force, by_rate) = self.per_normal(rate);
        Pull {
            force: force * normal - self.viscous * rate,
            by_value: 0.0,
            by_rate: by_rate * normal - self.viscous,
        }
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.auxiliary.as_slice()
    }

    fn auxiliary_slopes(&mut self, _: f64, rate: f64, scene: Scene, out: &mut [f64]) {
        let sign = self.normal.value(scene).signum();
        out.fill(self.per_normal(rate).0 * sign);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, in_scene};
    use super::*;

    const LAW: Stribeck = Stribeck { rest: 0.5, velocity: 0.2, ..Stribeck::coulomb(0.3, 0.05) };

    #[test]
    fn slopes() {
        for variable in 0..2 {
            for smoothing in [Smoothing::Root, Smoothing::Tanh] {
                let normal = Amplitude::Variable(variable);
                let law = Stribeck { smoothing, ..LAW };
                let mut law = Friction::new(law, normal, 0.7).unwrap().with_viscous(0.2);
                check(&mut law, &[0.0], &[-2.0, -0.1, 0.0, 0.03, 0.3]);
            }
        }
    }

    #[test]
    fn tanh_is_the_share_of_full_friction() {
        let law = Stribeck { smoothing: Smoothing::Tanh, ..Stribeck::coulomb(0.4, 0.2) };
        let mut law = Friction::new(law, Amplitude::Constant(10.0), 1.0).unwrap();
        let mut force = |rate: f64| in_scene(0.0, &[], |scene| law.pull(0.0, rate, scene).force);
        for rate in [-0.5, -0.1, 0.0, 0.05, 0.2, 3.0] {
            assert!((force(rate) + 4.0 * f64::tanh(rate / 0.2)).abs() < 1e-5);
        }
    }

    #[test]
    fn sliding_fast_meets_the_sliding_coefficient_and_slowly_nearly_that_at_rest() {
        let mut law =
            Friction::new(Stribeck { regularisation: 1e-6, ..LAW }, Amplitude::Constant(10.0), 0.5)
                .unwrap();
        let mut force = |rate: f64| in_scene(0.0, &[], |scene| law.pull(0.0, rate, scene).force);
        assert!((force(100.0) + 0.5 * 0.3 * 10.0).abs() < 1e-9);
        assert!((force(-100.0) - 0.5 * 0.3 * 10.0).abs() < 1e-9);
        assert!((force(1e-3) + 0.5 * 0.5 * 10.0).abs() < 1e-4);
    }

    #[test]
    fn bad_numbers_are_refused() {
        let bad = Stribeck { regularisation: 0.0, ..LAW };
        let error = Friction::new(bad, Amplitude::Constant(1.0), 1.0).unwrap_err().to_string();
        assert!(error.contains("regularisation velocity"), "{error}");
        assert!(Friction::new(LAW, Amplitude::Constant(1.0), 0.0).is_err());
    }
}
