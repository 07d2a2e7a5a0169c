//! Contact forces and where they act, for pictures.

use super::touching::Touching;
use super::{Assembly, Group};
use crate::constraint::Constraint;
use crate::scene::{Scene, World};
use nalgebra::{Vector3, Vector6};
use rotula_dae::{ContactForce, Point, State};

/// A force in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressing {
    /// Where it acts.
    pub place: Vector3<f64>,
    /// The force on the second body.
    pub force: Vector3<f64>,
}

impl Assembly {
    /// Forces that are contacts by penalty: their names and the bodies on which [`Assembly::soft_contact`]
    /// finds them to act. Forces without a second node are none.
    pub fn soft_contacts(&self) -> impl Iterator<Item = (usize, &str, usize)> {
        let two = self.pushes.iter().enumerate().filter(|(_, push)| push.nodes.len() == 2);
        two.map(|(k, push)| (k, push.name.as_str(), push.nodes[1]))
    }

    /// The force of a contact by penalty, by its number among all forces, while surfaces press.
    pub fn soft_contact(&mut self, force: usize, state: &State) -> Option<Pressing> {
        self.look(state).soft_contact(force)
    }

    /// The same at a point at which everything is placed.
    pub(super) fn placed_soft_contact(&mut self, force: usize, at: &Point) -> Option<Pressing> {
        let angles = self.angles(at.q);
        let world = self.moment.world(at, angles);
        let push = &mut self.pushes[force];
        let (place, force) = push.force.pressing(Scene { world: &world, nodes: &push.nodes })?;
        Some(Pressing { place, force })
    }

    /// The second body of each rigid contact that is always there, and how many rows it has.
    pub fn rigid_contacts(&self) -> impl Iterator<Item = (usize, usize)> {
        let fixed = self.touching.fixed().iter();
        fixed.map(|(_, contact)| (*contact.nodes().last().unwrap_or(&0), contact.rows()))
    }

    /// The force of a rigid contact that is always there, from the forces in its rows; none without
    /// a force. Where the shape of the contact does not say where it acts, the place is the point
    /// of its line nearest to the centre of mass.
    pub fn rigid_contact(
        &mut self,
        contact: usize,
        rows: &[f64],
        state: &State,
    ) -> Option<Pressing> {
        self.look(state).rigid_contact(contact, rows)
    }

    /// The same at a point at which everything is placed.
    pub(super) fn placed_rigid_contact(
        &self,
        contact: usize,
        rows: &[f64],
        at: &Point,
    ) -> Option<Pressing> {
        let world = self.moment.world(at, self.angles(at.q));
        self.touching.groups()[contact].pressing(&world, rows)
    }

    /// Adds the forces of all rigid contacts that push, if their list may change.
    pub(super) fn add_contact_forces(
        &mut self,
        at: &Point,
        rows: &[f64],
        out: &mut Vec<ContactForce>,
    ) {
        if !self.touching.may_change() {
            return;
        }
        self.place(at);
        let world = self.moment.world(at, self.angles(at.q));
        out.extend(self.touching.groups().iter().filter_map(|group| {
            let Pressing { place, force } = group.pressing(&world, group.multipliers(rows))?;
            let body = *group.nodes.last()?;
            Some(ContactForce { body, place: place.into(), force: force.into() })
        }));
    }
}

impl Group {
    /// The force of a contact on its last node, from the forces in its rows; none without a force.
    fn pressing(&self, world: &World, rows: &[f64]) -> Option<Pressing> {
        if rows.iter().all(|row| *row == 0.0) {
            return None;
        }
        let scene = Scene { world, nodes: &self.nodes };
        let last = scene.nodes.len() - 1;
        let wrench = |rows: &[f64]| {
            let mut wrenches = [Vector6::zeros(); crate::measure::MAX_NODES];
            self.constraint.reaction(scene, rows, &mut wrenches);
            let rotation = &scene.motion(last).rotation;
            let [force, moment]: [Vector3<f64>; 2] = [
                wrenches[last].fixed_rows::<3>(0).into(),
                wrenches[last].fixed_rows::<3>(3).into(),
            ];
            (rotation * force, rotation * moment)
        };
        let (force, moment) = wrench(rows);
        let square = force.norm_squared();
        if square == 0.0 {
            return None;
        }
        let motion = scene.motion(last);
        let mut along = [0.0; Touching::MOST_ROWS];
        along[0] = 1.0;
        let normal = wrench(&along[..rows.len()]).0.try_normalize(0.0);
        let place = match (self.constraint.touching(), normal) {
            (Some(sphere), Some(normal)) => {
                let centre = motion.position + motion.rotation * sphere.marker.frame.position;
                centre - normal * sphere.radius
            }
            _ => motion.position + force.cross(&moment) / square,
        };
        Some(Pressing { place, force })
    }
}
