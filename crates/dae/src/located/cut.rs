//! The step that ends where the first gap closes.

use super::crossing::{Sight, first_closing, least_gap, may_dip};
use super::{lengths, sights};
use crate::march::March;
use crate::newton::Trouble;
use crate::state::State;
use crate::step::Effort;
use crate::system::System;

/// Parts of a step in whose ends gaps are looked at.
const PARTS: usize = 4;
/// Most attempts at a step that ends at an impact.
const MOST_TRIALS: usize = 30;
/// Gaps less than so many times what they are resolved to may be closed or not.
const GRAZING: f64 = 1e3;
/// Parts of the usual step that are not worth a step of their own.
const LEAST: f64 = 1e-9;

/// What impacts make of a step that was attempted.
pub(crate) enum Cut {
    /// No gap closes in it.
    Whole,
    /// It ends at an impact: size and effort.
    Ends(f64, Effort),
    /// Its start is the instant of an impact.
    Now,
}

impl March {
    /// Looks for impacts in the step that was attempted, and replaces it by a shorter one if there are such.
    pub(crate) fn cut_at_impact(
        &mut self,
        system: &mut dyn System,
        h: f64,
    ) -> Result<Cut, Trouble> {
        let least = LEAST * self.control.usual(h);
        let waits = self.waiting().is_some_and(|w| w.now() && w.open.contains(&true));
        if !waits || h <= 2.0 * least {
            return Ok(Cut::Whole);
        }
        let Some(estimate) = self.estimate_closing(system, h) else { return Ok(Cut::Whole) };
        if estimate <= least {
            // Where nothing has moved since the last impact another one is none.
            if self.located.standing.replace(self.state.t) == Some(self.state.t) {
                if let Some(waiting) = self.waiting_mut() {
                    waiting.step_through();
                }
                return self.attempt(system, h).map(|_| Cut::Whole);
            }
            return Ok(Cut::Now);
        }
        self.close_in(system, (h, least), estimate)
    }

    /// When the first gap closes in the step that was attempted, by its dense output.
    fn estimate_closing(&mut self, system: &mut dyn System, h: f64) -> Option<f64> {
        let March { state, next, step, recorder, located, .. } = self;
        let scratch = &mut located.scratch;
        sights(system, &state.point(), &mut scratch.rows, &mut scratch.from);
        sights(system, &next.point(), &mut scratch.rows, &mut scratch.to);
        let open = &step.impacts()?.waiting()?.open;
        let (from, to) = (&scratch.from, &scratch.to);
        let suspect = |&i: &usize| open[i] && (to[i].gap <= 0.0 || may_dip(from[i], to[i], h));
        // none is the rule, and nothing is made for it
        let suspects: Vec<usize> = (0..open.len()).filter(suspect).collect();
        if suspects.is_empty() {
            return None;
        }
        let standing = |&i: &usize| from[i].gap <= 0.0 && from[i].rate <= 0.0 && to[i].gap <= 0.0;
        if suspects.iter().any(standing) {
            return Some(0.0);
        }
        let mut seen: Vec<Vec<Sight>> = vec![from.clone()];
        let (mut between, mut rows) = (State::clone(state), Vec::new());
        for k in 1..PARTS {
            let t = state.t + h * k as f64 / PARTS as f64;
            recorder.between.interpolate(system, (state, next), t, &mut between);
            let mut at = Vec::new();
            sights(system, &between.point(), &mut rows, &mut at);
            seen.push(at);
        }
        seen.push(to.clone());
        let part = h / PARTS as f64;
        let closing = |&i: &usize| {
            (0..PARTS).find_map(|k| {
                let found = first_closing(seen[k][i], seen[k + 1][i], part)?;
                Some(part * k as f64 + found)
            })
        };
        let first = suspects.iter().filter_map(closing).min_by(f64::total_cmp);
        self.see_grazing(system, &suspects, (&seen, part));
        first
    }

    /// Remembers a contact that comes so near, or closes so little before it would open by itself, that the error of the motion decides
    /// whether it hits. A graze changes what follows by the root of its depth. [Nordmark 1991]
    fn see_grazing(
        &mut self,
        system: &mut dyn System,
        suspects: &[usize],
        (seen, part): (&[Vec<Sight>], f64),
    ) {
        let (fine, _) = self.resolution();
        let lengths = lengths(system, &self.next.point(), &self.weights);
        let grazes = |&&i: &&usize| {
            let near = GRAZING * fine * lengths[i];
            let least = |k: usize| least_gap(seen[k][i], seen[k + 1][i], part);
            (0..PARTS).filter_map(least).any(|gap| gap.abs() < near)
        };
        if suspects.iter().find(grazes).is_some() {
            let audit = &mut self.recorder.trajectory.audit;
            audit.grazed_at.get_or_insert(self.state.t);
        }
    }

    /// Newton's method on the length of the step, with the gaps at its own end.
    fn close_in(
        &mut self,
        system: &mut dyn System,
        (h, least): (f64, f64),
        estimate: f64,
    ) -> Result<Cut, Trouble> {
        let (fine, _) = self.resolution();
        let lengths = lengths(system, &self.next.point(), &self.weights);
        let open = self.waiting().map(|waiting| waiting.open.clone()).unwrap_or_default();
        let (mut low, mut high, mut size) = (0.0, h, estimate);
        let mut effort = Effort::default();
        for _ in 0..MOST_TRIALS {
            if h - size < least {
                size = h;
            }
            effort = effort.then(self.attempt(system, size)?);
            let March { next, located, .. } = self;
            let scratch = &mut located.scratch;
            sights(system, &next.point(), &mut scratch.rows, &mut scratch.to);
            let (mut deep, mut reached, mut shift) = (false, false, f64::INFINITY);
            for i in (0..open.len()).filter(|&i| open[i]) {
                let (sight, near) = (scratch.to[i], fine * lengths[i]);
                deep |= sight.gap < -near;
                if sight.rate < 0.0 {
                    reached |= sight.gap.abs() <= near;
                    shift = shift.min(-sight.gap / sight.rate);
                }
            }
            let done = if deep { high - low <= least } else { reached || size == h };
            if done {
                return Ok(if reached || deep { Cut::Ends(size, effort) } else { Cut::Whole });
            }
            if deep {
                high = size
            } else {
                low = size
            }
            let next = size + shift;
            size = if next > low && next < high { next } else { 0.5 * (low + high) };
        }
        // Dense output has seen a contact that the steps themselves do not reach.
        self.attempt(system, h).map(|_| Cut::Whole)
    }
}
