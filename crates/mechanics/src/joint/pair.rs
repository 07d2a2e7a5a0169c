//! The two markers of a joint, and the measures and rows of which joints are made.

use crate::constraint::{Constraint, Row, Rows};
use crate::error::ModelError;
use crate::marker::Marker;
use crate::measure::{Attached, Coordinate, Dot, Factor, Measure};
use nalgebra::Vector3;

/// Two markers: slot 0 is `a`, slot 1 is `b`.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// On the first body.
    pub a: Marker,
    /// On the second body.
    pub b: Marker,
    /// The normal of the plane in which both bodies move, in the axes of marker `a`; none if at least
    /// one of them moves in space.
    pub plane: Option<Vector3<f64>>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

impl Pair {
    /// The nodes of both markers.
    pub fn nodes(&self) -> Vec<usize> {
        vec![self.a.node, self.b.node]
    }

    /// A direction of marker `a`.
    pub fn axis_a(&self, axis: Vector3<f64>) -> Factor {
        Factor::Axis(Attached::new(0, self.a.direction(&axis)))
    }

    /// A direction of marker `b`.
    pub fn axis_b(&self, axis: Vector3<f64>) -> Factor {
        Factor::Axis(Attached::new(1, self.b.direction(&axis)))
    }

    /// From the origin of `a` to that of `b`.
    pub fn offset(&self) -> Factor {
        Factor::Offset {
            from: Attached::new(0, self.a.frame.position),
            to: Attached::new(1, self.b.frame.position),
        }
    }

    /// The offset along an axis of `a`.
    pub fn along(&self, axis: Vector3<f64>) -> Measure {
        Measure::Dot(Dot(self.axis_a(axis), self.offset()))
    }

    /// The cosine between an axis of `a` and one of `b`.
    pub fn cosine(&self, axis: Vector3<f64>, other: Vector3<f64>) -> Measure {
        Measure::Dot(Dot(self.axis_a(axis), self.axis_b(other)))
    }

    /// A measure of this pair as a coordinate.
    pub fn coordinate(&self, measure: Measure) -> Coordinate {
        Coordinate::new(self.nodes(), measure)
    }

    /// Rows on this pair.
    pub fn rows(&self, rows: Vec<Row>) -> Vec<Box<dyn Constraint>> {
        vec![Box::new(Rows::new(self.nodes(), rows))]
    }

    /// The origins coincide along the given axes (0, 1, 2) of `a`.
    pub fn coincide(&self, axes: &[usize]) -> Vec<Row> {
        axes.iter()
            .map(|&k| Row::zero(&format!("offset along {}", AXES[k]), self.along(unit(k))))
            .collect()
    }

    /// Axis `k` of `a` stays normal to axis `l` of `b`.
    pub fn normal(&self, k: usize, l: usize) -> Row {
        let name = format!("{} axis of the first ⟂ {} axis of the second", AXES[k], AXES[l]);
        Row::zero(&name, self.cosine(unit(k), unit(l)))
    }

    /// The z axes stay parallel.
    pub fn parallel(&self) -> Vec<Row> {
        vec![self.normal(0, 2), self.normal(1, 2)]
    }

    /// The markers do not turn against each other.
    pub fn locked(&self) -> Vec<Row> {
        vec![self.normal(0, 1), self.normal(1, 2), self.normal(2, 0)]
    }

    /// In the plane: the markers do not turn against each other.
    pub fn locked_in_plane(&self, normal: &Vector3<f64>) -> Row {
        let (u, w) = plane_axes(normal);
        Row::zero("angle in the plane", self.cosine(u, w))
    }

    /// In the plane: the origins coincide.
    pub fn coincide_in_plane(&self, normal: &Vector3<f64>) -> Vec<Row> {
        let (u, w) = plane_axes(normal);
        vec![
            Row::zero("first offset in the plane", self.along(u)),
            Row::zero("second offset in the plane", self.along(w)),
        ]
    }

    /// Refuses a z axis that is not normal to the plane of two planar bodies.
    pub fn axis_normal_to_plane(&self, word: &str) -> Result<Option<Vector3<f64>>, ModelError> {
        self.plane
            .map(|normal| {
                if normal.cross(&Vector3::z()).norm() > 1e-9 {
                    return Err(ModelError::invalid(
                        format!("{word} joint"),
                        "both bodies are planar, so its axis must be normal to their plane",
                    ));
                }
                Ok(normal)
            })
            .transpose()
    }

    /// Refuses a z axis that does not lie in the plane of two planar bodies.
    pub fn axis_in_plane(&self, word: &str) -> Result<Option<Vector3<f64>>, ModelError> {
        self.plane
            .map(|normal| {
                if normal.dot(&Vector3::z()).abs() > 1e-9 {
                    return Err(ModelError::invalid(
                        format!("{word} joint"),
                        "both bodies are planar, so its axis must lie in their plane",
                    ));
                }
                Ok(normal)
            })
            .transpose()
    }
}

/// A unit vector along axis 0, 1 or 2.
pub(crate) fn unit(k: usize) -> Vector3<f64> {
    let mut axis = Vector3::zeros();
    axis[k] = 1.0;
    axis
}

/// Two unit vectors that span the plane with a normal.
fn plane_axes(normal: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let start = if normal.x.abs() < 0.7 { Vector3::x() } else { Vector3::y() };
    let u = (start - normal * normal.dot(&start)).normalize();
    (u, normal.cross(&u))
}
