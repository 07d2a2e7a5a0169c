//! Kinematics of driven mechanisms: positions, velocities, accelerations and, by inverse dynamics,
//! the reactions and drive forces, at given times. For systems that have no freedom left.
//!
//! Mechanisms of rigid bodies are followed in the coordinates of their joints: what is solved for at each time has the size of the
//! loops and drives then, and forces come by recursion along the branches.

use super::assemble::{Weighting, assemble_position};
use super::check::singularity;
use super::dense::{Svd, auxiliary, column, put, reactions, scales};
use super::projection::{project, project_velocity};
use super::space::{Space, Which, no_space};
use super::words::{constraints, constraints_of, coordinates, count, motion, names};
use crate::consistency::not_finite;
use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::integrator::reduced;
use crate::redundancy::{independent_rows, lessen};
use crate::state::State;
use crate::system::{Level, StateWeights, System, Terms, Weights};
use faer::Mat;

/// The largest predicted move within one step, in scales of the coordinates.
const LONGEST_MOVE: f64 = 0.2;
/// A correction of the prediction beyond this means another branch of the motion.
const LONGEST_CORRECTION: f64 = 0.1;
/// Steps below this part of the whole time mean that the mechanism is locked.
const SHORTEST: f64 = 1e-10;

/// A driven motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Kinematics {
    /// The state at each of the times, with accelerations and multipliers.
    pub states: Vec<State>,
    /// Smallest singular value of the constraints over the largest, at each time: small near a
    /// dead point.
    pub regularity: Vec<f64>,
}

/// Follows a driven mechanism to the given times, which rise from `start.t` on. The position of
/// `start` may be a rough guess.
pub fn kinematics(
    system: &mut dyn System,
    start: &State,
    times: &[f64],
) -> Result<Kinematics, Diagnosis> {
    refuse(system, start, times)?;
    let mut state = start.clone();
    state.increment.fill(0.0);
    assemble_position(system, &mut state, Weighting::Unit)?;
    refuse_freedom(system, &state)?;
    let Some(mut joints) = in_joint_coordinates(system, &state) else {
        return follow(system, state, times, &mut |_, state| state.clone());
    };
    let repeats = independent_rows(system, &state).is_some();
    let own = reduced(joints.as_mut()).begin_at(&state);
    follow(joints.as_mut(), own, times, &mut |joints, own| {
        let joints = reduced(joints);
        let mut whole = State::zeros(joints.whole().sizes());
        joints.lift(own, &mut whole);
        if repeats {
            let mut multipliers = whole.multipliers.clone();
            lessen(joints.whole(), &whole, &mut multipliers);
            whole.multipliers = multipliers;
        }
        whole
    })
}

/// The system in joint coordinates, if it has any and they are fewer.
fn in_joint_coordinates(system: &dyn System, state: &State) -> Option<Box<dyn System>> {
    let joints = system.as_reducible()?.reduction(state).ok()?.system;
    (joints.sizes().motion < system.sizes().motion).then_some(joints)
}

/// Follows a system from a position without freedom; `record` gives what is kept of a state.
fn follow(
    system: &mut dyn System,
    mut state: State,
    times: &[f64],
    record: &mut dyn FnMut(&mut dyn System, &State) -> State,
) -> Result<Kinematics, Diagnosis> {
    solve_rates(system, &mut state)?;
    let span = times.last().map_or(0.0, |last| last - state.t).max(f64::MIN_POSITIVE);
    let mut result = Kinematics { states: Vec::new(), regularity: Vec::new() };
    let mut h = f64::INFINITY;
    for &target in times {
        while state.t < target {
            let left = target - state.t;
            let tried = h.min(left).min(longest(system, &state));
            match advance(system, &state, tried, tried == left, target) {
                Some(next) => {
                    state = next;
                    solve_rates(system, &mut state)?;
                    h = h.max(2.0 * tried);
                }
                None if tried < SHORTEST * span => return Err(locked(system, &state)),
                None => h = 0.5 * tried,
            }
        }
        let space = solve_rates(system, &mut state)?;
        result.regularity.push(space.svd.smallest());
        solve_multipliers(system, &mut state, &space)?;
        result.states.push(record(system, &state));
    }
    Ok(result)
}

