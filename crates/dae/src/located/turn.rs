//! The step that ends where a closed contact opens, slips or sticks: forces change there, and a step across would be of first order.
//!
//! ```text
//! attempt a step; a contact that was closed does something else at its end
//! attempt shorter steps, until one ends just before the change
//! accept; the motion starts afresh, with the reactions that fit the accelerations there
//! ```

use super::lengths;
use crate::consistency::solve_accelerations;
use crate::diagnosis::Diagnosis;
use crate::march::March;
use crate::newton::Trouble;
use crate::settings::StepControl;
use crate::step::Effort;
use crate::system::System;

/// Most attempts at a step that ends at a change.
const MOST_TRIALS: usize = 40;
/// How closely the instant is found, as a part of the usual step and of the tolerance.
const RESOLVED: f64 = 1e-9;
const PART: f64 = 1e-3;
/// Changes within a usual step that are found, before steps pass over them until its end.
const MOST: usize = 8;

/// How far a contact that was closed is from doing something else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Margins {
    pub contact: usize,
    /// Its normal force in the smooth motion.
    pub pressing: f64,
    /// Its speed if it slips, else what is left of the limit of friction.
    pub friction: f64,
    pub slips: bool,
    /// What it does at the end of the attempt.
    pub opens: bool,
    pub turns: bool,
}

impl Margins {
    fn changes(&self) -> bool {
        self.opens || self.turns
    }

    /// The margin that decides about the change of another attempt.
    fn of(&self, change: &Margins) -> f64 {
        if change.opens { self.pressing } else { self.friction }
    }
}

impl March {
    /// Looks for changes of closed contacts in the step that was attempted, and replaces it by a shorter one if there are such.
    pub(crate) fn cut_at_change(
        &mut self,
        system: &mut dyn System,
        h: f64,
    ) -> Result<Option<(f64, Effort)>, Trouble> {
        self.located.changed = None;
        let now = self.waiting().is_some_and(|waiting| waiting.now());
        if !now || !self.may_change() {
            return Ok(None);
        }
        let mut changes = self.changes(system);
        if changes.is_empty() {
            return Ok(None);
        }
        let usual = self.control.usual(h);
        let fine = match &self.settings.control {
            StepControl::Tolerance(control) => (PART * control.tolerance).max(RESOLVED) * usual,
            StepControl::Fixed { .. } | StepControl::Repeated { .. } => RESOLVED * usual,
        };
        let start = self.step.impacts().map(|impacts| impacts.margins_before(system, &self.state));
        let mut known = vec![(0.0, start.unwrap_or_default())];
        let (mut low, mut high, mut attempted) = (0.0, h, h);
        let mut effort = Effort::default();
        for trial in 0..MOST_TRIALS {
            if high - low <= fine {
                break;
            }
            let line = estimate(&known, &changes).filter(|_| trial % 3 < 2);
            let aim = line.filter(|at| *at > low && *at < high).unwrap_or(0.5 * (low + high));
            attempted = aim.clamp(low + 0.5 * fine, high - 0.5 * fine);
            effort = effort.then(self.attempt(system, attempted)?);
            let found = self.changes(system);
            if found.is_empty() {
                low = attempted;
                let margins = self.step.impacts().map(|impacts| impacts.margins_after());
                known.push((low, margins.unwrap_or_default()));
            } else {
                (high, changes) = (attempted, found);
            }
        }
        if low <= fine {
            // it begins here: nothing is gained by a shorter step
            self.located.last_change = Some(self.state.t);
            return Ok(Some((h, effort.then(self.attempt(system, h)?))));
        }
        if attempted != low {
            effort = effort.then(self.attempt(system, low)?);
        }
        let stopped = changes.iter().filter(|margins| margins.turns && margins.slips);
        let key = |margins: &Margins| system.contact_key(margins.contact);
        self.located.changed = Some(stopped.map(key).collect());
        Ok(Some((low, effort)))
    }

    /// Whether a change at the present state would be a new one, and not one of too many.
    fn may_change(&mut self) -> bool {
        let t = self.state.t;
        if self.located.last_change == Some(t) {
            return false;
        }
        if t > self.located.changes_until {
            (self.located.changes_until, self.located.changes) = (t + self.control.usual(0.0), 0);
        }
        self.located.changes < MOST
    }

    /// Contacts that change by more than rounding in the step that was attempted.
    fn changes(&mut self, system: &mut dyn System) -> Vec<Margins> {
        let Some(impacts) = self.step.impacts() else { return Vec::new() };
        let mut changes = impacts.margins_after();
        changes.retain(Margins::changes);
        if changes.is_empty() {
            return changes;
        }
        let before = impacts.margins_before(system, &self.state);
        let lengths = lengths(system, &self.next.point(), &self.weights);
        let (_, slow) = self.resolution();
        // what hardly slips sticks and slips as rounding has it
        changes.retain(|change| {
            let was = before.iter().find(|margins| margins.contact == change.contact);
            let speed = was.filter(|was| was.slips).map_or(f64::INFINITY, |was| was.friction);
            change.opens || speed > slow * lengths[change.contact]
        });
        changes
    }

    /// Starts afresh where a closed contact changes, if it does so at the present state.
    pub(crate) fn begin_change(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        let Some(stopped) = self.located.changed.take() else { return Ok(()) };
        self.located.last_change = Some(self.state.t);
        self.located.changes += 1;
        let Some(waiting) = self.waiting_mut() else { return Ok(()) };
        let pressed: Vec<bool> = waiting.open.iter().map(|open| !open).collect();
        let stops = |&i: &usize| stopped.contains(&system.contact_key(i));
        waiting.stop((0..pressed.len()).filter(stops).collect());
        solve_accelerations(system, &mut self.state, &mut self.recorder.underlying)?;
        self.start_pressed(system, pressed)
    }
}

/// Where the first margin falls to zero by the lines through the last two attempts without a change.
fn estimate(known: &[(f64, Vec<Margins>)], changes: &[Margins]) -> Option<f64> {
    let [.., (from, before), (to, after)] = known else { return None };
    let at = |margins: &[Margins], change: &Margins| {
        let own = margins.iter().find(|own| own.contact == change.contact);
        own.map(|own| own.of(change))
    };
    let ends = changes.iter().filter_map(|change| {
        let (a, b) = (at(before, change)?, at(after, change)?);
        (b < a).then(|| to + b * (to - from) / (a - b))
    });
    ends.min_by(f64::total_cmp)
}
