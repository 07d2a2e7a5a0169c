//! A force given by a table.

use super::{Law, Pull};
use crate::scene::Scene;
use rotula_formula::Tabulated;
use std::sync::Arc;

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
    /// The table, of one argument.
    pub curve: Arc<Tabulated>,
    /// What its x means.
    pub over: Over,
}

impl Law for Table {
    fn pull(&mut self, value: f64, rate: f64, _: Scene) -> Pull {
        let at = |x: f64| [0, 1].map(|order| self.curve.derivative(x, order));
        match self.over {
            Over::Value => {
                let [force, by_value] = at(value);
                Pull { force, by_value, by_rate: 0.0 }
            }
            Over::Rate => {
                let [force, by_rate] = at(rate);
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
            Over::Value => self.curve.derivative(value, 0),
            Over::Rate => 0.0,
        }
    }

    fn explain_not_finite(&mut self, value: f64, rate: f64, _: Scene) -> Option<String> {
        let at = match self.over {
            Over::Value => value,
            Over::Rate => rate,
        };
        let [first, last] = self.curve.x().ends();
        let outside = !(first..=last).contains(&at);
        outside
            .then(|| format!("{at} lies beyond a table from {first} to {last}, which refuses it"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;
    use rotula_formula::Interpolation;

    #[test]
    fn slopes_and_energy() {
        let points = [(-1.0, 4.0), (0.0, 0.0), (1.0, -1.0), (2.0, -5.0)];
        for kind in [Interpolation::Linear, Interpolation::Monotone, Interpolation::Spline] {
            for over in [Over::Value, Over::Rate] {
                let curve = Tabulated::through(&points, kind).unwrap().into();
                check(&mut Table { curve, over }, &[-2.0, 0.3, 1.5, 3.0], &[-1.5, 0.6, 2.5]);
            }
        }
    }
}
