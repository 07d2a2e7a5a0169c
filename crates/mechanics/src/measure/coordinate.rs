//! Coordinates: weighted sums of measures of any nodes of a model.

use super::{Attached, Dot, Factor, MAX_NODES, Measure, Sum};
use crate::error::ModelError;
use crate::marker::Marker;
use nalgebra::Vector3;

/// A weighted sum of measures, with the nodes they belong to.
///
/// Joints offer theirs (`angle`, `displacement`, …); drives, springs, stops, couplers and sensors
/// work on them.
#[derive(Clone, Debug, Default)]
pub struct Coordinate {
    /// The nodes the measures speak of, by slot.
    pub nodes: Vec<usize>,
    /// The weighted sum.
    pub sum: Sum,
}

impl Coordinate {
    /// One measure of some nodes.
    pub fn new(nodes: Vec<usize>, measure: Measure) -> Self {
        Coordinate { nodes, sum: Sum(vec![(1.0, measure)]) }
    }

    /// The distance from the origin of one marker to that of another, along an axis of the first.
    pub fn along(from: &Marker, to: &Marker, axis: Vector3<f64>) -> Self {
        let axis = Factor::Axis(Attached::new(0, from.direction(&axis)));
        Coordinate::new(vec![from.node, to.node], Measure::Dot(Dot(axis, offset(from, to))))
    }

    /// The distance between the origins of two markers.
    pub fn length(from: &Marker, to: &Marker) -> Self {
        Coordinate::new(vec![from.node, to.node], Measure::Length(offset(from, to)))
    }

    /// The cosine of the angle between an axis of one marker and one of another.
    pub fn cosine(a: &Marker, axis: Vector3<f64>, b: &Marker, other: Vector3<f64>) -> Self {
        Coordinate::new(
            vec![a.node, b.node],
            Measure::Dot(Dot(
                Factor::Axis(Attached::new(0, a.direction(&axis))),
                Factor::Axis(Attached::new(1, b.direction(&other))),
            )),
        )
    }

    /// The angle by which the x axis of one marker is turned about the z axis of the other, with all
    /// its turns.
    pub fn angle(a: &Marker, b: &Marker) -> Self {
        let fixed = |axis: Vector3<f64>| Factor::Axis(Attached::new(0, a.direction(&axis)));
        let turning = Factor::Axis(Attached::new(1, b.direction(&Vector3::x())));
        Coordinate::new(
            vec![a.node, b.node],
            Measure::counted_angle(
                Dot(fixed(Vector3::x()), turning),
                Dot(fixed(Vector3::y()), turning),
            ),
        )
    }

    /// This coordinate times a number.
    pub fn scaled(mut self, factor: f64) -> Self {
        for (weight, _) in &mut self.sum.0 {
            *weight *= factor;
        }
        self
    }

    /// The sum of two coordinates.
    pub fn plus(mut self, other: &Coordinate) -> Result<Self, ModelError> {
        let slots = other.nodes.iter().map(|node| self.slot(*node)).collect::<Vec<_>>();
        if self.nodes.len() > MAX_NODES {
            return Err(ModelError::TooManyNodes { limit: MAX_NODES });
        }
        let moved = other.sum.0.iter().map(|(weight, m)| (*weight, m.moved(|slot| slots[slot])));
        self.sum.0.extend(moved);
        Ok(self)
    }

    /// The slot of a node, which is added if it is new.
    fn slot(&mut self, node: usize) -> usize {
        self.nodes.iter().position(|n| *n == node).unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        })
    }
}

/// From the origin of one marker (slot 0) to that of another (slot 1).
fn offset(from: &Marker, to: &Marker) -> Factor {
    Factor::Offset {
        from: Attached::new(0, from.frame.position),
        to: Attached::new(1, to.frame.position),
    }
}
