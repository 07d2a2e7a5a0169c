//! What is recorded of contacts: gaps, impulses, forces, and the energy that impacts take.

use crate::contact::{Contact, contact_rows};
use crate::contact_forces::{ContactForce, ContactForces};
use crate::state::State;
use crate::system::{Component, Level, Point, System};
use crate::trajectory::Table;
use crate::vector::anew;
use serde::{Deserialize, Serialize};

/// Gaps and impulses of one step, as the scheme found them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ContactState {
    /// Step size.
    pub h: f64,
    /// Gaps at the end of the step, by contact.
    pub gaps: Vec<f64>,
    /// Total impulses `Λ*` of the step, by contact row.
    pub impulses: Vec<f64>,
    /// Smooth reactions `λ̃` at the end of the step, by contact row.
    pub smooth: Vec<f64>,
    /// Total impulses of the bilateral constraints.
    pub bilateral: Vec<f64>,
    /// The part of the change of velocity that takes no way, `w = 2(v̄ − Δq/h)`: none where positions follow the
    /// mean `v̄` of the velocities.
    pub jump: Vec<f64>,
    /// Work of the forces of the step on the way `½hw` that was not gone: the impulses took it.
    pub late_work: f64,
    /// Contacts that are closed at velocity level.
    pub closed: Vec<bool>,
    /// First row of each contact.
    first: Vec<usize>,
}

impl ContactState {
    pub fn new(laws: &[Contact], multipliers: usize) -> Self {
        let mut state = ContactState::default();
        state.renew(laws, multipliers);
        state
    }

    /// Forgets everything and makes room for a list of contacts.
    pub fn renew(&mut self, laws: &[Contact], multipliers: usize) {
        let rows = contact_rows(laws);
        (self.h, self.late_work) = (0.0, 0.0);
        self.jump.clear();
        anew(&mut self.gaps, laws.len(), 0.0);
        anew(&mut self.impulses, rows, 0.0);
        anew(&mut self.smooth, rows, 0.0);
        anew(&mut self.bilateral, multipliers, 0.0);
        anew(&mut self.closed, laws.len(), false);
        self.first.clear();
        let mut next = 0;
        for law in laws {
            self.first.push(next);
            next += law.rows();
        }
    }

    /// Takes over another state; allocates only if the list of contacts has grown.
    fn copy_from(&mut self, other: &ContactState) {
        fn copy<T: Copy>(to: &mut Vec<T>, from: &[T]) {
            to.clear();
            to.extend_from_slice(from);
        }
        (self.h, self.late_work) = (other.h, other.late_work);
        copy(&mut self.jump, &other.jump);
        copy(&mut self.gaps, &other.gaps);
        copy(&mut self.impulses, &other.impulses);
        copy(&mut self.smooth, &other.smooth);
        copy(&mut self.bilateral, &other.bilateral);
        copy(&mut self.closed, &other.closed);
        copy(&mut self.first, &other.first);
    }

    /// Closed contacts, sum of the normal forces, smallest gap.
    fn summary(&self) -> [f64; 3] {
        let closed = self.closed.iter().filter(|&&closed| closed).count() as f64;
        let impulse: f64 = self.first.iter().map(|&row| self.impulses[row]).sum();
        let force = if self.h > 0.0 { impulse / self.h } else { 0.0 };
        [closed, force, self.gaps.iter().copied().fold(f64::NAN, f64::min)]
    }
}

/// A step in which a contact closed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Impact {
    /// End of the step.
    pub t: f64,
    /// Number of contacts that closed in it.
    pub contacts: usize,
    /// Sum of the normal impulses of the step.
    pub impulse: f64,
    /// Mechanical energy that the step took (beside the work of loads), if the system knows it.
    pub energy: Option<f64>,
}

/// Contacts of a run at its output times. The tables by contact are kept while the list of contacts
/// stays the same; the summary always.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactHistory {
    /// Names of the contacts.
    pub names: Vec<String>,
    /// Names of the contact rows: normal, then tangential directions.
    pub rows: Vec<String>,
    /// Gaps.
    pub gap: Table,
    /// Total impulse of the step that ends at, or contains, the output time, by contact row.
    pub impulse: Table,
    /// That impulse divided by the step: the contact force.
    pub force: Table,
    /// Smooth part of the contact force.
    pub smooth: Table,
    /// Total impulse of each bilateral constraint divided by the step: its reaction with impacts.
    pub reactions: Table,
    /// Number of closed contacts, sum of the normal forces, smallest gap.
    pub summary: Table,
    /// Steps in which contacts closed.
    pub impacts: Vec<Impact>,
    /// The list of contacts has changed on the way, so that there are no tables by contact.
    pub varying: bool,
    /// The strongest forces at each time, of systems whose list of contacts may change.
    pub forces: ContactForces,
}

impl ContactHistory {
    /// An empty history for a system, without tables if it has no contacts.
    pub fn new(system: &dyn System) -> Self {
        let laws = system.contacts();
        if laws.is_empty() {
            return ContactHistory::default();
        }
        let names: Vec<String> =
            (0..laws.len()).map(|i| system.name(Component::Contact(i))).collect();
        let mut rows = Vec::new();
        for (name, law) in names.iter().zip(laws) {
            rows.push(name.clone());
            rows.extend((0..law.directions).map(|k| format!("{name} slip {}", k + 1)));
        }
        let (k, c) = (laws.len(), rows.len());
        ContactHistory {
            names,
            rows,
            gap: Table::new(k),
            impulse: Table::new(c),
            force: Table::new(c),
            smooth: Table::new(c),
            reactions: Table::new(system.sizes().multipliers()),
            summary: Table::new(3),
            impacts: Vec::new(),
            varying: false,
            forces: ContactForces::default(),
        }
    }

