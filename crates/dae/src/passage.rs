//! Steps that are short enough for what meets fast: nothing passes through anything, whatever the tolerance or the step.
//!
//! ```text
//! what bounces softly, or would if all went on as it moves, limits the step: it ends where surfaces meet, then it is a part of
//! the time that the bounce takes
//! attempt a step; judge its error; bodies have passed through each other in it: attempt a shorter one
//! ```
//!
//! Errors of steps are those of positions, relative to their largest sizes: a bounce may lie below them, and its velocities count
//! ever after. So steps are a part of the bounce, `tol^(1/4)`, at most a twentieth: velocities after a bounce are then off by
//! something like `tol^(1/2)`, by methods of second order.

use crate::control::Control;
use crate::diagnosis::Diagnosis;
use crate::march::March;
use crate::newton::Trouble;
use crate::settings::{Formulation, StepControl};
use crate::step::Effort;
use crate::system::System;
use serde::{Deserialize, Serialize};

/// Most attempts at a step in which bodies meet.
const MOST_TRIALS: usize = 20;
/// Steps are not shortened by less than this part.
const WORTH: f64 = 1e-3;
/// The longest steps in a bounce, as a part of it; those of BDF, which begins anew with every kink of the forces, are shorter.
const PART: f64 = 0.05;
const PART_OF_BDF: f64 = 0.0125;

/// What a run knows of steps that were too long for what met in them.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Passage {
    /// The step that was attempted is shorter than it should have been.
    pub cut: bool,
    /// Something bounces, and steps have this size for it.
    bouncing: Option<f64>,
}

impl March {
    /// With a tolerance no step turns a body farther than rotations are resolved.
    pub(crate) fn limit_turn(&mut self, system: &dyn System) {
        if let Control::Error(control) = &mut self.control
            && let Some((_, rate)) = system.fastest_turn(&self.state.v)
        {
            control.limit_turn(rate);
        }
    }

    /// The size of the next attempt, which would be `h` if nothing bounced. After a bounce the method starts afresh: accelerations
    /// that it remembers belong to forces that are gone, and long steps would carry them on.
    pub(crate) fn resolved_size(
        &mut self,
        system: &mut dyn System,
        h: f64,
    ) -> Result<f64, Diagnosis> {
        let part = self.part_of_bounce();
        let longest = system.longest_step_from(&self.state.point(), h, part).max(self.smallest());
        let before = self.passage.bouncing.take();
        self.passage.cut = longest < h;
        if longest >= self.control.usual(h) {
            // steps that are short by themselves may see the rest of a bounce
            if longest.is_finite() {
                self.passage.bouncing = before;
            } else if before.is_some() && self.step.start_values().is_some() {
                self.restart_here(system)?;
                self.strike(system)?;
            }
            return Ok(h);
        }
        // equal steps, those before or parts of what would have been one, so that none of rounding is left
        let equal =
            before.filter(|size| *size <= longest && 2.0 * size > longest && 2.0 * size < h);
        let equal = equal.filter(|_| matches!(self.control, Control::Error(_)));
        let size = equal.unwrap_or_else(|| h / (h / longest - 1e-9).ceil().max(1.0));
        self.passage.bouncing = Some(size);
        Ok(size)
    }

    /// Shortens the step that was attempted if bodies have passed through each other in it.
    pub(crate) fn cut_at_passage(
        &mut self,
        system: &mut dyn System,
        mut h: f64,
        mut effort: Effort,
    ) -> Result<(f64, Effort), Trouble> {
        let part = self.part_of_bounce();
        for _ in 0..MOST_TRIALS {
            let longest = system.longest_step_to(&self.state.point(), &self.next.point(), part);
            if longest >= (1.0 - WORTH) * h || h <= self.smallest() {
                break;
            }
            h = longest.max(self.smallest());
            self.passage.cut = true;
            effort = effort.then(self.attempt(system, h)?);
        }
        Ok((h, effort))
    }

    fn part_of_bounce(&self) -> f64 {
        let part = match &self.settings.control {
            StepControl::Tolerance(control) => PART.min(control.tolerance.powf(0.25)),
            StepControl::Fixed { .. } | StepControl::Repeated { .. } => PART,
        };
        match self.settings.formulation {
            Formulation::Bdf { .. } => PART_OF_BDF,
            _ => part,
        }
    }

    /// The smallest step that the settings allow.
    fn smallest(&self) -> f64 {
        self.control.smallest()
    }
}
