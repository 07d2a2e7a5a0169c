//! Steady turns: everything moves with one constant twist and is deformed by what that takes.
//!
//! A blade that spins with its hub is at rest in the axes that turn with it. With velocities `c(q)` of
//! the twist, and their rates `ċ(q)`, the equations of equilibrium hold where those at rest have zeros;
//! their tangent gains `D ∂c/∂q + M ∂ċ/∂q`.

use super::equations::{Equations, Extra};
use super::estimate_multipliers;
use super::newton::{load_steps, newton};
use crate::analysis::assemble::{Weighting, assemble_position, changes};
use crate::analysis::sparse::LARGE;
use crate::analysis::steady::axes;
use crate::analysis::twist::{Steady, angular_speed, fastest};
use crate::analysis::words::count;
use crate::consistency::{Change, make_consistent, not_finite};
use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::settings::InitialPolicy;
use crate::state::State;
use crate::system::{Component, Level, System};
use serde::Serialize;
use std::fmt;

/// Slower turns than this, in rad/s, are none.
const AT_REST: f64 = 1e-12;
/// Velocities of constraints, over the speed and the scales, that are zero.
const TOGETHER: f64 = 1e-6;

/// A steady turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SteadyTurn {
    /// The state, with its velocities.
    #[serde(skip)]
    pub state: State,
    /// The twist about the origin, world axes: linear and angular velocity.
    pub twist: [f64; 6],
    /// Angular speed, rad/s.
    pub speed: f64,
    /// How far coordinates moved from the start.
    pub moved: Vec<Change>,
    /// How it was found.
    pub path: String,
}

/// Finds the steady turn near `start`: the twist is that of what turns fastest there.
pub fn steady_turn(system: &mut dyn System, start: &State) -> Result<SteadyTurn, Diagnosis> {
    let mut state = start.clone();
    assemble_position(system, &mut state, Weighting::Unit)?;
    make_consistent(system, &mut state, InitialPolicy::Project)?;
    let twist = fastest(system, &state);
    let speed = angular_speed(&twist);
    for rest in [&mut state.v, &mut state.vdot, &mut state.a, &mut state.xdot] {
        rest.fill(0.0);
    }
    let moves = speed > AT_REST;
    if moves {
        system.swept(&state.q, &twist, &mut state.v, &mut state.vdot);
        turns_together(system, &state, speed)?;
    }
    estimate_multipliers(system, &mut state)?;
    let mut equations = Equations::new(system, &state);
    if !equations.load.is_finite() || !equations.energy.is_finite() {
        return Err(not_finite(system, &state));
    }
    equations.turning = moves.then_some(twist);
    let path = match newton(system, &equations, &mut state, &Extra::default(), 60) {
        Some(n) => format!("Newton's method, {}", count(n, "iteration")),
        None => {
            let steps = load_steps(system, &equations, &mut state);
            let steps = steps.ok_or_else(|| none(start.t, speed))?;
            format!("Newton's method, {}", count(steps, "load step"))
        }
    };
    if moves {
        turns_together(system, &state, speed)?;
    }
    estimate_multipliers(system, &mut state)?;
    state.a.copy_from_slice(&state.vdot);
    if moves {
        refuse_unsteady(system, &state, speed)?;
    }
    let moved = changes(system, start, &state);
    Ok(SteadyTurn { moved, twist, speed, path, state })
}

/// Complains if constraints do not let everything turn with the one twist.
fn turns_together(system: &mut dyn System, state: &State, speed: f64) -> Result<(), Diagnosis> {
    let mut rates = vec![0.0; system.sizes().multipliers()];
    system.constraint(Level::Velocity, &state.point(), &mut rates);
    let worst = rates.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    let Some((row, rate)) = worst.filter(|(_, rate)| rate.abs() > TOGETHER * speed) else {
        return Ok(());
    };
    let constraint = system.subject(Component::Constraint(row));
    let message = format!(
        "not everything can turn together at {speed:.6} rad/s: `{constraint}` would move with {rate:.3e}"
    );
    let message = Sentence::about(message, [constraint]);
    Err(Diagnosis::new(Failure::NotConverged, state.t, message).remedied_by(vec![
        "let one rotor turn about a hinge of the ground, with a motion or a starting velocity"
            .into(),
    ]))
}

/// Complains if the equations change while everything turns: then it does not go on turning like that.
fn refuse_unsteady(system: &mut dyn System, state: &State, speed: f64) -> Result<(), Diagnosis> {
    let sizes = system.sizes();
    let steady = match sizes.motion + sizes.multipliers() > LARGE && sizes.nonholonomic == 0 {
        true => Steady::at(system, state).is_some(),
        false => axes(system, state).doubts.is_empty(),
    };
    if steady {
        return Ok(());
    }
    let evidence = Steady::obstacle(system, state).map(|row| {
        let coordinate = system.subject(Component::Coordinate(row));
        let text =
            format!("seen in axes that turn along, what acts on `{coordinate}` changes most");
        Sentence::about(text, [coordinate])
    });
    Err(Diagnosis::new(Failure::Unsupported, state.t, format!(
            "a turn at {speed:.6} rad/s is no steady motion of this model: something does not turn along, such \
             as an elastic support or tower, gravity across the axis or a load fixed in the world, so that the \
             small motions have periodic, not constant, coefficients, and no frequencies of their own"
        )).because(evidence).remedied_by(vec![
            "look at the motion over a period instead: `rotula floquet`".into(),
            "or let everything turn: hold the rotor at the ground and leave out what stands still"
                .into(),
        ]))
}

fn none(t: f64, speed: f64) -> Diagnosis {
    Diagnosis::new(
        Failure::NotConverged,
        t,
        format!("no steady turn at {speed:.6} rad/s was found near the start"),
    )
    .remedied_by(vec![
        "try a lower speed; above a critical one nothing may hold the parts together".into(),
    ])
}

impl fmt::Display for SteadyTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A steady turn at {:.9} rad/s, found by {}.", self.speed, self.path)?;
        for change in self.moved.iter().take(6) {
            write!(f, "\n  `{}` moved by {:+.6e}", change.name, change.change)?;
        }
        match self.moved.len().saturating_sub(6) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more coordinates"),
        }
    }
}
