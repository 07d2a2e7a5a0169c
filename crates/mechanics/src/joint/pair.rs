//! The two markers of a joint, and the measures and rows of which joints are made.
//!
//! That two origins coincide, or two axes stay parallel, may be said in the axes of either side. It is said in those of a
//! body that moves, of the first one if both do: there the reactions on it keep their directions however it turns, and a
//! matrix made long ago still knows them. (In axes that stand still the correction of a reaction misses by the angle of
//! the turn since: a beam on a pin took up to five iterations for a step instead of three.)

use crate::constraint::{Constraint, Row, Rows, Target};
use crate::error::{ModelError, refusal};
use crate::marker::Marker;
use crate::measure::{Attached, Coordinate, Dot, Factor, Measure, Sum};
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

    /// The angle, with all its turns, whose cosine and sine are the scalar products of two pairs of
    /// axes, each one of `a` and one of `b`.
    pub fn angle(
        &self,
        cosine: (Vector3<f64>, Vector3<f64>),
        sine: (Vector3<f64>, Vector3<f64>),
    ) -> Measure {
        let dot = |(a, b)| Dot(self.axis_a(a), self.axis_b(b));
        Measure::counted_angle(dot(cosine), dot(sine))
    }

    /// The angle about z by which x of `b` is turned against x of `a`.
    pub fn angle_about_z(&self) -> Measure {
        self.angle((Vector3::x(), Vector3::x()), (Vector3::y(), Vector3::x()))
    }

    /// The angle about z of `a`, from its x axis, under which the origin of `b` appears.
    pub fn bearing(&self) -> Measure {
        let along = |axis| Dot(self.axis_a(axis), self.offset());
        Measure::counted_angle(along(Vector3::x()), along(Vector3::y()))
    }

    /// A measure of this pair as a coordinate.
    pub fn coordinate(&self, measure: Measure) -> Coordinate {
        Coordinate::new(self.nodes(), measure)
    }

    /// Rows on this pair.
    pub fn rows(&self, rows: Vec<Row>) -> Vec<Box<dyn Constraint>> {
        vec![Box::new(Rows::new(self.nodes(), rows))]
    }

    /// The first body stands still, so that the axes of the second are the better ones.
    fn first_stands_still(&self) -> bool {
        self.a.node == 0
    }

    /// The offset from `a` to `b` along an axis of `b`.
    fn along_second(&self, axis: Vector3<f64>) -> Measure {
        let back = Factor::Offset {
            from: Attached::new(1, self.b.frame.position),
            to: Attached::new(0, self.a.frame.position),
        };
        Measure::Dot(Dot(self.axis_b(-axis), back))
    }

    /// The origins coincide.
    pub fn coincide(&self) -> Vec<Row> {
        let along = |k| match self.first_stands_still() {
            true => self.along_second(unit(k)),
            false => self.along(unit(k)),
        };
        (0..3).map(|k| Row::zero(&format!("offset along {}", AXES[k]), along(k))).collect()
    }

    /// The origins coincide along some of the axes (0, 1, 2) of `a`.
    pub fn coincide_along(&self, axes: &[usize]) -> Vec<Row> {
        axes.iter()
            .map(|&k| Row::zero(&format!("offset along {}", AXES[k]), self.along(unit(k))))
            .collect()
    }

    /// Axis `k` of `a` stays normal to axis `l` of `b`.
    pub fn normal(&self, k: usize, l: usize) -> Row {
        let name = format!("{} axis of the first ⟂ {} axis of the second", AXES[k], AXES[l]);
        let measure = match self.first_stands_still() {
            true => Measure::Dot(Dot(self.axis_b(unit(l)), self.axis_a(unit(k)))),
            false => self.cosine(unit(k), unit(l)),
        };
        Row::zero(&name, measure)
    }

    /// The z axes stay parallel.
    pub fn parallel(&self) -> Vec<Row> {
        match self.first_stands_still() {
            true => vec![self.normal(2, 0), self.normal(2, 1)],
            false => vec![self.normal(0, 2), self.normal(1, 2)],
        }
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
        let measures = match self.first_stands_still() {
            true => {
                // the z axis of a planar node is the normal of its plane
                let normal = self.b.frame.orientation.conjugate().rotate(&Vector3::z());
                let (u, w) = plane_axes(&normal);
                [self.along_second(u), self.along_second(w)]
            }
            false => {
                let (u, w) = plane_axes(normal);
                [self.along(u), self.along(w)]
            }
        };
        ["first offset in the plane", "second offset in the plane"]
            .into_iter()
            .zip(measures)
            .map(|(name, measure)| Row::zero(name, measure))
            .collect()
    }

    /// The origins stay at a distance, which must not be zero.
    pub fn held_apart(&self, word: &str, length: f64) -> Result<Row, ModelError> {
        if !(length.is_finite() && length > 0.0) {
            return Err(ModelError::invalid(
                format!("{word} joint"),
                refusal!(
                    "its length is {length}";
                    "give a finite length greater than zero, or use a spherical joint"
                ),
            ));
        }
        Ok(Row {
            name: "distance".into(),
            sum: Sum(vec![(1.0, Measure::Length(self.offset()))]),
            target: Target::Constant(length),
        })
    }

    /// Refuses two planar bodies and says what to do instead.
    pub fn refuse_planar(&self, word: &str, remedy: &str) -> Result<(), ModelError> {
        match self.plane {
            Some(_) => Err(ModelError::invalid(
                format!("{word} joint"),
                refusal!("both bodies are planar"; "{remedy}"),
            )),
            None => Ok(()),
        }
    }

    /// How far an axis of `b` sticks out of the plane of two planar bodies, as the cosine to its
    /// normal; not known if `b` is on the ground.
    fn normal_part_of_b(&self, axis: Vector3<f64>) -> Option<f64> {
        // the z axis of a planar node is the normal of its plane
        (self.plane.is_some() && self.b.node != 0).then(|| self.b.direction(&axis).z)
    }

    /// Refuses an axis of `b` that is not in the plane of two planar bodies.
    pub fn refuse_normal_of_b(
        &self,
        word: &str,
        axis: Vector3<f64>,
        remedy: &str,
    ) -> Result<(), ModelError> {
        match self.normal_part_of_b(axis) {
            Some(part) if part.abs() > 1e-9 => self.refuse_planar(word, remedy),
            _ => Ok(()),
        }
    }

    /// Refuses an axis of `b` that is not normal to the plane of two planar bodies.
    pub fn refuse_in_plane_of_b(
        &self,
        word: &str,
        axis: Vector3<f64>,
        remedy: &str,
    ) -> Result<(), ModelError> {
        match self.normal_part_of_b(axis) {
            Some(part) if part.abs() < 1.0 - 1e-9 => self.refuse_planar(word, remedy),
            _ => Ok(()),
        }
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
