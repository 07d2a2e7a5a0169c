//! What happens at instants of time: forces jump, controllers sample.
//!
//! ```text
//! steps end just before the instant, so that forces are evaluated strictly on this side of it
//! forces that jump have their new accelerations; then samples are taken, of signals at the instant itself
//! same positions and velocities, accelerations and reactions that belong to what was sampled, the method starts afresh
//! ```
//!
//! What is due at the end of a run belongs to what would follow.

use crate::control::Control;
use crate::diagnosis::Diagnosis;
use crate::march::{March, after, before};
use crate::system::System;

impl March {
    /// Where the next steps lead: to an aim, or to an instant before it. Instants that are reached are crossed.
    pub(crate) fn next_end(&mut self, system: &mut dyn System, aim: f64) -> Result<f64, Diagnosis> {
        if self.watch.due {
            self.settle(system)?;
        }
        loop {
            let jump = self.jumps.get(self.segment).copied().filter(|jump| *jump < aim);
            let sampled = Some(system.next_instant()).filter(|instant| *instant < before(aim));
            let Some(instant) = jump.into_iter().chain(sampled).min_by(f64::total_cmp) else {
                return Ok(aim);
            };
            if self.state.t < before(instant) {
                return Ok(before(instant));
            }
            // Instants that differ by rounding are one, and samples see what jumps there.
            match jump.filter(|jump| self.state.t >= before(before(*jump))) {
                Some(jump) => {
                    self.restart_after(system, jump)?;
                    self.segment += 1;
                    self.settle(system)?;
                }
                None => {
                    self.state.t = self.state.t.max(after(instant));
                    self.sample(system)?;
                }
            }
        }
    }

    /// What happens at the start of a run: samples are due, conditions are above zero.
    pub(crate) fn start_events(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        match system.next_instant() <= self.state.t {
            true => self.sample(system),
            false => self.settle(system),
        }
    }

    /// Samples what is due, and starts afresh with it.
    fn sample(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        system.sample(&self.state.point());
        self.restart_here(system)?;
        // one sample is like another: sizes of first steps are not found by rejections each time
        if let Control::Error(control) = &mut self.control {
            control.restart_again();
        }
        self.settle(system)
    }
}
