//! Positions and velocities that contradict each other: from one accepted step to the next, a coordinate must come about
//! as far as its velocities say.
//!
//! Vibrations much faster than the steps leave velocities that alternate from step to step while positions stand still.
//! As long as they are small nobody minds; where they would carry a coordinate by more than its size, nothing that
//! depends on them means anything.

use crate::state::State;
use crate::system::{Component, System};
use crate::trajectory::Trajectory;

/// The part of its characteristic size, or of its way, by which a coordinate may be elsewhere than its velocities say.
const TORN: f64 = 0.5;

/// A coordinate that is elsewhere.
pub(crate) struct Torn {
    pub name: String,
    pub t: f64,
    pub h: f64,
    /// The way that its velocities tell, and the way that it has come.
    pub told: f64,
    pub come: f64,
}

/// The coordinate whose positions and velocities contradict each other most, if one does.
pub(crate) fn worst(
    system: &dyn System,
    trajectory: &Trajectory,
    recorded: impl Fn(usize) -> State,
) -> Option<Torn> {
    let n = trajectory.sizes.motion;
    let scales: Vec<f64> = (0..n).map(|i| system.scale(i)).collect();
    let mut way = vec![0.0; n];
    let mut found: Option<(f64, Torn)> = None;
    for row in 1..trajectory.len() {
        let h = trajectory.times[row] - trajectory.times[row - 1];
        let told = |i: usize| 0.5 * h * (trajectory.v.row(row - 1)[i] + trajectory.v.row(row)[i]);
        // most steps are short
        let short = (0..n).all(|i| told(i).abs() <= TORN * scales[i]);
        if short || !is_step(trajectory, row, h) || is_struck(trajectory, row) {
            continue;
        }
        let (from, to) = (recorded(row - 1), recorded(row));
        system.local(&from.q, &to.q, &mut way);
        for i in 0..n {
            let size = scales[i].max(from.q.get(i).map_or(0.0, |q| q.abs()));
            let part = (told(i) - way[i]).abs() / size.max(way[i].abs());
            if part > TORN && found.as_ref().is_none_or(|(most, _)| part > *most) {
                let name = system.name(Component::Coordinate(i));
                found = Some((part, Torn { name, t: to.t, h, told: told(i), come: way[i] }));
            }
        }
    }
    found.map(|(_, torn)| torn)
}

/// Whether a row is one step after the row before.
fn is_step(trajectory: &Trajectory, row: usize, h: f64) -> bool {
    let t = trajectory.times[row];
    let k = trajectory.steps.partition_point(|step| step.t < t);
    trajectory.steps.get(k).is_some_and(|step| step.t == t && h <= 1.001 * step.h)
}

/// Whether an impact has changed the velocities of the row before.
fn is_struck(trajectory: &Trajectory, row: usize) -> bool {
    let [from, to] = [trajectory.times[row - 1], trajectory.times[row]];
    let impacts = &trajectory.contacts.impacts;
    let next = impacts.partition_point(|impact| impact.t < from);
    impacts.get(next).is_some_and(|impact| impact.t < to)
}
