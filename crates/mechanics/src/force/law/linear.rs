//! The linear spring and damper.

use super::{Law, Pull};
use crate::scene::Scene;

/// `f = preload − stiffness (value − free) − damping rate`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Linear {
    /// Force per length, or moment per angle.
    pub stiffness: f64,
    /// Force per speed.
    pub damping: f64,
    /// The value at which the spring is at rest.
    pub free: f64,
    /// Added force.
    pub preload: f64,
}

impl Law for Linear {
    fn pull(&mut self, value: f64, rate: f64, scene: Scene) -> Pull {
        Pull {
            force: self.conservative(value, scene) - self.damping * rate,
            by_value: -self.stiffness,
            by_rate: -self.damping,
        }
    }

    fn energy(&mut self, value: f64, _: Scene) -> f64 {
        let stretch = value - self.free;
        0.5 * self.stiffness * stretch * stretch - self.preload * stretch
    }

    fn conservative(&mut self, value: f64, _: Scene) -> f64 {
        self.preload - self.stiffness * (value - self.free)
    }
}
