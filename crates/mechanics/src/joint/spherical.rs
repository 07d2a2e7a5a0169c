//! Spherical joint: the origins coincide.

use super::{Joint, Pair};
use crate::constraint::Constraint;
use crate::error::ModelError;

/// Three free rotations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spherical;

impl Joint for Spherical {
    fn word(&self) -> &'static str {
        "spherical"
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        Ok(pair.rows(match pair.plane {
            Some(normal) => pair.coincide_in_plane(&normal),
            None => pair.coincide(&[0, 1, 2]),
        }))
    }
}
