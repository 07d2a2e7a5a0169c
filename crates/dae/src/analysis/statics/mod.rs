//! Static equilibrium: where a system rests, what its reactions are, and whether it stays there.

mod equations;
mod newton;
mod path;
mod relaxation;
mod stability;
mod turning;

pub use path::{EquilibriumPath, PathPoint, PathSettings, Turn, equilibrium_path};
pub use stability::Stability;
pub use turning::{SteadyTurn, steady_turn};

use super::assemble::{Weighting, assemble_position, changes};
use super::space::{Space, Which, no_space};
use super::sparse::{Independent, LARGE};
use super::words::{Share, coordinates, count, motion, names};
use crate::consistency::{Change, not_finite};
use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::state::State;
use crate::system::{System, Terms};
use equations::{Equations, Extra};
use serde::Serialize;
use std::fmt;

/// When the slow and sure way is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relaxation {
    /// When Newton's method fails, or finds an unstable equilibrium away from the start.
    #[default]
    IfNeeded,
    /// At once: follows the motion downhill from the start.
    First,
    /// Never.
    Never,
}

/// An equilibrium.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Equilibrium {
    /// The state at rest, with multipliers, states and variables.
    #[serde(skip)]
    pub state: State,
    /// Whether it stays there.
    pub stability: Stability,
    /// Motions that depart.
    pub unstable_motions: Vec<Vec<Share>>,
    /// Motions that nothing holds.
    pub free_motions: Vec<Vec<Share>>,
    /// How far coordinates moved from the start.
    pub moved: Vec<Change>,
    /// Largest force that is left, over the scales.
    pub residual: f64,
    /// How it was found.
    pub path: Vec<String>,
}

/// Finds an equilibrium near `start`, at its time. Joints may be open: they are closed first.
/// Where constraints repeat each other, the least multipliers are taken.
pub fn statics(
    system: &mut dyn System,
    start: &State,
    relaxation: Relaxation,
) -> Result<Equilibrium, Diagnosis> {
    let mut state = start.clone();
    for rest in [&mut state.v, &mut state.vdot, &mut state.a, &mut state.xdot] {
        rest.fill(0.0);
    }
    assemble_position(system, &mut state, Weighting::Unit)?;
    estimate_multipliers(system, &mut state)?;
    let equations = Equations::new(system, &state);
    if !equations.load.is_finite() || !equations.energy.is_finite() {
        return Err(not_finite(system, &state));
    }
    let mut path = Vec::new();
    let found = match relaxation {
        Relaxation::First => downhill(system, &equations, &state, &mut path),
        Relaxation::Never => directly(system, &equations, &state, &mut path),
        Relaxation::IfNeeded => directly(system, &equations, &state, &mut path)
            .or_else(|| downhill(system, &equations, &state, &mut path)),
    };
    let Some(mut end) = found else { return Err(no_equilibrium(system, &state, &equations)) };
    let mut verdict = judged(system, &end)?;
    // An unstable equilibrium that was not asked for is left for a stable one.
    let sought = relaxation == Relaxation::IfNeeded && departed(system, &state, &end);
    if sought
        && verdict.stability == Stability::Unstable
        && let Some(lower) = downhill(system, &equations, &state, &mut path)
    {
        let better = judged(system, &lower)?;
        if better.stability != Stability::Unstable {
            (end, verdict) = (lower, better);
        }
    }
    estimate_multipliers(system, &mut end)?;
    let mut force = vec![0.0; equations.sizes.motion];
    system.dynamics(&end.point(), Terms::ALL, &mut force);
    let left = force.iter().zip(&equations.scale).fold(0.0_f64, |m, (f, s)| m.max((f * s).abs()));
    Ok(Equilibrium {
        stability: verdict.stability,
        unstable_motions: verdict.unstable,
        free_motions: verdict.free,
        moved: changes(system, start, &end),
        residual: left,
        path,
        state: end,
    })
}

/// True if some coordinate moved noticeably.
fn departed(system: &dyn System, from: &State, to: &State) -> bool {
    let mut moved = vec![0.0; to.v.len()];
    system.local(&from.q, &to.q, &mut moved);
    moved.iter().enumerate().any(|(i, d)| d.abs() > 1e-6 * system.scale(i))
}

