//! A force given by a table.

use super::{Curve, Law, Pull};
use crate::scene::Scene;

/// What the x of a table means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The coordinate: a spring, which stores energy.
    Value,
    /// Its rate: a damper.
    Rate,
}

/// The force that tends to increase the coordinate, over the coordinate or over its rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The table.
    pub curve: Curve,
    /// What its x means.
    pub over: Over,
}

impl Law for Table {
    fn pull(&mut self, value: f64, rate: f64, _: Scene) -> Pull {
        match self.over {
            Over::Value => {
                let (force, by_value) = self.curve.value(value);
                Pull { force, by_value, by_rate: 0.0 }
            }
            Over::Rate => {
                let (force, by_rate) = self.curve.value(rate);
                Pull { force, by_value: 0.0, by_rate }
            }
        }
    }

    fn energy(&mut self, value: f64, _: Scene) -> f64 {
        match self.over {
            Over::Value => -self.curve.integral(value),
            Over::Rate => 0.0,
        }
    }

    fn conservative(&mut self, value: f64, _: Scene) -> f64 {
        match self.over {
            Over::Value => self.curve.value(value).0,
            Over::Rate => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Interpolation, tests::check};
    use super::*;

    #[test]
    fn slopes_and_energy() {
        let points = [(-1.0, 4.0), (0.0, 0.0), (1.0, -1.0), (2.0, -5.0)];
        for kind in [Interpolation::Linear, Interpolation::MonotoneCubic] {
            for over in [Over::Value, Over::Rate] {
                let curve = Curve::new(&points, kind).unwrap();
                check(&mut Table { curve, over }, &[-2.0, 0.3, 1.5, 3.0], &[-1.5, 0.6, 2.5]);
            }
        }
    }
}
