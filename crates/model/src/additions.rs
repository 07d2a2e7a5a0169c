//! What a program adds to a model file: signals, forces and constraints that it computes itself.

use crate::places::Names;
use rotula_mechanics::{Marker, Model, ModelError};

/// Things that stand in no file. Formulas of the file may use the variables.
pub trait Additions {
    /// Names of the variables.
    fn variables(&self) -> Vec<String> {
        Vec::new()
    }

    /// Names of the forces.
    fn forces(&self) -> Vec<String> {
        Vec::new()
    }

    /// Adds the variables. Bodies, joints, motions, and the signals of the file are there already.
    fn add_signals(&self, _model: &mut Model) -> Result<(), ModelError> {
        Ok(())
    }

    /// Adds forces and constraints, when all else is there.
    fn add_elements(&self, _model: &mut Model, _places: &Places) -> Result<(), ModelError> {
        Ok(())
    }
}

/// Nothing is added.
impl Additions for () {}

/// Bodies and frames of a model file by name.
pub struct Places<'a>(pub(crate) &'a Names);

impl Places<'_> {
    /// The frame of this name, or the body's own frame. `thing` is what wants it, in messages.
    pub fn marker(&self, thing: &str, name: &str, model: &Model) -> Result<Marker, ModelError> {
        let found = self.0.marker_named(name, model);
        found.map_err(|(message, help)| ModelError::invalid(thing, format!("{message}; {help}")))
    }
}
