//! Directions along which vectors are read.

use crate::marker::Marker;
use crate::model::GROUND;
use nalgebra::Vector3;

/// A unit vector fixed to the world or to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// The node it turns with.
    pub node: usize,
    /// Its components in the axes of the node.
    pub vector: Vector3<f64>,
}

impl Direction {
    /// A direction of the world; only its sense counts, not its length.
    pub fn world(axis: Vector3<f64>) -> Self {
        Direction { node: GROUND.node(), vector: axis.normalize() }
    }

    /// A direction in the axes of a marker, which turns with it.
    pub fn of(marker: &Marker, axis: Vector3<f64>) -> Self {
        Direction { node: marker.node, vector: marker.direction(&axis.normalize()) }
    }
}
