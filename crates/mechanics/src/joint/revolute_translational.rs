//! Revolute–translational composite: a pin in a slot.

use super::{Joint, Kind, Look, Pair, Place, Symbol, Way};
use crate::constraint::{Constraint, Row};
use crate::error::ModelError;
use crate::measure::{Coordinate, Dot, Measure};
use nalgebra::Vector3;

/// A massless block turns about the z axis of `a` and slides along the x axis of `b`, which stays
/// normal to it.
///
/// Held are the z axes parallel, and no offset of the origins along y and z of `b`. Free are the
/// `angle` about z and the `displacement`: the offset from `a` to `b` along x of `b`. Between planar
/// bodies z must be normal to their plane, and one equation is left: a pin of one in a slot of the
/// other.
#[derive(Clone, Copy, Debug, Default)]
pub struct RevoluteTranslational;

/// The offset along an axis of `b`.
fn along_b(pair: &Pair, axis: Vector3<f64>) -> Measure {
    Measure::Dot(Dot(pair.axis_b(axis), pair.offset()))
}

pub(super) const KIND: Kind = Kind {
    word: "revolute-translational",
    about: "A pin of the first body, about an axis, in a slot of the second: `angle` and `displacement`.",
    place: Place::PinInSlot,
    look: Look::still(Symbol::Guide),
    needs: &[],
    make: |_| Some(Box::new(RevoluteTranslational)),
};

impl Joint for RevoluteTranslational {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        let across = Row::zero("offset across the slot", along_b(pair, Vector3::y()));
        if pair.axis_normal_to_plane(self.word())?.is_some() {
            return Ok(pair.rows(vec![across]));
        }
        let mut rows = pair.parallel();
        rows.push(across);
        rows.push(Row::zero("offset along the axis", along_b(pair, Vector3::z())));
        Ok(pair.rows(rows))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        vec![
            ("angle", Coordinate::angle(&pair.a, &pair.b)),
            ("displacement", pair.coordinate(along_b(pair, Vector3::x()))),
        ]
    }

    fn way(&self, pair: &Pair, coordinate: &str) -> Way {
        match coordinate {
            "displacement" => Way::Slides { along: pair.b.facing(&-Vector3::x()), to: pair.a },
            _ => Way::Turns(pair.a),
        }
    }
}
