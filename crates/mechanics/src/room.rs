//! Whether memory has room for elements and bodies, before they are made: a number in a file may ask for any
//! number of them.

use crate::body::Body;
use crate::error::{ModelError, Refusal, refusal};
use crate::model::Model;
use crate::node::NodeKind;
use rotula_dae::memory::{allowed, words};

/// How often a model and its equations hold an element or body.
const COPIES: f64 = 6.0;
/// Bytes for a node up to the first step: names, motions, rows of the state and of the factors.
const NODE: f64 = 8e3;
/// Bytes for an entry of the matrix that couples some nodes: in lists, patterns, values and factors.
const ENTRY: f64 = 400.0;

/// Equal elements or bodies that are about to be made.
pub(crate) struct Many {
    /// What they are called.
    pub(crate) what: &'static str,
    /// How many.
    pub(crate) count: usize,
    /// Nodes that each has, and how many of them no other has.
    pub(crate) nodes: [usize; 2],
    /// Motions of each node.
    pub(crate) motions: usize,
    /// Bytes of each itself.
    pub(crate) size: usize,
}

impl Many {
    /// Elements that are laid one behind the other, each with its first node at the last one of another.
    pub(crate) fn elements(count: usize, nodes: usize, kind: &NodeKind, size: usize) -> Self {
        let motions = kind.columns().len();
        Many { what: "elements", count, nodes: [nodes, nodes - 1], motions, size }
    }

    /// Bytes that the model and its equations take for them up to the first step, roughly.
    fn bytes(&self) -> f64 {
        let [nodes, own] = self.nodes;
        let entries = (nodes * self.motions).pow(2) as f64;
        let each = COPIES * self.size as f64 + NODE * own as f64 + ENTRY * entries;
        self.count as f64 * each
    }

    /// Why they have no room beside others, if they have none.
    fn refusal(&self, others: f64, room: f64) -> Option<Refusal> {
        let bytes = self.bytes();
        if others + bytes <= room {
            return None;
        }
        let beside = match others > 0.0 {
            true => format!(", those of the model before it {}", words(others)),
            false => String::new(),
        };
        let (Many { what, count, .. }, needed, room) = (self, words(bytes), words(room));
        Some(refusal!(
            "its {count} {what} and their equations need about {needed} of memory{beside}, \
             and there are {room}";
            "take fewer {what}"
        ))
    }
}

impl Model {
    /// Takes room for what is about to be made for a thing, or says that there is none.
    pub(crate) fn take_room(&mut self, thing: String, many: &Many) -> Result<(), ModelError> {
        if let Some(what) = allowed().and_then(|room| many.refusal(self.room, room)) {
            return Err(ModelError::invalid(thing, what));
        }
        self.room += many.bytes();
        Ok(())
    }

    /// Takes room for bodies that are about to be added for a thing such as ``swarm `balls` ``, or says that
    /// memory has none.
    pub fn take_room_for_bodies(&mut self, thing: &str, count: usize) -> Result<(), ModelError> {
        let motions = NodeKind::Spatial.columns().len();
        let size = size_of::<Body>();
        let many = Many { what: "bodies", count, nodes: [1, 1], motions, size };
        self.take_room(thing.into(), &many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_refused_when_all_of_them_together_have_no_room() {
        let row = |count: usize| Many::elements(count, 2, &NodeKind::Spatial, 1000);
        let each = row(1).bytes();
        assert_eq!(row(1000).refusal(0.0, 1000.0 * each), None);
        let alone = row(1_000_000).refusal(0.0, 4e9).unwrap();
        let what = "its 1000000 elements and their equations need about 71.6 GB of memory, and there are 4.0 GB";
        assert!(alone.what.starts_with(what), "{alone}");
        let beside = row(1000).refusal(1e9, 1e9 + 999.0 * each).unwrap();
        assert!(beside.what.contains("those of the model before it 1.0 GB"), "{beside}");
    }
}
