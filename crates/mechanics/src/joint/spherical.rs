//! Spherical joint: the origins coincide.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::Constraint;
use crate::error::ModelError;

/// Three free rotations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spherical;

pub(super) const KIND: Kind = Kind {
    word: "spherical",
    about: "A ball joint: all rotations are free.",
    place: Place::Point,
    look: Look::still(Symbol::Ball),
    needs: &[],
    make: |_| Some(Box::new(Spherical)),
};

impl Joint for Spherical {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        Ok(pair.rows(match pair.plane {
            Some(normal) => pair.coincide_in_plane(&normal),
            None => pair.coincide(),
        }))
    }
}
