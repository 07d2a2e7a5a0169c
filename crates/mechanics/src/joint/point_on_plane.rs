//! Point on a plane.

use super::{Joint, Kind, Look, Pair, Place, Symbol, Way};
use crate::constraint::Constraint;
use crate::error::ModelError;
use crate::measure::Coordinate;
use nalgebra::Vector3;

/// The origin of `b` stays on the x-y plane of `a`.
///
/// Free are the displacements `x` and `y` along the axes of `a`, and all rotations. Between planar
/// bodies, z of `a` must lie in their plane: the point then stays on a line, with the `displacement`
/// along it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointOnPlane;

pub(super) const KIND: Kind = Kind {
    word: "point-on-plane",
    about: "A point of the second body stays on a plane of the first.",
    place: Place::Plane,
    look: Look::sliding(Symbol::Ball),
    needs: &[],
    make: |_| Some(Box::new(PointOnPlane)),
};

impl Joint for PointOnPlane {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn flies(&self, pair: &Pair) -> bool {
        pair.plane.is_none()
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        pair.axis_in_plane(self.word())?;
        Ok(pair.rows(pair.coincide_along(&[2])))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        match pair.plane {
            Some(normal) => {
                let along = Vector3::z().cross(&normal);
                vec![("displacement", pair.coordinate(pair.along(along)))]
            }
            None => vec![
                ("x", pair.coordinate(pair.along(Vector3::x()))),
                ("y", pair.coordinate(pair.along(Vector3::y()))),
            ],
        }
    }

    fn way(&self, pair: &Pair, coordinate: &str) -> Way {
        match pair.plane {
            Some(normal) => Way::along(pair, Vector3::z().cross(&normal)),
            None => Way::named(pair, coordinate),
        }
    }
}
