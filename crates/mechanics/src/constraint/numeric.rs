//! Constraints of which only the residual is known: all derivatives come from differences.
//!
//! Rates and accelerations are derivatives along the motion `x(τ) = x + R (v τ + (v̇ + ω × v) τ²/2)`,
//! `R(τ) = R exp(ω τ + ω̇ τ²/2)`, whose first two derivatives at `τ = 0` are those of the node; gradients
//! are derivatives along body variations. Formulas of order six and four give residuals ten digits.

use super::Constraint;
use crate::error::refusal;
use crate::measure::MAX_NODES;
use crate::model::GROUND;
use crate::node::Motion;
use crate::scene::Scene;
use crate::variation::{carried, faster, varied};
use dyn_clone::DynClone;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::Level;
use std::fmt::Debug;

/// Most rows of one function.
const MAX_ROWS: usize = 12;
/// Weights of `f(kh) − f(−kh)` for `h f'`, order four.
const SLOPE_4: [f64; 2] = [2.0 / 3.0, -1.0 / 12.0];
/// Weights of `f(kh) − f(−kh)` for `h f'`, order six.
const SLOPE_6: [f64; 3] = [3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0];
/// Weights of `f(0)` and of `f(kh) + f(−kh)` for `h² f''`, order six.
const BEND_6: [f64; 4] = [-49.0 / 18.0, 3.0 / 2.0, -3.0 / 20.0, 1.0 / 90.0];
/// Steps as parts of the size over which a function changes: rounding and truncation are small.
const GRADIENT_STEP: f64 = 2e-3;
const TIME_STEP: f64 = 1e-2;
/// For derivatives that only speed up an iteration.
const ROUGH_STEP: f64 = 1e-4;
/// Longest time over which a function of time is taken to change little.
const LONGEST: f64 = 0.1;

type Residuals = [f64; MAX_ROWS];

/// Equations of positions, given by what they should make zero.
pub trait PositionFunction: Debug + DynClone + Send + Sync {
    /// How many equations, at most twelve.
    fn rows(&self) -> usize;

    /// What a row demands, in words.
    fn describe(&self, row: usize) -> String;

    /// Writes the residuals. Of the motions, one per node, it may look at positions and rotations only.
    fn residual(&self, t: f64, motions: &[Motion], out: &mut [f64]);
}

dyn_clone::clone_trait_object!(PositionFunction);

/// A [`PositionFunction`] as a constraint.
#[derive(Clone, Debug)]
pub struct Numeric {
    nodes: Vec<usize>,
    function: Box<dyn PositionFunction>,
    length: f64,
}

impl Numeric {
    /// `length` is a size over which the residuals change little by little, say that of the bodies.
    pub fn new(
        nodes: Vec<usize>,
        function: impl PositionFunction + 'static,
        length: f64,
    ) -> Result<Self, crate::ModelError> {
        let rows = function.rows();
        if nodes.len() > MAX_NODES {
            return Err(crate::ModelError::TooManyNodes { limit: MAX_NODES });
        }
        if rows == 0 || rows > MAX_ROWS {
            let what = refusal!("it has {rows} equations"; "give 1 to {MAX_ROWS}, or split it");
            return Err(crate::ModelError::invalid("a constraint", what));
        }
        Ok(Numeric { nodes, function: Box::new(function), length })
    }

    fn motions(&self, scene: Scene) -> [Motion; MAX_NODES] {
        let mut motions = [*scene.motion(0); MAX_NODES];
        for slot in 0..self.nodes.len() {
            motions[slot] = *scene.motion(slot);
        }
        motions
    }

    fn at(&self, t: f64, motions: &[Motion; MAX_NODES]) -> Residuals {
        let mut out = [0.0; MAX_ROWS];
        let rows = self.function.rows();
        self.function.residual(t, &motions[..self.nodes.len()], &mut out[..rows]);
        out
    }

    /// The residual at a level.
    fn at_level(&self, level: Level, t: f64, motions: &[Motion; MAX_NODES]) -> Residuals {
        if level == Level::Position {
            return self.at(t, motions);
        }
        let h = TIME_STEP * self.pace(&motions[..self.nodes.len()]);
        let after = |duration: f64| {
            self.at(t + duration, &motions.map(|motion| carried(&motion, duration)))
        };
        let mut out = [0.0; MAX_ROWS];
        match level {
            Level::Velocity => {
                for (k, weight) in SLOPE_6.iter().enumerate() {
                    let duration = (k + 1) as f64 * h;
                    add(&mut out, &after(duration), weight / h);
                    add(&mut out, &after(-duration), -weight / h);
                }
            }
            _ => {
                add(&mut out, &after(0.0), BEND_6[0] / (h * h));
                for (k, weight) in BEND_6.iter().enumerate().skip(1) {
                    let duration = k as f64 * h;
                    add(&mut out, &after(duration), weight / (h * h));
                    add(&mut out, &after(-duration), weight / (h * h));
                }
            }
        }
        out
    }

