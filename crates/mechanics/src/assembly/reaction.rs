//! Reactions of joints.

use super::Assembly;
use crate::joint::Pair;
use crate::model::{JointEntry, JointId};
use crate::quantity::Ends;
use nalgebra::Vector3;
use rotula_dae::State;
use std::ops::Range;

/// A joint: its markers and which groups of equations are its own.
#[derive(Clone, Debug)]
pub(super) struct Hold {
    pub(super) name: String,
    /// The word for its kind.
    pub(super) word: &'static str,
    pub(super) pair: Pair,
    pub(super) groups: Range<usize>,
}

impl Hold {
    pub(super) fn new(entry: &JointEntry) -> Self {
        Hold {
            name: entry.name.clone(),
            word: entry.word,
            pair: entry.pair,
            groups: entry.constraints.clone(),
        }
    }

    /// Where it acts, and in whose axes it is recorded.
    pub(super) fn ends(&self) -> Ends {
        Ends { axes: Some(self.pair.a), ..Ends::between(self.pair.a, self.pair.b) }
    }
}

impl Assembly {
    /// The reaction of a joint at a state, as [`Look::reaction`](super::Look::reaction) says.
    pub fn reaction(&mut self, joint: JointId, state: &State) -> (Vector3<f64>, Vector3<f64>) {
        self.look(state).reaction(joint)
    }

    /// Where the first marker of a joint is, whose axes [`reaction`](Self::reaction) speaks in.
    pub fn first_marker_frame(&self, joint: JointId, q: &[f64]) -> rotula_lie::Frame {
        let marker = self.joints[joint.0].pair.a;
        self.node_frame(marker.node, q) * marker.frame
    }
}
