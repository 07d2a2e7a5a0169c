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
use crate::settings::{Settings, StepControl};
use crate::system::System;

/// The first step in a short pulse is this part of the time within which it can be seen to vary.
const FIRST: f64 = 0.25;

/// What is known to happen in a run, in its order.
pub(crate) struct Instants {
    /// Times just before and just after jumps of the forces.
    jumps: Vec<[f64; 2]>,
    /// Times from which on forces vary within a short time, and within which. Errors of steps see what follows, once a step is short
    /// enough to see anything.
    features: Vec<[f64; 2]>,
}

impl Instants {
    pub fn new(system: &dyn System, settings: &Settings) -> Self {
        let span = [settings.start, settings.until];
        let mut known = system.discontinuities().to_vec();
        known.retain(|&t| t > settings.start);
        let mut jumps: Vec<[f64; 2]> = known.iter().map(|&t| [before(t), after(t)]).collect();
        jumps.extend(system.jumps_between(span).iter().filter(|jump| jump[0] > settings.start));
        jumps.sort_by(|a, b| a[0].total_cmp(&b[0]));
        jumps.dedup();
        // fixed steps are what they are
        let mut features = match &settings.control {
            StepControl::Tolerance(_) => system.features_between(span),
            StepControl::Fixed { .. } | StepControl::Repeated { .. } => Vec::new(),
        };
        features.sort_by(|a, b| a[0].total_cmp(&b[0]));
        Instants { jumps, features }
    }

    /// The first feature after a time.
    fn next_feature(&self, t: f64) -> Option<f64> {
        let next = self.features.partition_point(|[at, _]| before(*at) <= t);
        self.features.get(next).map(|[at, _]| *at)
    }

    /// The time within which forces vary from now on, if that begins here.
    fn feature_at(&self, t: f64) -> Option<f64> {
        let last = self.features.partition_point(|[at, _]| before(*at) <= t);
        let [at, _] = *self.features.get(last.checked_sub(1)?)?;
        let here = self.features[..last].iter().rev().take_while(|feature| feature[0] == at);
        let within = here.map(|[_, within]| *within).fold(f64::INFINITY, f64::min);
        (t <= after(after(at))).then_some(within)
    }
}

impl March {
    /// A short pulse begins: the next step is short enough to see it.
    pub(super) fn see_feature(&mut self) {
        if let (Control::Error(control), Some(within)) =
            (&mut self.control, self.instants.feature_at(self.state.t))
        {
            control.limit(FIRST * within);
        }
    }

    /// Where the next steps lead: to an aim, or to an instant before it; and which time it counts as, where the aim itself is an
    /// instant and forces are to be those before it. Instants that are reached are crossed.
    pub(crate) fn next_end(
        &mut self,
        system: &mut dyn System,
        aim: f64,
    ) -> Result<(f64, f64), Diagnosis> {
        if self.watch.due {
            self.settle(system)?;
        }
        loop {
            self.see_feature();
            let jump = self.instants.jumps.get(self.segment).copied().filter(|jump| jump[0] < aim);
            let instant = system.next_instant();
            let sampled = Some(before(instant)).filter(|_| instant < before(aim));
            let feature = self.instants.next_feature(self.state.t).filter(|at| *at < before(aim));
            let known = jump.map(|jump| jump[0]).into_iter().chain(sampled);
            let Some(end) = known.chain(feature.map(before)).min_by(f64::total_cmp) else {
                return Ok((aim, aim));
            };
            if self.state.t < end {
                let last = jump.is_some_and(|jump| jump[0] == end && jump[1] >= aim);
                return Ok((end, if last { aim } else { end }));
            }
            // Instants that differ by rounding are one, and samples see what jumps there.
            match jump.filter(|jump| self.state.t >= before(jump[0])) {
                Some([_, after]) => {
                    self.state.t = self.state.t.max(after);
                    self.segment += 1;
                    self.restart_here(system)?;
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
