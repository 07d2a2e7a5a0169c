//! Projection onto the position constraints from far away: Levenberg and Marquardt's method with
//! steps of least weighted norm.
//!
//! A step solves `min ‖W½Δ‖` subject to `GΔ = −g`, damped by `μ ∝ ‖g‖²`: far away it is careful, near
//! a solution it is Newton's, and it stays so where constraints repeat each other, because damping
//! that vanishes with the square of the residual keeps quadratic convergence without full rank.

use super::dense::{RANK_TOLERANCE, Svd, gradient, move_by, norm, scaled, top};
use super::space::{Space, Which, too_large};
use super::sparse::{Block, Independent, LARGE};
use crate::state::State;
use crate::system::{Level, System};

/// Residuals below this, relative to the constraints' norms, are met.
const MET: f64 = 1e-13;
/// Residuals that no longer fall below this are met as well as rounding allows.
const ROUNDING: f64 = 1e-10;
/// Residuals below this, relative, are those of a position that is closed but for rounding and small gaps.
const NEAR: f64 = 1e-6;
const MOST_ITERATIONS: usize = 200;
/// No coordinate moves by more than this many times its scale in one step.
const LONGEST_STEP: f64 = 1.0;

/// Where an attempt ended.
#[derive(Clone, Debug)]
pub(super) struct Projected {
    /// All constraints are met.
    pub met: bool,
    /// Residuals over their norms, at the end.
    pub residual: Vec<f64>,
    /// Steps taken.
    pub iterations: usize,
}

/// Moves `state.q` onto the position constraints at `state.t`. `weights` say how dear a motion of
/// each coordinate is; `None` if a number is not finite.
pub(super) fn project(
    system: &mut dyn System,
    state: &mut State,
    weights: &[f64],
) -> Option<Projected> {
    let sizes = system.sizes();
    let rows = sizes.holonomic;
    state.increment.fill(0.0);
    if rows == 0 {
        return Some(Projected { met: true, residual: Vec::new(), iterations: 0 });
    }
    let cheap: Vec<f64> = weights.iter().map(|w| 1.0 / w.sqrt()).collect();
    let scale: Vec<f64> = (0..sizes.motion).map(|i| system.scale(i)).collect();
    let first = Block::gradient(system, &state.point()).top(rows);
    let norms = floored(first.scaled(|_| 1.0, |j| scale[j]).row_norms());
    let inverse: Vec<f64> = norms.iter().map(|n| 1.0 / n).collect();
    let mut residual = measured(system, state, &norms)?;
    let mut damping = 1.0;
    let mut stagnant = 0;
    for iterations in 0..MOST_ITERATIONS {
        let size = norm(&residual);
        if worst(&residual) <= MET {
            return Some(Projected { met: true, residual, iterations });
        }
        if let Some((next, new)) = sparse_step(system, state, (&residual, &norms), &cheap) {
            (residual, state.q) = (new, next);
            continue;
        }
        if too_large(system) {
            let met = worst(&residual) <= ROUNDING;
            return Some(Projected { met, residual, iterations });
        }
        let matrix = scaled(&top(&gradient(system, &state.point()), rows), &inverse, &cheap);
        let svd = Svd::new(&matrix, RANK_TOLERANCE)?;
        let largest = svd.s.first().copied().unwrap_or(0.0);
        let negative: Vec<f64> = residual.iter().map(|r| -r).collect();
        let mut improved = false;
        for _ in 0..25 {
            let mu = damping * largest * largest * (size * size).min(1.0);
            let mut step = svd.solve(&negative, mu);
            step.iter_mut().zip(&cheap).for_each(|(d, c)| *d *= c);
            shorten(&mut step, &scale);
            let mut trial = state.clone();
            move_by(system, &mut trial, &step);
            match measured(system, &trial, &norms) {
                Some(new) if norm(&new) < (1.0 - 1e-6) * size => {
                    stagnant = if norm(&new) > 0.999 * size { stagnant + 1 } else { 0 };
                    (residual, state.q) = (new, trial.q);
                    damping = (damping / 10.0).max(1e-6);
                    improved = true;
                    break;
                }
                _ => damping = (damping * 10.0).min(1e12),
            }
        }
        if !improved || stagnant > 8 {
            let met = worst(&residual) <= ROUNDING;
            return Some(Projected { met, residual, iterations });
        }
    }
    let met = worst(&residual) <= ROUNDING;
    Some(Projected { met, residual, iterations: MOST_ITERATIONS })
}

