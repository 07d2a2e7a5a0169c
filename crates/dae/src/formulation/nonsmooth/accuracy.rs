//! When a step is solved: residuals without units, measured against what the step is made of.
//! [sheet 002 §6]

use super::stages::Stages;
use crate::alpha::Alpha;
use crate::formulation::Core;
use crate::state::State;
use crate::system::{System, Terms, Weights};
use crate::vector::{larger, over, rms_weighted};
use serde::{Deserialize, Serialize};

/// Positions and velocities are met more exactly than forces, since nothing is lost by it.
const FINER: f64 = 1e-3;
/// Motion per step, relative to the size of a coordinate, below which a system is at rest: nothing is
/// measured against less.
const REST: f64 = 1e-3;
/// Square of the angle by which the fastest motion may turn in a step that follows it.
const FAST: f64 = 4.0;
/// Rounding errors of a row.
const ROUNDING: f64 = 20.0 * f64::EPSILON;

/// Bounds of the residuals of a step.
#[derive(Serialize, Deserialize)]
pub(super) struct Accuracy {
    tolerance: f64,
    /// Diagonal of the mass, inverted.
    inverse_mass: Vec<f64>,
    /// Position of each diagonal entry in the pattern of the dynamics.
    diagonal: Vec<Option<usize>>,
    /// Characteristic sizes of coordinates.
    weights: Vec<f64>,
    /// Accelerations that forces and motion stand for.
    acceleration: Vec<f64>,
    velocity: Vec<f64>,
    /// Bounds of the motion residuals of the stages.
    motion: [f64; 3],
    /// Bounds of the rows of the stages: bilateral, then contacts.
    rows: [Vec<f64>; 3],
    sums: Vec<f64>,
    scratch: Vec<f64>,
    /// Rounding of elastic forces as an acceleration of unit size. [sheet 002 §6]
    stiffness: f64,
    /// Square of the fastest rate that the diagonal of the matrix knows.
    fastest: f64,
}

impl Accuracy {
    pub fn new(system: &dyn System, stages: &Stages, tolerance: f64) -> Self {
        let n = stages.sizes.motion;
        let rows = stages.sizes.multipliers() + stages.candidates.rows();
        let pattern = system.patterns().dynamics;
        let zeros = |n: usize| vec![0.0; n];
        Accuracy {
            tolerance,
            inverse_mass: zeros(n),
            diagonal: (0..n).map(|i| pattern.position(i, i)).collect(),
            weights: vec![1.0; n],
            acceleration: zeros(n),
            velocity: zeros(n),
            motion: [0.0; 3],
            rows: [(); 3].map(|()| zeros(rows)),
            sums: zeros(rows),
            scratch: zeros(n),
            stiffness: 0.0,
            fastest: 0.0,
        }
    }

    /// The inverse of the diagonal mass.
    pub fn inverse_mass(&self) -> &[f64] {
        &self.inverse_mass
    }

    /// Whether steps of a size do not follow the fastest motion.
    pub fn outruns(&self, h: f64) -> bool {
        self.fastest * h * h > FAST
    }

    /// Learns the diagonal of the smooth stage's matrix.
    pub fn see_matrix(&mut self, diagonal: impl Fn(usize) -> f64, c8: f64) {
        let mut sum = 0.0;
        self.fastest = 0.0;
        for (i, inverse) in self.inverse_mass.iter().enumerate() {
            let stiffness = (diagonal(i) - 1.0 / inverse).abs() / c8;
            self.fastest = self.fastest.max(stiffness * inverse);
            let ratio = ROUNDING * stiffness * inverse;
            sum += ratio * ratio;
        }
        self.stiffness = (sum / self.inverse_mass.len().max(1) as f64).sqrt();
        self.set_motion_bounds(c8);
    }

    /// Sets all bounds at the start of an attempt.
    pub fn begin(
        &mut self,
        system: &mut dyn System,
        (core, alpha): (&mut Core, &Alpha),
        stages: &mut Stages,
        weights: &[f64],
    ) {
        let n = stages.sizes.motion;
        let (m, h) = (stages.sizes.multipliers(), alpha.c.h);
        self.weights.copy_from_slice(weights);
        let Core { base, buffers, .. } = core;
        let at = base.point();
        system.tangent(&at, Weights::MASS, Terms::INERTIA, &mut buffers.dynamics);
        let mass = |i: usize| self.diagonal[i].map_or(0.0, |p| buffers.dynamics[p]);
        let mean = (0..n).map(mass).sum::<f64>() / n.max(1) as f64;
        for i in 0..n {
            let mass = if mass(i) > 0.0 { mass(i) } else { mean };
            self.inverse_mass[i] = if mass > 0.0 { 1.0 / mass } else { 1.0 };
        }
        let forces = Terms { inertia: false, forces: true, reactions: false };
        system.dynamics(&at, forces, &mut self.scratch);
        for i in 0..n {
            let force = self.scratch[i].abs() * self.inverse_mass[i];
            let least = REST * REST * REST * weights[i] / (h * h);
            self.acceleration[i] = force.max(base.vdot[i].abs()).max(least);
            let least = REST * weights[i] / h;
            self.velocity[i] = base.v[i].abs().max(h * self.acceleration[i]).max(least);
        }
        self.set_row_bounds(system, (core, alpha), stages, m);
        self.set_motion_bounds(alpha.c.c8);
    }

