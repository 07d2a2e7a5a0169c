//! Doubts about a run that ended well: what a user should know before believing its results.

use crate::diagnosis::{listed, readable};
use crate::explain::{FAR_TURN, turn};
use crate::force_audit::Worst;
use crate::off_constraints;
use crate::state::State;
use crate::system::{Level, System};
use crate::torn_motion;
use crate::trajectory::Trajectory;

/// An energy balance that misses by more than this part of all energy that came and went is doubtful.
const DOUBTFUL: f64 = 0.02;

/// By more than this, it is wrong.
const UNBALANCED: f64 = 0.2;

/// Forces that miss each other by more than this part of the largest on a body are not to be believed.
const OUT_OF_BALANCE: f64 = 1e-5;

/// Reactions that are further than this from those of the accelerations are not either.
const WRONG_TOGETHER: f64 = 1e-2;

/// Rows within which a motion that came from nowhere has died out.
const LONGEST_BURST: usize = 10;

/// Recorded rows that are looked at for what has left its bounds.
const MOST_LOOKED: usize = 500;

/// Sentences about forces that do not balance, constraints that are not met, velocities that positions do not follow,
/// bodies that turn too far in a step, energy that comes from nowhere, and what was not recorded.
pub(crate) fn doubts(system: &mut dyn System, trajectory: &mut Trajectory) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(out_of_balance(trajectory));
    found.extend(wrong_together(trajectory));
    found.extend(off_constraints(system, trajectory));
    found.extend(torn(system, trajectory));
    found.extend(far_turn(system, trajectory));
    found.extend(unbalanced(system, trajectory));
    found.extend(wrong_impacts(trajectory));
    found.extend(undetermined_impacts(trajectory));
    found.extend(grazing(trajectory));
    found.extend(beyond(system, trajectory));
    found.extend(energetic_impacts(trajectory));
    found.extend(trajectory.contacts.touching.remark());
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

/// Constraints that are missed by more than the motion is known.
fn off_constraints(system: &mut dyn System, trajectory: &Trajectory) -> Option<String> {
    let missed = off_constraints::worst(system, trajectory, |row| recorded(trajectory, row))?;
    let what = match missed.level {
        Level::Position => "",
        _ => "the rate of ",
    };
    let share = match missed.part < 1.0 {
        true => format!("{:.1} % of what moves there", 100.0 * missed.part),
        false => "more than all that moves there".to_owned(),
    };
    Some(format!(
        "at t = {} {what}constraint `{}` is off by {:.1e}, {share}: the motion is wrong by as much; use a \
         `tolerance`, shorter steps, or a formulation that meets positions and velocities (`ggl`)",
        readable(missed.t),
        missed.name,
        missed.residual
    ))
}

