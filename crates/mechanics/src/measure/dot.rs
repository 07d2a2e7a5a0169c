//! The scalar product of two attached vectors: the stuff of which constraints and springs are made.

use super::factor::{Factor, Jet};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};

/// `u·w` of two vectors attached to nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot(pub Factor, pub Factor);

/// Both vectors with their time derivatives.
pub(crate) struct DotJet(Jet, Jet);

impl DotJet {
    /// `d/dt (u·w)`.
    pub(crate) fn rate(&self) -> f64 {
        let DotJet(u, w) = self;
        u[1].dot(&w[0]) + u[0].dot(&w[1])
    }

    /// `d²/dt² (u·w)`.
    pub(crate) fn acceleration(&self) -> f64 {
        let DotJet(u, w) = self;
        u[2].dot(&w[0]) + 2.0 * u[1].dot(&w[1]) + u[0].dot(&w[2])
    }
}

impl Dot {
    /// The product itself.
    #[inline]
    pub(crate) fn value(&self, scene: Scene) -> f64 {
        self.0.value(scene).dot(&self.1.value(scene))
    }

    /// Both vectors with their time derivatives.
    pub(crate) fn jet(&self, scene: Scene) -> DotJet {
        DotJet(self.0.jet(scene), self.1.jet(scene))
    }

    /// Adds the gradient row `∂(u·w)/∂Δ`.
    #[inline]
    pub(crate) fn gradient(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        self.0.pull(scene, &self.1.value(scene), scale, out);
        self.1.pull(scene, &self.0.value(scene), scale, out);
    }

    /// Adds the row `∂/∂Δ` of the rate.
    pub(crate) fn rate_gradient(
        &self,
        scene: Scene,
        jet: &DotJet,
        scale: f64,
        out: &mut [Vector6<f64>],
    ) {
        for (factor, w) in [(&self.0, &jet.1), (&self.1, &jet.0)] {
            factor.pull_rate(scene, 1, &w[0], scale, out);
            factor.pull(scene, &w[1], scale, out);
        }
    }

    /// Adds the row `∂/∂Δ` of the acceleration.
    pub(crate) fn acceleration_gradient(
        &self,
        scene: Scene,
        jet: &DotJet,
        scale: f64,
        out: &mut [Vector6<f64>],
    ) {
        for (factor, w) in [(&self.0, &jet.1), (&self.1, &jet.0)] {
            factor.pull_rate(scene, 2, &w[0], scale, out);
            factor.pull_rate(scene, 1, &w[1], 2.0 * scale, out);
            factor.pull(scene, &w[2], scale, out);
        }
    }

    /// Adds the row `∂/∂v` of the acceleration.
    pub(crate) fn acceleration_velocity(
        &self,
        scene: Scene,
        jet: &DotJet,
        scale: f64,
        out: &mut [Vector6<f64>],
    ) {
        for (factor, w) in [(&self.0, &jet.1), (&self.1, &jet.0)] {
            factor.pull_acceleration_velocity(scene, &w[0], scale, out);
            factor.pull(scene, &w[1], 2.0 * scale, out);
        }
    }

    /// Adds the second derivative: entry `(δ, η)` of block `(i, j)` is the derivative along η of node
    /// `j` of the derivative along δ of node `i`.
    pub(crate) fn curvature(&self, scene: Scene, scale: f64, blocks: &mut [Matrix6<f64>]) {
        let nodes = scene.nodes.len();
        self.0.bend(scene, &self.1.value(scene), scale, blocks);
        self.1.bend(scene, &self.0.value(scene), scale, blocks);
        for (i, a) in self.0.jacobians(scene).into_iter().flatten() {
            for (j, b) in self.1.jacobians(scene).into_iter().flatten() {
                let cross = a.tr_mul(&b) * scale;
                blocks[i * nodes + j] += cross;
                blocks[j * nodes + i] += cross.transpose();
            }
        }
    }
}