    /// A time over which nothing moves far.
    fn pace(&self, motions: &[Motion]) -> f64 {
        let mut fastest = 1.0 / LONGEST;
        for motion in motions {
            let path = (motion.velocity_rate + motion.omega.cross(&motion.velocity)).norm();
            fastest = f64::max(fastest, motion.velocity.norm() / self.length)
                .max(motion.omega.norm())
                .max((path / self.length).sqrt())
                .max(motion.omega_rate.norm().sqrt());
        }
        1.0 / fastest
    }

    /// The step along component `k` of a twist.
    fn step(&self, k: usize, part: f64) -> f64 {
        part * if k < 3 { self.length } else { 1.0 }
    }

    /// Nodes that can move, by slot.
    fn moving(&self) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(|slot| self.nodes[*slot] != GROUND.node())
    }

    /// Calls `f` with slot, component and the slopes of all rows along that body variation.
    fn slopes(&self, scene: Scene, mut f: impl FnMut(usize, usize, &Residuals)) {
        let mut motions = self.motions(scene);
        for slot in self.moving() {
            let here = motions[slot];
            for k in 0..6 {
                let h = self.step(k, GRADIENT_STEP);
                let mut slope = [0.0; MAX_ROWS];
                for (i, weight) in SLOPE_4.iter().enumerate() {
                    for sign in [1.0, -1.0] {
                        motions[slot] = varied(&here, k, sign * (i + 1) as f64 * h);
                        add(&mut slope, &self.at(scene.world.t, &motions), sign * weight / h);
                    }
                }
                f(slot, k, &slope);
            }
            motions[slot] = here;
        }
    }

    /// Differences of the residuals at a level along changes of one component.
    fn differences(
        &self,
        level: Level,
        scene: Scene,
        change: fn(&Motion, usize, f64) -> Motion,
        out: &mut [Vector6<f64>],
    ) {
        let nodes = self.nodes.len();
        let mut motions = self.motions(scene);
        for slot in self.moving() {
            let here = motions[slot];
            for k in 0..6 {
                let h = self.step(k, ROUGH_STEP);
                for sign in [1.0, -1.0] {
                    motions[slot] = change(&here, k, sign * h);
                    let residuals = self.at_level(level, scene.world.t, &motions);
                    for row in 0..self.rows() {
                        out[row * nodes + slot][k] += sign * residuals[row] / (2.0 * h);
                    }
                }
            }
            motions[slot] = here;
        }
    }
}

fn add(sum: &mut Residuals, term: &Residuals, factor: f64) {
    sum.iter_mut().zip(term).for_each(|(sum, term)| *sum += factor * term);
}

impl Constraint for Numeric {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn rows(&self) -> usize {
        self.function.rows()
    }

    fn describe(&self, row: usize) -> String {
        self.function.describe(row)
    }

    fn residual(&self, level: Level, scene: Scene, out: &mut [f64]) {
        let residuals = self.at_level(level, scene.world.t, &self.motions(scene));
        out.iter_mut().zip(residuals).for_each(|(out, row)| *out += row);
    }

    fn gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        let (rows, nodes) = (self.rows(), self.nodes.len());
        self.slopes(scene, |slot, k, slope| {
            (0..rows).for_each(|row| out[row * nodes + slot][k] += slope[row]);
        });
    }

    fn rate_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.differences(Level::Velocity, scene, varied, out);
    }

    fn acceleration_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.differences(Level::Acceleration, scene, varied, out);
    }

    fn acceleration_velocity(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.differences(Level::Acceleration, scene, faster, out);
    }

    fn reaction(&self, scene: Scene, multipliers: &[f64], out: &mut [Vector6<f64>]) {
        self.slopes(scene, |slot, k, slope| {
            out[slot][k] += multipliers.iter().zip(slope).map(|(m, g)| m * g).sum::<f64>();
        });
    }

    fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]) {
        // row i of Gᵀλ after a variation along j: first along j, then along i
        let nodes = self.nodes.len();
        let start = self.motions(scene);
        let pairs = self.moving().flat_map(|a| self.moving().map(move |b| (a, b)));
        for (a, b) in pairs {
            for (i, j) in (0..36).map(|k| (k / 6, k % 6)) {
                let (hi, hj) = (self.step(i, ROUGH_STEP), self.step(j, ROUGH_STEP));
                let mut sum = 0.0;
                for (si, sj) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                    let mut motions = start;
                    motions[b] = varied(&motions[b], j, sj * hj);
                    motions[a] = varied(&motions[a], i, si * hi);
                    let residuals = self.at(scene.world.t, &motions);
                    let total: f64 = multipliers.iter().zip(residuals).map(|(m, r)| m * r).sum();
                    sum += si * sj * total;
                }
                blocks[a * nodes + b][(i, j)] += sum / (4.0 * hi * hj);
            }
        }
    }
}