fn refuse(system: &dyn System, start: &State, times: &[f64]) -> Result<(), Diagnosis> {
    let unsupported = |message: String, remedy: &str| {
        Diagnosis::new(Failure::Unsupported, start.t, message).remedied_by(vec![remedy.into()])
    };
    if system.sizes().states > 0 {
        return Err(unsupported(
            format!(
                "kinematics does not integrate first-order states, and the system has {}",
                system.sizes().states
            ),
            "simulate it",
        ));
    }
    let rising = times.windows(2).all(|pair| pair[0] <= pair[1]);
    let after = times.first().is_none_or(|first| *first >= start.t);
    if !rising || !after || times.iter().any(|t| !t.is_finite()) {
        return Err(unsupported(
            format!("the times of a kinematic analysis must rise from t = {} on", start.t),
            "sort them",
        ));
    }
    Ok(())
}

/// Every motion must be held or driven.
fn refuse_freedom(system: &mut dyn System, state: &State) -> Result<(), Diagnosis> {
    let Some(space) = Space::new(system, &state.point(), Which::Holonomic) else {
        return Err(no_space(system, state));
    };
    let freedoms = space.freedoms();
    if freedoms == 0 {
        return Ok(());
    }
    if singularity(system, state, &space).is_some() {
        return Err(locked(system, state));
    }
    let kernel = space.kernel();
    let free = |k| {
        let moving = motion(system, &column(&kernel, k));
        Sentence::about(format!("free: {}", names(&moving)), coordinates(&moving))
    };
    let rolling = system.sizes().nonholonomic > 0;
    Err(Diagnosis::new(
        Failure::Unsupported,
        state.t,
        format!(
            "{} left that nothing drives",
            match freedoms {
                1 => "one freedom of position is".to_string(),
                n => format!("{n} freedoms of position are"),
            }
        ),
    )
    .because((0..freedoms.min(6)).map(free))
    .remedied_by(vec![match rolling {
        true => "constraints on velocities do not determine positions: simulate it".into(),
        false => format!("add {}, or simulate it", count(freedoms, "drive")),
    }]))
}

/// The step within which a prediction can be trusted.
fn longest(system: &dyn System, state: &State) -> f64 {
    let speed = state.v.iter().enumerate().map(|(i, v)| (v / system.scale(i)).abs());
    let bend = state.vdot.iter().enumerate().map(|(i, a)| (a / system.scale(i)).abs());
    let (speed, bend) = (speed.fold(0.0, f64::max), bend.fold(0.0, f64::max));
    let by_speed = if speed > 0.0 { LONGEST_MOVE / speed } else { f64::INFINITY };
    let by_bend = if bend > 0.0 { (2.0 * LONGEST_MOVE / bend).sqrt() } else { f64::INFINITY };
    by_speed.min(by_bend)
}

/// Predicts from velocity and acceleration and corrects by projection; `None` if that fails or
/// leads elsewhere.
fn advance(
    system: &mut dyn System,
    state: &State,
    h: f64,
    last: bool,
    target: f64,
) -> Option<State> {
    let mut next = state.clone();
    next.t = if last { target } else { state.t + h };
    let step: Vec<f64> =
        state.v.iter().zip(&state.vdot).map(|(v, a)| h * v + 0.5 * h * h * a).collect();
    system.retract(&state.q, &step, &mut next.q);
    let predicted = next.q.clone();
    let weights: Vec<f64> = scales(system).iter().map(|s| 1.0 / (s * s)).collect();
    if !project(system, &mut next, &weights)?.met {
        return None;
    }
    let mut correction = vec![0.0; step.len()];
    system.local(&predicted, &next.q, &mut correction);
    let far = (0..step.len()).any(|i| correction[i].abs() > LONGEST_CORRECTION * system.scale(i));
    let regular = Space::new(system, &next.point(), Which::All)?.freedoms() == 0;
    (!far && regular).then_some(next)
}

