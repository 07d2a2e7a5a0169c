//! Nonholonomic equations made of measures.
//!
//! A row is a Pfaffian form `k = Σ w f(q) ġ(q)`, where `f` and `g` are measures. The slip of a blade
//! along its side, for one, is the sum of `(side · axis) d/dt(offset · axis)` over three axes of the
//! body on which it slides. All derivatives follow from those of the measures:
//!
//! ```text
//! k       = f ġ                       ∂k/∂v = f ∇g
//! k̇       = ḟ ġ + f g̈                 ∂k/∂Δ = ġ ∇f + f ∂ġ/∂Δ
//! ∂k̇/∂Δ   = ġ ∂ḟ/∂Δ + ḟ ∂ġ/∂Δ + g̈ ∇f + f ∂g̈/∂Δ
//! ∂k̇/∂v   = ġ ∇f + ḟ ∇g + f ∂g̈/∂v
//! ```

use super::{Constraint, Target};
use crate::measure::{MAX_NODES, Measure};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::Level;

/// `weight · factor · d(along)/dt`; without a factor, `weight · d(along)/dt`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateTerm {
    /// A number.
    pub weight: f64,
    /// A measure that multiplies the rate.
    pub factor: Option<Measure>,
    /// The measure whose rate it is.
    pub along: Measure,
}

impl RateTerm {
    /// The factor itself.
    fn value(&self, scene: Scene) -> f64 {
        self.weight * self.factor.map_or(1.0, |f| f.value(scene))
    }

    /// The rate of the factor.
    fn change(&self, scene: Scene) -> f64 {
        self.factor.map_or(0.0, |f| self.weight * f.rate(scene))
    }

    fn gradient(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        self.along.gradient(scene, scale * self.value(scene), out);
    }

    fn rate_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.along.rate_gradient(scene, self.value(scene), out);
        if let Some(factor) = self.factor {
            factor.gradient(scene, self.weight * self.along.rate(scene), out);
        }
    }

    fn acceleration_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.along.acceleration_gradient(scene, self.value(scene), out);
        if let Some(factor) = self.factor {
            self.along.rate_gradient(scene, self.change(scene), out);
            factor.rate_gradient(scene, self.weight * self.along.rate(scene), out);
            factor.gradient(scene, self.weight * self.along.acceleration(scene), out);
        }
    }

    fn acceleration_velocity(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.along.acceleration_velocity(scene, self.value(scene), out);
        if let Some(factor) = self.factor {
            self.along.gradient(scene, self.change(scene), out);
            factor.gradient(scene, self.weight * self.along.rate(scene), out);
        }
    }

    fn curvature(&self, scene: Scene, scale: f64, blocks: &mut [Matrix6<f64>]) {
        self.along.curvature(scene, scale * self.value(scene), blocks);
        let Some(factor) = self.factor else { return };
        let nodes = scene.nodes.len();
        let mut along = [Vector6::zeros(); MAX_NODES];
        let mut across = [Vector6::zeros(); MAX_NODES];
        self.along.gradient(scene, scale * self.weight, &mut along);
        factor.gradient(scene, 1.0, &mut across);
        for i in 0..nodes {
            for j in 0..nodes {
                blocks[i * nodes + j].ger(1.0, &along[i], &across[j], 1.0);
            }
        }
    }
}

/// One equation: a sum of terms equals a speed.
#[derive(Clone, Debug)]
pub struct RateRow {
    /// What it demands, in words.
    pub name: String,
    /// The terms.
    pub terms: Vec<RateTerm>,
    /// The speed: a number, or a function of time.
    pub target: Target,
}

impl RateRow {
    /// Terms whose sum is held to zero.
    pub fn zero(name: &str, terms: Vec<RateTerm>) -> Self {
        RateRow { name: name.to_string(), terms, target: Target::Constant(0.0) }
    }
}

/// Nonholonomic constraints made of measures.
#[derive(Clone, Debug)]
pub struct RateRows {
    nodes: Vec<usize>,
    rows: Vec<RateRow>,
}

impl RateRows {
    /// Rows on some nodes.
    pub fn new(nodes: Vec<usize>, rows: Vec<RateRow>) -> Self {
        debug_assert!(nodes.len() <= MAX_NODES);
        RateRows { nodes, rows }
    }

    /// Calls `f` with every term and its row of the output.
    fn each(&self, out: &mut [Vector6<f64>], f: impl Fn(&RateTerm, &mut [Vector6<f64>])) {
        for (row, out) in self.rows.iter().zip(out.chunks_exact_mut(self.nodes.len())) {
            row.terms.iter().for_each(|term| f(term, out));
        }
    }
}

impl Constraint for RateRows {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn holonomic(&self) -> bool {
        false
    }

    fn describe(&self, row: usize) -> String {
        self.rows[row].name.clone()
    }

    fn residual(&self, level: Level, scene: Scene, out: &mut [f64]) {
        for (row, out) in self.rows.iter().zip(out) {
            for term in &row.terms {
                let (value, along) = (term.value(scene), &term.along);
                *out += match level {
                    // nonholonomic rows are not asked for at position level
                    Level::Position => 0.0,
                    Level::Velocity => value * along.rate(scene),
                    Level::Acceleration => {
                        value * along.acceleration(scene) + term.change(scene) * along.rate(scene)
                    }
                };
            }
            *out -= match (row.target, level) {
                (_, Level::Position) | (Target::Constant(_), Level::Acceleration) => 0.0,
                (Target::Constant(speed), Level::Velocity) => speed,
                (Target::Function(f), Level::Velocity) => scene.world.functions[f][0],
                (Target::Function(f), Level::Acceleration) => scene.world.functions[f][1],
            };
        }
    }

    fn gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.each(out, |term, out| term.gradient(scene, 1.0, out));
    }

    fn rate_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.each(out, |term, out| term.rate_gradient(scene, out));
    }

    fn acceleration_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.each(out, |term, out| term.acceleration_gradient(scene, out));
    }

    fn acceleration_velocity(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.each(out, |term, out| term.acceleration_velocity(scene, out));
    }

    fn reaction(&self, scene: Scene, multipliers: &[f64], out: &mut [Vector6<f64>]) {
        for (row, multiplier) in self.rows.iter().zip(multipliers) {
            row.terms.iter().for_each(|term| term.gradient(scene, *multiplier, out));
        }
    }

    fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]) {
        for (row, multiplier) in self.rows.iter().zip(multipliers) {
            row.terms.iter().for_each(|term| term.curvature(scene, *multiplier, blocks));
        }
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        let terms = self.rows.iter_mut().flat_map(|row| row.terms.iter_mut());
        Box::new(terms.flat_map(|term| term.factor.iter_mut().chain([&mut term.along])))
    }
}
