//! Cylindrical joint: sliding along and turning about the common z axis.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::Constraint;
use crate::error::ModelError;
use crate::measure::Coordinate;
use nalgebra::Vector3;

/// A free displacement along and a free angle about the common z axis.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cylindrical;

pub(super) const KIND: Kind = Kind {
    word: "cylindrical",
    about: "A free `displacement` along the axis and a free `angle` about it.",
    place: Place::Axis,
    look: Look::sliding(Symbol::Pin),
    needs: &[],
    make: |_| Some(Box::new(Cylindrical)),
};

impl Joint for Cylindrical {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        pair.refuse_planar(self.word(), "use a revolute or a prismatic joint")?;
        let mut rows = pair.coincide_along(&[0, 1]);
        rows.extend(pair.parallel());
        Ok(pair.rows(rows))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        vec![
            ("displacement", pair.coordinate(pair.along(Vector3::z()))),
            ("angle", Coordinate::angle(&pair.a, &pair.b)),
        ]
    }
}
