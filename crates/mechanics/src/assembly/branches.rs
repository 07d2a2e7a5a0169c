//! What a tree of joints asks of an assembly: which bodies joints connect, and what else couples bodies.

use super::places::Block;
use super::{Assembly, Group};
use crate::joint::Pair;
use crate::node::{Motion, Node, NodeKind};
use crate::rates::Rates;
use nalgebra::{Matrix3, Vector3};
use rotula_dae::{Level, Point, Terms};

/// A joint that may become a branch.
pub(crate) struct Branch {
    pub name: String,
    pub word: &'static str,
    pub pair: Pair,
    /// Its rows among all constraints.
    pub rows: Vec<usize>,
}

impl Assembly {
    /// The nodes, the ground first.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The name of a node's body.
    pub(crate) fn node_name(&self, node: usize) -> &str {
        &self.names[node]
    }

    /// The mass of every node.
    pub(crate) fn masses(&self) -> Vec<f64> {
        let mut masses = vec![0.0; self.nodes.len()];
        self.bodies.iter().for_each(|body| masses[body.node] = body.mass);
        masses
    }

    /// Mass and moments of inertia of every node.
    pub(crate) fn inertias(&self) -> Vec<(f64, Matrix3<f64>)> {
        let mut inertias = vec![(0.0, Matrix3::zeros()); self.nodes.len()];
        self.bodies.iter().for_each(|body| inertias[body.node] = (body.mass, body.moments));
        inertias
    }

    /// The acceleration that makes weight; none if no body has mass.
    pub(crate) fn gravity(&self) -> Vector3<f64> {
        let heavy = self.bodies.iter().find(|body| body.mass > 0.0);
        heavy.map_or(Vector3::zeros(), |body| body.weight / body.mass)
    }

    /// Whether forces act on each node.
    pub(crate) fn pushed_nodes(&self) -> Vec<bool> {
        let mut pushed = vec![false; self.nodes.len()];
        self.pushes.iter().flat_map(|push| &push.nodes).for_each(|node| pushed[*node] = true);
        pushed
    }

    /// Where angles that count turns begin in a configuration.
    pub(crate) fn angle_start(&self) -> usize {
        self.sizes.configuration - self.turning.len()
    }

    /// A characteristic length.
    pub(crate) fn length(&self) -> f64 {
        self.length
    }

    /// All joints.
    pub(crate) fn branches(&self) -> Vec<Branch> {
        let branch = |hold: &super::Hold| {
            let groups = &self.groups[hold.groups.clone()];
            let rows = groups.iter().flat_map(|group| group.row..group.row + group.rows);
            Branch {
                name: hold.name.clone(),
                word: hold.word,
                pair: hold.pair,
                rows: rows.collect(),
            }
        };
        self.joints.iter().map(branch).collect()
    }

    /// Whether anything has elasticity and inertia of its own.
    pub(crate) fn has_elements(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The first such thing, by name, that is not a body on a floating frame with amplitudes of its shapes.
    pub(crate) fn first_without_frame(&self) -> Option<&str> {
        let floats = |part: &super::Part| {
            let kinds = part.nodes[1..].iter().map(|&node| self.nodes[node].kind);
            kinds.into_iter().all(|kind| matches!(kind, NodeKind::Amplitudes { .. }))
        };
        self.parts.iter().find(|part| !floats(part)).map(|part| part.name.as_str())
    }

    /// Whether there may be contacts that are constraints.
    pub(crate) fn has_rigid_contacts(&self) -> bool {
        self.touching.may_touch()
    }

    /// Pairs of different nodes on which one force, one element or one of the given constraint rows acts.
    pub(crate) fn coupled_nodes(&self, is_kept: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
        let groups = self.groups.iter().filter(|group: &&Group| is_kept(group.row));
        let lists = self.pushes.iter().map(|push| &push.nodes);
        let lists = lists.chain(self.parts.iter().map(|part| &part.nodes));
        let mut pairs = Vec::new();
        for nodes in lists.chain(groups.map(|group| &group.nodes)) {
            for &i in nodes {
                let others = nodes.iter().filter(|&&j| i != j && i > 0 && j > 0);
                pairs.extend(others.map(|&j| [i, j]));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Where the block of two nodes is in the tangent.
    pub(crate) fn block(&self, [row, col]: [usize; 2]) -> Block {
        Block::find(&self.patterns.dynamics, &self.nodes[row], &self.nodes[col])
    }

    /// How many values the tangent has.
    pub(crate) fn tangent_entries(&self) -> usize {
        self.patterns.dynamics.entries()
    }

    /// Takes over the motion of a node, for what is asked next of the motions handed over.
    #[inline]
    pub(crate) fn hand_over(&mut self, node: usize, motion: Motion) {
        self.moment.motions[node] = motion;
    }

    /// The terms of the equations of motion at the motions that were handed over; of the point, time, angles, multipliers
    /// and auxiliary unknowns count.
    pub(crate) fn handed_dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.moment.set_time(at.t);
        self.placed_dynamics(at, terms, out);
    }

    /// What bodies miss by forces alone, at motions handed over of the bodies on which they act.
    pub(crate) fn handed_pushes(&mut self, at: &Point, out: &mut [f64]) {
        self.moment.set_time(at.t);
        out.fill(0.0);
        self.add_pushes(at, out);
    }

    /// All terms and the constraints at a level there.
    pub(crate) fn handed_balance(
        &mut self,
        level: Level,
        at: &Point,
        dynamics: &mut [f64],
        rows: &mut [f64],
    ) {
        self.moment.set_time(at.t);
        if level == Level::Position {
            return self.placed_balance(at, dynamics, rows);
        }
        self.placed_constraint(level, at, rows);
        self.placed_dynamics(at, Terms::ALL, dynamics);
    }

    /// The constraints at a level there.
    pub(crate) fn handed_constraint(&mut self, level: Level, at: &Point, rows: &mut [f64]) {
        self.moment.set_time(at.t);
        self.placed_constraint(level, at, rows);
    }

    /// The gradients of the constraints there, of those that hold by themselves or of the others.
    pub(crate) fn handed_gradient(&mut self, at: &Point, holding: bool, values: &mut [f64]) {
        self.moment.set_time(at.t);
        self.placed_gradient(at, holding, values);
    }

    /// Leaves constraints, by their first rows, to the coordinates that are chosen such that they hold by themselves.
    pub(crate) fn leave(&mut self, holds: impl Fn(usize) -> bool) {
        self.groups.iter_mut().for_each(|group| group.holds = holds(group.row));
    }

    /// The same equations with all velocities in the axes of the bodies.
    pub(crate) fn in_axes_of_bodies(&self) -> Assembly {
        let mut turned = self.clone();
        turned.nodes.iter_mut().for_each(|node| node.rates = Rates::Body);
        turned.bodies.iter_mut().for_each(|body| body.rates = Rates::Body);
        turned.moment.kept.iter_mut().for_each(|kept| kept.rates = Rates::Body);
        turned
    }
}