fn judged(system: &mut dyn System, state: &State) -> Result<stability::Verdict, Diagnosis> {
    stability::judge(system, state).ok_or_else(|| no_space(system, state))
}

/// Newton's method at once, then with load steps.
fn directly(
    system: &mut dyn System,
    equations: &Equations,
    state: &State,
    path: &mut Vec<String>,
) -> Option<State> {
    let mut end = state.clone();
    if let Some(n) = newton::newton(system, equations, &mut end, &Extra::default(), 60) {
        path.push(format!("Newton's method, {}", count(n, "iteration")));
        return Some(end);
    }
    let steps = newton::load_steps(system, equations, &mut end)?;
    path.push(format!("Newton's method, {}", count(steps, "load step")));
    Some(end)
}

/// Relaxation, then Newton's method.
fn downhill(
    system: &mut dyn System,
    equations: &Equations,
    state: &State,
    path: &mut Vec<String>,
) -> Option<State> {
    let mut end = state.clone();
    let steps = relaxation::relax(system, equations, &mut end)?;
    path.push(format!("relaxation, {}", count(steps, "step")));
    Some(end)
}

/// The least multipliers that balance the applied forces best. Systems whose forces depend on the
/// multipliers keep theirs.
pub(super) fn estimate_multipliers(
    system: &mut dyn System,
    state: &mut State,
) -> Result<(), Diagnosis> {
    if system.patterns().reactions.is_some() {
        return Ok(());
    }
    let sizes = system.sizes();
    let mut force = vec![0.0; sizes.motion];
    system.dynamics(&state.point(), Terms::WITHOUT_REACTIONS, &mut force);
    if sizes.motion + sizes.multipliers() > LARGE
        && let Some(independent) = Independent::new(system, state)
    {
        state.multipliers = independent.multipliers(&force);
        return Ok(());
    }
    let Some(space) = Space::new(system, &state.point(), Which::All) else {
        return Err(no_space(system, state));
    };
    state.multipliers = space.multipliers(&force);
    Ok(())
}

/// Says along which motion forces do not balance.
fn no_equilibrium(system: &mut dyn System, state: &State, equations: &Equations) -> Diagnosis {
    let mut evidence = Vec::new();
    if let Ok(verdict) = judged(system, state) {
        for free in &verdict.free {
            let text = format!("nothing holds {}", names(free));
            evidence.push(Sentence::about(text, coordinates(free)));
        }
    }
    let mut force = vec![0.0; equations.sizes.motion];
    system.dynamics(&state.point(), Terms::ALL, &mut force);
    let pulled: Vec<f64> = force.iter().zip(&equations.scale).map(|(f, s)| -f * s * s).collect();
    let pulled = motion(system, &pulled);
    if !pulled.is_empty() {
        let text = format!("at the start, forces pull {}", names(&pulled));
        evidence.push(Sentence::about(text, coordinates(&pulled)));
    }
    if !system.contacts().is_empty() {
        evidence.push("contacts without elasticity do not push in statics".into());
    }
    Diagnosis::new(
        Failure::NotConverged,
        state.t,
        format!("no equilibrium was found near the start (at t = {})", state.t),
    )
    .because(evidence)
    .remedied_by(vec![
        "hold the named motions by a spring or a constraint".into(),
        "or start nearer to the equilibrium".into(),
    ])
}

impl Equilibrium {
    /// How it was found, whether it stays, and along which motions it does not.
    pub fn verdict(&self) -> String {
        let verdict = match self.stability {
            Stability::Stable => "A stable",
            Stability::Neutral => "A neutral",
            Stability::Unstable => "An unstable",
        };
        let mut text = format!("{verdict} equilibrium, found by {}.", self.path.join(", then "));
        for motion in &self.unstable_motions {
            text += &format!("\n  departs along {}", names(motion));
        }
        for motion in &self.free_motions {
            text += &format!("\n  nothing holds {}", names(motion));
        }
        text
    }
}

impl fmt::Display for Equilibrium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.verdict())?;
        for change in &self.moved {
            write!(f, "\n  `{}` moved by {:+.6e}", change.name, change.change)?;
        }
        Ok(())
    }
}