    /// True if the system had no contacts.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.varying
    }

    /// Makes room for rows to come.
    pub(crate) fn reserve(&mut self, rows: usize) {
        for table in self.tables() {
            table.reserve(rows);
        }
        self.summary.reserve(rows);
        self.impacts.reserve(256);
    }

    fn tables(&mut self) -> [&mut Table; 5] {
        let ContactHistory { gap, impulse, force, smooth, reactions, .. } = self;
        [gap, impulse, force, smooth, reactions]
    }

    /// Records the contacts of a step, and the forces with which they push.
    pub(crate) fn push(&mut self, state: &ContactState, forces: &mut [ContactForce]) {
        if self.summary.width() == 0 {
            return;
        }
        self.summary.push(&state.summary());
        self.forces.push_strongest(forces);
        if self.varying {
            return;
        }
        let inverse = if state.h > 0.0 { 1.0 / state.h } else { 0.0 };
        self.gap.push(&state.gaps);
        self.impulse.push(&state.impulses);
        self.force.push_scaled(&state.impulses, inverse);
        self.smooth.push(&state.smooth);
        self.reactions.push_scaled(&state.bilateral, inverse);
    }

    /// The list of contacts has changed; so many rows have been recorded before.
    pub(crate) fn changed(&mut self, rows: usize) {
        if self.varying {
            return;
        }
        self.varying = true;
        if self.summary.width() == 0 {
            // There was nothing to be recorded so far.
            self.summary = Table::new(3);
            (0..rows).for_each(|_| self.summary.push(&[0.0, 0.0, f64::NAN]));
            (0..rows).for_each(|_| self.forces.push(&[]));
        }
        for table in self.tables() {
            *table = Table::new(0);
        }
    }

    /// Continues with what came after: `before` rows are here already, and the first `skip` rows of it
    /// repeat the last ones here.
    pub(crate) fn append(&mut self, later: ContactHistory, before: usize, skip: usize) {
        if later.varying {
            self.changed(before);
        }
        let copy = |to: &mut Table, from: &Table| {
            let rows = from.values().len() / from.width().max(1);
            (skip..rows).for_each(|i| to.push(from.row(i)));
        };
        copy(&mut self.summary, &later.summary);
        if !self.varying {
            copy(&mut self.gap, &later.gap);
            copy(&mut self.impulse, &later.impulse);
            copy(&mut self.force, &later.force);
            copy(&mut self.smooth, &later.smooth);
            copy(&mut self.reactions, &later.reactions);
        }
        (skip..later.forces.times()).for_each(|i| self.forces.push(later.forces.at(i)));
        self.impacts.extend(later.impacts);
    }
}

/// Follows the contacts of a run for its record.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct ContactWatch {
    pub state: ContactState,
    before: Vec<bool>,
    rates: Vec<f64>,
    /// Contacts that closed in the last step.
    pub closing: usize,
    /// Forces to be recorded.
    #[serde(skip)]
    forces: Vec<ContactForce>,
}

impl ContactWatch {
    pub fn new(system: &dyn System) -> Self {
        let state = ContactState::new(system.contacts(), system.sizes().multipliers());
        let rates = vec![0.0; state.impulses.len()];
        let before = state.closed.clone();
        ContactWatch { before, rates, state, closing: 0, forces: Vec::new() }
    }

    /// Gaps of the start.
    pub fn begin(&mut self, system: &mut dyn System, state: &State) {
        if self.state.gaps.is_empty() {
            return;
        }
        let mut rows = vec![0.0; self.state.impulses.len()];
        system.contact(Level::Position, &state.point(), &mut rows);
        for (gap, &row) in self.state.gaps.iter_mut().zip(&self.state.first) {
            *gap = rows[row];
        }
    }

    /// Takes over the contacts of a step.
    pub fn see(&mut self, state: &ContactState) {
        self.state.copy_from(state);
        let known = self.before.len() == state.closed.len();
        let closing = |i: usize| state.closed[i] && !(known && self.before[i]);
        self.closing = (0..state.closed.len()).filter(|&i| closing(i)).count();
        self.before.clear();
        self.before.extend_from_slice(&state.closed);
    }

    /// Work of the impulses of the last step: each with the mean of its rates before and after, which
    /// is exact for a jump of the velocity, and what the forces between did not do for want of a way.
    pub fn work(&mut self, system: &mut dyn System, from: &State, to: &State) -> f64 {
        if self.state.impulses.iter().all(|&impulse| impulse == 0.0) {
            return self.state.late_work;
        }
        self.rates.resize(self.state.impulses.len(), 0.0);
        let mut work = self.state.late_work;
        for state in [from, to] {
            system.contact(Level::Velocity, &state.point(), &mut self.rates);
            let products = self.state.impulses.iter().zip(&self.rates).map(|(a, b)| a * b);
            work += 0.5 * products.sum::<f64>();
        }
        work
    }

    /// Records the contacts of the last step at a point in it.
    pub fn record(&mut self, system: &mut dyn System, at: &Point, history: &mut ContactHistory) {
        self.forces.clear();
        if self.state.h > 0.0 && self.state.impulses.iter().any(|&impulse| impulse != 0.0) {
            let inverse = 1.0 / self.state.h;
            self.rates.clear();
            self.rates.extend(self.state.impulses.iter().map(|impulse| inverse * impulse));
            system.contact_forces(at, &self.rates, &mut self.forces);
        }
        history.push(&self.state, &mut self.forces);
    }

    /// Sum of the normal impulses of the last step.
    pub fn impulse(&self) -> f64 {
        self.state.first.iter().map(|&row| self.state.impulses[row]).sum()
    }
}
