//! What else the inner system knows, asked with all its multipliers.

use super::{Independent, spread};
use crate::checkpoint::{Reader, Unreadable, Writer};
use crate::contact::{Contact, ContactPatterns};
use crate::contact_forces::ContactForce;
use crate::contact_table::{Touch, TouchingContact};
use crate::diagnosis::Sentence;
use crate::system::{
    AuxiliaryRows, Component, Contacts, Description, Energetics, Energy, Events, Explanation,
    ForwardDynamics, History, Level, Part, Point, Weights,
};
use rotula_linear::Pattern;

/// Violation of a row left out, relative to the size of the state, that is no longer rounding.
const HOLDS: f64 = 1e-7;

impl Description for Independent<'_> {
    fn name(&self, component: Component) -> String {
        self.inner.name(match component {
            Component::Constraint(i) => Component::Constraint(self.kept[i]),
            other => other,
        })
    }

    fn scale(&self, coordinate: usize) -> f64 {
        self.inner.scale(coordinate)
    }

    fn scales_grow(&self) -> bool {
        self.inner.scales_grow()
    }

    fn parts(&self) -> Option<Vec<Part>> {
        Some(self.inner.parts())
    }

    fn displacement(&self, q: &[f64], other: &[f64], out: &mut [f64]) -> bool {
        self.inner.displacement(q, other, out);
        true
    }

    fn fastest_turn(&self, v: &[f64]) -> Option<(usize, f64)> {
        self.inner.fastest_turn(v)
    }
}

impl Explanation for Independent<'_> {
    fn explain_change(&mut self, from: &Point, to: &Point) -> Vec<Sentence> {
        let mut multipliers = vec![0.0; self.multipliers.len()];
        spread(&self.kept, from.multipliers, &mut multipliers);
        self.inside(to, |this, to| {
            this.inner.explain_change(&Point { multipliers: &multipliers, ..*from }, to)
        })
    }

    fn explain_not_finite(&mut self, at: &Point) -> Option<Sentence> {
        self.inside(at, |this, at| this.inner.explain_not_finite(at))
    }
}

impl Contacts for Independent<'_> {
    fn contacts(&self) -> &[Contact] {
        self.inner.contacts()
    }

    fn contact_key(&self, contact: usize) -> u64 {
        self.inner.contact_key(contact)
    }

    fn renew_contacts(&mut self, at: &Point, horizon: f64) -> bool {
        self.inside(at, |this, at| this.inner.renew_contacts(at, horizon))
    }

    fn contact_row_pattern(&self) -> Pattern {
        self.inner.contact_row_pattern()
    }

    fn contact_patterns(&self) -> ContactPatterns {
        self.inner.contact_patterns()
    }

    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.inside(at, |this, at| this.inner.contact(level, at, out));
    }

    fn contact_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.inside(at, |this, at| this.inner.contact_gradient(at, values));
    }

    fn contact_tangent(&mut self, level: Level, at: &Point, weights: Weights, values: &mut [f64]) {
        self.inside(at, |this, at| this.inner.contact_tangent(level, at, weights, values));
    }

    fn contact_tangent_of(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        wanted: &[bool],
        values: &mut [f64],
    ) {
        self.inside(at, |this, at| {
            this.inner.contact_tangent_of(level, at, weights, wanted, values);
        });
    }

    fn contact_curvature(&mut self, at: &Point, forces: &[f64], values: &mut [f64]) {
        self.inside(at, |this, at| this.inner.contact_curvature(at, forces, values));
    }

    fn contact_stays(&self, contact: usize) -> bool {
        self.inner.contact_stays(contact)
    }

    fn contact_bodies(&self, contact: usize) -> Option<([String; 2], usize)> {
        self.inner.contact_bodies(contact)
    }

    fn contact_forces(
        &mut self,
        at: &Point,
        contacts: &[usize],
        rows: &[f64],
        out: &mut Vec<ContactForce>,
    ) {
        self.inside(at, |this, at| this.inner.contact_forces(at, contacts, rows, out));
    }

    fn soft_contact_count(&self) -> usize {
        self.inner.soft_contact_count()
    }

    fn describe_soft_contact(&self, contact: usize) -> TouchingContact {
        self.inner.describe_soft_contact(contact)
    }

    fn soft_touches(&mut self, at: &Point, out: &mut Vec<Touch>) {
        self.inside(at, |this, at| this.inner.soft_touches(at, out));
    }

    fn longest_step_from(&mut self, at: &Point, h: f64, part: f64) -> f64 {
        self.inside(at, |this, at| this.inner.longest_step_from(at, h, part))
    }

    fn longest_step_to(&mut self, from: &Point, to: &Point, part: f64) -> f64 {
        // reactions have no part in where bodies are
        self.inner.longest_step_to(from, to, part)
    }
}

