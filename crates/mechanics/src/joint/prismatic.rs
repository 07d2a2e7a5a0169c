//! Prismatic joint: sliding along the common z axis without turning.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::{Constraint, Row};
use crate::error::ModelError;
use crate::measure::Coordinate;
use nalgebra::Vector3;

/// One free displacement along the common z axis.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prismatic;

pub(super) const KIND: Kind = Kind {
    word: "prismatic",
    about: "A slide: one free `displacement` along the axis.",
    place: Place::Slide,
    look: Look::sliding(Symbol::Guide),
    needs: &[],
    make: |_| Some(Box::new(Prismatic)),
};

impl Joint for Prismatic {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        if let Some(normal) = pair.axis_in_plane(self.word())? {
            let across = normal.cross(&Vector3::z());
            return Ok(pair.rows(vec![
                Row::zero("offset across the slide", pair.along(across)),
                pair.locked_in_plane(&normal),
            ]));
        }
        let mut rows = pair.coincide_along(&[0, 1]);
        rows.extend(pair.locked());
        Ok(pair.rows(rows))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        vec![("displacement", pair.coordinate(pair.along(Vector3::z())))]
    }
}
