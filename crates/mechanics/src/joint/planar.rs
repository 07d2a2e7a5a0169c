//! Planar joint: one plane slides on another.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::Constraint;
use crate::error::ModelError;
use crate::measure::Coordinate;
use nalgebra::Vector3;

/// The x-y planes of the markers stay on each other: no offset along z of `a`, z axes parallel.
///
/// Free are the displacements `x` and `y` along the axes of `a`, and the `angle` about z.
#[derive(Clone, Copy, Debug, Default)]
pub struct Planar;

pub(super) const KIND: Kind = Kind {
    word: "planar",
    about: "Free `x`, `y` in a plane and `angle` about its normal.",
    place: Place::Plane,
    look: Look::sliding(Symbol::Plate),
    needs: &[],
    make: |_| Some(Box::new(Planar)),
};

impl Joint for Planar {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn flies(&self, _pair: &Pair) -> bool {
        true
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        pair.refuse_planar(self.word(), "leave it out, they stay in their plane by themselves")?;
        let mut rows = pair.coincide_along(&[2]);
        rows.extend(pair.parallel());
        Ok(pair.rows(rows))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        vec![
            ("x", pair.coordinate(pair.along(Vector3::x()))),
            ("y", pair.coordinate(pair.along(Vector3::y()))),
            ("angle", Coordinate::angle(&pair.a, &pair.b)),
        ]
    }
}
