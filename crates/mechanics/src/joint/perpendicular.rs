//! Perpendicular axes.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::Constraint;
use crate::error::ModelError;

/// The z axes of the markers stay normal to each other.
///
/// Free are all displacements and the rotations about both axes. Between planar bodies the axes must
/// lie in their plane: then the bodies do not turn against each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct PerpendicularAxes;

pub(super) const KIND: Kind = Kind {
    word: "perpendicular-axes",
    about: "Two axes stay normal to each other.",
    place: Place::TwoAxes,
    look: Look::still(Symbol::Unseen),
    needs: &[],
    make: |_| Some(Box::new(PerpendicularAxes)),
};

impl Joint for PerpendicularAxes {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn flies(&self, _pair: &Pair) -> bool {
        true
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        pair.axis_in_plane(self.word())?;
        Ok(pair.rows(vec![pair.normal(2, 2)]))
    }
}
