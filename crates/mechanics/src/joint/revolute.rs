//! Revolute joint: the origins coincide, the z axes stay parallel.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::Constraint;
use crate::error::ModelError;
use crate::measure::Coordinate;

/// One free angle about the common z axis.
#[derive(Clone, Copy, Debug, Default)]
pub struct Revolute;

pub(super) const KIND: Kind = Kind {
    word: "revolute",
    about: "A hinge: one free `angle` about the axis.",
    place: Place::Axis,
    look: Look::still(Symbol::Pin),
    needs: &[],
    make: |_| Some(Box::new(Revolute)),
};

impl Joint for Revolute {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        if let Some(normal) = pair.axis_normal_to_plane(self.word())? {
            return Ok(pair.rows(pair.coincide_in_plane(&normal)));
        }
        let mut rows = pair.coincide();
        rows.extend(pair.parallel());
        Ok(pair.rows(rows))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        vec![("angle", Coordinate::angle(&pair.a, &pair.b))]
    }
}
