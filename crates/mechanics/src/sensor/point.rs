//! Reads the velocity or acceleration of a marker, and what an accelerometer feels.

use super::{Direction, Sensor, Slopes, View};
use crate::marker::Marker;
use crate::measure::{Attached, Factor};
use crate::model::GROUND;
use nalgebra::Vector3;

/// The velocity or acceleration of a marker's origin in the world, along a direction.
#[derive(Clone, Debug)]
pub struct PointSensor {
    nodes: [usize; 3],
    point: Factor,
    axis: Factor,
    /// Which time derivative: 1 or 2.
    order: usize,
    /// Taken off an acceleration.
    gravity: Vector3<f64>,
}

impl PointSensor {
    fn new(marker: &Marker, direction: Direction, order: usize) -> Self {
        PointSensor {
            nodes: [GROUND.node(), marker.node, direction.node],
            point: Factor::Offset {
                from: Attached::new(0, Vector3::zeros()),
                to: Attached::new(1, marker.frame.position),
            },
            axis: Factor::Axis(Attached::new(2, direction.vector)),
            order,
            gravity: Vector3::zeros(),
        }
    }

    /// The velocity along a direction.
    pub fn velocity(marker: &Marker, direction: Direction) -> Self {
        PointSensor::new(marker, direction, 1)
    }

    /// The acceleration along a direction.
    pub fn acceleration(marker: &Marker, direction: Direction) -> Self {
        PointSensor::new(marker, direction, 2)
    }

    /// What an accelerometer shows: acceleration less gravity (world axes), along a direction.
    pub fn accelerometer(marker: &Marker, direction: Direction, gravity: Vector3<f64>) -> Self {
        PointSensor { gravity, ..PointSensor::acceleration(marker, direction) }
    }

    /// Velocity or acceleration in the world.
    fn vector(&self, view: View) -> Vector3<f64> {
        self.point.jet(view.scene)[self.order] - self.gravity
    }
}

impl Sensor for PointSensor {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn value(&mut self, view: View) -> f64 {
        self.vector(view).dot(&self.axis.value(view.scene))
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let (scene, axis) = (view.scene, self.axis.value(view.scene));
        self.point.pull_rate(scene, self.order, &axis, 1.0, slopes.increment);
        self.axis.pull(scene, &self.vector(view), 1.0, slopes.increment);
        if self.order == 1 {
            self.point.pull(scene, &axis, 1.0, slopes.velocity);
        } else {
            self.point.pull_acceleration_velocity(scene, &axis, 1.0, slopes.velocity);
            self.point.pull(scene, &axis, 1.0, slopes.acceleration);
        }
    }
}
