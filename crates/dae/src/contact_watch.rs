//! Follows the contacts of a run for its record.

use crate::contact::Contact;
use crate::contact_forces::ContactForce;
use crate::contact_record::{ContactHistory, ContactState};
use crate::contact_table::{Touch, TouchingContact};
use crate::impact::{Impact, Percussion, Step};
use crate::located::Strike;
use crate::state::State;
use crate::statistics::Audit;
use crate::system::{Component, Level, Point, System};
use crate::vector::max_abs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Approach velocities below this part of all velocities are rounding.
const REST: f64 = 1e-9;

/// The contacts of the last step and what has to be known of those before.
#[derive(Serialize, Deserialize)]
pub(crate) struct ContactWatch {
    pub state: ContactState,
    laws: Vec<Contact>,
    /// What identifies the present contacts.
    keys: Vec<u64>,
    /// What identifies those of the last step.
    seen: Vec<u64>,
    columns: Vec<Column>,
    /// Numbers in the table of contacts, by key.
    numbers: BTreeMap<u64, usize>,
    /// Those of contacts that are forces.
    soft_numbers: BTreeMap<usize, usize>,
    /// Keys of the contacts that were closed before the last step, in order.
    closed: Vec<u64>,
    /// Contacts that closed in the last step.
    closing: Vec<usize>,
    /// Rates of gaps and slips before and after the last step, if impulses acted.
    rates: [Vec<f64>; 2],
    percussion: Percussion,
    /// Impulses of impacts at the start of the last step, and of those since its end, by key.
    struck: BTreeMap<u64, [f64; 3]>,
    coming: BTreeMap<u64, [f64; 3]>,
    /// Impacts of the last step.
    impacts: Vec<Impact>,
    #[serde(skip)]
    scratch: Scratch,
}

/// A contact that has columns.
#[derive(Serialize, Deserialize)]
struct Column {
    key: u64,
    rows: usize,
    /// Where it is in the present list.
    place: Option<usize>,
}

#[derive(Default)]
struct Scratch {
    gaps: Vec<f64>,
    rows: Vec<f64>,
    slips: Vec<f64>,
    touching: Vec<usize>,
    places: Vec<ContactForce>,
    touches: Vec<Touch>,
}

