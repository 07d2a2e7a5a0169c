//! What integrators ask of any system: the questions of all facets, with the answers of systems that do not have them.

use super::facets::loads_by_kind;
use super::{Component, Energy, Level, Part, Point, System, Weights};
use crate::checkpoint::{Reader, Unreadable, Writer};
use crate::contact::{Contact, ContactPatterns};
use crate::contact_forces::ContactForce;
use crate::contact_table::{Touch, TouchingContact};
use crate::diagnosis::{Sentence, Subject};
use rotula_linear::Pattern;

/// [`Description`](super::Description).
impl dyn System + '_ {
    /// The name of a part; its number where there are no names.
    pub fn name(&self, component: Component) -> String {
        match (self.as_description(), component) {
            (Some(description), _) => description.name(component),
            (None, Component::Coordinate(i)) => format!("coordinate {}", i + 1),
            (None, Component::Constraint(i)) => format!("constraint {}", i + 1),
            (None, Component::State(i)) => format!("state {}", i + 1),
            (None, Component::Variable(i)) => format!("variable {}", i + 1),
            (None, Component::Contact(i)) => format!("contact {}", i + 1),
        }
    }

    /// A part as what a sentence speaks of.
    pub fn subject(&self, component: Component) -> Subject {
        let kind = match component {
            Component::Coordinate(_) => Subject::Coordinate,
            Component::Constraint(_) => Subject::Constraint,
            Component::State(_) => Subject::State,
            Component::Variable(_) => Subject::Variable,
            Component::Contact(_) => Subject::Contact,
        };
        kind(self.name(component))
    }

    /// A characteristic magnitude of a coordinate's increments.
    pub fn scale(&self, coordinate: usize) -> f64 {
        self.as_description().map_or(1.0, |description| description.scale(coordinate))
    }

    /// Whether scales grow with what coordinates have been.
    pub(crate) fn scales_grow(&self) -> bool {
        self.as_description().is_none_or(|description| description.scales_grow())
    }

    /// The bodies and nodes that the coordinates belong to; every coordinate by itself where there are none.
    pub fn parts(&self) -> Vec<Part> {
        let part = |i| Part { name: self.name(Component::Coordinate(i)), coordinates: i..i + 1 };
        let known = self.as_description().and_then(|description| description.parts());
        known.unwrap_or_else(|| (0..self.sizes().motion).map(part).collect())
    }

    /// How far every coordinate is from `q` to `other`, as one who looks on would measure it.
    pub fn displacement(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        let described = self.as_description();
        if !described.is_some_and(|description| description.displacement(q, other, out)) {
            self.local(q, other, out);
        }
    }

    /// Of everything that rotates, the coordinate that stands for the fastest and its rate in rad/s.
    pub fn fastest_turn(&self, v: &[f64]) -> Option<(usize, f64)> {
        self.as_description()?.fastest_turn(v)
    }
}

/// [`Manifold`](super::Manifold).
impl dyn System + '_ {
    /// The rate at which an increment grows with a velocity: the velocity itself where configurations add.
    pub fn increment_rate(&self, increment: &[f64], v: &[f64], out: &mut [f64]) {
        match self.as_manifold() {
            Some(manifold) => manifold.increment_rate(increment, v, out),
            None => out.copy_from_slice(v),
        }
    }
}

/// [`Explanation`](super::Explanation).
impl dyn System + '_ {
    /// What changes most between two points.
    pub fn explain_change(&mut self, from: &Point, to: &Point) -> Vec<Sentence> {
        self.as_explanation().map_or_else(Vec::new, |facet| facet.explain_change(from, to))
    }

    /// What at a point is beyond the bounds of what the system was made for.
    pub fn explain_beyond(&mut self, at: &Point) -> Option<String> {
        self.as_explanation()?.explain_beyond(at)
    }

    /// Which formula is not finite at a point.
    pub fn explain_not_finite(&mut self, at: &Point) -> Option<Sentence> {
        self.as_explanation()?.explain_not_finite(at)
    }
}

