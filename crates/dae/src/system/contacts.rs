//! Contacts as a facet of a system.

use super::{Level, Point, System, Weights};
use crate::contact::{Contact, ContactPatterns, contact_rows};
use crate::contact_forces::ContactForce;
use crate::contact_table::{Touch, TouchingContact};
use rotula_linear::Pattern;

/// Unilateral constraints; see [`crate::contact`].
pub trait Contacts: System {
    /// The present candidates for contact; see [`crate::contact`].
    fn contacts(&self) -> &[Contact];

    /// What identifies contact `i` when the list changes: reactions are carried over by it.
    fn contact_key(&self, contact: usize) -> u64 {
        contact as u64
    }

    /// Broad phase: makes the list hold every contact that may close within `horizon` from this
    /// accepted state. Asked at the start and after each accepted step; true if the list changed.
    fn renew_contacts(&mut self, _at: &Point, _horizon: f64) -> bool {
        false
    }

    /// Sparsity of the derivatives of the present contacts.
    fn contact_patterns(&self) -> ContactPatterns {
        ContactPatterns::dense(contact_rows(self.contacts()), self.sizes().motion)
    }

    /// The first of [`contact_patterns`](Self::contact_patterns) alone, which is all that sweeps over
    /// contacts need. Worth writing where the list changes often.
    fn contact_row_pattern(&self) -> Pattern {
        self.contact_patterns().rows
    }

    /// All contact rows at a level: the gap in normal rows and zero in tangential ones at position
    /// level; the rates `G v + g_t` at velocity level; their derivatives at acceleration level.
    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]);

    /// The matrix whose transpose carries the contact reactions: `∂(velocity level)/∂v`.
    fn contact_gradient(&mut self, at: &Point, values: &mut [f64]);

    /// The derivative of [`contact`](Self::contact) with the given weights; tangential rows are
    /// zero at position level.
    fn contact_tangent(&mut self, level: Level, at: &Point, weights: Weights, values: &mut [f64]);

    /// The same for the contacts that are wanted; the rows of all others may be anything. Most contacts
    /// are open, and the derivatives of their rows are not looked at.
    fn contact_tangent_of(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        _wanted: &[bool],
        values: &mut [f64],
    ) {
        self.contact_tangent(level, at, weights, values);
    }

    /// `∂(−Gᵀ forces)/∂Δ` of all contacts, one force per contact row.
    fn contact_curvature(&mut self, _at: &Point, _forces: &[f64], values: &mut [f64]) {
        values.fill(0.0);
    }

    /// Whether contact `i` of the present list is always listed, so that its record has columns of its own.
    fn contact_stays(&self, _contact: usize) -> bool {
        true
    }

    /// The names of the two bodies that contact `i` of the present list is between, and the number of the
    /// second, if there are bodies.
    fn contact_bodies(&self, _contact: usize) -> Option<([String; 2], usize)> {
        None
    }

    /// Adds the forces of some of the present contacts, from one force per contact row, with where they
    /// act; nothing at all if contacts have no places.
    fn contact_forces(
        &mut self,
        _at: &Point,
        _contacts: &[usize],
        _rows: &[f64],
        _out: &mut Vec<ContactForce>,
    ) {
    }

    /// How many contacts are forces, not constraints: they have no rows, but a place in the record.
    fn soft_contact_count(&self) -> usize {
        0
    }

    /// A contact that is a force, as the record calls it.
    fn describe_soft_contact(&self, _contact: usize) -> TouchingContact {
        TouchingContact::default()
    }

    /// Adds every place where contacts that are forces touch at this point.
    fn soft_touches(&mut self, _at: &Point, _out: &mut Vec<Touch>) {}

    /// How long a step from an accepted state may be, that would be `h`, so that it is a part of the time that bounces of contacts
    /// that are forces take; endless if nothing bounces or is about to.
    fn longest_step_from(&mut self, _at: &Point, _h: f64, _part: f64) -> f64 {
        f64::INFINITY
    }

    /// How long the step between two points may be, that whatever meets on the way is seen to do so: shorter than it is where
    /// bodies would pass through each other.
    fn longest_step_to(&mut self, _from: &Point, _to: &Point, _part: f64) -> f64 {
        f64::INFINITY
    }
}
