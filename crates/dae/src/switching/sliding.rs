//! Modes that change without end: the motion slides along the place where they do.

use crate::control::Control;
use crate::march::March;
use crate::system::System;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Changes of one mode within a usual step before it counts as sliding.
const MOST_CHANGES: usize = 4;
/// Steps within which a mode has not changed, after which it is watched again.
const QUIET: usize = 3;

#[derive(Default, Serialize, Deserialize)]
pub(super) struct Sliding {
    /// When each room was left last, and how often within the length of a usual step.
    changes: BTreeMap<usize, (f64, usize)>,
    /// Rooms that are slid along, with the steps since they were left last.
    rooms: BTreeMap<usize, usize>,
    /// The longest step while something slides.
    longest: f64,
}

impl Sliding {
    pub fn holds(&self, room: usize) -> bool {
        self.rooms.contains_key(&room)
    }

    pub fn is_empty(&self) -> bool {
        self.rooms.is_empty()
    }
}

impl March {
    /// Counts how often a mode has changed; `jump` is that of the accelerations.
    pub(super) fn see_sliding(&mut self, system: &mut dyn System, room: usize, jump: f64) {
        let (t, usual) = (self.state.t, self.control.usual(0.0));
        let sliding = &mut self.switches.sliding;
        let (last, count) = sliding.changes.entry(room).or_insert((t, 0));
        // both directions leave the same room, one after the other
        *count = if t - *last <= 1e-2 * usual { *count + 1 } else { 1 };
        *last = t;
        if *count <= MOST_CHANGES {
            return;
        }
        *count = 0;
        sliding.rooms.insert(room, 0);
        if let Control::Error(control) = &self.control {
            // between two modes positions err by the jump times the square of the step
            sliding.longest = (control.settings.tolerance / jump.max(f64::MIN_POSITIVE)).sqrt();
        } else {
            sliding.longest = f64::INFINITY;
        }
        let audit = &mut self.recorder.trajectory.audit;
        if audit.sliding.is_none() && system.switching().is_some() {
            audit.sliding = Some((t, room));
        }
    }

    /// Looks whether rooms that are slid along are left at the end of a step; those that are not for some steps are watched
    /// again.
    pub(super) fn see_rest(&mut self, system: &mut dyn System) {
        let March { state, switches, .. } = self;
        let Some(switching) = system.switching() else { return };
        switches.to.resize(switching.rooms(), 0.0);
        switching.room(&state.point(), &mut switches.to);
        let to = &switches.to;
        switches.sliding.rooms.retain(|&room, quiet| {
            *quiet = if to[room] <= 0.0 { 0 } else { *quiet + 1 };
            *quiet < QUIET
        });
    }

    /// A step while something slides is short.
    pub(super) fn sliding_target(&self, target: f64) -> f64 {
        let sliding = &self.switches.sliding;
        if sliding.is_empty() {
            return target;
        }
        target.min(self.state.t + sliding.longest)
    }
}
