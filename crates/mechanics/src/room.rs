//! Whether memory has room for elements, before they are laid: a number in a file may ask for any number of them.

use crate::error::ModelError;
use crate::model::Model;
use rotula_dae::memory::{allowed, words};

/// How often a model and its equations hold an element.
const COPIES: f64 = 6.0;
/// Bytes for a node up to the first step: names, motions, rows of the state and of the factors.
const NODE: f64 = 6e3;
/// Bytes for an entry of the matrix of an element: in lists, patterns, values and factors.
const ENTRY: f64 = 350.0;

/// Elements that are about to be laid one behind the other.
pub(crate) struct Elements {
    /// How many.
    pub(crate) count: usize,
    /// Nodes of each.
    pub(crate) nodes: usize,
    /// Motions of each node.
    pub(crate) motions: usize,
    /// Bytes of an element itself.
    pub(crate) size: usize,
}

impl Elements {
    /// Bytes that the model and its equations take for them up to the first step, roughly.
    fn bytes(&self) -> f64 {
        let matrix = (self.nodes * self.motions).pow(2) as f64;
        let own = COPIES * self.size as f64 + NODE * (self.nodes - 1) as f64 + ENTRY * matrix;
        self.count as f64 * own
    }

    /// Why they have no room beside others, if they have none.
    fn refusal(&self, others: f64, room: f64) -> Option<String> {
        let bytes = self.bytes();
        if others + bytes <= room {
            return None;
        }
        let beside = match others > 0.0 {
            true => format!(", those of the model before it {}", words(others)),
            false => String::new(),
        };
        let (count, needed, room) = (self.count, words(bytes), words(room));
        Some(format!(
            "its {count} elements and their equations need about {needed} of memory{beside}, and there are {room}; \
             take fewer elements"
        ))
    }
}

impl Model {
    /// Takes room for elements of a thing, or says that there is none.
    pub(crate) fn take_room(&mut self, thing: String, laid: &Elements) -> Result<(), ModelError> {
        if let Some(what) = allowed().and_then(|room| laid.refusal(self.room, room)) {
            return Err(ModelError::invalid(thing, what));
        }
        self.room += laid.bytes();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_refused_when_all_of_them_together_have_no_room() {
        let row = |count: usize| Elements { count, nodes: 2, motions: 6, size: 1000 };
        let each = row(1).bytes();
        assert_eq!(row(1000).refusal(0.0, 1000.0 * each), None);
        let alone = row(1_000_000).refusal(0.0, 4e9).unwrap();
        assert!(alone.starts_with(
            "its 1000000 elements and their equations need about 62.4 GB of memory, and there are"
        ));
        let beside = row(1000).refusal(1e9, 1e9 + 999.0 * each).unwrap();
        assert!(beside.contains("those of the model before it 1.0 GB"), "{beside}");
    }
}
