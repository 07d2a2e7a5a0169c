//! Bodies that nothing but contacts connects: grains, beads, bricks.
//!
//! Their matrix falls into small blocks, which are inverted one by one. A round linearises forces and
//! gradients; then contacts without friction that hang together loosely, as in a chain, are solved all
//! at once. The impulses of others are found by nonlinear Gauss–Seidel sweeps over the acting contacts
//! with the velocities of the bodies updated in place; each contact is solved exactly
//! (`nonsmooth::local`), and begins with its forces of the last step.
//!
//! A step is accepted when the equations of motion meet the tolerance and the natural map of all
//! contacts, evaluated anew, is below the tolerance times the rows without contact forces, both in the
//! Euclidean norm. That is the measure of Siconos, with the natural map in the unit of velocities.
//!
//! | file | content |
//! |---|---|
//! | `parts` | the blocks of the matrix |
//! | `links` | gradients and responses of the acting contacts, sweeps |
//! | `direct` | all contacts at once, if they have no friction |
//! | `envelope` | the matrix for this |

mod direct;
mod envelope;
mod links;
mod parts;

use super::MoreauJeanScheme;
use super::step::{FINER, FORCES};
use crate::formulation::nonsmooth::Candidates;
use crate::newton::Trouble;
use crate::statistics::Statistics;
use crate::stop::Stop;
use crate::system::{System, Terms, Weights};
use direct::Direct;
use links::Links;
use parts::{Parts, Six, WIDTH};
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// Most linearisations of one step.
const MOST_ROUNDS: usize = 30;
/// Rounds after which the matrices of the parts are made anew.
const OLD: usize = 4;
/// Sweeps stop at this part of the bound, or of the error that the round began with: the gradients of
/// the next round differ anyway.
const INNER: f64 = 0.3;
const ENOUGH: f64 = 0.02;

/// Parts and contacts of a system whose matrix falls apart.
#[derive(Serialize, Deserialize)]
pub(super) struct Apart {
    parts: Parts,
    links: Links,
    direct: Direct,
    values: Vec<f64>,
    more_values: Vec<f64>,
    residual: Vec<Six>,
}

impl Apart {
    /// None if joints or forces connect too many coordinates.
    pub fn find(dynamics: &Pattern, multipliers: usize) -> Option<Self> {
        let parts = Parts::find(dynamics).filter(|_| multipliers == 0)?;
        Some(Apart {
            links: Links::default(),
            direct: Direct::default(),
            values: vec![0.0; dynamics.entries()],
            more_values: vec![0.0; dynamics.entries()],
            residual: vec![[0.0; WIDTH]; parts.count()],
            parts,
        })
    }

    /// What forces along some coordinates do to the parts they act on, with the matrices of the last step.
    pub fn respond(&self, forces: &[(usize, f64)]) -> Vec<(usize, f64)> {
        let mut found: Vec<(usize, Six)> = Vec::new();
        for &(coordinate, force) in forces {
            let (part, place) = self.parts.place(coordinate);
            let known = found.iter().position(|(other, _)| *other == part);
            let k = known.unwrap_or(found.len());
            if known.is_none() {
                found.push((part, [0.0; WIDTH]));
            }
            found[k].1[place] += force;
        }
        let moved = found.into_iter().flat_map(|(part, forces)| {
            self.parts.coordinates(part).zip(self.parts.respond(part, &forces))
        });
        moved.collect()
    }

    /// Takes over a new list of contacts.
    pub fn renew(&mut self, candidates: &Candidates) {
        self.links.renew(candidates, &self.parts);
    }
}

