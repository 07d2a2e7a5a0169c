//! Constant distance: a massless rod with a ball at each end.

use super::{Joint, Pair};
use crate::constraint::Constraint;
use crate::error::ModelError;

/// The origins of the markers stay at a distance from each other. Everything else is free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The distance; not zero.
    pub length: f64,
}

impl Joint for Distance {
    fn word(&self) -> &'static str {
        "distance"
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        Ok(pair.rows(vec![pair.held_apart(self.word(), self.length)?]))
    }
}
