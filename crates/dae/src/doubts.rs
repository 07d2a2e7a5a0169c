//! Doubts about a run that ended well: what a user should know before believing its results.

use crate::diagnosis::readable;
use crate::explain::{FAR_TURN, turn};
use crate::state::State;
use crate::system::System;
use crate::trajectory::Trajectory;

/// An energy balance that misses by more than this part of all energy that came and went is doubtful.
const DOUBTFUL: f64 = 0.02;

/// By more than this, it is wrong.
const UNBALANCED: f64 = 0.2;

/// Sentences about bodies that turn too far in a step, energy that comes from nowhere, and what was not
/// recorded.
pub(crate) fn doubts(system: &mut dyn System, trajectory: &Trajectory) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(far_turn(system, trajectory));
    found.extend(unbalanced(system, trajectory));
    found.extend(wrong_impacts(trajectory));
    found.extend(trajectory.contacts.touching.remark());
    found
}

/// The recorded state `i`.
fn recorded(trajectory: &Trajectory, i: usize) -> State {
    let mut state = State::zeros(trajectory.sizes);
    state.t = trajectory.times[i];
    state.q.copy_from_slice(trajectory.q.row(i));
    state.v.copy_from_slice(trajectory.v.row(i));
    state.vdot.copy_from_slice(trajectory.vdot.row(i));
    state.multipliers.copy_from_slice(trajectory.multipliers.row(i));
    state.x.copy_from_slice(trajectory.x.row(i));
    state.xdot.copy_from_slice(trajectory.xdot.row(i));
    state.y.copy_from_slice(trajectory.y.row(i));
    state
}

/// A body that turns too far within a step.
fn far_turn(system: &dyn System, trajectory: &Trajectory) -> Option<String> {
    let step_at = |t: f64| {
        let k = trajectory.steps.partition_point(|step| step.t < t);
        trajectory.steps.get(k).map_or(0.0, |step| step.h)
    };
    let farthest = (0..trajectory.len())
        .filter_map(|i| {
            let (_, rate) = system.fastest_turn(trajectory.v.row(i))?;
            Some((i, rate * step_at(trajectory.times[i])))
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (i, size) = farthest;
    if size <= FAR_TURN {
        return None;
    }
    let h = step_at(trajectory.times[i]);
    let (_, sentence) = turn(system, &recorded(trajectory, i), h)?;
    Some(format!(
        "{sentence}: motions of this rate are not resolved, and angles may lose turns; a step of \
         {:.1e} s would turn it by half a radian",
        0.5 * h / size
    ))
}

/// Energy that comes from nowhere or vanishes, and what changed when most of it did.
fn unbalanced(system: &mut dyn System, trajectory: &Trajectory) -> Option<String> {
    let rows = trajectory.len();
    // Without all powers the balance says nothing.
    if rows < 2 || system.power(&recorded(trajectory, 0).point()).is_none() {
        return None;
    }
    let audit = &trajectory.audit;
    let (largest, part) = (audit.energy_defect?, audit.energy_part()?);
    if part <= DOUBTFUL {
        return None;
    }
    let defect = |i: usize| {
        let (row, start) = (trajectory.energy.row(i), trajectory.energy.row(0));
        row[0] + row[1] - start[0] - start[1] - row[2]
    };
    let jump = (1..rows).max_by(|a, b| {
        let size = |i: usize| (defect(i) - defect(i - 1)).abs();
        size(*a).total_cmp(&size(*b))
    })?;
    let (before, after) = (recorded(trajectory, jump - 1), recorded(trajectory, jump));
    let changes = system.explain_change(&before.point(), &after.point());
    let during = match changes.is_empty() {
        true => String::new(),
        false => format!(" ({})", changes.join("; ")),
    };
    let verdict = match part > UNBALANCED {
        true => "the result is not to be believed",
        false => "motions and forces are wrong by as much",
    };
    let share = match part < 1.0 {
        true => format!(", {:.2} % of all energy that came and went", 100.0 * part),
        false => ", more than all energy that came and went".to_owned(),
    };
    Some(format!(
        "the energy balance misses by {largest:.3e} J{share}, most of it near t = {}{during}: {verdict}; \
         use a `tolerance`, shorter steps or softer forces",
        readable(after.t)
    ))
}

/// Impacts that took another energy than their law of restitution says.
fn wrong_impacts(trajectory: &Trajectory) -> Option<String> {
    let audit = &trajectory.audit;
    let (taken, expected) = (audit.impact_loss?, audit.impact_expected?);
    let (exchanged, floor) = (audit.energy_exchanged?, audit.energy_floor?);
    let wrong = (taken - expected).abs();
    if wrong <= (DOUBTFUL * exchanged).max(floor) {
        return None;
    }
    Some(format!(
        "in the steps with impacts contacts took {taken:.3e} J, but restitution and friction account for \
         {expected:.3e} J: velocities after impacts are wrong by as much; use shorter steps"
    ))
}
