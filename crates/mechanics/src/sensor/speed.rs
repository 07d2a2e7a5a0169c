//! Reads how fast a marker moves.

use super::{Sensor, Slopes, View};
use crate::marker::Marker;
use crate::measure::{Attached, Factor};
use crate::model::GROUND;
use nalgebra::Vector3;

/// The speed `|ṗ|` of a marker's origin in the world. Where it vanishes it has no derivative; zero is
/// taken.
#[derive(Clone, Debug)]
pub struct SpeedSensor {
    nodes: [usize; 2],
    point: Factor,
}

impl SpeedSensor {
    /// The speed of a marker's origin.
    pub fn new(marker: &Marker) -> Self {
        SpeedSensor {
            nodes: [GROUND.node(), marker.node],
            point: Factor::Offset {
                from: Attached::new(0, Vector3::zeros()),
                to: Attached::new(1, marker.frame.position),
            },
        }
    }
}

impl Sensor for SpeedSensor {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn value(&mut self, view: View) -> f64 {
        self.point.jet(view.scene)[1].norm()
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let velocity = self.point.jet(view.scene)[1];
        let speed = velocity.norm();
        if speed > 0.0 {
            let along = velocity / speed;
            self.point.pull_rate(view.scene, 1, &along, 1.0, slopes.increment);
            self.point.pull(view.scene, &along, 1.0, slopes.velocity);
        }
    }
}
