//! A prescribed or commanded force.

use super::{Law, Pull};
use crate::force::{Amplitude, Auxiliary};
use crate::scene::Scene;

/// A force or moment on the coordinate that is a number, a function of time or what a controller
/// commands.
#[derive(Clone, Debug)]
pub struct Motor {
    amplitude: Amplitude,
    auxiliary: Option<Auxiliary>,
}

impl Motor {
    /// A motor of this strength.
    pub fn new(amplitude: Amplitude) -> Self {
        Motor { amplitude, auxiliary: amplitude.auxiliary() }
    }
}

impl Law for Motor {
    fn pull(&mut self, _: f64, _: f64, scene: Scene) -> Pull {
        Pull { force: self.amplitude.value(scene), ..Pull::default() }
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.auxiliary.as_slice()
    }

    fn auxiliary_slopes(&mut self, _: f64, _: f64, _: Scene, out: &mut [f64]) {
        out.fill(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, in_scene};
    use super::*;

    #[test]
    fn commanded_and_prescribed() {
        check(&mut Motor::new(Amplitude::Variable(0)), &[0.3], &[1.0]);
        let mut prescribed = Motor::new(Amplitude::Function(0));
        let pull = in_scene(0.0, &[], |scene| prescribed.pull(5.0, 6.0, scene));
        assert_eq!(pull, Pull { force: 0.7, by_value: 0.0, by_rate: 0.0 });
    }
}
