//! A system without those of its constraints that follow from the others.

use super::spread;
use crate::checkpoint::{Reader, Unreadable, Writer};
use crate::contact::{Contact, ContactPatterns};
use crate::contact_forces::ContactForce;
use crate::contact_table::{Touch, TouchingContact};
use crate::system::{
    Component, Energy, Handle, Inputs, Level, Part, Patterns, Point, Sizes, StateWeights,
    Switching, System, Terms, Weights,
};
use rotula_linear::Pattern;

/// Violation of a row left out, relative to the size of the state, that is no longer rounding.
const HOLDS: f64 = 1e-7;

/// A system seen through some of its constraint rows. The rows left out hold by themselves; their
/// multipliers are zero here.
pub(crate) struct Independent<'a> {
    pub(super) inner: Handle<'a>,
    kept: Vec<usize>,
    view: View,
    /// One number per constraint of the inner system.
    all: Vec<f64>,
    multipliers: Vec<f64>,
    /// The worst of the rows left out at the last accepted state, if it does not hold.
    violated: Option<(usize, f64)>,
}

/// Sizes and derivatives as they look without the rows left out.
struct View {
    sizes: Sizes,
    patterns: Patterns,
    constraints: Selection,
    reactions: Option<Selection>,
    auxiliary: Selection,
}

impl View {
    fn new(inner: &dyn System, kept: &[usize]) -> Self {
        let whole = inner.sizes();
        let patterns = inner.patterns();
        let sizes = Sizes {
            holonomic: kept.iter().filter(|&&row| row < whole.holonomic).count(),
            nonholonomic: kept.iter().filter(|&&row| row >= whole.holonomic).count(),
            ..whole
        };
        let mut place = vec![None; whole.multipliers()];
        kept.iter().enumerate().for_each(|(new, &old)| place[old] = Some(new));
        let (m, n, a) = (kept.len(), whole.motion, whole.auxiliary());
        let (constraints, constraint_pattern) =
            Selection::new(&patterns.constraints, (m, n), |i, j| place[i].map(|i| (i, j)));
        let reactions = patterns
            .reactions
            .as_ref()
            .map(|pattern| Selection::new(pattern, (n, m), |i, j| place[j].map(|j| (i, j))));
        let (auxiliary, auxiliary_pattern) =
            Selection::new(&patterns.auxiliary_multipliers, (a, m), |i, j| {
                place[j].map(|j| (i, j))
            });
        let (reactions, reaction_pattern) = reactions.unzip();
        View {
            patterns: Patterns {
                constraints: constraint_pattern,
                reactions: reaction_pattern,
                auxiliary_multipliers: auxiliary_pattern,
                ..patterns
            },
            sizes,
            constraints,
            reactions,
            auxiliary,
        }
    }
}

/// Entries of a pattern that remain, and the values of all of them.
struct Selection {
    entries: Vec<usize>,
    values: Vec<f64>,
}

impl Selection {
    /// Keeps the entries for which `place` knows a new place.
    fn new(
        pattern: &Pattern,
        (rows, cols): (usize, usize),
        place: impl Fn(usize, usize) -> Option<(usize, usize)>,
    ) -> (Self, Pattern) {
        let mut entries = Vec::new();
        let mut kept = Vec::new();
        for (k, (i, j)) in pattern.iter().enumerate() {
            if let Some(at) = place(i, j) {
                entries.push(k);
                kept.push(at);
            }
        }
        // rows and columns keep their order, so the values do too
        let reduced = Pattern::from_entries(rows, cols, &kept);
        (Selection { entries, values: vec![0.0; pattern.entries()] }, reduced)
    }

    fn copy_to(&self, out: &mut [f64]) {
        for (out, &k) in out.iter_mut().zip(&self.entries) {
            *out = self.values[k];
        }
    }
}

impl<'a> Independent<'a> {
    /// Keeps the given rows, which are increasing.
    pub fn new(inner: Handle<'a>, kept: Vec<usize>) -> Self {
        let all = inner.sizes().multipliers();
        let view = View::new(&*inner, &kept);
        let zeros = vec![0.0; all];
        Independent { inner, kept, view, all: zeros.clone(), multipliers: zeros, violated: None }
    }

    /// Keeps other rows from now on.
    pub fn keep(&mut self, kept: Vec<usize>) {
        self.view = View::new(&*self.inner, &kept);
        self.kept = kept;
        self.violated = None;
    }

    /// The rows it is seen through.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// The worst of the rows left out and by how much it is violated, if it does not hold at the last accepted state.
    pub fn violated(&self) -> Option<(usize, f64)> {
        self.violated
    }

    /// The system with all its rows.
    pub fn whole(&mut self) -> &mut (dyn System + 'a) {
        &mut *self.inner
    }

    /// How many rows the whole system has at a level.
    fn rows_at(&self, level: Level) -> usize {
        match level {
            Level::Position => self.inner.sizes().holonomic,
            _ => self.all.len(),
        }
    }

    /// Calls the inner system at the same point with all multipliers.
    pub(super) fn inside<T>(&mut self, at: &Point, f: impl FnOnce(&mut Self, &Point) -> T) -> T {
        let mut multipliers = std::mem::take(&mut self.multipliers);
        spread(&self.kept, at.multipliers, &mut multipliers);
        let result = f(self, &Point { multipliers: &multipliers, ..*at });
        self.multipliers = multipliers;
        result
    }
}