/// [`Contacts`](super::Contacts).
impl dyn System + '_ {
    /// The present candidates for contact.
    pub fn contacts(&self) -> &[Contact] {
        self.as_contacts().map_or(&[], |facet| facet.contacts())
    }

    /// What identifies a contact when the list changes.
    pub fn contact_key(&self, contact: usize) -> u64 {
        self.as_contacts().map_or(contact as u64, |facet| facet.contact_key(contact))
    }

    /// Makes the list hold every contact that may close within `horizon`; true if it changed.
    pub fn renew_contacts(&mut self, at: &Point, horizon: f64) -> bool {
        self.as_contacts_mut().is_some_and(|facet| facet.renew_contacts(at, horizon))
    }

    /// Sparsity of the derivatives of the present contacts.
    pub fn contact_patterns(&self) -> ContactPatterns {
        let none = || ContactPatterns::dense(0, self.sizes().motion);
        self.as_contacts().map_or_else(none, |facet| facet.contact_patterns())
    }

    /// The first of these patterns alone.
    pub fn contact_row_pattern(&self) -> Pattern {
        let none = || ContactPatterns::dense(0, self.sizes().motion).rows;
        self.as_contacts().map_or_else(none, |facet| facet.contact_row_pattern())
    }

    /// All contact rows at a level.
    pub fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        if let Some(facet) = self.as_contacts_mut() {
            facet.contact(level, at, out);
        }
    }

    /// The matrix whose transpose carries the contact reactions.
    pub fn contact_gradient(&mut self, at: &Point, values: &mut [f64]) {
        if let Some(facet) = self.as_contacts_mut() {
            facet.contact_gradient(at, values);
        }
    }

    /// The derivative of the contact rows with the given weights.
    pub fn contact_tangent(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        if let Some(facet) = self.as_contacts_mut() {
            facet.contact_tangent(level, at, weights, values);
        }
    }

    /// The same for the contacts that are wanted.
    pub fn contact_tangent_of(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        wanted: &[bool],
        values: &mut [f64],
    ) {
        if let Some(facet) = self.as_contacts_mut() {
            facet.contact_tangent_of(level, at, weights, wanted, values);
        }
    }

    /// `∂(−Gᵀ forces)/∂Δ` of all contacts; zeros without contacts.
    pub fn contact_curvature(&mut self, at: &Point, forces: &[f64], values: &mut [f64]) {
        match self.as_contacts_mut() {
            Some(facet) => facet.contact_curvature(at, forces, values),
            None => values.fill(0.0),
        }
    }

    /// Whether a contact is always listed.
    pub fn contact_stays(&self, contact: usize) -> bool {
        self.as_contacts().is_none_or(|facet| facet.contact_stays(contact))
    }

    /// The names of the two bodies of a contact, and the number of the second.
    pub fn contact_bodies(&self, contact: usize) -> Option<([String; 2], usize)> {
        self.as_contacts()?.contact_bodies(contact)
    }

    /// Adds the forces of some of the present contacts, with where they act.
    pub fn contact_forces(
        &mut self,
        at: &Point,
        contacts: &[usize],
        rows: &[f64],
        out: &mut Vec<ContactForce>,
    ) {
        if let Some(facet) = self.as_contacts_mut() {
            facet.contact_forces(at, contacts, rows, out);
        }
    }

    /// How many contacts are forces, not constraints.
    pub fn soft_contact_count(&self) -> usize {
        self.as_contacts().map_or(0, |facet| facet.soft_contact_count())
    }

    /// A contact that is a force, as the record calls it.
    pub fn describe_soft_contact(&self, contact: usize) -> TouchingContact {
        let none = TouchingContact::default;
        self.as_contacts().map_or_else(none, |facet| facet.describe_soft_contact(contact))
    }

    /// Adds every place where contacts that are forces touch.
    pub fn soft_touches(&mut self, at: &Point, out: &mut Vec<Touch>) {
        if let Some(facet) = self.as_contacts_mut() {
            facet.soft_touches(at, out);
        }
    }

    /// How long a step from an accepted state may be, that would be `h`, so that it is a part of any bounce.
    pub fn longest_step_from(&mut self, at: &Point, h: f64, part: f64) -> f64 {
        self.as_contacts_mut().map_or(f64::INFINITY, |facet| facet.longest_step_from(at, h, part))
    }

    /// How long the step between two points may be, that whatever meets on the way is seen to do so.
    pub fn longest_step_to(&mut self, from: &Point, to: &Point, part: f64) -> f64 {
        self.as_contacts_mut().map_or(f64::INFINITY, |facet| facet.longest_step_to(from, to, part))
    }
}

/// [`Energetics`](super::Energetics).
impl dyn System + '_ {
    /// How much acts on each coordinate.
    pub fn loads(&mut self, at: &Point, scratch: &mut [f64], out: &mut [f64]) {
        match self.as_energetics() {
            Some(facet) => facet.loads(at, scratch, out),
            None => loads_by_kind(|terms, out| self.dynamics(at, terms, out), scratch, out),
        }
    }

    /// Kinetic and potential energy, if the system knows them.
    pub fn energy(&mut self, at: &Point) -> Option<Energy> {
        self.as_energetics()?.energy(at)
    }

    /// Power of everything that changes the energy.
    pub fn power(&mut self, at: &Point) -> Option<f64> {
        self.as_energetics()?.power(at)
    }

    /// Whether the power is known to be zero at all times.
    pub fn is_conservative(&mut self) -> bool {
        self.as_energetics().is_some_and(|facet| facet.is_conservative())
    }
}