/// Velocities that positions do not follow.
fn torn(system: &dyn System, trajectory: &Trajectory) -> Option<String> {
    let torn = torn_motion::worst(system, trajectory, |row| recorded(trajectory, row))?;
    Some(format!(
        "at t = {} `{}` moves by {:.1e} in a step of {:.1e} s, while its velocities say {:.1e}: a motion that is much \
         faster than the steps; velocities, energies and forces are not to be believed; use a `tolerance`, shorter steps or \
         softer forces",
        readable(torn.t),
        torn.name,
        torn.come,
        torn.h,
        torn.told
    ))
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
fn unbalanced(system: &mut dyn System, trajectory: &mut Trajectory) -> Option<String> {
    // One step is no run: what it exchanges grows with the square of its length, what it errs by is the tolerance's.
    let judged = trajectory.len() > 1 && trajectory.steps.len() > 1;
    // Without all powers the balance says nothing.
    if !judged || system.power(&recorded(trajectory, 0).point()).is_none() {
        return None;
    }
    let audit = &trajectory.audit;
    let (largest, part) = (audit.energy_defect?, audit.energy_part()?);
    if part <= DOUBTFUL {
        return None;
    }
    let balance = Balance(trajectory);
    let jump = balance.largest_jump()?;
    let (before, after) = (recorded(trajectory, jump - 1), recorded(trajectory, jump));
    let changes = system.explain_change(&before.point(), &after.point());
    let during = match changes.is_empty() {
        true => String::new(),
        false => format!(" ({})", listed(&changes)),
    };
    if let Some((end, rest)) = balance.burst(jump) {
        let energy = balance.defect(end) - balance.defect(jump - 1);
        let until = trajectory.times[end];
        trajectory.audit.energy_burst = Some(energy.abs());
        trajectory.audit.energy_burst_at = Some(after.t);
        return Some(format!(
            "from t = {} to {} a motion of {:.3e} J that is too fast for the steps appears from nowhere and dies \
             out{during}: what is recorded there is wrong; before and after, the energy balance holds to \
             {rest:.3e} J; use a `tolerance` or shorter steps there",
            readable(before.t),
            readable(until),
            energy.abs(),
        ));
    }
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

/// The energy balance row by row.
struct Balance<'a>(&'a Trajectory);

impl Balance<'_> {
    /// Kinetic and potential energy.
    fn energy(&self, row: usize) -> f64 {
        let row = self.0.energy.row(row);
        row[0] + row[1]
    }

    fn work(&self, row: usize) -> f64 {
        self.0.energy.row(row)[2]
    }

    fn defect(&self, row: usize) -> f64 {
        self.energy(row) - self.energy(0) - self.work(row)
    }

    /// The row at which the defect has changed most.
    fn largest_jump(&self) -> Option<usize> {
        let size = |row: usize| (self.defect(row) - self.defect(row - 1)).abs();
        (1..self.0.len()).max_by(|a, b| size(*a).total_cmp(&size(*b)))
    }

    /// If most of the defect is a motion that appeared from nowhere before a row and has died out a few rows
    /// later, so that the energy is what it was and the balance holds everywhere else: the row at which it has
    /// died out, and the largest defect elsewhere.
    fn burst(&self, jump: usize) -> Option<(usize, f64)> {
        let (rows, start) = (self.0.len(), jump - 1);
        (jump + 1..(jump + LONGEST_BURST).min(rows)).find_map(|end| {
            let inside = self.defect(end) - self.defect(start);
            let (mut rest, mut moved, mut turnover) = (0.0f64, 0.0f64, 0.0);
            for row in (0..=start).chain(end..rows) {
                let late = row >= end;
                rest = rest.max((self.defect(row) - if late { inside } else { 0.0 }).abs());
                let energy = self.0.energy.row(row);
                moved = moved.max(energy[0]).max((energy[1] - self.0.energy.row(0)[1]).abs());
                if row > 0 && row != end {
                    turnover += (self.work(row) - self.work(row - 1)).abs();
                }
            }
            let exchanged = moved.max(turnover);
            let gone = (self.energy(end) - self.energy(start)).abs() <= DOUBTFUL * exchanged;
            (gone && rest <= DOUBTFUL * exchanged).then_some((end, rest))
        })
    }
}

/// Impacts whose outcome is a matter of the law.
fn undetermined_impacts(trajectory: &Trajectory) -> Option<String> {
    let audit = &trajectory.audit;
    let at = audit.undetermined_at?;
    let which = match audit.impacts_undetermined {
        1 => format!("the outcome of the impact at t = {}", readable(at)),
        count => format!("the outcome of {count} impacts, the first at t = {}", readable(at)),
    };
    Some(format!(
        "{which}, depends on the law for several contacts at once, which mechanics alone does not determine: compare \
         `impact_law = \"moreau\"` with \"poisson\", \"reflections\" and \"sequential\""
    ))
}

/// What has left the bounds of what it was made for.
fn beyond(system: &mut dyn System, trajectory: &Trajectory) -> Option<String> {
    let rows = trajectory.len();
    let mut looked =
        (0..rows).step_by(rows.div_ceil(MOST_LOOKED).max(1)).chain([rows.checked_sub(1)?]);
    looked.find_map(|row| {
        let state = recorded(trajectory, row);
        let what = system.explain_beyond(&state.point())?;
        Some(format!(
            "at t = {} {what}: there it goes on straight; make the curve longer, or end the run before",
            readable(state.t)
        ))
    })
}

/// A contact that may have hit or not.
fn grazing(trajectory: &Trajectory) -> Option<String> {
    let at = trajectory.audit.grazed_at?;
    Some(format!(
        "in the step from t = {} a contact grazes within the accuracy of the motion: whether it hits, and what follows, is not \
         determined; compare with a smaller `tolerance`",
        readable(at)
    ))
}

/// Impacts in which Newton's restitution and friction would have made energy.
fn energetic_impacts(trajectory: &Trajectory) -> Option<String> {
    let count = trajectory.audit.impacts_energetic;
    let what = match count {
        0 => return None,
        1 => "in 1 impact".to_owned(),
        count => format!("in {count} impacts"),
    };
    Some(format!(
        "{what} restitution and friction together would have made energy: Poisson's law was used there; \
         `impact_law = \"poisson\"` uses it everywhere"
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
         {expected:.3e} J: the steps are too long to tell impacts from the other forces; use shorter steps"
    ))
}