impl MoreauJeanScheme {
    /// Solves the step by rounds of sweeps, at most so many sweeps in all.
    pub(super) fn solve_apart(
        &mut self,
        system: &mut dyn System,
        apart: &mut Apart,
        most: usize,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        let n = self.core.sizes.motion;
        let mut sweeps = 0;
        let (mut bound, mut coarse, mut fine) = (0.0, 0.0, 0.0);
        for round in 0..MOST_ROUNDS {
            self.evaluate_rows(system);
            statistics.residuals += 1;
            if round > 0 {
                let natural = self.natural_size() / bound;
                let motion = self.size(&self.residual[..n]) / self.bounds(1.0).motion;
                self.last = natural.max(motion);
                if natural.is_nan() || motion.is_nan() {
                    let equation = self.residual.iter().position(|r| !r.is_finite()).unwrap_or(0);
                    return Err(Trouble::NotFinite { equation });
                }
                if self.last <= 1.0 {
                    return Ok(sweeps);
                }
            }
            if round % OLD == 0 {
                self.invert_parts(system, apart, statistics)?;
            }
            let Apart { parts, links, direct, residual, .. } = apart;
            parts.gather(&self.x[..n], &mut links.motion);
            let rows = (&self.gradient[..], &self.rows[..]);
            links.prepare(&self.candidates, parts, &self.active, rows, &mut self.masses);
            parts.gather(&self.residual[..n], residual);
            for (part, (motion, residual)) in links.motion.iter_mut().zip(residual).enumerate() {
                let step = parts.respond(part, residual);
                motion.iter_mut().zip(step).for_each(|(motion, step)| *motion -= step);
            }
            if round == 0 {
                // the rounding of rows is that of the general way
                let rounding = self.bounds(0.0).rows;
                let size = self.tolerance * links.free_size(&self.x[n..]);
                (coarse, fine) = (size + rounding, FINER * size + rounding);
            }
            if direct.solve(links, &mut self.x[n..]) {
                // what is left of a rate adds up to a gap, and nothing is lost by meeting it finely
                bound = fine;
                statistics.iterations += 1;
                sweeps += 1;
            } else {
                bound = coarse;
                let most = most - sweeps;
                let stop = &self.core.stop;
                sweeps += sweep_until(links, bound, (most, stop), &mut self.x[n..], statistics)
                    .ok_or(Trouble::NotConverged)?;
            }
            parts.scatter(&links.motion, &mut self.x[..n]);
        }
        Err(Trouble::NotConverged)
    }

    /// Assembles and inverts the matrix of every part.
    fn invert_parts(
        &mut self,
        system: &mut dyn System,
        apart: &mut Apart,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        let h = self.core.h;
        let stiffness = self.theta * h * h;
        let at = self.core.trial.point();
        let inertia = Weights { mass: 1.0, damping: h, stiffness };
        let forces = Weights { mass: 0.0, damping: h, stiffness };
        system.tangent(&at, inertia, Terms::WITHOUT_FORCES, &mut apart.values);
        system.tangent(&at, forces, FORCES, &mut apart.more_values);
        for (value, force) in apart.values.iter_mut().zip(&apart.more_values) {
            *value += self.theta * force;
        }
        statistics.factorisations += 1;
        // the general way says what is singular
        apart.parts.invert(&apart.values).then_some(()).ok_or(Trouble::NotConverged)
    }

    /// Root mean square of the distances of the forces from what the laws make of them.
    fn natural_size(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for i in (0..self.candidates.len()).filter(|&i| self.active[i]) {
            let rows = self.candidates.laws[i].rows();
            sum += self.natural_error(i)[..rows].iter().map(|e| e * e).sum::<f64>();
            count += rows;
        }
        (sum / count.max(1) as f64).sqrt()
    }
}

/// Sweeps until they change nothing any more by the bound; none if that takes too many.
fn sweep_until(
    links: &mut Links,
    bound: f64,
    (most, stop): (usize, &Stop),
    forces: &mut [f64],
    statistics: &mut Statistics,
) -> Option<usize> {
    let mut target = INNER * bound;
    let mut last = f64::INFINITY;
    links.begin(forces);
    for sweep in 1..=most.max(1) {
        if stop.asked() {
            return None;
        }
        // there and back, so that what happens below is known above at once, and the reverse
        let backward = sweep % 2 == 0;
        let change = links.sweep(backward, forces);
        statistics.iterations += 1;
        if sweep == 1 {
            target = target.max(ENOUGH * change);
        }
        if change <= target {
            return Some(sweep);
        }
        if backward {
            last = links.extrapolate(last, forces);
        }
    }
    None
}
