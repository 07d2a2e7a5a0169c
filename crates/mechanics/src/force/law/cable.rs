//! A spring that pulls and never pushes.

use super::{Law, Pull};
use crate::scene::Scene;

/// A cable or a strap: with the stretch `s = value − free`, the tension is `k s (1 + d ṡ)` where
/// both factors are positive, and zero elsewhere. The damping grows with the tension, so that the
/// force is continuous when the cable goes slack.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cable {
    /// Tension per stretch.
    pub stiffness: f64,
    /// Dissipation, in seconds per metre: a tension grows by this part per speed of stretching.
    pub dissipation: f64,
    /// The length without tension.
    pub free: f64,
}

impl Law for Cable {
    fn pull(&mut self, value: f64, rate: f64, _: Scene) -> Pull {
        let stretch = value - self.free;
        let growth = 1.0 + self.dissipation * rate;
        if stretch <= 0.0 || growth <= 0.0 {
            return Pull::default();
        }
        Pull {
            force: -self.stiffness * stretch * growth,
            by_value: -self.stiffness * growth,
            by_rate: -self.stiffness * stretch * self.dissipation,
        }
    }

    fn energy(&mut self, value: f64, _: Scene) -> f64 {
        0.5 * self.stiffness * (value - self.free).max(0.0).powi(2)
    }

    fn conservative(&mut self, value: f64, _: Scene) -> f64 {
        -self.stiffness * (value - self.free).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, in_scene};
    use super::*;

    #[test]
    fn slopes_and_energy() {
        let mut law = Cable { stiffness: 5.0, dissipation: 0.3, free: 1.0 };
        check(&mut law, &[0.5, 1.4, 2.0], &[-5.0, -0.5, 1.0]);
        let slack = in_scene(0.0, &[], |scene| law.pull(0.9, -1.0, scene));
        assert_eq!(slack, Pull::default());
    }
}
