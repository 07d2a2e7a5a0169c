//! Markers: frames fixed to a node, where joints, forces and sensors attach.

use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};

/// A frame fixed to a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// The node it moves with.
    pub node: usize,
    /// Its place as seen from the node.
    pub frame: Frame,
}

impl Marker {
    /// A direction of the marker in the axes of the node.
    pub fn direction(&self, axis: &Vector3<f64>) -> Vector3<f64> {
        self.frame.orientation.rotate(axis)
    }

    /// A marker at the same place whose z axis points along one of its directions.
    pub fn facing(&self, axis: &Vector3<f64>) -> Marker {
        Marker { node: self.node, frame: frame_along(self.frame.position, self.direction(axis)) }
    }
}

/// A frame at a place whose z axis points along a direction. Its x axis is the world axis that is
/// most nearly normal to that direction, made normal to it.
pub fn frame_along(position: Vector3<f64>, z: Vector3<f64>) -> Frame {
    let z = z.normalize();
    let least = z.iamin();
    let mut start = Vector3::zeros();
    // for a direction along a world axis, the next one in cyclic order
    let next = (z.iamax() + 1) % 3;
    start[if z[least].abs() == z[next].abs() { next } else { least }] = 1.0;
    let x = (start - z * z.dot(&start)).normalize();
    let rotation = Matrix3::from_columns(&[x, z.cross(&x), z]);
    Frame::new(position, Quaternion::from_matrix(&rotation))
}
