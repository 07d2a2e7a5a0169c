//! Bodies that do not turn against each other.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::Constraint;
use crate::error::ModelError;

/// The axes of the markers stay aligned; all displacements are free.
#[derive(Clone, Copy, Debug, Default)]
pub struct Orientation;

pub(super) const KIND: Kind = Kind {
    word: "orientation",
    about: "Two bodies do not turn against each other; all displacements are free.",
    place: Place::Point,
    look: Look::still(Symbol::Unseen),
    needs: &[],
    make: |_| Some(Box::new(Orientation)),
};

impl Joint for Orientation {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn flies(&self, _pair: &Pair) -> bool {
        true
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        Ok(pair.rows(match pair.plane {
            Some(normal) => vec![pair.locked_in_plane(&normal)],
            None => pair.locked(),
        }))
    }
}
