//! A spring that hardens or softens with the cube of its stretch.

use super::{Law, Pull};
use crate::scene::Scene;

/// `f = −stiffness s − cubic s³ − damping rate` with the stretch `s = value − free`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cubic {
    /// Force per length where the spring is at rest.
    pub stiffness: f64,
    /// Force per cube of length; negative for a spring that softens.
    pub cubic: f64,
    /// Force per speed.
    pub damping: f64,
    /// The value at which the spring is at rest.
    pub free: f64,
}

impl Law for Cubic {
    fn pull(&mut self, value: f64, rate: f64, scene: Scene) -> Pull {
        let stretch = value - self.free;
        Pull {
            force: self.conservative(value, scene) - self.damping * rate,
            by_value: -self.stiffness - 3.0 * self.cubic * stretch * stretch,
            by_rate: -self.damping,
        }
    }

    fn energy(&mut self, value: f64, _: Scene) -> f64 {
        let square = (value - self.free).powi(2);
        0.5 * self.stiffness * square + 0.25 * self.cubic * square * square
    }

    fn conservative(&mut self, value: f64, _: Scene) -> f64 {
        let stretch = value - self.free;
        -stretch * (self.stiffness + self.cubic * stretch * stretch)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn slopes_and_energy() {
        let mut law = Cubic { stiffness: 3.0, cubic: 2.0, damping: 0.4, free: 0.2 };
        check(&mut law, &[-1.0, 0.1, 2.0], &[-0.5, 1.0]);
    }
}