/// [`RigidMotion`](super::RigidMotion).
impl dyn System + '_ {
    /// The velocity that every coordinate would have if everything moved rigidly with a body. False if there is none.
    pub fn carried(&self, at: &Point, reference: usize, out: &mut [f64]) -> bool {
        self.as_rigid_motion().is_some_and(|facet| facet.carried(at, reference, out))
    }

    /// The twist with which a body moves.
    pub fn twist_of(&self, at: &Point, reference: usize) -> Option<[f64; 6]> {
        self.as_rigid_motion()?.twist_of(at, reference)
    }

    /// Velocities and accelerations if everything moves with one constant twist. False, with nothing written, if the
    /// system does not know.
    pub fn swept(&self, q: &[f64], twist: &[f64; 6], v: &mut [f64], vdot: &mut [f64]) -> bool {
        self.as_rigid_motion().map(|facet| facet.swept(q, twist, v, vdot)).is_some()
    }

    /// How these change with the configuration. False if the system does not know.
    pub fn swept_tangent(
        &self,
        q: &[f64],
        twist: &[f64; 6],
        entry: &mut dyn FnMut(usize, usize, [f64; 2]),
    ) -> bool {
        self.as_rigid_motion().map(|facet| facet.swept_tangent(q, twist, entry)).is_some()
    }

    /// The configuration after such a motion. False, with nothing written, if the system does not know.
    pub fn swept_on(&self, q: &[f64], twist: &[f64; 6], duration: f64, out: &mut [f64]) -> bool {
        self.as_rigid_motion().map(|facet| facet.swept_on(q, twist, duration, out)).is_some()
    }
}

/// [`History`](super::History), [`Switching`](super::Switching), [`Events`](super::Events) and
/// [`AuxiliaryRows`](super::AuxiliaryRows).
impl dyn System + '_ {
    /// Tells of an accepted state.
    pub fn accepted(&mut self, at: &Point) {
        if let Some(facet) = self.as_history() {
            facet.accepted(at);
        }
    }

    /// Puts into a checkpoint what later answers depend on.
    pub fn save(&mut self, out: &mut Writer) {
        if let Some(facet) = self.as_history() {
            facet.save(out);
        }
    }

    /// Takes it back.
    pub fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        self.as_history().map_or(Ok(()), |facet| facet.load(from))
    }

    /// Times at which forces jump.
    pub fn discontinuities(&self) -> &[f64] {
        self.as_switching().map_or(&[], |facet| facet.discontinuities())
    }

    /// More times at which forces jump in a span of time.
    pub fn jumps_between(&self, span: [f64; 2]) -> Vec<[f64; 2]> {
        self.as_switching().map_or_else(Vec::new, |facet| facet.jumps_between(span))
    }

    /// Where forces begin to vary within a short time, and within which.
    pub fn features_between(&self, span: [f64; 2]) -> Vec<[f64; 2]> {
        self.as_switching().map_or_else(Vec::new, |facet| facet.features_between(span))
    }

    /// A run begins: whatever is held has its first value.
    pub fn begin_events(&mut self, t: f64) {
        if let Some(facet) = self.as_events() {
            facet.begin(t);
        }
    }

    /// The next instant at which something is sampled; infinite if there is none.
    pub fn next_instant(&mut self) -> f64 {
        self.as_events().map_or(f64::INFINITY, |facet| facet.next_instant())
    }

    /// Samples what is due at the next instant.
    pub fn sample(&mut self, at: &Point) {
        if let Some(facet) = self.as_events() {
            facet.sample(at);
        }
    }

    /// How far conditions lie above zero.
    pub fn conditions(&mut self, at: &Point, out: &mut Vec<f64>) {
        match self.as_events() {
            Some(facet) => facet.conditions(at, out),
            None => out.clear(),
        }
    }

    /// Whether something would change if a condition rose now.
    pub fn waits_for(&mut self, condition: usize) -> bool {
        self.as_events().is_some_and(|facet| facet.waits_for(condition))
    }

    /// A condition has risen.
    pub fn rise(&mut self, condition: usize) {
        if let Some(facet) = self.as_events() {
            facet.rise(condition);
        }
    }

    /// What waits for a condition is decided at every point from now on, if it can be.
    pub fn let_go(&mut self, condition: usize) -> bool {
        self.as_events().is_some_and(|facet| facet.let_go(condition))
    }

    /// What waits for a condition.
    pub fn condition_name(&mut self, condition: usize) -> String {
        let name = self.as_events().map(|facet| facet.condition_name(condition));
        name.unwrap_or_else(|| format!("condition {}", condition + 1))
    }

    /// Some rows of the auxiliary equations.
    pub fn auxiliary_rows(&mut self, at: &Point, rows: &[usize], out: &mut [f64]) {
        if let Some(facet) = self.as_auxiliary_rows() {
            return facet.auxiliary_rows(at, rows, out);
        }
        let mut all = vec![0.0; self.sizes().auxiliary()];
        self.auxiliary(at, &mut all);
        out.iter_mut().zip(rows).for_each(|(value, row)| *value = all[*row]);
    }
}
