//! Relaxation: the motion with all kinetic energy removed after every step.
//!
//! A step is one of the implicit Euler method from rest, `M Δ/τ² = f + Gᵀλ`, `g = 0`: the limit
//! of strong numerical damping. It descends the potential energy as long as `K + M/τ²` is positive
//! definite on the motions that are left, which is made sure of; so it ends in a stable
//! equilibrium, never on a saddle.

use super::super::space::{Space, Which};
use super::equations::{Equations, Extra};
use super::newton::newton;
use crate::state::State;
use crate::system::{System, Terms};
use faer::{Mat, Side};

const MOST_STEPS: usize = 500;

/// Relaxes, then finishes with Newton's method; gives the steps taken.
pub(super) fn relax(
    system: &mut dyn System,
    equations: &Equations,
    state: &mut State,
) -> Option<usize> {
    let mut now = state.clone();
    let mut tau = first_step(system, equations, &now)?;
    for steps in 1..=MOST_STEPS {
        // shorter steps until the step descends
        while !descends(system, equations, &now, 1.0 / (tau * tau))? {
            tau *= 0.5;
            if tau < 1e-12 {
                return None;
            }
        }
        let from = now.q.clone();
        let extra = Extra { hold: None, inertia: Some((&from, 1.0 / (tau * tau))) };
        if newton(system, equations, &mut now, &extra, 12).is_none() {
            tau *= 0.3;
            if tau < 1e-12 {
                return None;
            }
            continue;
        }
        tau *= 2.0;
        let mut moved = vec![0.0; equations.sizes.motion];
        system.local(&from, &now.q, &mut moved);
        let far =
            moved.iter().zip(&equations.scale).fold(0.0_f64, |m, (d, s)| m.max((d / s).abs()));
        let near = far < 0.05 && descends(system, equations, &now, 0.0)?;
        if near || far < 1e-8 {
            let mut end = now.clone();
            if newton(system, equations, &mut end, &Extra::default(), 60).is_some() {
                *state = end;
                return Some(steps);
            }
            if far < 1e-8 {
                return None;
            }
        }
    }
    None
}

/// The time in which the applied forces move something by a tenth of its scale.
fn first_step(system: &mut dyn System, equations: &Equations, state: &State) -> Option<f64> {
    let mut force = vec![0.0; equations.sizes.motion];
    system.dynamics(&state.point(), Terms::ALL, &mut force);
    let mass = super::super::dense::mass(system, &state.point());
    let rate = (0..force.len())
        .filter(|i| mass[(*i, *i)] > 0.0)
        .map(|i| (force[i] / mass[(i, i)] / equations.scale[i]).abs())
        .fold(0.0, f64::max);
    let tau = if rate > 0.0 { (0.1 / rate).sqrt() } else { 1.0 };
    tau.is_finite().then_some(tau)
}

/// True if the stiffness with inertia is positive definite on the motions that are left.
fn descends(
    system: &mut dyn System,
    equations: &Equations,
    state: &State,
    weight: f64,
) -> Option<bool> {
    let kernel = Space::new(system, &state.point(), Which::All)?.kernel();
    if kernel.ncols() == 0 {
        return Some(true);
    }
    let extra = Extra { hold: None, inertia: Some((&state.q, weight)) };
    let reduced = kernel.transpose() * equations.stiffness(system, state, &extra) * &kernel;
    let symmetric: Mat<f64> = (&reduced + reduced.transpose()) * faer::Scale(0.5);
    Some(symmetric.llt(Side::Lower).is_ok())
}
