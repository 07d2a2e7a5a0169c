//! What an impact does to a run: velocities jump, contacts close or part, and the motion starts afresh.

use super::strike::Partner;
use super::{Located, Strike, lengths, sights};
use crate::consistency::solve_accelerations;
use crate::diagnosis::Diagnosis;
use crate::march::March;
use crate::saddle::Saddle;
use crate::system::{Level, System};

/// Impacts of one contact within a usual step that do not lose speed, and all impacts within it, before steps pass through them.
const MOST_OF_ONE: usize = 12;
const MOST: usize = 1000;
/// Outcomes of laws that differ by more than this part of all velocities are worth a warning.
const UNDETERMINED: f64 = 0.01;

impl March {
    /// Lets an impact happen, if one is due at the present state.
    pub(crate) fn strike(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        if !std::mem::take(&mut self.located.due) {
            return Ok(());
        }
        let Some(waiting) = self.waiting().filter(|waiting| waiting.now()) else {
            return Ok(());
        };
        let open = waiting.open.clone();
        if open.is_empty() {
            return Ok(());
        }
        let (fine, slow) = self.resolution();
        let lengths = lengths(system, &self.state.point(), &self.weights);
        let March { state, located, .. } = self;
        let Located { scratch, saddle, .. } = located;
        // `rows` holds the rates of all rows then
        sights(system, &state.point(), &mut scratch.rows, &mut scratch.from);
        let near = |i: usize| scratch.from[i].gap <= 2.0 * fine * lengths[i];
        let hits = |i: usize| scratch.from[i].rate < -slow * lengths[i];
        let arrives = |i: usize| open[i] && scratch.from[i].rate <= slow * lengths[i];
        let mut partners = Vec::new();
        let (mut row, mut anything) = (0, false);
        for (contact, law) in system.contacts().iter().enumerate() {
            if !open[contact] || near(contact) {
                partners.push(Partner { contact, row });
                anything |= hits(contact) || arrives(contact);
            }
            row += law.rows();
        }
        if !anything {
            return Ok(());
        }
        let sizes = system.sizes();
        let saddle = saddle.get_or_insert_with(|| Saddle::new(sizes, &system.patterns()));
        let rates = std::mem::take(&mut scratch.rows);
        let Ok(strike) = Strike::new(system, state, saddle, partners, &rates) else {
            // a mass that cannot be factorised is for the next step to report
            return Ok(());
        };
        scratch.rows = rates;
        let scales = (&lengths[..], fine, slow);
        self.see_spread(system, &strike);
        let (strike, bilateral) = self.rebound(system, strike, scales)?;
        let hit = |i: usize| strike.normal(i)[0] < -slow * lengths[strike.partners[i].contact];
        self.recorder.strike(system, &self.state, &strike, &bilateral, hit);
        self.count_impacts(system, &strike, hit);
        if system.renew_contacts(&self.state.point(), self.horizon()) {
            self.contacts_changed(system);
            self.recorder.contacts_changed(system);
        }
        Ok(())
    }

    /// Finds velocities, accelerations and reactions after an impact. What would rise less than gaps are resolved stays closed.
    fn rebound(
        &mut self,
        system: &mut dyn System,
        mut strike: Strike,
        (lengths, fine, slow): (&[f64], f64, f64),
    ) -> Result<(Strike, Vec<f64>), Diagnosis> {
        let (before, law) = (self.state.v.clone(), self.impact_law());
        let mut restitution = strike.restitution();
        let mut kept = vec![false; restitution.len()];
        loop {
            let makes = strike.happen(law, &restitution, self.step.stop());
            self.state.v.copy_from_slice(&before);
            let bilateral = strike.jump(&mut self.state.v);
            solve_accelerations(system, &mut self.state, &mut self.recorder.underlying)?;
            let mut pressed = vec![false; lengths.len()];
            for (i, partner) in strike.partners.iter().enumerate() {
                let rests = strike.normal(i)[1].abs() <= slow * lengths[partner.contact];
                pressed[partner.contact] = rests || kept[i];
            }
            self.start_pressed(system, pressed)?;
            let rows = &mut self.located.scratch.rows;
            system.contact(Level::Acceleration, &self.state.point(), rows);
            let mut more = false;
            for (i, partner) in strike.partners.iter().enumerate() {
                let (rate, falls) = (strike.normal(i)[1], -rows[partner.row]);
                let near = fine * lengths[partner.contact];
                let parts = rate > slow * lengths[partner.contact] && !kept[i];
                let low = falls > 0.0 && rate * rate < 2.0 * falls * near;
                if parts && low && restitution[i] < 1.0 {
                    (restitution[i], kept[i], more) = (0.0, true, true);
                }
            }
            if !more {
                self.recorder.trajectory.audit.impacts_energetic += usize::from(makes);
                return Ok((strike, bilateral));
            }
        }
    }

    /// Remembers an impact whose outcome mechanics alone does not determine.
    fn see_spread(&mut self, system: &mut dyn System, strike: &Strike) {
        let spread = strike.spread(&strike.restitution(), self.step.stop());
        let Some(energy) = system.energy(&self.state.point()).filter(|_| spread > 0.0) else {
            return;
        };
        let audit = &mut self.recorder.trajectory.audit;
        if spread > UNDETERMINED * (2.0 * energy.kinetic).sqrt() {
            audit.impacts_undetermined += 1;
            audit.undetermined_at.get_or_insert(self.state.t);
        }
    }

    /// Starts afresh with closed contacts.
    pub(super) fn start_pressed(
        &mut self,
        system: &mut dyn System,
        mut pressed: Vec<bool>,
    ) -> Result<(), Diagnosis> {
        let found = self.restart_with(system, pressed.clone());
        if found.is_ok() || !pressed.contains(&true) {
            return found;
        }
        // With friction no reactions may fit the accelerations: then steps with impulses do.
        if let Some(waiting) = self.waiting_mut() {
            waiting.step_through();
        }
        pressed.fill(false);
        self.restart_with(system, pressed)
    }

    fn restart_with(
        &mut self,
        system: &mut dyn System,
        pressed: Vec<bool>,
    ) -> Result<(), Diagnosis> {
        if let Some(waiting) = self.waiting_mut() {
            waiting.press(pressed);
        }
        self.start_afresh(system)
    }

    /// Counts impacts; where they follow each other without end, steps pass through them.
    fn count_impacts(&mut self, system: &dyn System, strike: &Strike, hit: impl Fn(usize) -> bool) {
        let Located { counted_until, counts, total, .. } = &mut self.located;
        if self.state.t > *counted_until {
            *counted_until = self.state.t + self.control.usual(0.0);
            counts.clear();
            *total = 0;
        }
        let mut endless = false;
        for (i, partner) in strike.partners.iter().enumerate() {
            if !hit(i) {
                continue;
            }
            let speed = -strike.normal(i)[0];
            let (last, count) = counts.entry(system.contact_key(partner.contact)).or_default();
            *count += usize::from(speed >= *last);
            *last = speed;
            *total += 1;
            endless |= *count > MOST_OF_ONE || *total > MOST;
        }
        if endless && let Some(waiting) = self.waiting_mut() {
            waiting.step_through();
        }
    }
}
