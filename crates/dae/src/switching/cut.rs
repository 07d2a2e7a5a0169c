//! The step that ends where the first room is left.

use super::leaving::first_leaving;
use crate::located::Cut;
use crate::march::March;
use crate::newton::Trouble;
use crate::settings::StepControl;
use crate::state::State;
use crate::system::System;

/// Parts of a step in whose ends rooms are looked at.
const PARTS: usize = 4;
/// Most attempts at a step that ends at a switch.
const MOST_TRIALS: usize = 40;
/// Instants are resolved to this part of the tolerance, in units of the usual step, and with equal steps to this part of one.
const PART: f64 = 1e-6;
const FINE: f64 = 1e-10;
/// Parts of the usual step that are not worth a step of their own.
const LEAST: f64 = 1e-12;

impl March {
    /// Looks for rooms that are left in the step that was attempted, and replaces it by a shorter one if there are such.
    pub(crate) fn cut_at_switch(
        &mut self,
        system: &mut dyn System,
        h: f64,
    ) -> Result<Cut, Trouble> {
        let Some(rooms) = self.watched_rooms(system) else { return Ok(Cut::Whole) };
        let March { state, next, recorder, switches, .. } = self;
        let mut seen: Vec<Vec<f64>> = vec![vec![0.0; rooms]; PARTS + 1];
        let mut between = State::clone(state);
        for (k, seen) in seen.iter_mut().enumerate() {
            match k {
                0 => between.clone_from(state),
                PARTS => between.clone_from(next),
                _ => {
                    let t = state.t + h * k as f64 / PARTS as f64;
                    recorder.between.interpolate(system, (state, next), t, &mut between);
                }
            }
            if let Some(switching) = system.switching() {
                switching.room(&between.point(), seen);
            }
        }
        let leaves = |room: usize| {
            let values: Vec<f64> = seen.iter().map(|seen| seen[room]).collect();
            first_leaving(&values).map(|s| (s * h, room))
        };
        let watched = (0..rooms).filter(|&room| !switches.sliding.holds(room));
        let first = watched.filter_map(leaves).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((estimate, room)) = first else { return Ok(Cut::Whole) };
        switches.from.clone_from(&seen[0]);
        self.close_in_on_switch(system, h, (estimate, room))
    }

    /// How many rooms are watched at present, if there are any.
    fn watched_rooms(&self, system: &mut dyn System) -> Option<usize> {
        if !self.switches.watched || self.switches.free {
            return None;
        }
        Some(system.switching()?.rooms()).filter(|rooms| *rooms > 0)
    }

    /// How closely an instant is resolved.
    fn instant_resolution(&self, h: f64) -> f64 {
        let usual = self.control.usual(h);
        match &self.settings.control {
            StepControl::Tolerance(control) => (PART * control.tolerance).max(FINE) * usual,
            StepControl::Fixed { .. } | StepControl::Repeated { .. } => FINE * usual,
        }
    }

    /// Attempts shorter steps until one ends where the room is left.
    fn close_in_on_switch(
        &mut self,
        system: &mut dyn System,
        h: f64,
        (estimate, suspect): (f64, usize),
    ) -> Result<Cut, Trouble> {
        let least = LEAST * self.control.usual(h);
        if estimate <= least {
            self.switches.due = vec![suspect];
            return Ok(Cut::Now);
        }
        self.switches.cut = true;
        self.end_at_switch(system, (h, least), (estimate, suspect))
    }

    /// The rule of false position on the length of the step, with the rooms at its own end (the Illinois variant).
    fn end_at_switch(
        &mut self,
        system: &mut dyn System,
        (h, least): (f64, f64),
        (estimate, suspect): (f64, usize),
    ) -> Result<Cut, Trouble> {
        let resolved = self.instant_resolution(h).max(least);
        let (mut low, mut high, mut size) = (0.0, h, estimate);
        // the room that counts, and what is left of it at both ends
        let (mut at_low, mut at_high) = (self.switches.from[suspect].max(0.0), f64::NAN);
        let (mut room, mut side) = (suspect, 0);
        let mut iterations = 0;
        for _ in 0..MOST_TRIALS {
            iterations += self.attempt(system, size)?;
            match self.worst_room(system).filter(|(_, value)| *value < 0.0) {
                Some((left, value)) => {
                    if left != room {
                        (room, at_low) = (left, self.switches.from[left].max(0.0));
                    } else if side == 1 {
                        at_low *= 0.5;
                    }
                    (high, at_high, side) = (size, value, 1);
                }
                None => {
                    (low, at_low) = (size, self.switches.to[room].max(0.0));
                    at_high *= if side == -1 { 0.5 } else { 1.0 };
                    side = -1;
                }
            }
            let there = high - low <= resolved || self.switches.to[room] == 0.0;
            if there || (at_high.is_nan() && size >= h) {
                // the modes are held: either side of the instant will do
                self.switches.due = if there { vec![room] } else { Vec::new() };
                self.switches.cut = size < h;
                return Ok(if size < h { Cut::Ends(size, iterations) } else { Cut::Whole });
            }
            if at_high.is_nan() {
                // the room is left later than dense output has it
                size = (size + (0.1 * (h - size)).max(resolved)).min(h);
                continue;
            }
            let guess = low + (high - low) * at_low / (at_low - at_high);
            // not nearer to an end than what is resolved, so that the other end moves too
            let margin = (0.45 * resolved).min(0.1 * (high - low));
            size = guess.clamp(low + margin, high - margin);
        }
        self.switches.due = vec![room];
        self.attempt(system, high).map(|more| Cut::Ends(high, iterations + more))
    }

    /// The room of which least is left at the end of the step that was attempted, of those that are not slid along.
    fn worst_room(&mut self, system: &mut dyn System) -> Option<(usize, f64)> {
        let March { next, switches, .. } = self;
        let switching = system.switching()?;
        switches.to.resize(switching.rooms(), 0.0);
        switching.room(&next.point(), &mut switches.to);
        // what was just entered may lie on the other side by rounding
        let fell = |room: &usize| switches.to[*room] < switches.from[*room].min(0.0);
        let watched = (0..switches.to.len()).filter(|&room| !switches.sliding.holds(room));
        let candidates = watched.filter(fell).map(|room| {
            // relative to what there was: rooms have units of their own
            let from = switches.from[room].max(f64::MIN_POSITIVE);
            (room, switches.to[room], switches.to[room] / from)
        });
        let worst = candidates.min_by(|a, b| a.2.total_cmp(&b.2))?;
        Some((worst.0, worst.1))
    }
}
