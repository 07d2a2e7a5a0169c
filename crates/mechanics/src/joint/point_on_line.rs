//! Point on a line: a bead on a straight wire.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::{Constraint, Row};
use crate::error::ModelError;
use crate::measure::Coordinate;
use nalgebra::Vector3;

/// The origin of `b` stays on the z axis of `a`.
///
/// Free are the `displacement` along it and all rotations. Between planar bodies the line must lie in
/// their plane.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointOnLine;

pub(super) const KIND: Kind = Kind {
    word: "point-on-line",
    about: "A point of the second body stays on a line of the first.",
    place: Place::Slide,
    look: Look::sliding(Symbol::Guide),
    needs: &[],
    make: |_| Some(Box::new(PointOnLine)),
};

impl Joint for PointOnLine {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        if let Some(normal) = pair.axis_in_plane(self.word())? {
            let across = normal.cross(&Vector3::z());
            return Ok(pair.rows(vec![Row::zero("offset across the line", pair.along(across))]));
        }
        Ok(pair.rows(pair.coincide_along(&[0, 1])))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        vec![("displacement", pair.coordinate(pair.along(Vector3::z())))]
    }
}
