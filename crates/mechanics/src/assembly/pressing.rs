//! Contact forces and where they act, for records and pictures.

use super::touching::Touching;
use super::{Assembly, Group};
use crate::constraint::Constraint;
use crate::scene::{Scene, World};
use nalgebra::{Vector3, Vector6};
use rotula_dae::{ContactForce, Point, State, Touch, TouchingContact};

/// A force in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressing {
    /// Where it acts.
    pub place: Vector3<f64>,
    /// The force on the second body.
    pub force: Vector3<f64>,
}

impl Assembly {
    /// Forces that are contacts by penalty: their numbers among all forces, their names and the bodies on which
    /// [`Assembly::soft_contact`] finds them to act.
    pub fn soft_contacts(&self) -> impl Iterator<Item = (usize, &str, usize)> {
        let soft = self.soft.iter().map(|&k| (k, &self.pushes[k]));
        soft.map(|(k, push)| (k, push.name.as_str(), *push.nodes.last().unwrap_or(&0)))
    }

    /// The force of a contact by penalty, by its number among all forces, while surfaces press.
    pub fn soft_contact(&mut self, force: usize, state: &State) -> Option<Pressing> {
        self.look(state).soft_contact(force)
    }

    /// The same at a point at which everything is placed: the whole force, at the mean of its places.
    pub(super) fn placed_soft_contact(&mut self, force: usize, at: &Point) -> Option<Pressing> {
        let (mut total, mut weight, mut moment) = (Vector3::zeros(), 0.0, Vector3::zeros());
        self.each_touch(force, at, &mut |touch| {
            let size = touch.size();
            total += Vector3::from(touch.force);
            weight += size;
            moment += Vector3::from(touch.place) * size;
        });
        (weight > 0.0).then(|| Pressing { place: moment / weight, force: total })
    }

    /// Calls `see` with every place where a force that is a contact touches, at a point at which everything is
    /// placed.
    fn each_touch(&mut self, force: usize, at: &Point, see: &mut dyn FnMut(Touch)) {
        let angles = self.angles(at.q);
        let world = self.moment.world(at, angles);
        let push = &mut self.pushes[force];
        push.force.touches(Scene { world: &world, nodes: &push.nodes }, see);
    }

    /// A contact that is a force, as the record calls it.
    pub(super) fn soft_contact_in_words(&self, contact: usize) -> TouchingContact {
        let push = &self.pushes[self.soft[contact]];
        let [first, last] = [push.nodes.first(), push.nodes.last()].map(|node| *node.unwrap_or(&0));
        TouchingContact {
            name: push.name.clone(),
            bodies: [self.names[first].clone(), self.names[last].clone()],
            body: last,
            soft: true,
        }
    }

    /// Adds every place where contacts that are forces touch.
    pub(super) fn add_soft_touches(&mut self, at: &Point, out: &mut Vec<Touch>) {
        self.place(at);
        for contact in 0..self.soft.len() {
            let force = self.soft[contact];
            self.each_touch(force, at, &mut |touch| out.push(Touch { contact, ..touch }));
        }
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

    /// Whether the list of rigid contacts may change on the way.
    pub fn contacts_may_change(&self) -> bool {
        self.touching.may_change()
    }

    /// The names of the bodies of a present rigid contact, and the second body.
    pub(super) fn bodies_of_contact(&self, contact: usize) -> Option<([String; 2], usize)> {
        let nodes = &self.touching.groups().get(contact)?.nodes;
        let (first, last) = (*nodes.first()?, *nodes.last()?);
        Some(([self.names[first].clone(), self.names[last].clone()], last))
    }

    /// Adds the forces of some present rigid contacts.
    pub(super) fn add_contact_forces(
        &mut self,
        at: &Point,
        contacts: &[usize],
        rows: &[f64],
        out: &mut Vec<ContactForce>,
    ) {
        self.place(at);
        let world = self.moment.world(at, self.angles(at.q));
        out.extend(contacts.iter().map(|&contact| {
            let group = &self.touching.groups()[contact];
            let Pressing { place, force } = group.pressed(&world, group.multipliers(rows));
            let body = group.nodes.last().copied().unwrap_or(0);
            ContactForce { body, place: place.into(), force: force.into() }
        }));
    }
}

impl Group {
    /// The force of a contact on its second body, from the forces in its rows; none without a force.
    fn pressing(&self, world: &World, rows: &[f64]) -> Option<Pressing> {
        let pressing = (rows.iter().any(|row| *row != 0.0)).then(|| self.pressed(world, rows));
        pressing.filter(|found| found.force != Vector3::zeros())
    }

    /// The same where it touches without a force, too.
    ///
    /// Where the shape of the contact does not say where that is, it is where the lines along which its rows
    /// act cross, or without friction the point of the normal nearest to the centre of mass.
    fn pressed(&self, world: &World, rows: &[f64]) -> Pressing {
        let scene = Scene { world, nodes: &self.nodes };
        let last = scene.nodes.len() - 1;
        let motion = scene.motion(last);
        // force on the second body and its moment about the last node; a beam that touches with the piece
        // between two of its nodes shares the force among them, and the first body has two such nodes then
        let wrench = |rows: &[f64]| {
            let mut wrenches = [Vector6::zeros(); crate::measure::MAX_NODES];
            self.constraint.reaction(scene, rows, &mut wrenches);
            let mut sum = (Vector3::zeros(), Vector3::zeros());
            for slot in last.min(2)..=last {
                let own = scene.motion(slot);
                let force: Vector3<f64> = own.rotation * wrenches[slot].fixed_rows::<3>(0);
                let moment: Vector3<f64> = own.rotation * wrenches[slot].fixed_rows::<3>(3);
                sum.0 += force;
                sum.1 += moment + (own.position - motion.position).cross(&force);
            }
            sum
        };
        // unit force and moment of one row
        let unit = |row: usize| {
            let mut along = [0.0; Touching::MOST_ROWS];
            *along.get_mut(row)? = 1.0;
            let (force, moment) = wrench(along.get(..rows.len())?);
            let size = force.norm();
            (row < rows.len() && size > 0.0).then(|| (force / size, moment / size))
        };
        let force = wrench(rows).0;
        let place = match (self.constraint.touching(), unit(0)) {
            (Some(sphere), Some((normal, _))) => {
                let centre = motion.position + motion.rotation * sphere.marker.frame.position;
                centre - normal * sphere.radius
            }
            (None, Some((normal, moment))) => {
                let height =
                    unit(1).map_or(0.0, |(tangent, moment)| normal.dot(&tangent.cross(&moment)));
                motion.position + normal.cross(&moment) + normal * height
            }
            (_, None) => motion.position,
        };
        Pressing { place, force }
    }
}