impl ContactWatch {
    pub fn new(system: &dyn System) -> Self {
        let laws = system.contacts().to_vec();
        let keys: Vec<u64> = (0..laws.len()).map(|i| system.contact_key(i)).collect();
        let stays = |i: &usize| system.contact_stays(*i);
        ContactWatch {
            state: ContactState::new(&laws, system.sizes().multipliers()),
            columns: (0..laws.len())
                .filter(stays)
                .map(|i| Column { key: keys[i], rows: laws[i].rows(), place: Some(i) })
                .collect(),
            laws,
            seen: keys.clone(),
            keys,
            numbers: BTreeMap::new(),
            soft_numbers: BTreeMap::new(),
            closed: Vec::new(),
            closing: Vec::new(),
            rates: Default::default(),
            percussion: Percussion::default(),
            struck: BTreeMap::new(),
            coming: BTreeMap::new(),
            impacts: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Gaps of the start.
    pub fn begin(&mut self, system: &mut dyn System, state: &State, audit: &mut Audit) {
        if self.state.gaps.is_empty() {
            return;
        }
        self.find_gaps(system, &state.point());
        self.state.gaps.copy_from_slice(&self.scratch.gaps);
        self.see_penetration(state.t, audit);
    }

    /// Gaps at a point.
    fn find_gaps(&mut self, system: &mut dyn System, at: &Point) {
        let Scratch { rows, gaps, .. } = &mut self.scratch;
        rows.resize(self.state.impulses.len(), 0.0);
        system.contact(Level::Position, at, rows);
        gaps.clear();
        gaps.extend(self.state.first.iter().map(|&row| rows[row]));
    }

    /// The list of contacts has changed.
    pub fn renew(&mut self, system: &dyn System) {
        self.laws.clear();
        self.laws.extend_from_slice(system.contacts());
        self.keys.clear();
        self.keys.extend((0..self.laws.len()).map(|i| system.contact_key(i)));
        for Column { key, place, .. } in &mut self.columns {
            // most often it has not moved
            if place.is_none_or(|place| self.keys.get(place) != Some(key)) {
                *place = self.keys.iter().position(|other| other == key);
            }
        }
    }

    /// Brings what is known of the last step into the order of the present contacts, if the list has changed
    /// since then: those that are new have not touched.
    pub fn catch_up(&mut self, system: &mut dyn System, at: &Point) {
        if self.seen == self.keys {
            return;
        }
        let mut old = std::mem::take(&mut self.state);
        self.state.renew(&self.laws, old.bilateral.len());
        (self.state.h, self.state.late_work) = (old.h, old.late_work);
        std::mem::swap(&mut self.state.jump, &mut old.jump);
        std::mem::swap(&mut self.state.smooth_reactions, &mut old.smooth_reactions);
        std::mem::swap(&mut self.state.bilateral, &mut old.bilateral);
        let before: BTreeMap<u64, usize> = self.seen.iter().copied().zip(0..).collect();
        for (i, (key, law)) in self.keys.iter().zip(&self.laws).enumerate() {
            let Some(&j) = before.get(key) else { continue };
            self.state.closed[i] = old.closed[j];
            let (to, from) = (self.state.first[i], old.first[j]);
            for k in 0..law.rows() {
                self.state.impulses[to + k] = old.impulses[from + k];
                self.state.smooth[to + k] = old.smooth[from + k];
            }
        }
        self.find_gaps(system, at);
        self.state.gaps.copy_from_slice(&self.scratch.gaps);
        self.seen.clone_from(&self.keys);
    }

    /// Takes over the contacts of a step.
    pub fn see(&mut self, state: &ContactState) {
        self.state.copy_from(state);
        self.struck = std::mem::take(&mut self.coming);
        let ContactWatch { closed, closing, keys, seen, .. } = self;
        seen.clone_from(keys);
        let now = (0..state.closed.len()).filter(|&i| state.closed[i]);
        closing.clear();
        closing.extend(now.clone().filter(|&i| closed.binary_search(&keys[i]).is_err()));
        closed.clear();
        closed.extend(now.map(|i| keys[i]));
        closed.sort_unstable();
    }

    /// Work of the impulses of the last step: each with the mean of its rates before and after, which
    /// is exact for a jump of the velocity, and what the forces between did not do for want of a way.
    pub fn work(&mut self, system: &mut dyn System, from: &State, to: &State) -> f64 {
        self.rates.iter_mut().for_each(Vec::clear);
        let impulses = &self.state.impulses;
        if impulses.iter().all(|&impulse| impulse == 0.0) {
            return self.state.late_work;
        }
        let mut work = self.state.late_work;
        for (state, rates) in [from, to].into_iter().zip(&mut self.rates) {
            rates.resize(impulses.len(), 0.0);
            system.contact(Level::Velocity, &state.point(), rates);
            work += 0.5 * impulses.iter().zip(rates).map(|(a, b)| a * *b).sum::<f64>();
        }
        work
    }

    /// Takes in impacts and penetrations of the last step, of which contacts did so much work.
    pub fn audit(&mut self, system: &mut dyn System, to: &State, work: f64, audit: &mut Audit) {
        self.impacts.clear();
        if self.state.closed.is_empty() {
            return;
        }
        self.see_penetration(to.t, audit);
        if self.rates[0].is_empty() {
            return;
        }
        // a contact that takes over from its neighbour does not hit anything, nor does one that closes by
        // rounding and goes on approaching
        let rest = REST * (1.0 + max_abs(&to.v));
        let ([before, after], first) = (&self.rates, &self.state.first);
        self.closing.retain(|&i| {
            let (before, after) = (before[first[i]], after[first[i]]);
            before < -rest && after > 0.5 * before
        });
        if self.closing.is_empty() {
            return;
        }
        let ContactWatch { state, laws, rates, closing, percussion, impacts, .. } = self;
        let step = Step { laws, first: &state.first, impulses: &state.impulses, rates };
        let losses = percussion.losses(system, to, &step, closing);
        let mut expected = state.late_work - work;
        for (&i, loss) in closing.iter().zip(losses) {
            let row = state.first[i];
            let [before, after] = [rates[0][row], rates[1][row]];
            let impulse = state.impulses[row];
            expected += loss.law + 0.5 * impulse * (before + after);
            impacts.push(Impact {
                t: to.t,
                contact: i,
                impulse,
                before,
                after,
                energy: loss.energy,
            });
        }
        audit.impacts += impacts.len();
        let add = |sum: &mut Option<f64>, part: f64| *sum = Some(sum.unwrap_or(0.0) + part);
        add(&mut audit.impact_loss, -work);
        add(&mut audit.impact_expected, expected);
    }

    /// The last step has no row: its impulses belong to the next one.
    pub fn keep_impulses(&mut self) {
        let ContactWatch { state, laws, seen, struck, coming, .. } = self;
        for (key, impulses) in std::mem::take(struck) {
            add_rows(coming.entry(key).or_default(), &impulses);
        }
        for ((key, law), &first) in seen.iter().zip(laws.iter()).zip(&state.first) {
            let impulses = &state.impulses[first..first + law.rows()];
            if impulses[0] != 0.0 {
                add_rows(coming.entry(*key).or_default(), impulses);
            }
        }
    }

    /// Takes in an impact at an instant.
    pub fn strike(
        &mut self,
        system: &dyn System,
        t: f64,
        strike: &Strike,
        hits: impl Fn(usize) -> bool,
        (audit, history): (&mut Audit, &mut ContactHistory),
    ) {
        let (mut taken, mut expected) = (0.0, 0.0);
        for (i, partner) in strike.partners.iter().enumerate() {
            let impulses = &strike.impulses[strike.rows(i)];
            let energy = strike.taken(i);
            let [law, normal] = strike.normal_losses(i);
            taken += energy;
            expected += if hits(i) { energy - normal + law } else { energy };
            let struck = self.coming.entry(self.keys[partner.contact]).or_default();
            add_rows(struck, impulses);
            if !hits(i) {
                continue;
            }
            let contact = self.number(system, partner.contact, history);
            let [before, after] = strike.normal(i);
            history.impacts.push(Impact {
                t,
                contact,
                impulse: impulses[0],
                before,
                after,
                energy,
            });
            audit.impacts += 1;
            audit.impacts_located += 1;
        }
        let add = |sum: &mut Option<f64>, part: f64| *sum = Some(sum.unwrap_or(0.0) + part);
        add(&mut audit.impact_loss, taken);
        add(&mut audit.impact_expected, expected);
    }

    fn see_penetration(&self, t: f64, audit: &mut Audit) {
        let least = self.state.gaps.iter().copied().fold(f64::INFINITY, f64::min);
        let depth = (-least).max(0.0);
        if audit.penetration.is_none_or(|largest| depth > largest) {
            (audit.penetration, audit.penetration_at) = (Some(depth), Some(t));
        }
    }

    /// Takes the impacts of the last step into the record.
    pub fn record_impacts(&mut self, system: &dyn System, history: &mut ContactHistory) {
        for impact in std::mem::take(&mut self.impacts) {
            let contact = self.number(system, impact.contact, history);
            history.impacts.push(Impact { contact, ..impact });
        }
    }

    /// Records the contacts of the last step at its end, or at a point within it.
    pub fn record(
        &mut self,
        system: &mut dyn System,
        at: &Point,
        within: bool,
        history: &mut ContactHistory,
    ) {
        if history.is_empty() {
            if system.soft_contact_count() > 0 {
                self.record_touching(system, at, 0.0, history);
            }
            return;
        }
        if within && !self.state.gaps.is_empty() {
            self.find_gaps(system, at);
        } else {
            self.scratch.gaps.clone_from(&self.state.gaps);
        }
        history.summary.push(&self.state.summary(&self.scratch.gaps));
        let inverse = if self.state.h > 0.0 { 1.0 / self.state.h } else { 0.0 };
        history.smooth_reactions.push(&self.state.smooth_reactions);
        self.record_columns(inverse, history);
        self.record_touching(system, at, inverse, history);
    }

    /// The contacts that stay. One that is not listed now is far away: nothing is known of its gap.
    fn record_columns(&mut self, inverse: f64, history: &mut ContactHistory) {
        let ContactHistory { gap, impulse, force, smooth, .. } = history;
        for Column { key, rows, place } in &self.columns {
            let struck = self.struck.get(key).copied().unwrap_or_default();
            gap.list().push(place.map_or(f64::NAN, |i| self.scratch.gaps[i]));
            for k in 0..*rows {
                let of = |values: &[f64]| place.map_or(0.0, |i| values[self.state.first[i] + k]);
                impulse.list().push(of(&self.state.impulses) + struck[k]);
                force.list().push(inverse * of(&self.state.impulses));
                smooth.list().push(of(&self.state.smooth));
            }
        }
    }

    /// All that touch, with where they do, if the system knows it.
    fn record_touching(
        &mut self,
        system: &mut dyn System,
        at: &Point,
        inverse: f64,
        history: &mut ContactHistory,
    ) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let Scratch { gaps, rows, slips, touching, places, touches } = &mut scratch;
        let ContactState { first, impulses, closed, .. } = &self.state;
        touching.clear();
        places.clear();
        touches.clear();
        if history.touching.most > 0 {
            let acts = |&i: &usize| closed[i] || impulses[first[i]] != 0.0;
            touching.extend((0..closed.len()).filter(acts));
        }
        if !touching.is_empty() {
            rows.clear();
            rows.extend(impulses.iter().map(|impulse| inverse * impulse));
            system.contact_forces(at, touching, rows, places);
            if places.is_empty() {
                let nowhere = [f64::NAN; 3];
                places.resize(
                    touching.len(),
                    ContactForce { body: 0, place: nowhere, force: nowhere },
                );
            }
            slips.resize(impulses.len(), 0.0);
            system.contact(Level::Velocity, at, slips);
        }
        for (k, place) in places.iter().enumerate() {
            let i = touching[k];
            let row = self.state.first[i];
            let tangential = |from: &[f64]| {
                let part = |k: usize| if k < self.laws[i].rows() { from[row + k] } else { 0.0 };
                [part(1), part(2)]
            };
            let (tangential, slip) = (tangential(rows), tangential(slips));
            touches.push(Touch {
                contact: self.number(system, i, history),
                place: place.place,
                gap: gaps[i],
                normal: rows[row],
                tangential,
                slip,
                force: place.force,
            });
        }
        if history.touching.most > 0 && system.soft_contact_count() > 0 {
            let first = touches.len();
            system.soft_touches(at, touches);
            for touch in &mut touches[first..] {
                touch.contact = self.soft_number(system, touch.contact, history);
            }
        }
        history.touching.push(touches);
        self.scratch = scratch;
    }

    /// The number of a contact that is a force in the table of contacts.
    fn soft_number(
        &mut self,
        system: &dyn System,
        contact: usize,
        history: &mut ContactHistory,
    ) -> usize {
        let contacts = &mut history.touching.contacts;
        *self.soft_numbers.entry(contact).or_insert_with(|| {
            contacts.push(system.describe_soft_contact(contact));
            contacts.len() - 1
        })
    }

    /// The number of a present contact in the table of contacts.
    fn number(&mut self, system: &dyn System, i: usize, history: &mut ContactHistory) -> usize {
        let contacts = &mut history.touching.contacts;
        *self.numbers.entry(self.keys[i]).or_insert_with(|| {
            let (bodies, body) = system.contact_bodies(i).unwrap_or_default();
            contacts.push(TouchingContact {
                name: system.name(Component::Contact(i)),
                bodies,
                body,
                soft: false,
            });
            contacts.len() - 1
        })
    }
}

fn add_rows(sum: &mut [f64; 3], impulses: &[f64]) {
    sum.iter_mut().zip(impulses).for_each(|(sum, impulse)| *sum += impulse);
}
