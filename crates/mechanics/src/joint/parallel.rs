//! Parallel axes.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::{Constraint, Row};
use crate::error::ModelError;
use crate::measure::Coordinate;
use nalgebra::Vector3;

/// The z axes of the markers stay parallel.
///
/// Free are all displacements, and in space the `angle` about z. Between planar bodies the axes must
/// lie in their plane: then the bodies do not turn against each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParallelAxes;

pub(super) const KIND: Kind = Kind {
    word: "parallel-axes",
    about: "Two axes stay parallel; everything else is free.",
    place: Place::Axis,
    look: Look::still(Symbol::Unseen),
    needs: &[],
    make: |_| Some(Box::new(ParallelAxes)),
};

impl Joint for ParallelAxes {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn flies(&self, _pair: &Pair) -> bool {
        true
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        Ok(pair.rows(match pair.axis_in_plane(self.word())? {
            Some(normal) => {
                let across = normal.cross(&Vector3::z());
                vec![Row::zero("angle in the plane", pair.cosine(across, Vector3::z()))]
            }
            None => pair.parallel(),
        }))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        match pair.plane {
            Some(_) => Vec::new(),
            None => vec![("angle", Coordinate::angle(&pair.a, &pair.b))],
        }
    }
}