/// Velocities and accelerations from the constraints alone.
fn solve_rates(system: &mut dyn System, state: &mut State) -> Result<Space, Diagnosis> {
    let Some(space) = Space::new(system, &state.point(), Which::All) else {
        return Err(no_space(system, state));
    };
    if space.freedoms() > 0 || !project_velocity(system, state) {
        return Err(locked(system, state));
    }
    state.vdot.fill(0.0);
    let mut residual = vec![0.0; system.sizes().multipliers()];
    system.constraint(Level::Acceleration, &state.point(), &mut residual);
    for (a, d) in state.vdot.iter_mut().zip(space.solve(&residual)) {
        *a = -d;
    }
    state.a.copy_from_slice(&state.vdot);
    Ok(space)
}

/// Inverse dynamics: multipliers, and variables, that produce the known accelerations. Where
/// constraints repeat each other the least multipliers are taken.
pub(super) fn solve_multipliers(
    system: &mut dyn System,
    state: &mut State,
    space: &Space,
) -> Result<(), Diagnosis> {
    let sizes = system.sizes();
    let (n, m, ny) = (sizes.motion, sizes.multipliers(), sizes.variables);
    if system.patterns().reactions.is_none() && ny == 0 {
        let mut force = vec![0.0; n];
        system.dynamics(&state.point(), Terms::WITHOUT_REACTIONS, &mut force);
        state.multipliers = space.multipliers(&force);
        return Ok(());
    }
    let mut residual = vec![0.0; n + ny];
    for _ in 0..30 {
        let at = state.point();
        system.dynamics(&at, Terms::ALL, &mut residual[..n]);
        system.auxiliary(&at, &mut residual[n..]);
        let states = StateWeights { rate: 0.0, state: 1.0 };
        let parts = auxiliary(system, &at, Weights::default(), states);
        let mut matrix = Mat::zeros(n + ny, m + ny);
        put(&mut matrix, 0, 0, &reactions(system, &at));
        put(&mut matrix, 0, m, &parts.dynamics);
        put(&mut matrix, n, 0, &parts.multipliers);
        put(&mut matrix, n, m, &parts.own);
        let Some(svd) = Svd::new(&matrix, 1e-13) else { return Err(not_finite(system, state)) };
        let step = svd.solve(&residual, 0.0);
        let size = step.iter().fold(0.0_f64, |s, d| s.max(d.abs()));
        let unknowns = state.multipliers.iter_mut().chain(&mut state.y);
        unknowns.zip(&step).for_each(|(value, d)| *value -= d);
        let values = state.multipliers.iter().chain(&state.y);
        let scale = values.fold(1.0_f64, |s, v| s.max(v.abs()));
        if size <= 1e-12 * scale {
            return Ok(());
        }
    }
    Err(Diagnosis::new(
        Failure::NotConverged,
        state.t,
        format!("at t = {} no multipliers and variables fit the motion", state.t),
    )
    .remedied_by(vec!["look for an algebraic loop among the variables".into()]))
}

/// The mechanism cannot go on from here.
fn locked(system: &mut dyn System, state: &State) -> Diagnosis {
    let t = state.t;
    let mut evidence = Vec::new();
    if let Some(space) = Space::new(system, &state.point(), Which::All)
        && let Some(smallest) = space.svd.s.len().checked_sub(1)
    {
        let (moving, rows) = space.direction(smallest);
        let ratio = space.svd.s[smallest] / space.svd.s[0];
        let (rows, moving) = (constraints(system, &rows), motion(system, &moving));
        let dependent = format!("{} become dependent (ratio {ratio:.1e})", names(&rows));
        evidence.push(Sentence::about(dependent, constraints_of(&rows)));
        let lost = format!("they no longer determine {}", names(&moving));
        evidence.push(Sentence::about(lost, coordinates(&moving)));
    }
    Diagnosis::new(
        Failure::SingularMatrix,
        t,
        format!("at t = {t:.9} the mechanism is at a dead point and cannot be driven on"),
    )
    .because(evidence)
    .remedied_by(vec![
        "drive another coordinate: one that moves freely at the dead point".into(),
        "or keep the drive within the reach of the mechanism".into(),
    ])
}
