//! Reads angular velocities and angular accelerations.

use super::{Direction, Sensor, Slopes, View, add_angular};
use crate::marker::Marker;
use nalgebra::Vector3;

/// The angular velocity or acceleration of a marker, less that of another one, along a direction.
///
/// Angular accelerations are those in the world: `d(Rω)/dt = R ω̇`.
#[derive(Clone, Debug)]
pub struct AngularSensor {
    /// The marker's node, the reference's node, the direction's node.
    nodes: [usize; 3],
    axis: Vector3<f64>,
    acceleration: bool,
}

impl AngularSensor {
    /// The angular velocity of a marker relative to another one.
    pub fn velocity(marker: &Marker, reference: &Marker, direction: Direction) -> Self {
        let nodes = [marker.node, reference.node, direction.node];
        AngularSensor { nodes, axis: direction.vector, acceleration: false }
    }

    /// The angular acceleration of a marker, less that of another one.
    pub fn acceleration(marker: &Marker, reference: &Marker, direction: Direction) -> Self {
        AngularSensor {
            acceleration: true,
            ..AngularSensor::velocity(marker, reference, direction)
        }
    }

    /// ω or ω̇ of a slot in the axes of its node.
    fn spin(&self, view: View, slot: usize) -> Vector3<f64> {
        let motion = view.scene.motion(slot);
        if self.acceleration { motion.omega_rate } else { motion.omega }
    }
}

/// Slots of the two markers and the sign with which they count.
const PARTS: [(usize, f64); 2] = [(0, 1.0), (1, -1.0)];

impl Sensor for AngularSensor {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn value(&mut self, view: View) -> f64 {
        let axis = view.scene.motion(2).rotation * self.axis;
        let spin = |slot: usize| view.scene.motion(slot).rotation * self.spin(view, slot);
        axis.dot(&(spin(0) - spin(1)))
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let turning = view.scene.motion(2);
        let axis = turning.rotation * self.axis;
        for (slot, sign) in PARTS {
            let (motion, spin) = (view.scene.motion(slot), self.spin(view, slot));
            let seen = motion.into_body(&axis) * sign;
            // R ω turns with its node: δ(Rω)·w = (δr × ω)·Rᵀw
            add_angular(&mut slopes.increment[slot], &spin.cross(&seen));
            let by_spin = match self.acceleration {
                true => &mut slopes.acceleration[slot],
                false => &mut slopes.velocity[slot],
            };
            add_angular(by_spin, &seen);
            // and so does the direction
            let world = motion.rotation * spin * sign;
            add_angular(&mut slopes.increment[2], &self.axis.cross(&turning.into_body(&world)));
        }
    }
}