impl System for Independent<'_> {
    fn sizes(&self) -> Sizes {
        self.view.sizes
    }

    fn patterns(&self) -> Patterns {
        self.view.patterns.clone()
    }

    fn name(&self, component: Component) -> String {
        self.inner.name(match component {
            Component::Constraint(i) => Component::Constraint(self.kept[i]),
            other => other,
        })
    }

    fn scale(&self, coordinate: usize) -> f64 {
        self.inner.scale(coordinate)
    }

    fn parts(&self) -> Vec<Part> {
        self.inner.parts()
    }

    fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        self.inner.retract(q, increment, out);
    }

    fn local(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        self.inner.local(q, other, out);
    }

    fn displacement(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        self.inner.displacement(q, other, out);
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.inside(at, |this, at| this.inner.dynamics(at, terms, out));
    }

    fn loads(&mut self, at: &Point, scratch: &mut [f64], out: &mut [f64]) {
        self.inside(at, |this, at| this.inner.loads(at, scratch, out));
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        self.inside(at, |this, at| this.inner.tangent(at, weights, terms, values));
    }

    fn reactions(&mut self, at: &Point, values: &mut [f64]) {
        self.inside(at, |this, at| {
            if let Some(selection) = &mut this.view.reactions {
                this.inner.reactions(at, &mut selection.values);
                selection.copy_to(values);
            }
        });
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.inside(at, |this, at| {
            let count = this.rows_at(level);
            this.inner.constraint(level, at, &mut this.all[..count]);
            out.iter_mut().zip(&this.kept).for_each(|(out, &row)| *out = this.all[row]);
        });
    }

    fn balance(&mut self, level: Level, at: &Point, dynamics: &mut [f64], rows: &mut [f64]) {
        self.inside(at, |this, at| {
            let count = this.rows_at(level);
            this.inner.balance(level, at, dynamics, &mut this.all[..count]);
            rows.iter_mut().zip(&this.kept).for_each(|(out, &row)| *out = this.all[row]);
        });
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.inside(at, |this, at| {
            this.inner.constraint_gradient(at, &mut this.view.constraints.values);
            this.view.constraints.copy_to(values);
        });
    }

    fn constraint_tangent(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        self.inside(at, |this, at| {
            this.inner.constraint_tangent(level, at, weights, &mut this.view.constraints.values);
            this.view.constraints.copy_to(values);
        });
    }

    fn auxiliary(&mut self, at: &Point, out: &mut [f64]) {
        self.inside(at, |this, at| this.inner.auxiliary(at, out));
    }

    fn auxiliary_rows(&mut self, at: &Point, rows: &[usize], out: &mut [f64]) {
        self.inside(at, |this, at| this.inner.auxiliary_rows(at, rows, out));
    }

    fn auxiliary_tangent(
        &mut self,
        at: &Point,
        weights: Weights,
        states: StateWeights,
        motion: &mut [f64],
        multipliers: &mut [f64],
        auxiliary: &mut [f64],
    ) {
        self.inside(at, |this, at| {
            let all = &mut this.view.auxiliary.values;
            this.inner.auxiliary_tangent(at, weights, states, motion, all, auxiliary);
            this.view.auxiliary.copy_to(multipliers);
        });
    }

    fn dynamics_auxiliary(&mut self, at: &Point, states: StateWeights, values: &mut [f64]) {
        self.inside(at, |this, at| this.inner.dynamics_auxiliary(at, states, values));
    }

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

    fn energy(&mut self, at: &Point) -> Option<Energy> {
        self.inside(at, |this, at| this.inner.energy(at))
    }

    fn is_conservative(&self) -> bool {
        self.inner.is_conservative()
    }

    fn power(&mut self, at: &Point) -> Option<f64> {
        self.inside(at, |this, at| this.inner.power(at))
    }

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

    fn save(&self, out: &mut Writer) {
        self.inner.save(out);
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        self.inner.load(from)
    }

    fn inputs(&mut self) -> Option<&mut dyn Inputs> {
        self.inner.inputs()
    }

    fn discontinuities(&self) -> &[f64] {
        self.inner.discontinuities()
    }

    fn switching(&mut self) -> Option<&mut dyn Switching> {
        self.inner.switching()?;
        Some(self)
    }

    fn explain_change(&mut self, from: &Point, to: &Point) -> Vec<String> {
        let mut multipliers = vec![0.0; self.multipliers.len()];
        spread(&self.kept, from.multipliers, &mut multipliers);
        self.inside(to, |this, to| {
            this.inner.explain_change(&Point { multipliers: &multipliers, ..*from }, to)
        })
    }

    fn carried(&self, at: &Point, reference: usize, out: &mut [f64]) -> bool {
        self.inner.carried(at, reference, out)
    }

    fn twist_of(&self, at: &Point, reference: usize) -> Option<[f64; 6]> {
        self.inner.twist_of(at, reference)
    }

    fn swept(&self, q: &[f64], twist: &[f64; 6], v: &mut [f64], vdot: &mut [f64]) -> bool {
        self.inner.swept(q, twist, v, vdot)
    }

    fn swept_tangent(
        &self,
        q: &[f64],
        twist: &[f64; 6],
        entry: &mut dyn FnMut(usize, usize, [f64; 2]),
    ) -> bool {
        self.inner.swept_tangent(q, twist, entry)
    }

    fn swept_on(&self, q: &[f64], twist: &[f64; 6], duration: f64, out: &mut [f64]) -> bool {
        self.inner.swept_on(q, twist, duration, out)
    }

    fn fastest_turn(&self, v: &[f64]) -> Option<(usize, f64)> {
        self.inner.fastest_turn(v)
    }

    fn explain_not_finite(&mut self, at: &Point) -> Option<String> {
        self.inside(at, |this, at| this.inner.explain_not_finite(at))
    }
}