    fn set_motion_bounds(&mut self, c8: f64) {
        let size = |values: &[f64]| rms_weighted([values], |[v]| v, &self.weights);
        let (acceleration, velocity) = (size(&self.acceleration), size(&self.velocity));
        let finer = FINER * self.tolerance + ROUNDING;
        self.motion = [
            self.tolerance * acceleration + self.stiffness,
            finer / c8,
            // Velocities become accelerations by c7, which is of the size of √c8.
            finer * velocity / c8.sqrt() + f64::MIN_POSITIVE,
        ];
    }

    fn set_row_bounds(
        &mut self,
        system: &mut dyn System,
        (core, alpha): (&mut Core, &Alpha),
        stages: &mut Stages,
        m: usize,
    ) {
        let (c7, c8) = (alpha.c.c7, alpha.c.c8);
        let Core { base, buffers, .. } = core;
        let at = base.point();
        if m > 0 {
            system.constraint_gradient(&at, &mut buffers.constraints);
            buffers.constraints.iter_mut().for_each(|v| *v = v.abs());
        }
        if stages.candidates.len() > 0 {
            system.contact_gradient(&at, &mut stages.gradient);
            stages.gradient.iter_mut().for_each(|v| *v = v.abs());
        }
        let finer = FINER * self.tolerance + ROUNDING;
        for stage in 0..3 {
            let sizes = [&self.acceleration, &self.weights, &self.velocity][stage];
            self.sums.fill(0.0);
            let (bilateral, contacts) = self.sums.split_at_mut(m);
            if m > 0 {
                stages.constraint_pattern.multiply_add(&buffers.constraints, 1.0, sizes, bilateral);
            }
            let pattern = &stages.candidates.patterns.rows;
            pattern.multiply_add(&stages.gradient, 1.0, sizes, contacts);
            let factor = [self.tolerance, finer / c8, finer / c7][stage];
            let largest = self.sums.iter().fold(0.0f64, |a, &b| a.max(b));
            for (bound, sum) in self.rows[stage].iter_mut().zip(&self.sums) {
                *bound = factor * sum.max(1e-3 * largest).max(f64::MIN_POSITIVE);
            }
        }
        // Rounding of elastic forces reaches the rows through the accelerations.
        for j in 0..self.sums.len() {
            let reach = self.rows[1][j] * c8 / finer;
            self.rows[0][j] += (self.stiffness + ROUNDING / c8.sqrt()) * reach;
        }
    }

    /// How exactly the rates of the rows are met, as velocities; bilateral rows first.
    pub fn velocity_bounds(&self, c7: f64) -> impl Iterator<Item = f64> + '_ {
        self.rows[2].iter().map(move |bound| c7 * bound)
    }

    /// The residual of a stage over its bound: solved if at most 1, NaN if not finite. Auxiliary equations, which are in the first stage,
    /// give rates of states and variables: their residuals are measured against these.
    pub fn measure(&self, stage: usize, residual: &[f64], at: &State) -> f64 {
        let n = self.weights.len();
        let motion =
            rms_weighted([residual, &self.inverse_mass], |[r, inverse]| r * inverse, &self.weights);
        let mut worst = motion / self.motion[stage].max(f64::MIN_POSITIVE);
        for (r, bound) in residual[n..].iter().zip(&self.rows[stage]) {
            worst = larger(worst, over(r.abs(), *bound));
        }
        let unknowns = || at.xdot.iter().chain(&at.y);
        let largest = unknowns().fold(1.0f64, |most, value| most.max(value.abs()));
        let auxiliary = residual.get(n + self.rows[stage].len()..).unwrap_or(&[]);
        for (r, value) in auxiliary.iter().zip(unknowns()) {
            let bound = self.tolerance * value.abs() + ROUNDING * largest;
            worst = larger(worst, over(r.abs(), bound));
        }
        worst
    }
}
