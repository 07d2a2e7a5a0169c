//! Whether constraints are met as well as the motion is known: what they miss, beside what moves.
//!
//! A residual by itself says nothing: constraints have units and sizes of their own. It is compared with the terms of
//! which it is the difference, `|g_j|` with `Σ |G_ji| Δ_i` and `|(G v)_j|` with `Σ |G_ji| |v_i|`, where `Δ_i` is how far
//! coordinate `i` has come in the run, but no more than its characteristic size, and `|v_i|` how fast it was at most: a
//! joint that gapes by a part of a machine is wrong however far the machine travels.

use crate::state::State;
use crate::system::{Component, Level, System};
use crate::trajectory::Trajectory;

/// A part of the motion by which constraints may be missed: as for energies, this much is doubtful.
const DOUBTFUL: f64 = 0.02;

/// What hardly moves is compared with this part of its characteristic size.
const AT_REST: f64 = 1e-4;

/// Recorded rows that are looked at.
const MOST_ROWS: usize = 500;

/// A constraint that is missed.
pub(crate) struct Missed {
    pub name: String,
    pub level: Level,
    pub t: f64,
    /// By how much, and as a part of the motion.
    pub residual: f64,
    pub part: f64,
}

/// The constraint that is missed by the largest part of the motion, at position or velocity level, if that is
/// doubtful.
pub(crate) fn worst(
    system: &mut dyn System,
    trajectory: &Trajectory,
    recorded: impl Fn(usize) -> State,
) -> Option<Missed> {
    if trajectory.sizes.multipliers() == 0 || trajectory.len() < 2 {
        return None;
    }
    let [far, fast] = reach(system, trajectory);
    let levels = [(Level::Position, far), (Level::Velocity, fast)];
    let found = levels.into_iter().enumerate().filter_map(|(column, (level, size))| {
        let residual = |row: usize| trajectory.residuals.row(row)[column];
        let row = (0..trajectory.len()).max_by(|a, b| residual(*a).total_cmp(&residual(*b)))?;
        missed(system, &recorded(row), level, &size)
    });
    // NaN is doubtful too
    let doubtful = |missed: &Missed| missed.part > DOUBTFUL || missed.part.is_nan();
    found.filter(doubtful).max_by(|a, b| a.part.total_cmp(&b.part))
}

/// How far and how fast every coordinate moved: as much as any of its body, whose axes turn.
fn reach(system: &dyn System, trajectory: &Trajectory) -> [Vec<f64>; 2] {
    let n = trajectory.sizes.motion;
    let rows = trajectory.len();
    let duration = trajectory.times[rows - 1] - trajectory.times[0];
    let mut far: Vec<f64> = (0..n).map(|i| AT_REST * system.scale(i)).collect();
    let mut fast: Vec<f64> = far.iter().map(|far| far / duration).collect();
    let mut way = vec![0.0; n];
    for row in (0..rows).step_by(rows.div_ceil(MOST_ROWS)).chain([rows - 1]) {
        system.displacement(trajectory.q.row(0), trajectory.q.row(row), &mut way);
        for i in 0..n {
            far[i] = far[i].max(way[i].abs().min(system.scale(i)));
            fast[i] = fast[i].max(trajectory.v.row(row)[i].abs());
        }
    }
    for part in system.parts() {
        for list in [&mut far, &mut fast] {
            let most = list[part.coordinates.clone()].iter().copied().fold(0.0, f64::max);
            list[part.coordinates.clone()].fill(most);
        }
    }
    [far, fast]
}

/// What is missed most in a state, beside motions of a size.
fn missed(system: &mut dyn System, state: &State, level: Level, size: &[f64]) -> Option<Missed> {
    let sizes = system.sizes();
    let pattern = system.patterns().constraints;
    let mut gradient = vec![0.0; pattern.entries()];
    system.constraint_gradient(&state.point(), &mut gradient);
    let mut motion = vec![0.0; sizes.multipliers()];
    for ((row, column), value) in pattern.iter().zip(&gradient) {
        motion[row] += value.abs() * size[column];
    }
    let count = if level == Level::Position { sizes.holonomic } else { sizes.multipliers() };
    let mut residual = vec![0.0; count];
    system.constraint(level, &state.point(), &mut residual);
    let part = |j: usize| residual[j].abs() / motion[j];
    // a row that nothing moves says nothing
    let rows = (0..count).filter(|j| motion[*j] > 0.0);
    let j = rows.max_by(|a, b| part(*a).total_cmp(&part(*b)))?;
    Some(Missed {
        name: system.name(Component::Constraint(j)),
        level,
        t: state.t,
        residual: residual[j].abs(),
        part: part(j),
    })
}
