//! What changes at a state at which conditions have risen.

use crate::diagnosis::{Diagnosis, Failure, readable};
use crate::march::March;
use crate::system::System;

/// Most changes within the part of a run that counts as no time at all. Each is a start, so that more of them
/// make a run endless; a relay that is to hold something at its threshold would do so.
const MOST_CHANGES: usize = 200;
/// The same of what formulas decide, as `sign(v)` where friction holds a body: steps are to see it then.
const MOST_DECISIONS: usize = 16;
const NO_TIME: f64 = 1e-6;

impl March {
    /// Lets change what waits for conditions that have risen, until nothing changes any more.
    pub(super) fn settle(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        self.watch.due = false;
        loop {
            let mut now = std::mem::take(&mut self.watch.ahead);
            system.conditions(&self.state.point(), &mut now);
            let risen = |&i: &usize| self.watch.has_risen(i, now[i]);
            let risen: Vec<usize> = (0..now.len()).filter(risen).collect();
            // all those that wait at this moment: what one changes, the others see in the next round
            let changing: Vec<usize> = risen.into_iter().filter(|&i| system.waits_for(i)).collect();
            changing.iter().for_each(|&i| system.rise(i));
            self.watch.ahead = std::mem::replace(&mut self.watch.seen, now);
            let Some(&last) = changing.last() else { return Ok(()) };
            self.count_change(system, last)?;
            self.restart_here(system)?;
        }
    }

    /// Counts a change; too many in no time are an error.
    fn count_change(&mut self, system: &mut dyn System, condition: usize) -> Result<(), Diagnosis> {
        let (t, settings) = (self.state.t, &self.settings);
        if t - self.watch.since > NO_TIME * (settings.until - settings.start) {
            (self.watch.changes, self.watch.since) = (0, t);
        }
        self.watch.changes += 1;
        if self.watch.changes > MOST_DECISIONS && system.let_go(condition) {
            self.watch.changes = 0;
            return Ok(());
        }
        if self.watch.changes <= MOST_CHANGES {
            return Ok(());
        }
        let name = system.condition_name(condition);
        Err(Diagnosis::new(
            Failure::EndlessChanges,
            t,
            format!("at t = {} {name} changes without end", readable(t)),
        )
        .because(vec![format!("{MOST_CHANGES} changes since t = {}", readable(self.watch.since))])
        .remedied_by(vec![
            "give it a hysteresis: let it be set above one threshold and reset below another"
                .into(),
            "or sample it (`[sampled]`), so that it changes at instants only".into(),
        ]))
    }
}