/// A step of Newton's method near a solution of a large system whose constraints are independent; `None` if it
/// is not that or does not come nearer.
fn sparse_step(
    system: &mut dyn System,
    state: &State,
    (residual, norms): (&[f64], &[f64]),
    cheap: &[f64],
) -> Option<(Vec<f64>, Vec<f64>)> {
    let sizes = system.sizes();
    let large = sizes.motion + sizes.multipliers() > LARGE;
    if !large || sizes.nonholonomic > 0 || worst(residual) > NEAR {
        return None;
    }
    let independent = Independent::measured(system, state, cheap.to_vec())?;
    let rates: Vec<f64> = residual.iter().zip(norms).map(|(r, n)| -r * n).collect();
    let mut step = independent.least(&rates);
    step.truncate(sizes.motion);
    let mut trial = state.clone();
    move_by(system, &mut trial, &step);
    let new = measured(system, &trial, norms)?;
    (norm(&new) < 0.5 * norm(residual)).then_some((trial.q, new))
}

/// Changes `state.v` as little as possible so that all constraints hold at velocity level; `false` if
/// none does.
pub(super) fn project_velocity(system: &mut dyn System, state: &mut State) -> bool {
    let rows = system.sizes().multipliers();
    if rows == 0 {
        return true;
    }
    let scale: Vec<f64> = (0..state.v.len()).map(|i| system.scale(i)).collect();
    let norms = Block::gradient(system, &state.point()).scaled(|_| 1.0, |j| scale[j]).row_norms();
    let mut residual = vec![0.0; rows];
    // Nonholonomic constraints may be nonlinear in the velocity.
    for _ in 0..30 {
        system.constraint(Level::Velocity, &state.point(), &mut residual);
        let speed = 1.0 + state.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let misses = |(r, n): (&f64, &f64)| r.abs() > 1e-12 * speed * n.max(1e-12);
        if !residual.iter().zip(&norms).any(misses) {
            return true;
        }
        let Some(change) = least_change(system, state, &residual) else { return false };
        for (v, d) in state.v.iter_mut().zip(change) {
            *v -= d;
        }
    }
    false
}

/// The least motion that changes the constraints by given rates.
fn least_change(system: &mut dyn System, state: &State, rates: &[f64]) -> Option<Vec<f64>> {
    if too_large(system) {
        return Some(Independent::new(system, state)?.least(rates));
    }
    Some(Space::new(system, &state.point(), Which::All)?.solve(rates))
}

/// Position residuals over their norms; `None` if one is not finite.
fn measured(system: &mut dyn System, state: &State, norms: &[f64]) -> Option<Vec<f64>> {
    let mut residual = vec![0.0; norms.len()];
    system.constraint(Level::Position, &state.point(), &mut residual);
    residual.iter_mut().zip(norms).for_each(|(r, n)| *r /= n);
    residual.iter().all(|r| r.is_finite()).then_some(residual)
}

/// Gradients may vanish by chance at a guess: no norm is taken below a thousandth of the largest.
fn floored(norms: Vec<f64>) -> Vec<f64> {
    let largest = norms.iter().fold(0.0_f64, |m, n| m.max(*n));
    let floor = if largest > 0.0 { 1e-3 * largest } else { 1.0 };
    norms.into_iter().map(|n| n.max(floor)).collect()
}

/// Keeps the direction of a step and bounds its length.
fn shorten(step: &mut [f64], scale: &[f64]) {
    let longest = step.iter().zip(scale).fold(0.0_f64, |m, (d, s)| m.max((d / s).abs()));
    if longest > LONGEST_STEP {
        step.iter_mut().for_each(|d| *d *= LONGEST_STEP / longest);
    }
}

/// Largest magnitude.
pub(super) fn worst(residual: &[f64]) -> f64 {
    residual.iter().fold(0.0, |m, r| m.max(r.abs()))
}

/// Random numbers between −1 and 1 that are the same on every run.
pub(super) struct Kicks(u64);

impl Kicks {
    pub fn new() -> Self {
        Kicks(0x9e37_79b9_7f4a_7c15)
    }

    pub fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
