//! A first step that finds its start values: it is repeated until it leads to the values that it started from.

use crate::march::March;
use crate::newton::Trouble;
use crate::settings::StartAcceleration;
use crate::step::Effort;
use crate::system::System;
use crate::vector::max_abs;

/// Most repetitions of a first step whose start values are sought, and the change of them, relative to their distance from the
/// given ones, at which they are found: a round divides their error by five or more, and they are right to a part of h only.
const MOST_START_ROUNDS: usize = 12;
const FOUND_START: f64 = 1e-4;

impl March {
    /// Attempts a first step, which may have to find its start values.
    pub(crate) fn attempt_first(
        &mut self,
        system: &mut dyn System,
        h: f64,
    ) -> Result<Effort, Trouble> {
        let sought = match self.settings.start_acceleration {
            StartAcceleration::Shifted => true,
            // Without reactions there is nothing to clean.
            StartAcceleration::Clean => !self.state.multipliers.is_empty(),
            StartAcceleration::Initial | StartAcceleration::Given => false,
        };
        if !sought || self.step.start_values().is_none() {
            return self.attempt_once(system, h);
        }
        self.start_as_given();
        let first = self.attempt_once(system, h)?;
        let found = self.seek_start(system, h);
        if let Some(values) = self.step.start_values() {
            values.settle();
        }
        let more = match found {
            Some(more) => more,
            // Start values are expansions in powers of h. A step that is longer than the motions it sees has none, and
            // the given values are as good as any.
            None => {
                self.start_as_given();
                self.attempt_once(system, h)?
            }
        };
        Ok(first.then(more))
    }

    fn start_as_given(&mut self) {
        if let Some(values) = self.step.start_values() {
            values.forget();
            values.acceleration().copy_from_slice(&self.state.vdot);
        }
    }

    /// Repeats the first step.
    fn seek_start(&mut self, system: &mut dyn System, h: f64) -> Option<Effort> {
        let mut effort = Effort::default();
        let mut start = vec![0.0; self.state.v.len()];
        for _ in 0..MOST_START_ROUNDS {
            let values = self.step.start_values()?;
            values.suggest(system, &self.next, &mut start);
            let a = values.acceleration();
            let change = largest_difference(&start, a);
            let shift = largest_difference(&start, &self.state.vdot);
            a.copy_from_slice(&start);
            effort = effort.then(self.attempt_once(system, h).ok()?);
            if change <= FOUND_START * shift + 1e-12 * max_abs(&start) {
                return Some(effort);
            }
        }
        None
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()))
}
