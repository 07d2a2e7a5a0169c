//! The scalar product of two attached vectors: the stuff of which constraints and springs are made.

use super::factor::{Attached, Factor, Jet};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector3, Vector6};

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
        match (&self.0, &self.1) {
            (Factor::Axis(axis), Factor::Offset { from, to }) if axis.slot == from.slot => {
                along_own_axis(scene, axis, from, to, scale, out);
            }
            _ => {
                self.0.pull(scene, &self.1.value(scene), scale, out);
                self.1.pull(scene, &self.0.value(scene), scale, out);
            }
        }
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

/// The gradient of an offset along an axis of the node where it begins: the commonest of all, with one
/// rotation into each node.
#[inline]
fn along_own_axis(
    scene: Scene,
    axis: &Attached,
    from: &Attached,
    to: &Attached,
    scale: f64,
    out: &mut [Vector6<f64>],
) {
    let (m, n) = (scene.motion(from.slot), scene.motion(to.slot));
    let a = axis.vector * scale;
    // the end of the offset in the axes of its beginning, from the node
    let end = m.into_body(&(n.position + n.rotation * to.vector - m.position));
    add(&mut out[from.slot], &-a, &a.cross(&end));
    let z = n.into_body(&(m.rotation * a));
    add(&mut out[to.slot], &z, &to.vector.cross(&z));
}

#[inline]
fn add(out: &mut Vector6<f64>, linear: &Vector3<f64>, angular: &Vector3<f64>) {
    for k in 0..3 {
        out[k] += linear[k];
        out[k + 3] += angular[k];
    }
}
