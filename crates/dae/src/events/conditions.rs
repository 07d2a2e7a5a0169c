//! The step that ends where a condition rises through zero.

use super::hidden::Hidden;
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
        let mut effort = Effort::default();
        let mut rise = self.first_rise(system, (0.0, h), None);
        if self.watch.ahead.iter().any(|value| value.is_nan()) {
            return Err(Trouble::NotFinite { equation: 0 });
        }
        let mut high = h;
        if rise.is_none()
            && let Some(Hidden { at, attempted }) = self.find_hidden(system, h)?
        {
            effort = attempted;
            high = at;
            rise = self.first_rise(system, (0.0, at), None);
            if rise.is_none() {
                // what the steps themselves do differs by their error
                let again = self.attempt(system, h)?;
                return Ok(Some((h, effort.then(again))));
            }
        }
        let Some(rise) = rise else { return Ok(None) };
        match self.close_in_on_rise(system, high, rise) {
            Ok((size, more)) => {
                self.watch.due = true;
                self.watch.cut = size < h;
                Ok(Some((size, effort.then(more))))
            }
            // Where no short step leads to the instant, as along a threshold, what can be decided on the way is.
            Err(trouble) => match self.let_go(system, h)? {
                Some(more) => Ok(Some((h, effort.then(more)))),
                None => Err(trouble),
            },
        }
    }

    /// Shorter steps, until one ends just after the first rise; its size and the effort.
    fn close_in_on_rise(
        &mut self,
        system: &mut dyn System,
        h: f64,
        first: f64,
    ) -> Result<(f64, Effort), Trouble> {
        let fine = RESOLVED * self.control.usual(h);
        let mut guess = Some(first);
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
        Ok((high, effort))
    }

    /// Lets everything go that has risen at the end of a whole step, if all of it can be; the effort of that step.
    fn let_go(&mut self, system: &mut dyn System, h: f64) -> Result<Option<Effort>, Trouble> {
        let effort = self.attempt(system, h)?;
        self.first_rise(system, (0.0, h), None);
        let risen = self.risen(system);
        if risen.is_empty() || !risen.into_iter().all(|condition| system.let_go(condition)) {
            return Ok(None);
        }
        let effort = effort.then(self.attempt(system, h)?);
        self.first_rise(system, (0.0, h), None);
        Ok(Some(effort))
    }

    /// The conditions that have risen at the end of the attempt, and something waits for.
    fn risen(&self, system: &mut dyn System) -> Vec<usize> {
        let watch = &self.watch;
        let risen = (0..watch.ahead.len()).filter(|&i| watch.has_risen(i, watch.ahead[i]));
        risen.filter(|&i| system.waits_for(i)).collect()
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
