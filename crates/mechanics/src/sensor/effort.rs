//! Reads the effort of a drive or coupling, and its power.

use super::{Sensor, Slopes, View};
use crate::error::ModelError;
use crate::measure::{Coordinate, Sum};
use crate::model::Model;

/// The multiplier of the only equation of a drive or coupling, times a number, and for a power times
/// the rate of a coordinate.
#[derive(Clone, Debug)]
pub struct EffortSensor {
    constraint: [usize; 1],
    factor: f64,
    moving: Option<Coordinate>,
}

impl EffortSensor {
    /// The force or moment on a coordinate that the equation of a drive or coupling, by its name, holds
    /// with a weight.
    pub fn new(model: &Model, owner: &str, weight: f64) -> Result<Self, ModelError> {
        let found = model.constraints().iter().rposition(|entry| entry.owner == owner);
        let Some(constraint) = found else {
            let what = "there is no drive or coupling with this name";
            return Err(ModelError::invalid(format!("effort of `{owner}`"), what));
        };
        Ok(EffortSensor { constraint: [constraint], factor: weight, moving: None })
    }

    /// The power of that force or moment.
    pub fn power(
        model: &Model,
        owner: &str,
        weight: f64,
        coordinate: &Coordinate,
    ) -> Result<Self, ModelError> {
        let Coordinate { nodes, sum } = coordinate.clone();
        // only the rate is read, which does not depend on turns
        let sum = Sum(sum.0.into_iter().map(|(w, m)| (w, m.without_turns())).collect());
        let moving = Some(Coordinate { nodes, sum });
        Ok(EffortSensor { moving, ..EffortSensor::new(model, owner, weight)? })
    }
}

impl Sensor for EffortSensor {
    fn nodes(&self) -> &[usize] {
        self.moving.as_ref().map_or(&[], |coordinate| &coordinate.nodes)
    }

    fn constraints(&self) -> &[usize] {
        &self.constraint
    }

    fn value(&mut self, view: View) -> f64 {
        let effort = self.factor * view.multipliers(0)[0];
        self.moving.as_ref().map_or(effort, |moving| effort * moving.sum.rate(view.scene))
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let effort = self.factor * view.multipliers(0)[0];
        let rate = match &self.moving {
            Some(moving) => {
                moving.sum.rate_gradient(view.scene, effort, slopes.increment);
                moving.sum.gradient(view.scene, effort, slopes.velocity);
                moving.sum.rate(view.scene)
            }
            None => 1.0,
        };
        slopes.multipliers[0] += self.factor * rate;
    }
}
