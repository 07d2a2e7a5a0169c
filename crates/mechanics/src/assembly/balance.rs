//! Residuals at the motions that were placed last: one pass over bodies, forces and constraints.

use super::{Assembly, Group, elements, equations, together};
use crate::node::{Node, NodeKind};
use crate::scene::Scene;
use nalgebra::Vector6;
use rotula_dae::{Level, Point, Terms};

impl Assembly {
    /// The chosen terms of the equations of motion.
    pub(super) fn placed_dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        out.fill(0.0);
        let angles = self.angles(at.q);
        let Assembly { nodes, bodies, parts, sheets, moment, scratch, .. } = self;
        for body in bodies.iter() {
            let node = &nodes[body.node];
            add(node, &body.residual(node, &moment.motions[body.node], at, terms), 1.0, out);
        }
        let world = moment.world(at, angles);
        elements::residuals(parts, &world, terms, nodes, &mut scratch.rows, out);
        if together(terms) {
            sheets.iter_mut().for_each(|sheet| sheet.add_residual(at, out));
        }
        if terms.forces {
            self.add_pushes(at, out);
        }
        if terms.reactions {
            let angles = self.angles(at.q);
            let Assembly { nodes, groups, moment, scratch, .. } = self;
            let world = moment.world(at, angles);
            for group in groups.iter().filter(|group| !group.holds) {
                let scene = Scene { world: &world, nodes: &group.nodes };
                let wrenches = &mut scratch.rows[..group.nodes.len()];
                wrenches.fill(Vector6::zeros());
                group.constraint.reaction(scene, group.multipliers(at.multipliers), wrenches);
                moment.keep_wrenches(wrenches, &group.nodes);
                add_reactions(nodes, group, wrenches, out);
            }
        }
    }

    /// Takes the forces that are neither of bodies nor of elements from the balance.
    #[inline(always)]
    pub(super) fn add_pushes(&mut self, at: &Point, out: &mut [f64]) {
        let angles = self.angles(at.q);
        let Assembly { nodes, pushes, moment, scratch, .. } = self;
        let world = moment.world(at, angles);
        for push in pushes.iter_mut() {
            let wrenches = &mut scratch.rows[..push.nodes.len()];
            wrenches.fill(Vector6::zeros());
            push.force.wrench(Scene { world: &world, nodes: &push.nodes }, wrenches);
            moment.keep_wrenches(wrenches, &push.nodes);
            for (node, wrench) in push.nodes.iter().zip(wrenches.iter()) {
                add(&nodes[*node], wrench, -1.0, out);
            }
        }
    }

    /// All terms of the equations of motion and the constraint residuals at position level: joints are
    /// looked at once.
    pub(super) fn placed_balance(&mut self, at: &Point, dynamics: &mut [f64], rows: &mut [f64]) {
        self.placed_dynamics(at, Terms { reactions: false, ..Terms::ALL }, dynamics);
        rows.fill(0.0);
        let angles = self.angles(at.q);
        let Assembly { nodes, groups, moment, scratch, .. } = self;
        let world = moment.world(at, angles);
        for group in groups.iter().filter(|group| !group.holds) {
            let scene = Scene { world: &world, nodes: &group.nodes };
            let wrenches = &mut scratch.rows[..group.nodes.len()];
            wrenches.fill(Vector6::zeros());
            let multipliers = group.multipliers(at.multipliers);
            if group.position_rows > 0 {
                let own = &mut rows[group.row..group.row + group.rows];
                group.constraint.balance(scene, multipliers, own, wrenches);
            } else {
                group.constraint.reaction(scene, multipliers, wrenches);
            }
            moment.keep_wrenches(wrenches, &group.nodes);
            add_reactions(nodes, group, wrenches, dynamics);
        }
    }

    /// Constraint residuals at a level.
    pub(super) fn placed_constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        let world = self.moment.world(at, self.angles(at.q));
        equations::residuals(&self.groups, level, &world, out);
    }

    /// The gradients of constraints, of those that hold by themselves or of the others.
    pub(super) fn placed_gradient(&mut self, at: &Point, holding: bool, values: &mut [f64]) {
        let here = (&self.moment, at, self.angles(at.q));
        let groups = self.groups.iter().filter(|group| group.holds == holding);
        equations::gradients(groups, here, &mut self.scratch, values);
    }
}

/// Takes the reactions of a group, which push, from the balance.
#[inline]
fn add_reactions(nodes: &[Node], group: &Group, wrenches: &[Vector6<f64>], out: &mut [f64]) {
    for (node, wrench) in group.nodes.iter().zip(wrenches) {
        add(&nodes[*node], wrench, -1.0, out);
    }
}

/// Adds a wrench on what a node keeps to the components that it has.
#[inline]
pub(super) fn add(node: &Node, wrench: &Vector6<f64>, weight: f64, out: &mut [f64]) {
    if let NodeKind::Spatial = node.kind {
        for (out, value) in out[node.v..node.v + 6].iter_mut().zip(wrench.iter()) {
            *out += weight * value;
        }
        return;
    }
    for (k, &column) in node.kind.columns().iter().enumerate() {
        out[node.v + k] += weight * wrench[column];
    }
}
