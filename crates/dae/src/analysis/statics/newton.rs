//! Newton's method for equilibria, with Deuflhard's natural monotonicity test, which does not
//! depend on units; and load steps that remove an artificial force bit by bit.

use super::super::dense::{Svd, is_finite, norm};
use super::super::space::MOST;
use super::super::sparse::{Entries, LARGE, SparseLu};
use super::equations::{Equations, Extra};
use crate::state::State;
use crate::system::System;
use faer::Mat;
use faer::linalg::solvers::{ColPivQr, Solve};

const MOST_ITERATIONS: usize = 60;
/// No coordinate moves by more than this many scales in one iteration.
const LONGEST_STEP: f64 = 0.5;
/// Steps below this, in scales, are converged.
const CONVERGED: f64 = 1e-11;
/// Steps below this, in scales, may be the last if they no longer shrink; …
const SMALL: f64 = 1e-8;
/// … and below this if the residual is rounding.
const COARSE: f64 = 1e-4;
/// Pivots below this part of the largest mean redundant constraints or free motions.
const SINGULAR: f64 = 1e-11;

/// A factorisation that solves regular systems fast and singular ones with least norm.
pub(super) enum Factor {
    Large(SparseLu),
    Regular(ColPivQr<f64>),
    Singular(Svd),
}

impl Factor {
    /// Factors a matrix of so many rows and columns; `None` if it is not finite, or too large for the way that
    /// a singular one needs.
    pub(super) fn new((rows, cols): (usize, usize), entries: &Entries) -> Option<Self> {
        if rows == cols
            && rows > LARGE
            && let Some(lu) = SparseLu::new(rows, entries)
        {
            return Some(Factor::Large(lu));
        }
        if rows.max(cols) > MOST {
            return None;
        }
        let matrix = entries.dense(rows, cols);
        if !is_finite(&matrix) {
            return None;
        }
        if rows == cols && rows > 0 {
            let qr = matrix.col_piv_qr();
            let r = qr.thin_R();
            let regular = (0..rows).all(|k| r[(k, k)].abs() > SINGULAR * r[(0, 0)].abs());
            if regular {
                return Some(Factor::Regular(qr));
            }
        }
        Svd::new(&matrix, SINGULAR).map(Factor::Singular)
    }

    pub(super) fn solve(&self, b: &[f64]) -> Vec<f64> {
        match self {
            Factor::Large(lu) => lu.solve(b),
            Factor::Regular(qr) => {
                let right = Mat::from_fn(b.len(), 1, |i, _| b[i]);
                let solution = qr.solve(right);
                (0..b.len()).map(|i| solution[(i, 0)]).collect()
            }
            Factor::Singular(svd) => svd.solve(b, 0.0),
        }
    }
}

/// Iterates to an equilibrium; gives the number of iterations, or `None` and leaves the state.
pub(super) fn newton(
    system: &mut dyn System,
    equations: &Equations,
    state: &mut State,
    extra: &Extra,
    most: usize,
) -> Option<usize> {
    let mut now = state.clone();
    let mut residual = equations.residual(system, &now, extra);
    let n = equations.sizes.motion;
    let mut previous = f64::INFINITY;
    for iteration in 1..=most.min(MOST_ITERATIONS) {
        let factor = Factor::new(equations.shape(), &equations.matrix(system, &now, extra))?;
        let step: Vec<f64> = factor.solve(&residual).iter().map(|d| -d).collect();
        let size = norm(&step);
        if !size.is_finite() {
            return None;
        }
        let motion = step[..n].iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        let mut by = if motion > LONGEST_STEP { LONGEST_STEP / motion } else { 1.0 };
        if settled(size, previous, &residual) {
            now = equations.moved(system, &now, &step, 1.0);
            let solved = balanced(system, equations, &now, extra);
            if solved {
                *state = now;
            }
            return solved.then_some(iteration);
        }
        previous = size;
        loop {
            let trial = equations.moved(system, &now, &step, by);
            let new = equations.residual(system, &trial, extra);
            let finite = new.iter().all(|r| r.is_finite());
            if finite && norm(&factor.solve(&new)) <= (1.0 - 0.25 * by) * size {
                (now, residual) = (trial, new);
                break;
            }
            by *= 0.5;
            if by < 1e-4 {
                return None;
            }
        }
    }
    None
}

/// Whether a step ends the iteration, by its size, that of the step before and the scaled residual it comes from.
/// Steps that no longer shrink are as good as it gets if they are small, or if the residual is what rounding makes of
/// terms as large as the stiffness: soft motions beside stiff ones have no better places.
pub(super) fn settled(size: f64, previous: f64, residual: &[f64]) -> bool {
    let largest = residual.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
    let rounding = f64::EPSILON * (residual.len() as f64).sqrt();
    let stagnant = size > 0.3 * previous;
    size <= CONVERGED || (stagnant && (size <= SMALL || (size <= COARSE && largest <= rounding)))
}

/// True if what is left is small beside the loads: steps may vanish although a force along a free
/// motion does not.
pub(super) fn balanced(
    system: &mut dyn System,
    equations: &Equations,
    state: &State,
    extra: &Extra,
) -> bool {
    let residual = equations.residual(system, state, extra);
    let load = equations.load.max(equations.load_at(system, state));
    let n = equations.sizes.motion;
    let force = residual[..n].iter().fold(0.0_f64, |m, r| m.max(r.abs())) * equations.energy;
    let rest = residual[n..].iter().fold(0.0_f64, |m, r| m.max(r.abs()));
    force <= 1e-8 * load + 1e-12 * equations.energy && rest <= 1e-9
}

/// Starts from an equilibrium held by an artificial force and removes it; gives the load steps.
pub(super) fn load_steps(
    system: &mut dyn System,
    equations: &Equations,
    state: &mut State,
) -> Option<usize> {
    let mut now = state.clone();
    let mut hold = equations.residual(system, &now, &Extra::default());
    hold[equations.sizes.motion..].fill(0.0);
    let (mut done, mut step, mut steps) = (0.0_f64, 0.25_f64, 0);
    while done < 1.0 {
        let next = (done + step).min(1.0);
        let extra = Extra { hold: Some((1.0 - next, &hold)), inertia: None };
        match newton(system, equations, &mut now, &extra, 25) {
            Some(iterations) => {
                done = next;
                steps += 1;
                step *= if iterations <= 6 { 2.0 } else { 1.0 };
            }
            None => step *= 0.25,
        }
        if step < 1e-4 || steps > 400 {
            return None;
        }
    }
    *state = now;
    Some(steps)
}
