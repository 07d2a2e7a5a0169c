//! Universal (Cardan, Hooke) joint: two shafts with a cross between them.

use super::{Joint, Kind, Look, Pair, Place, Symbol, Way};
use crate::constraint::Constraint;
use crate::error::ModelError;
use crate::measure::Coordinate;
use nalgebra::Vector3;

/// The origins coincide and the x axis of `a` stays normal to the y axis of `b`: these are the arms
/// of the cross. The shafts are the z axes.
///
/// Free are the angle `first`, by which the cross turns about x of `a`, and `second`, by which `b`
/// turns about its y axis on the cross; from `a` to `b` the rotation is `Rx(first) Ry(second)`. The
/// joint is singular where `second` is a right angle and the shafts are normal to each other. Between
/// bent shafts the speed is not transmitted evenly; see [`ConstantVelocity`](super::ConstantVelocity).
#[derive(Clone, Copy, Debug, Default)]
pub struct Universal;

pub(super) const KIND: Kind = Kind {
    word: "universal",
    about: "Two shafts along the axis with a cross between them: angles `first` and `second`.",
    place: Place::Axis,
    look: Look::still(Symbol::Pin),
    needs: &[],
    make: |_| Some(Box::new(Universal)),
};

impl Joint for Universal {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        pair.refuse_planar(self.word(), "use a revolute joint")?;
        let mut rows = pair.coincide();
        rows.push(pair.normal(0, 1));
        Ok(pair.rows(rows))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
        // with R = Rx(first) Ry(second): y of b is (0, cos, sin) in a, x of a is (cos, 0, sin) in b
        let first = pair.angle((y, y), (z, y));
        let second = pair.angle((x, x), (x, z));
        vec![("first", pair.coordinate(first)), ("second", pair.coordinate(second))]
    }

    fn way(&self, pair: &Pair, coordinate: &str) -> Way {
        Way::Turns(match coordinate {
            "first" => pair.a.facing(&Vector3::x()),
            _ => pair.b.facing(&Vector3::y()),
        })
    }
}
