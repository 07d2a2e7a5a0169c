//! The step that ends where a condition rises through zero.

use crate::march::March;
use crate::newton::Trouble;
use crate::step::Effort;
use crate::system::System;

/// Most attempts at a step that ends where a condition rises.
const MOST_TRIALS: usize = 60;
/// How closely the instant is found, as a part of the usual step: a step ends at most so much after it.
const RESOLVED: f64 = 1e-10;

impl March {
    /// Looks for conditions that rise in the step that was attempted, and replaces it by a shorter one if there are such;
    /// returns its size and the further effort.
    pub(crate) fn cut_at_condition(
        &mut self,
        system: &mut dyn System,
        h: f64,
    ) -> Result<Option<(f64, Effort)>, Trouble> {
        self.watch.cut = false;
        let mut guess = self.first_rise(system, (0.0, h), None);
        if self.watch.ahead.iter().any(|value| value.is_nan()) {
            return Err(Trouble::NotFinite { equation: 0 });
        }
        if guess.is_none() {
            return Ok(None);
        }
        let fine = RESOLVED * self.control.usual(h);
        let (mut low, mut high, mut attempted) = (0.0, h, h);
        let mut at_low = self.watch.seen.clone();
        let mut effort = Effort::default();
        for trial in 0..MOST_TRIALS {
            if high - low <= fine {
                break;
            }
            // the line between both ends leads to the rise; where it is curved, halves make sure that both move
            let aim = guess.filter(|_| trial % 3 < 2).unwrap_or(0.5 * (low + high));
            attempted = aim.clamp(low + 0.5 * fine, high - 0.5 * fine);
            effort = effort.then(self.attempt(system, attempted)?);
            match self.first_rise(system, (low, attempted), Some(&at_low)) {
                Some(rise) => (high, guess) = (attempted, Some(rise)),
                None => {
                    low = attempted;
                    at_low.clone_from(&self.watch.ahead);
                    guess = None;
                }
            }
        }
        if attempted != high {
            effort = effort.then(self.attempt(system, high)?);
            self.first_rise(system, (low, high), Some(&at_low));
        }
        self.watch.due = true;
        self.watch.cut = high < h;
        Ok(Some((high, effort)))
    }

    /// Where, between two sizes of the step, the first condition rises by the line through its values at the shorter (by default
    /// those at the start) and at the end of the attempt; none if none has risen there.
    fn first_rise(
        &mut self,
        system: &mut dyn System,
        (low, high): (f64, f64),
        at_low: Option<&[f64]>,
    ) -> Option<f64> {
        let March { next, watch, .. } = self;
        system.conditions(&next.point(), &mut watch.ahead);
        let mut first: Option<f64> = None;
        for i in 0..watch.ahead.len() {
            let value = watch.ahead[i];
            if watch.has_risen(i, value) && system.waits_for(i) {
                let below = at_low.unwrap_or(&watch.seen).get(i).map_or(0.0, |low| low.min(0.0));
                let rise = low + (high - low) * below / (below - value);
                first = Some(first.map_or(rise, |first| first.min(rise)));
            }
        }
        first
    }
}
