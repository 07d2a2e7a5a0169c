//! Constant distance: a massless rod with a ball at each end.

use super::{Given, Joint, Kind, Look, Need, Pair, Place, Symbol};
use crate::constraint::Constraint;
use crate::error::ModelError;

/// The origins of the markers stay at a distance from each other. Everything else is free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The distance; not zero.
    pub length: f64,
}

pub(super) const KIND: Kind = Kind {
    word: "distance",
    about: "Two points keep their distance: a massless rod between ball joints.",
    place: Place::Frames,
    look: Look::still(Symbol::Rod),
    needs: &[Need::Length { about: "The distance that is kept. Default that at the start." }],
    make: |given| match <[Given; 1]>::try_from(given) {
        Ok([Given::Number(length)]) => Some(Box::new(Distance { length })),
        _ => None,
    },
};

impl Joint for Distance {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        Ok(pair.rows(vec![pair.held_apart(self.word(), self.length)?]))
    }
}
