//! Conditions that rise and fall again within a step, as a body that flies through a gate does.
//!
//! ```text
//! conditions at some instants of the step, by its dense output
//! above zero at one of them: there it has risen
//! higher than at both its neighbours: the top between them is looked for
//! ```

use crate::march::March;
use crate::newton::Trouble;
use crate::state::State;
use crate::step::Effort;
use crate::system::System;

/// Parts of a step at whose ends conditions are looked at.
const PARTS: usize = 6;
/// Looks at a top, each of which leaves 0.62 of the time in which it may be.
const LOOKS: usize = 30;
/// The golden section.
const SECTION: f64 = 0.618_033_988_749_895;

/// A shorter step at whose end something has risen.
pub(super) struct Hidden {
    pub at: f64,
    /// What its attempt took.
    pub attempted: Effort,
}

impl March {
    /// Looks for a condition that is above zero within the step that was attempted and not at its end, and attempts the shorter step
    /// that ends there.
    pub(super) fn find_hidden(
        &mut self,
        system: &mut dyn System,
        h: f64,
    ) -> Result<Option<Hidden>, Trouble> {
        // a start has been looked at before; what is above zero there has risen
        if self.watch.ahead.is_empty() || self.watch.seen.len() != self.watch.ahead.len() {
            return Ok(None);
        }
        let Some(at) = self.hidden_at(system, h) else { return Ok(None) };
        let attempted = self.attempt(system, at)?;
        Ok(Some(Hidden { at, attempted }))
    }

    /// The first instant, from the start of the step, at which a condition is seen to have risen.
    fn hidden_at(&mut self, system: &mut dyn System, h: f64) -> Option<f64> {
        let March { state, next, recorder, watch, .. } = self;
        let mut between = State::clone(state);
        let mut look = |system: &mut dyn System, part: f64, out: &mut Vec<f64>| {
            recorder.between.interpolate(system, (state, next), state.t + part * h, &mut between);
            system.conditions(&between.point(), out);
        };
        let waited = |system: &mut dyn System, i: usize| {
            watch.seen[i] <= 0.0 && watch.ahead[i] <= 0.0 && system.waits_for(i)
        };
        let wanted: Vec<usize> = (0..watch.ahead.len()).filter(|&i| waited(system, i)).collect();
        let mut values = vec![Vec::new(); PARTS - 1];
        let part = |k: usize| k as f64 / PARTS as f64;
        for (k, values) in values.iter_mut().enumerate() {
            look(system, part(k + 1), values);
            if wanted.iter().any(|&i| values[i] > 0.0) {
                return Some(part(k + 1) * h);
            }
        }
        let value = |k: usize, i: usize| match k {
            0 => watch.seen[i],
            PARTS => watch.ahead[i],
            _ => values[k - 1][i],
        };
        let mut here = Vec::new();
        for k in 1..PARTS {
            for &i in &wanted {
                let [before, top, after] = [k - 1, k, k + 1].map(|k| value(k, i));
                if !(top > before && top >= after) {
                    continue;
                }
                let (mut low, mut high) = (part(k - 1), part(k + 1));
                let mut inner = [high - SECTION * (high - low), low + SECTION * (high - low)];
                let mut of = inner.map(|at| {
                    look(system, at, &mut here);
                    here[i]
                });
                for _ in 0..LOOKS {
                    if let Some(found) = (0..2).find(|&side| of[side] > 0.0) {
                        return Some(inner[found] * h);
                    }
                    let left = of[0] > of[1];
                    let next = if left {
                        (high, inner[1], of[1]) = (inner[1], inner[0], of[0]);
                        high - SECTION * (high - low)
                    } else {
                        (low, inner[0], of[0]) = (inner[0], inner[1], of[1]);
                        low + SECTION * (high - low)
                    };
                    look(system, next, &mut here);
                    let side = usize::from(!left);
                    (inner[side], of[side]) = (next, here[i]);
                }
            }
        }
        None
    }
}
