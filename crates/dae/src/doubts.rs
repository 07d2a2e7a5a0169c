//! Doubts about a run that ended well: what a user should know before believing its results.

use crate::diagnosis::readable;
use crate::explain::{FAR_TURN, turn};
use crate::force_audit::Worst;
use crate::state::State;
use crate::system::System;
use crate::trajectory::Trajectory;

/// An energy balance that misses by more than this part of all energy that came and went is wrong.
const UNBALANCED: f64 = 0.2;

/// Forces that miss each other by more than this part of the largest on a body are not to be believed.
const OUT_OF_BALANCE: f64 = 1e-5;

/// Reactions that are further than this from those of the accelerations are not either.
const WRONG_TOGETHER: f64 = 1e-2;

/// Sentences about forces that do not balance, bodies that turn too far in a step and energy that comes from nowhere.
pub(crate) fn doubts(system: &mut dyn System, trajectory: &Trajectory) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(out_of_balance(trajectory));
    found.extend(wrong_together(trajectory));
    found.extend(far_turn(system, trajectory));
    found.extend(unbalanced(system, trajectory));
    found
}

/// Forces that do not balance.
fn out_of_balance(trajectory: &Trajectory) -> Option<String> {
    let Worst { size, body, t } = trajectory.balance.imbalance.as_ref()?;
    let balanced = *size <= OUT_OF_BALANCE;
    (!balanced).then(|| {
        format!(
            "at t = {} the forces on `{body}` miss its inertia by {size:.1e} of the largest load on it: \
             reactions near that time are not to be believed; use a `tolerance` or shorter steps",
            readable(*t)
        )
    })
}

/// Reactions in balance with accelerations that the constraints do not allow.
fn wrong_together(trajectory: &Trajectory) -> Option<String> {
    let Worst { size, body, t } = trajectory.balance.reaction_drift.as_ref()?;
    let sound = *size <= WRONG_TOGETHER;
    (!sound).then(|| {
        format!(
            "at t = {} reactions on `{body}` are off by {size:.1e} of the largest load on it, as its \
             accelerations tell: use a tighter `tolerance`, shorter steps, or a formulation that meets the \
             constraints at acceleration level (`pva`)",
            readable(*t)
        )
    })
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
    let energy = |i: usize| trajectory.energy.row(i);
    let defect = |i: usize| {
        let row = energy(i);
        row[0] + row[1] - energy(0)[0] - energy(0)[1] - row[2]
    };
    // Without all powers the balance says nothing.
    if rows < 2 || system.power(&recorded(trajectory, 0).point()).is_none() {
        return None;
    }
    if !defect(rows - 1).is_finite() {
        return None;
    }
    let sizes = (0..rows).map(|i| {
        let row = energy(i);
        let potential = (row[1] - energy(0)[1]).abs();
        (row[0], potential.max(row[2].abs()), defect(i).abs())
    });
    let largest =
        sizes.fold((0.0f64, 0.0f64, 0.0f64), |a, b| (a.0.max(b.0), a.1.max(b.1), a.2.max(b.2)));
    // A defect feeds the kinetic energy that it is measured against: leave it out.
    let exchanged = (largest.0 - largest.2).max(largest.1 - largest.2).max(energy(0)[0]);
    if largest.2 <= UNBALANCED * exchanged {
        return None;
    }
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
    Some(format!(
        "the energy balance misses by {:.3e} J, most of it near t = {}{during}: the result is not to \
         be believed; use a `tolerance`, shorter steps or softer forces",
        largest.2,
        readable(after.t)
    ))
}
