//! Reads a coordinate: an angle with its turns, a displacement, the length of a spring.

use super::{Sensor, Slopes, View};
use crate::marker::Marker;
use crate::measure::{Coordinate, Measure};
use nalgebra::Vector3;
use rotula_dae::Level;

/// A coordinate, its rate or its acceleration.
#[derive(Clone, Debug)]
pub struct CoordinateSensor {
    coordinate: Coordinate,
    level: Level,
}

impl CoordinateSensor {
    /// The coordinate itself.
    pub fn value(coordinate: Coordinate) -> Self {
        CoordinateSensor { coordinate, level: Level::Position }
    }

    /// Its rate.
    pub fn rate(coordinate: Coordinate) -> Self {
        CoordinateSensor { coordinate, level: Level::Velocity }
    }

    /// Its acceleration.
    pub fn acceleration(coordinate: Coordinate) -> Self {
        CoordinateSensor { coordinate, level: Level::Acceleration }
    }

    /// Where the origin of a marker is as seen from another one, along an axis of that other.
    pub fn position(marker: &Marker, seen_from: &Marker, axis: Vector3<f64>) -> Self {
        CoordinateSensor::value(Coordinate::along(seen_from, marker, axis.normalize()))
    }
}

impl Sensor for CoordinateSensor {
    fn nodes(&self) -> &[usize] {
        &self.coordinate.nodes
    }

    fn value(&mut self, view: View) -> f64 {
        let sum = &self.coordinate.sum;
        match self.level {
            Level::Position => sum.value(view.scene),
            Level::Velocity => sum.rate(view.scene),
            Level::Acceleration => sum.acceleration(view.scene),
        }
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let (sum, scene) = (&self.coordinate.sum, view.scene);
        match self.level {
            Level::Position => sum.gradient(scene, 1.0, slopes.increment),
            Level::Velocity => {
                sum.rate_gradient(scene, 1.0, slopes.increment);
                sum.gradient(scene, 1.0, slopes.velocity);
            }
            Level::Acceleration => {
                sum.acceleration_gradient(scene, 1.0, slopes.increment);
                sum.acceleration_velocity(scene, 1.0, slopes.velocity);
                sum.gradient(scene, 1.0, slopes.acceleration);
            }
        }
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        Box::new(self.coordinate.sum.measures_mut())
    }
}
