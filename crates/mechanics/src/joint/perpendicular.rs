//! Perpendicular axes.

use super::{Joint, Pair};
use crate::constraint::Constraint;
use crate::error::ModelError;

/// The z axes of the markers stay normal to each other.
///
/// Free are all displacements and the rotations about both axes. Between planar bodies the axes must
/// lie in their plane: then the bodies do not turn against each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct PerpendicularAxes;

impl Joint for PerpendicularAxes {
    fn word(&self) -> &'static str {
        "perpendicular-axes"
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        pair.axis_in_plane(self.word())?;
        Ok(pair.rows(vec![pair.normal(2, 2)]))
    }
}
