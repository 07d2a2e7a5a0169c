//! Singular positions: dead points, branch points, and constraints that are nearly dependent.
//!
//! Rows that depend on each other everywhere are redundant. Rows that depend on each other only here
//! mark a singular position. The two are told apart by moving a little along the free motions, back
//! onto the constraints, and looking again:
//!
//! * the rank is higher there: branches of the motion meet here;
//! * a free motion of first order cannot be followed: it is blocked, as at a dead point.

use super::super::dense::{Svd, column, move_by, scales, times};
use super::super::projection::{Kicks, project};
use super::super::space::{Space, Which};
use super::super::words::{Share, constraints, motion};
use crate::state::State;
use crate::system::System;
use faer::Mat;
use serde::Serialize;

/// How far positions are moved, in scales of the coordinates.
const NEARBY: f64 = 1e-2;
/// Singular values below this count as zero nearby: between rounding and what a move of
/// [`NEARBY`] makes of them.
const NEARBY_RANK: f64 = 1e-7;
/// Relative singular values below this are reported.
pub(super) const NEARLY: f64 = 1e-4;
const MOST_MOVES: usize = 40;

/// A position unlike its neighbours.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Singularity {
    /// Branches of the motion meet: fewer constraints are independent than nearby.
    BranchPoint {
        /// Independent constraints here.
        rank: usize,
        /// Independent constraints nearby.
        nearby: usize,
        /// The constraints that become dependent.
        constraints: Vec<Share>,
        /// The motions among which the branches are.
        motions: Vec<Vec<Share>>,
    },
    /// Motions that are free in first order and blocked in second: a dead point.
    DeadPoint {
        /// The constraints that become dependent.
        constraints: Vec<Share>,
        /// The blocked motions.
        motions: Vec<Vec<Share>>,
    },
}

/// A combination of constraints that is nearly dependent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NearSingular {
    /// Its singular value over the largest.
    pub ratio: f64,
    /// The constraints of the combination.
    pub constraints: Vec<Share>,
    /// The motion that they hardly hold.
    pub motion: Vec<Share>,
}

/// Looks around a position.
pub(in crate::analysis) fn find(
    system: &mut dyn System,
    state: &State,
    here: &Space,
) -> Option<Singularity> {
    let (rank, freedoms) = (here.svd.rank, here.freedoms());
    let dependent = here.norms.len() - rank;
    if dependent == 0 || freedoms == 0 {
        return None;
    }
    let kernel = here.kernel();
    let weights: Vec<f64> = scales(system).iter().map(|s| 1.0 / (s * s)).collect();
    let mut kicks = Kicks::new();
    let mut nearby = rank;
    let mut moves: Vec<Vec<f64>> = Vec::new();
    for _ in 0..(freedoms + 3).min(MOST_MOVES) {
        let mut along: Vec<f64> = (0..freedoms).map(|_| kicks.number()).collect();
        let length = super::super::dense::norm(&along);
        along.iter_mut().for_each(|a| *a *= NEARBY / length);
        let mut there = state.clone();
        move_by(system, &mut there, &times(&kernel, &along));
        if !project(system, &mut there, &weights).is_some_and(|p| p.met) {
            continue;
        }
        let mut moved = vec![0.0; here.scale.len()];
        system.local(&state.q, &there.q, &mut moved);
        moved.iter_mut().zip(&here.scale).for_each(|(m, s)| *m /= s * NEARBY);
        if super::super::dense::norm(&moved) > 0.1 {
            nearby = nearby.max(rank_at(system, &there));
        }
        moves.push(moved);
    }
    let all_rows = here.svd.left_kernel();
    let rows: Vec<f64> = (0..all_rows.nrows())
        .map(|i| (0..all_rows.ncols()).map(|k| all_rows[(i, k)].powi(2)).sum::<f64>().sqrt())
        .collect();
    let involved = constraints(system, &rows);
    if nearby > rank {
        let motions = (0..freedoms).map(|k| motion(system, &column(&kernel, k))).collect();
        return Some(Singularity::BranchPoint { rank, nearby, constraints: involved, motions });
    }
    let blocked = blocked(&moves, here);
    if blocked.is_empty() || moves.len() < freedoms {
        return None;
    }
    let motions = blocked.iter().map(|b| motion(system, b)).collect();
    Some(Singularity::DeadPoint { constraints: involved, motions })
}

fn rank_at(system: &mut dyn System, state: &State) -> usize {
    let at = state.point();
    Space::new(system, &at, Which::Holonomic)
        .and_then(|space| Space::of(space.gradient, space.scale, NEARBY_RANK))
        .map_or(0, |space| space.svd.rank)
}

/// The part of the kernel along which no move succeeded.
fn blocked(moves: &[Vec<f64>], here: &Space) -> Vec<Vec<f64>> {
    let kernel = here.svd.kernel();
    let freedoms = kernel.ncols();
    // the moves, as coordinates in the kernel
    let done = Mat::from_fn(freedoms, moves.len(), |k, j| {
        (0..kernel.nrows()).map(|i| kernel[(i, k)] * moves[j][i]).sum::<f64>()
    });
    let Some(svd) = Svd::new(&done, 0.0) else { return Vec::new() };
    let possible = svd.s.iter().filter(|s| **s > 0.1).count();
    (possible..freedoms)
        .map(|k| {
            let direction = times(&kernel, &column(&svd.u, k));
            direction.iter().zip(&here.scale).map(|(d, s)| d * s).collect()
        })
        .collect()
}

/// Combinations of constraints that are nearly dependent, worst first.
pub(super) fn near(system: &dyn System, space: &Space) -> Vec<NearSingular> {
    let svd = &space.svd;
    (0..svd.rank)
        .rev()
        .filter(|k| svd.s[*k] < NEARLY * svd.s[0])
        .take(3)
        .map(|k| {
            let (moving, rows) = space.direction(k);
            NearSingular {
                ratio: svd.s[k] / svd.s[0],
                constraints: constraints(system, &rows),
                motion: motion(system, &moving),
            }
        })
        .collect()
}
