//! Forces that switch: steps end where a mode of the system changes, and start anew beyond.
//!
//! ```text
//! before a step   no further than the next instant at which forces jump because of time, nor over a pulse
//! attempt it      modes held: forces go on smoothly, so that the error is that of smooth motion
//! a room is left  attempt shorter steps, by the rule of false position on their length, until the room is just used up
//! accept          before the next step the mode is crossed; where accelerations jump, the method starts afresh
//! ```
//!
//! A mode that is left as soon as it is entered from either side has no solution but to slide between them, as friction
//! `sign(v)` at rest. That is recognised: for such modes steps are not cut but kept short, and each takes the mode that its start
//! lies in (`sliding`).
//!
//! | file | content |
//! |---|---|
//! | `leaving` | where a room is left between the ends of a step |
//! | `cut` | the step that ends there |
//! | `cross` | what happens then |
//! | `sliding` | modes that change without end |

mod cross;
mod cut;
mod leaving;
mod sliding;

use crate::control::Control;
use crate::diagnosis::Diagnosis;
use crate::march::{March, before};
use crate::system::System;
use serde::{Deserialize, Serialize};
use sliding::Sliding;

/// Instants that differ by less than this part of a step are one.
const SAME_INSTANT: f64 = 1e-9;
/// How closely instants are known, as a part of a step.
const ROUNDING_OF_INSTANTS: f64 = 1e-11;

/// What a run knows of forces that switch.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Switches {
    /// Whether the system has such forces at all.
    watched: bool,
    /// The next instant at which forces jump because of time, and how far it was looked for.
    instant: Option<f64>,
    looked_until: f64,
    /// The rooms that are left at the present state.
    due: Vec<usize>,
    /// The last step was cut short.
    cut: bool,
    /// Modes are free in this step: held ones lead to what is undefined.
    pub free: bool,
    sliding: Sliding,
    /// At the start of the step, and at its end.
    #[serde(skip)]
    from: Vec<f64>,
    #[serde(skip)]
    to: Vec<f64>,
}

impl Switches {
    pub fn new(system: &mut dyn System, start: f64) -> Self {
        let watched = system.switching().is_some();
        Switches { watched, looked_until: start, ..Switches::default() }
    }

    /// Something else has cut the step before a switch.
    pub fn forget(&mut self) {
        self.due.clear();
        self.cut = false;
    }
}

impl March {
    /// Holds the modes of the present state.
    pub(crate) fn hold_modes(&mut self, system: &mut dyn System) {
        if let Some(switching) = system.switching() {
            switching.hold(&self.state.point());
        }
    }

    /// The next instant at which forces jump because of time alone, up to an aim; it is looked for as far as the next steps
    /// may lead.
    pub(crate) fn next_instant(&mut self, system: &mut dyn System, aim: f64) -> Option<f64> {
        if !self.switches.watched {
            return None;
        }
        let (t, ahead) = (self.state.t, 4.0 * self.control.usual(0.0));
        let switches = &mut self.switches;
        if switches.instant.is_some_and(|instant| instant <= t) {
            switches.instant = None;
        }
        if switches.instant.is_none() && switches.looked_until < (t + ahead).min(aim) {
            let from = switches.looked_until.max(t);
            let until = (t + 2.0 * ahead).min(aim);
            switches.instant = system.switching()?.next_instant(from, until);
            switches.looked_until = switches.instant.unwrap_or(until);
        }
        switches.instant.filter(|instant| *instant <= aim)
    }

    /// The end of the next attempt: not beyond what time alone does to forces.
    pub(crate) fn end_in_sight(&mut self, system: &mut dyn System, target: f64, aim: f64) -> f64 {
        self.switches.cut = false;
        if !self.switches.watched {
            return target;
        }
        let target = self.sliding_target(target);
        if let Control::Grid(_) = &self.control {
            // equal steps are what somebody asked for: only jumps cut them
            return match self.next_instant(system, aim) {
                Some(instant) if before(instant) < target => {
                    self.switches.cut = !self.is_grid_point(instant);
                    (before(instant) - self.instant_margin()).max(self.state.t.next_up())
                }
                _ => target,
            };
        }
        system.switching().map_or(target, |switching| switching.resolved(self.state.t, target))
    }

    /// How far from an instant that was found forces are surely on one side of it: conditions of curved functions are known up
    /// to their rounding only.
    pub(crate) fn instant_margin(&self) -> f64 {
        match self.switches.watched {
            true => ROUNDING_OF_INSTANTS * self.control.usual(0.0),
            false => 0.0,
        }
    }

    /// Whether a step of the grid ends at an instant but for rounding.
    fn is_grid_point(&self, instant: f64) -> bool {
        let target = self.control.target(self.state.t);
        (target - instant).abs() <= SAME_INSTANT * self.control.usual(0.0)
    }

    /// Crosses the instant that the last step of a grid has led to.
    pub(crate) fn cross_instant(
        &mut self,
        system: &mut dyn System,
        end: f64,
    ) -> Result<(), Diagnosis> {
        if !self.switches.watched || !matches!(self.control, Control::Grid(_)) {
            return Ok(());
        }
        let Some(instant) = self.next_instant(system, end) else { return Ok(()) };
        let margin = self.instant_margin();
        if self.state.t < before(instant) - margin || instant == end {
            return Ok(());
        }
        let point = Some(self.control.target(self.state.t)).filter(|_| self.is_grid_point(instant));
        self.restart_after(system, instant + margin)?;
        if let (Some(point), Control::Grid(grid)) = (point, &mut self.control) {
            self.state.t = self.state.t.max(point);
            grid.accept(self.state.t);
        }
        Ok(())
    }
}