impl Energetics for Independent<'_> {
    fn loads(&mut self, at: &Point, scratch: &mut [f64], out: &mut [f64]) {
        self.inside(at, |this, at| this.inner.loads(at, scratch, out));
    }

    fn energy(&mut self, at: &Point) -> Option<Energy> {
        self.inside(at, |this, at| this.inner.energy(at))
    }

    fn is_conservative(&mut self) -> bool {
        self.inner.is_conservative()
    }

    fn power(&mut self, at: &Point) -> Option<f64> {
        self.inside(at, |this, at| this.inner.power(at))
    }
}

impl History for Independent<'_> {
    fn accepted(&mut self, at: &Point) {
        self.inside(at, |this, at| {
            this.inner.accepted(at);
            let holonomic = this.inner.sizes().holonomic;
            // what holds at the start of a step must hold at its end: position level for holonomic
            // rows, velocity level for the others
            this.inner.constraint(Level::Velocity, at, &mut this.all);
            this.inner.constraint(Level::Position, at, &mut this.all[..holonomic]);
            let kept = |row: &usize| this.kept.binary_search(row).is_ok();
            let worst = (0..this.all.len())
                .filter(|row| !kept(row))
                .max_by(|a, b| this.all[*a].abs().total_cmp(&this.all[*b].abs()));
            let scale = 1.0 + crate::vector::max_abs(at.q).max(crate::vector::max_abs(at.v));
            let bad = worst.map(|row| (row, this.all[row].abs()));
            this.violated = bad.filter(|(_, size)| *size > HOLDS * scale);
        });
    }

    fn save(&mut self, out: &mut Writer) {
        self.inner.save(out);
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        self.inner.load(from)
    }
}

impl Independent<'_> {
    /// Calls the inner system's recursion with rows by their numbers there.
    fn with_rows(
        &mut self,
        at: &Point,
        rows: &[usize],
        ask: impl FnOnce(&mut dyn ForwardDynamics, &Point, &[usize]) -> bool,
    ) -> bool {
        let mut own = std::mem::take(&mut self.inner_rows);
        own.clear();
        own.extend(rows.iter().map(|&row| self.kept[row]));
        let done = self.inside(at, |this, at| {
            this.inner.as_forward_dynamics().is_some_and(|facet| ask(facet, at, &own))
        });
        self.inner_rows = own;
        done
    }
}

impl ForwardDynamics for Independent<'_> {
    fn accelerations(
        &mut self,
        at: &Point,
        rows: &[usize],
        vdot: &mut [f64],
        multipliers: &mut [f64],
    ) -> bool {
        self.with_rows(at, rows, |inner, at, rows| inner.accelerations(at, rows, vdot, multipliers))
    }

    fn correction(&mut self, at: &Point, rows: &[usize], wanted: &[f64], out: &mut [f64]) -> bool {
        self.with_rows(at, rows, |inner, at, rows| inner.correction(at, rows, wanted, out))
    }
}

impl Events for Independent<'_> {
    fn begin(&mut self, t: f64) {
        self.inner.begin_events(t);
    }

    fn next_instant(&mut self) -> f64 {
        self.inner.next_instant()
    }

    fn sample(&mut self, at: &Point) {
        self.inside(at, |this, at| this.inner.sample(at));
    }

    fn conditions(&mut self, at: &Point, out: &mut Vec<f64>) {
        self.inside(at, |this, at| this.inner.conditions(at, out));
    }

    fn waits_for(&mut self, condition: usize) -> bool {
        self.inner.waits_for(condition)
    }

    fn rise(&mut self, condition: usize) {
        self.inner.rise(condition);
    }

    fn let_go(&mut self, condition: usize) -> bool {
        self.inner.let_go(condition)
    }

    fn condition_name(&mut self, condition: usize) -> String {
        self.inner.condition_name(condition)
    }
}

impl AuxiliaryRows for Independent<'_> {
    fn auxiliary_rows(&mut self, at: &Point, rows: &[usize], out: &mut [f64]) {
        self.inside(at, |this, at| this.inner.auxiliary_rows(at, rows, out));
    }
}
