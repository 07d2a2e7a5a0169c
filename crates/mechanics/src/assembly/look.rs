//! Everything that can be read at a state, for which the bodies are placed once.

use super::{Assembly, Group, Pressing};
use crate::control::SensorId;
use crate::model::JointId;
use crate::node::Motion;
use crate::quantity::{Acting, Attachment, Drive, Ends, Thing, read_force};
use crate::scene::Scene;
use nalgebra::{Vector3, Vector6};
use rotula_dae::{Point, State, Terms};
use std::ops::Range;

/// A look at a state: readings of it cost no more than what they look at.
pub struct Look<'a> {
    assembly: &'a mut Assembly,
    at: Point<'a>,
}

impl Assembly {
    /// Looks at a state.
    pub fn look<'a>(&'a mut self, state: &'a State) -> Look<'a> {
        let at = state.point();
        self.place(&at);
        Look { assembly: self, at }
    }

    /// One quantity of a thing at a point at which everything is placed.
    pub(super) fn read_quantity(&mut self, thing: Thing, place: usize, at: &Point) -> f64 {
        match thing.acting {
            Acting::Joint => self.placed_reaction(thing.place, at)[place],
            Acting::Attachment => self.placed_attachment(thing.place, at)[place],
            Acting::Drive => {
                let Drive { constraint, ends, .. } = &self.drives[thing.place];
                self.placed_constraints(*constraint..*constraint + 1, ends, at)[place]
            }
            Acting::Force => {
                let mut all = vec![0.0; self.pushes[thing.place].force.quantities().len()];
                self.placed_force(thing.place, at, &mut all);
                all[place]
            }
        }
    }

    /// Force and moment of a joint.
    pub(super) fn placed_reaction(&self, joint: usize, at: &Point) -> Vector6<f64> {
        let hold = &self.joints[joint];
        self.placed_constraints(hold.groups.clone(), &hold.ends(), at)
    }

    /// Force and moment of some groups of constraints on a second body.
    fn placed_constraints(&self, groups: Range<usize>, ends: &Ends, at: &Point) -> Vector6<f64> {
        let world = self.moment.world(at, self.angles(at.q));
        let mut wrench = Vector6::zeros();
        for group in &self.groups[groups] {
            let Group { constraint, .. } = group;
            let scene = Scene { world: &world, nodes: constraint.nodes() };
            let mut wrenches = [Vector6::zeros(); crate::measure::MAX_NODES];
            constraint.reaction(scene, group.multipliers(at.multipliers), &mut wrenches);
            for (node, part) in scene.nodes.iter().zip(&wrenches) {
                if *node == ends.second.node {
                    wrench += part;
                }
            }
        }
        ends.components(&wrench, &self.moment.motions)
    }

    /// All quantities of a force.
    fn placed_force(&mut self, force: usize, at: &Point, out: &mut [f64]) {
        let angles = self.angles(at.q);
        let world = self.moment.world(at, angles);
        let push = &mut self.pushes[force];
        read_force(push.force.as_mut(), Scene { world: &world, nodes: &push.nodes }, out);
    }

    /// Force and moment of a beam or cable on the body that holds its end.
    fn placed_attachment(&mut self, end: usize, at: &Point) -> Vector6<f64> {
        let angles = self.angles(at.q);
        let Assembly { moment, parts, attachments, scratch, .. } = self;
        let world = moment.world(at, angles);
        let Attachment { element, marker, .. } = &attachments[end];
        let part = &mut parts[*element];
        let wrenches = &mut scratch.rows[..part.nodes.len()];
        wrenches.fill(Vector6::zeros());
        part.element.residual(Scene { world: &world, nodes: &part.nodes }, Terms::ALL, wrenches);
        let mut wrench = Vector6::zeros();
        for (node, part) in part.nodes.iter().zip(wrenches.iter()) {
            if *node == marker.node {
                wrench -= part;
            }
        }
        attachments[end].ends().components(&wrench, &moment.motions)
    }
}

impl Look<'_> {
    /// The motion of a body's node, which is its centre of mass.
    pub fn motion(&self, node: usize) -> &Motion {
        &self.assembly.moment.motions[node]
    }

    /// The frame of a body's node.
    pub fn frame(&self, node: usize) -> rotula_lie::Frame {
        self.assembly.node_frame(node, self.at.q)
    }

    /// The reading of a sensor, energy or output.
    pub fn sensor(&mut self, sensor: SensorId) -> f64 {
        self.assembly.read(sensor.0, &self.at)
    }

    /// The reaction of a joint: force and moment on the second body, at the origin of marker `b`, in
    /// the axes of marker `a`. On the first body act the same, reversed, at the same place; drives of
    /// the joint's coordinates are not part of it.
    pub fn reaction(&mut self, joint: JointId) -> (Vector3<f64>, Vector3<f64>) {
        let both = self.assembly.placed_reaction(joint.index(), &self.at);
        (both.fixed_rows::<3>(0).into(), both.fixed_rows::<3>(3).into())
    }

    /// All that a force offers, in the order of its quantities, by its place in the model's list.
    pub fn force(&mut self, force: usize, out: &mut [f64]) {
        self.assembly.placed_force(force, &self.at, out);
    }

    /// Force and moment of a beam, cable or bar on the body that holds its end, at the place where it
    /// does, in world axes; by the place in the model's list of attachments.
    pub fn attachment(&mut self, end: usize) -> Vector6<f64> {
        self.assembly.placed_attachment(end, &self.at)
    }

    /// Where the first marker of a joint is, whose axes its reaction is counted in.
    pub fn first_marker_frame(&self, joint: JointId) -> rotula_lie::Frame {
        self.assembly.first_marker_frame(joint, self.at.q)
    }

    /// The force of a contact by penalty; see [`Assembly::soft_contact`].
    pub fn soft_contact(&mut self, force: usize) -> Option<Pressing> {
        self.assembly.placed_soft_contact(force, &self.at)
    }

    /// The force of a rigid contact; see [`Assembly::rigid_contact`].
    pub fn rigid_contact(&self, contact: usize, rows: &[f64]) -> Option<Pressing> {
        self.assembly.placed_rigid_contact(contact, rows, &self.at)
    }
}
