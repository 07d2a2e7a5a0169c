//! Reactions of joints.

use super::{Assembly, Group};
use crate::joint::Pair;
use crate::model::{JointEntry, JointId};
use crate::node::Motion;
use crate::scene::Scene;
use nalgebra::{Vector3, Vector6};
use rotula_dae::State;
use std::ops::Range;

/// A joint: its markers and which groups of equations are its own.
#[derive(Clone, Debug)]
pub(super) struct Hold {
    pair: Pair,
    groups: Range<usize>,
}

impl Hold {
    pub(super) fn new(entry: &JointEntry) -> Self {
        Hold { pair: entry.pair, groups: entry.constraints.clone() }
    }
}

impl Assembly {
    /// The reaction of a joint at a state: force and moment on the second body, at the origin of
    /// marker `b`, in the axes of marker `a`. On the first body act the same, reversed, at the same
    /// place; drives of the joint's coordinates are not part of it.
    pub fn reaction(&mut self, joint: JointId, state: &State) -> (Vector3<f64>, Vector3<f64>) {
        let at = state.point();
        self.place(&at);
        let angles = self.angles(at.q);
        let world = self.moment.world(&at, angles);
        let Hold { pair, groups } = &self.joints[joint.0];
        let Pair { a, b, .. } = pair;
        let mut wrench = Vector6::zeros();
        for Group { constraint, row, .. } in &self.groups[groups.clone()] {
            let scene = Scene { world: &world, nodes: constraint.nodes() };
            let mut wrenches = [Vector6::zeros(); crate::measure::MAX_NODES];
            let multipliers = &at.multipliers[*row..row + constraint.rows()];
            constraint.reaction(scene, multipliers, &mut wrenches);
            for (node, part) in scene.nodes.iter().zip(&wrenches) {
                if *node == b.node {
                    wrench += part;
                }
            }
        }
        let force: Vector3<f64> = wrench.fixed_rows::<3>(0).into();
        let moment: Vector3<f64> = wrench.fixed_rows::<3>(3).into();
        let moment = moment - b.frame.position.cross(&force);
        let motions: &[Motion] = &self.moment.motions;
        let turn = |c: Vector3<f64>| {
            let body = motions[a.node].into_body(&(motions[b.node].rotation * c));
            a.frame.orientation.rotate_back(&body)
        };
        (turn(force), turn(moment))
    }

    /// Where the first marker of a joint is, whose axes [`reaction`](Self::reaction) speaks in.
    pub fn first_marker_frame(&self, joint: JointId, q: &[f64]) -> rotula_lie::Frame {
        let marker = self.joints[joint.0].pair.a;
        self.node_frame(marker.node, q) * marker.frame
    }
}
