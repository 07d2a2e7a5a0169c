//! How much acts on each node: every inertia, weight, force, element and joint with its size.

use super::Assembly;
use super::balance::add;
use crate::scene::Scene;
use nalgebra::Vector6;
use rotula_dae::{Point, Terms};

impl Assembly {
    /// The sizes of all wrenches on the nodes, added up, at the motions that were placed last.
    pub(super) fn placed_loads(&mut self, at: &Point, out: &mut [f64]) {
        out.fill(0.0);
        let angles = self.angles(at.q);
        let Assembly { nodes, bodies, groups, pushes, parts, moment, scratch, .. } = self;
        for body in bodies.iter() {
            let node = &nodes[body.node];
            let parts = body.parts(node, &moment.motions[body.node], at);
            let sizes = parts.iter().fold(Vector6::zeros(), |sum, part| sum + part.abs());
            add(node, &sizes, 1.0, out);
        }
        let world = moment.world(at, angles);
        let mut add_sizes = |where_to: &[usize], wrenches: &mut [Vector6<f64>]| {
            moment.keep_wrenches(wrenches, where_to);
            for (node, wrench) in where_to.iter().zip(wrenches.iter()) {
                add(&nodes[*node], &wrench.abs(), 1.0, out);
            }
        };
        let forces = Terms { inertia: false, forces: true, reactions: false };
        for part in parts.iter_mut() {
            // One after the other: at a free end they cancel.
            for terms in [Terms::INERTIA, forces] {
                let wrenches = &mut scratch.rows[..part.nodes.len()];
                wrenches.fill(Vector6::zeros());
                part.element.residual(Scene { world: &world, nodes: &part.nodes }, terms, wrenches);
                add_sizes(&part.nodes, wrenches);
            }
        }
        for push in pushes.iter_mut() {
            let wrenches = &mut scratch.rows[..push.nodes.len()];
            wrenches.fill(Vector6::zeros());
            push.force.wrench(Scene { world: &world, nodes: &push.nodes }, wrenches);
            add_sizes(&push.nodes, wrenches);
        }
        for group in groups.iter() {
            let scene = Scene { world: &world, nodes: &group.nodes };
            let wrenches = &mut scratch.rows[..group.nodes.len()];
            wrenches.fill(Vector6::zeros());
            group.constraint.reaction(scene, group.multipliers(at.multipliers), wrenches);
            add_sizes(&group.nodes, wrenches);
        }
    }
}
