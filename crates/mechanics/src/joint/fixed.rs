//! Fixed joint: the markers stay on top of each other.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::Constraint;
use crate::error::ModelError;

/// Nothing is free.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed;

pub(super) const KIND: Kind = Kind {
    word: "fixed",
    about: "Nothing is free.",
    place: Place::Point,
    look: Look::still(Symbol::Weld),
    needs: &[],
    make: |_| Some(Box::new(Fixed)),
};

impl Joint for Fixed {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        let rows = match pair.plane {
            Some(normal) => {
                let mut rows = pair.coincide_in_plane(&normal);
                rows.push(pair.locked_in_plane(&normal));
                rows
            }
            None => {
                let mut rows = pair.coincide();
                rows.extend(pair.locked());
                rows
            }
        };
        Ok(pair.rows(rows))
    }
}
