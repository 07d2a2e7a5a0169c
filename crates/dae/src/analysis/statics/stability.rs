//! Stability of an equilibrium: signs of the stiffness on the motions that constraints leave.

use super::super::dense::{auxiliary, is_finite, largest, scaled, scales, tangent, times};
use super::super::modes::modes;
use super::super::space::{Space, Which};
use super::super::sparse::{Block, LARGE, holds};
use super::super::words::{Share, motion};
use crate::state::State;
use crate::system::{StateWeights, System, Terms, Weights};
use faer::linalg::solvers::Solve;
use faer::{Mat, Side};
use serde::Serialize;

/// Eigenvalues of the stiffness below this part of its largest entry are zero: what is left of
/// entries that cancel on the motions that remain.
const ZERO: f64 = 1e-12;

/// What a small push does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stability {
    /// It comes back.
    Stable,
    /// It stays away: some motions are held by nothing.
    Neutral,
    /// It departs.
    Unstable,
}

/// The verdict and the motions behind it.
pub(super) struct Verdict {
    pub stability: Stability,
    pub unstable: Vec<Vec<Share>>,
    pub free: Vec<Vec<Share>>,
}

/// Judges an equilibrium.
pub(super) fn judge(system: &mut dyn System, state: &State) -> Option<Verdict> {
    let mut verdict =
        Verdict { stability: Stability::Stable, unstable: Vec::new(), free: Vec::new() };
    let sizes = system.sizes();
    if sizes.motion > LARGE && sizes.auxiliary() == 0 && sizes.nonholonomic == 0 {
        let stiffness = Block::tangent(system, &state.point(), Weights::STIFFNESS, Terms::ALL);
        let scale = scales(system);
        if holds(system, state, (&scale, stiffness)) {
            return Some(verdict);
        }
    }
    let space = Space::new(system, &state.point(), Which::All)?;
    let kernel = space.kernel();
    let size = kernel.ncols();
    if size == 0 {
        return Some(verdict);
    }
    let stiffness = condensed(system, state)?;
    let reference = largest(&scaled(&stiffness, &space.scale, &space.scale));
    let reduced = kernel.transpose() * stiffness * &kernel;
    let symmetric: Mat<f64> = (&reduced + reduced.transpose()) * faer::Scale(0.5);
    let eigen = symmetric.self_adjoint_eigen(Side::Lower).ok()?;
    let value = |k: usize| eigen.S().column_vector()[k];
    for k in 0..size {
        let coordinates: Vec<f64> = (0..size).map(|i| eigen.U()[(i, k)]).collect();
        let named = || motion(system, &times(&kernel, &coordinates));
        if value(k).abs() <= ZERO * reference {
            verdict.free.push(named());
        } else if value(k) < 0.0 {
            verdict.unstable.push(named());
        }
    }
    // Without a potential, or with states, the stiffness alone does not decide.
    let asymmetric = largest(&(&reduced - reduced.transpose())) > 1e-7 * largest(&reduced);
    let undecided = asymmetric || sizes.states > 0 || sizes.nonholonomic > 0;
    if undecided && let Ok(modes) = modes(system, state) {
        let growing = modes.modes.iter().filter(|mode| mode.unstable);
        verdict.unstable = growing.map(|mode| mode.participation.clone()).collect();
    }
    verdict.stability = match (verdict.unstable.is_empty(), verdict.free.is_empty()) {
        (false, _) => Stability::Unstable,
        (true, false) => Stability::Neutral,
        (true, true) => Stability::Stable,
    };
    Some(verdict)
}

/// The stiffness with states and variables at their equilibrium.
fn condensed(system: &mut dyn System, state: &State) -> Option<Mat<f64>> {
    let at = state.point();
    let stiffness = tangent(system, &at, Weights::STIFFNESS, Terms::ALL);
    if system.sizes().auxiliary() == 0 {
        return Some(stiffness);
    }
    let states = StateWeights { rate: 0.0, state: 1.0 };
    let parts = auxiliary(system, &at, Weights::STIFFNESS, states);
    let response = parts.own.full_piv_lu().solve(&parts.motion);
    let condensed = stiffness.clone() - parts.dynamics * response;
    // a state that nothing brings back, such as an integrator, has no equilibrium of its own
    Some(if is_finite(&condensed) { condensed } else { stiffness })
}
