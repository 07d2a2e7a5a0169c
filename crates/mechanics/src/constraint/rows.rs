//! Holonomic equations made of measures.

use super::bundle::Bundle;
use super::{Constraint, Target};
use crate::measure::{MAX_NODES, Measure, Sum};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::Level;

/// One equation: a weighted sum of measures equals its target.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it demands, in words.
    pub name: String,
    /// The weighted sum.
    pub sum: Sum,
    /// What the sum is held to.
    pub target: Target,
}

impl Row {
    /// One measure that is held to zero.
    pub fn zero(name: &str, measure: Measure) -> Self {
        Row {
            name: name.to_string(),
            sum: Sum(vec![(1.0, measure)]),
            target: Target::Constant(0.0),
        }
    }
}

/// Holonomic constraints made of measures: nearly every joint.
#[derive(Clone, Debug)]
pub struct Rows {
    nodes: Vec<usize>,
    rows: Vec<Row>,
    /// The same rows, sorted by what they share.
    bundles: Vec<Bundle>,
    single: Vec<usize>,
    /// Rows that are not held to zero, with what they are held to.
    targets: Vec<(usize, Target)>,
}

impl Rows {
    /// Rows on some nodes.
    pub fn new(nodes: Vec<usize>, rows: Vec<Row>) -> Self {
        debug_assert!(nodes.len() <= MAX_NODES);
        let (bundles, single) = Bundle::sort(&rows);
        let moved = |row: &Row| !matches!(row.target, Target::Constant(0.0));
        let targets =
            rows.iter().enumerate().filter(|(_, row)| moved(row)).map(|(i, row)| (i, row.target));
        Rows { targets: targets.collect(), nodes, rows, bundles, single }
    }

    /// Calls `f` with every row and its part of the output.
    fn each(&self, out: &mut [Vector6<f64>], f: impl Fn(&Sum, &mut [Vector6<f64>])) {
        for (row, out) in self.rows.iter().zip(out.chunks_exact_mut(self.nodes.len())) {
            f(&row.sum, out);
        }
    }

    fn subtract_targets(&self, level: Level, scene: Scene, out: &mut [f64]) {
        for &(row, target) in &self.targets {
            match (target, level) {
                (Target::Constant(value), Level::Position) => out[row] -= value,
                (Target::Constant(_), _) => {}
                (Target::Function(f), _) => out[row] -= scene.world.functions[f][level as usize],
            }
        }
    }
}

impl Constraint for Rows {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn works(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.target, Target::Function(_)))
    }

    fn describe(&self, row: usize) -> String {
        self.rows[row].name.clone()
    }

    fn residual(&self, level: Level, scene: Scene, out: &mut [f64]) {
        self.bundles.iter().for_each(|bundle| bundle.residual(level, scene, out));
        for &row in &self.single {
            let sum = &self.rows[row].sum;
            out[row] += match level {
                Level::Position => sum.value(scene),
                Level::Velocity => sum.rate(scene),
                Level::Acceleration => sum.acceleration(scene),
            };
        }
        self.subtract_targets(level, scene, out);
    }

    fn balance(
        &self,
        scene: Scene,
        multipliers: &[f64],
        out: &mut [f64],
        wrenches: &mut [Vector6<f64>],
    ) {
        self.bundles.iter().for_each(|bundle| bundle.balance(scene, multipliers, out, wrenches));
        for &row in &self.single {
            let sum = &self.rows[row].sum;
            out[row] += sum.value(scene);
            sum.gradient(scene, multipliers[row], wrenches);
        }
        self.subtract_targets(Level::Position, scene, out);
    }

    fn gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.each(out, |sum, out| sum.gradient(scene, 1.0, out));
    }

    fn rate_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.each(out, |sum, out| sum.rate_gradient(scene, 1.0, out));
    }

    fn acceleration_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.each(out, |sum, out| sum.acceleration_gradient(scene, 1.0, out));
    }

    fn acceleration_velocity(&self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.each(out, |sum, out| sum.acceleration_velocity(scene, 1.0, out));
    }

    fn reaction(&self, scene: Scene, multipliers: &[f64], out: &mut [Vector6<f64>]) {
        self.bundles.iter().for_each(|bundle| bundle.reaction(scene, multipliers, out));
        for &row in &self.single {
            self.rows[row].sum.gradient(scene, multipliers[row], out);
        }
    }

    fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]) {
        self.bundles.iter().for_each(|bundle| bundle.curvature(scene, multipliers, blocks));
        for &row in &self.single {
            self.rows[row].sum.curvature(scene, multipliers[row], blocks);
        }
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        Box::new(self.rows.iter_mut().flat_map(|row| row.sum.measures_mut()))
    }
}
