//! Revolute–spherical composite: a massless rod with a hinge at one end and a ball at the other.

use super::{Given, Joint, Kind, Look, Need, Pair, Place, Symbol};
use crate::constraint::Constraint;
use crate::error::ModelError;
use crate::measure::Coordinate;

/// A rod of a given length turns about the z axis of `a`, normal to it, and carries the origin of `b`
/// on its end.
///
/// Held are the offset along z of `a` and the distance of the origins; free are the `angle` of the rod
/// about z, from x of `a`, and all rotations of `b`. Between planar bodies z must be normal to their
/// plane, and only the distance is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RevoluteSpherical {
    /// The length of the rod; not zero.
    pub length: f64,
}

pub(super) const KIND: Kind = Kind {
    word: "revolute-spherical",
    about: "A massless rod with a hinge on the first body and a ball on the second: its `angle` is free.",
    place: Place::HingeAndBall,
    look: Look::still(Symbol::Rod),
    needs: &[Need::Length { about: "Length of the rod. Default the distance at the start." }],
    make: |given| match <[Given; 1]>::try_from(given) {
        Ok([Given::Number(length)]) => Some(Box::new(RevoluteSpherical { length })),
        _ => None,
    },
};

impl Joint for RevoluteSpherical {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        let mut rows = vec![pair.held_apart(self.word(), self.length)?];
        if pair.axis_normal_to_plane(self.word())?.is_none() {
            rows.extend(pair.coincide_along(&[2]));
        }
        Ok(pair.rows(rows))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        vec![("angle", pair.coordinate(pair.bearing()))]
    }
}
