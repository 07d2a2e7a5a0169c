//! Weighted sums of measures.

use super::Measure;
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};

/// Weights and measures of the same nodes, added up.
#[derive(Clone, Debug, Default)]
pub struct Sum(pub Vec<(f64, Measure)>);

impl Sum {
    /// The value.
    pub fn value(&self, scene: Scene) -> f64 {
        self.0.iter().map(|(weight, m)| weight * m.value(scene)).sum()
    }

    /// The first time derivative.
    pub fn rate(&self, scene: Scene) -> f64 {
        self.0.iter().map(|(weight, m)| weight * m.rate(scene)).sum()
    }

    /// The second time derivative.
    pub fn acceleration(&self, scene: Scene) -> f64 {
        self.0.iter().map(|(weight, m)| weight * m.acceleration(scene)).sum()
    }

    /// Adds the gradient row, times `scale`.
    pub fn gradient(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        for (weight, measure) in &self.0 {
            measure.gradient(scene, weight * scale, out);
        }
    }

    /// Adds the row `∂/∂Δ` of the rate, times `scale`.
    pub fn rate_gradient(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        for (weight, measure) in &self.0 {
            measure.rate_gradient(scene, weight * scale, out);
        }
    }

    /// Adds the row `∂/∂Δ` of the acceleration, times `scale`.
    pub fn acceleration_gradient(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        for (weight, measure) in &self.0 {
            measure.acceleration_gradient(scene, weight * scale, out);
        }
    }

    /// Adds the row `∂/∂v` of the acceleration, times `scale`.
    pub fn acceleration_velocity(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        for (weight, measure) in &self.0 {
            measure.acceleration_velocity(scene, weight * scale, out);
        }
    }

    /// Adds the second derivative, times `scale`.
    pub fn curvature(&self, scene: Scene, scale: f64, blocks: &mut [Matrix6<f64>]) {
        for (weight, measure) in &self.0 {
            measure.curvature(scene, weight * scale, blocks);
        }
    }

    /// Its measures.
    pub fn measures_mut(&mut self) -> impl Iterator<Item = &mut Measure> {
        self.0.iter_mut().map(|(_, measure)| measure)
    }
}
