//! What is recorded of contacts: columns of those that stay, a long table of all that touch, and impacts.

use crate::contact::{Contact, contact_rows};
use crate::contact_table::ContactTable;
use crate::impact::Impact;
use crate::system::{Component, System};
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
    /// Smooth reactions of the bilateral constraints at the end of the step.
    pub smooth_reactions: Vec<f64>,
    /// Total impulses of the bilateral constraints.
    pub bilateral: Vec<f64>,
    /// The part of the change of velocity that takes no way, `w = 2(v̄ − Δq/h)`: none where positions follow the
    /// mean `v̄` of the velocities.
    pub jump: Vec<f64>,
    /// Work of the forces of the step on the way `½hw` that was not gone: the impulses took it. Also that of a way that
    /// took overlaps back.
    pub late_work: f64,
    /// Contacts that are closed at velocity level.
    pub closed: Vec<bool>,
    /// First row of each contact.
    pub first: Vec<usize>,
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
        anew(&mut self.smooth_reactions, multipliers, 0.0);
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
    pub fn copy_from(&mut self, other: &ContactState) {
        fn copy<T: Copy>(to: &mut Vec<T>, from: &[T]) {
            to.clear();
            to.extend_from_slice(from);
        }
        (self.h, self.late_work) = (other.h, other.late_work);
        copy(&mut self.jump, &other.jump);
        copy(&mut self.gaps, &other.gaps);
        copy(&mut self.impulses, &other.impulses);
        copy(&mut self.smooth, &other.smooth);
        copy(&mut self.smooth_reactions, &other.smooth_reactions);
        copy(&mut self.bilateral, &other.bilateral);
        copy(&mut self.closed, &other.closed);
        copy(&mut self.first, &other.first);
    }

    /// Closed contacts, sum of the normal forces, smallest of these gaps.
    pub fn summary(&self, gaps: &[f64]) -> [f64; 3] {
        let closed = self.closed.iter().filter(|&&closed| closed).count() as f64;
        let impulse: f64 = self.first.iter().map(|&row| self.impulses[row]).sum();
        let force = if self.h > 0.0 { impulse / self.h } else { 0.0 };
        [closed, force, gaps.iter().copied().fold(f64::NAN, f64::min)]
    }
}

/// Contacts of a run at its output times.
///
/// Contacts that stay have columns. Those that come and go have none: their list changes on the way. The
/// long table holds both while they touch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactHistory {
    /// Names of the contacts that stay.
    pub names: Vec<String>,
    /// Names of their rows: normal, then tangential directions.
    pub rows: Vec<String>,
    /// Gaps.
    pub gap: Table,
    /// Total impulse of the step that ends at, or contains, the output time, by contact row.
    pub impulse: Table,
    /// That impulse divided by the step: the contact force.
    pub force: Table,
    /// Smooth part of the contact force.
    pub smooth: Table,
    /// Smooth part of the reaction of each bilateral constraint; the recorded multipliers are the whole.
    pub smooth_reactions: Table,
    /// Number of closed contacts, sum of the normal forces, smallest gap.
    pub summary: Table,
    /// Impacts.
    pub impacts: Vec<Impact>,
    /// All contacts that touch, time by time.
    pub touching: ContactTable,
}

impl ContactHistory {
    /// An empty history for a system, without tables if it has no contacts.
    pub fn new(system: &dyn System) -> Self {
        let laws = system.contacts();
        if laws.is_empty() {
            return ContactHistory::default();
        }
        let (mut names, mut rows) = (Vec::new(), Vec::new());
        for (i, law) in laws.iter().enumerate().filter(|(i, _)| system.contact_stays(*i)) {
            let name = system.name(Component::Contact(i));
            rows.push(name.clone());
            rows.extend((0..law.directions).map(|k| format!("{name} slip {}", k + 1)));
            names.push(name);
        }
        let (k, c) = (names.len(), rows.len());
        ContactHistory {
            names,
            rows,
            gap: Table::new(k),
            impulse: Table::new(c),
            force: Table::new(c),
            smooth: Table::new(c),
            smooth_reactions: Table::new(system.sizes().multipliers()),
            summary: Table::new(3),
            impacts: Vec::new(),
            touching: ContactTable::default(),
        }
    }

    /// True if the system had no rigid contacts.
    pub fn is_empty(&self) -> bool {
        self.summary.width() == 0
    }

    /// Makes room for rows to come.
    pub(crate) fn reserve(&mut self, rows: usize) {
        for table in self.tables() {
            table.reserve(rows);
        }
        self.impacts.reserve(256);
    }

    pub(crate) fn tables(&mut self) -> [&mut Table; 6] {
        let ContactHistory { gap, impulse, force, smooth, smooth_reactions, summary, .. } = self;
        [gap, impulse, force, smooth, smooth_reactions, summary]
    }

    /// A list that was empty so far holds contacts; so many rows have been recorded before.
    pub(crate) fn appear(&mut self, rows: usize, multipliers: usize) {
        if !self.is_empty() {
            return;
        }
        self.summary = Table::new(3);
        self.smooth_reactions = Table::new(multipliers);
        for _ in 0..rows {
            self.summary.push(&[0.0, 0.0, f64::NAN]);
            self.smooth_reactions.push(&vec![0.0; multipliers]);
        }
        self.touching.reach(rows);
    }

    /// Continues with what came after: `before` rows are here already, and the first `skip` rows of it
    /// repeat the last ones here.
    pub(crate) fn append(&mut self, mut later: ContactHistory, before: usize, skip: usize) {
        let rows = later.touching.times();
        if !later.is_empty() {
            self.appear(before, later.smooth_reactions.width());
            for (to, from) in self.tables().into_iter().zip(later.tables()) {
                (skip..rows).for_each(|i| to.push(from.row(i)));
            }
        }
        if rows > 0 {
            self.touching.reach(before);
            self.touching.append(&later.touching, skip);
        }
        for impact in later.impacts {
            let contact = self.touching.number(&later.touching.contacts[impact.contact]);
            self.impacts.push(Impact { contact, ..impact });
        }
    }
}
