//! Gravity on one body.

use super::Force;
use crate::node::stack;
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_lie::so3::skew;

/// The weight of a body whose node is its centre of mass: `f = m Rᵀ g`.
#[derive(Clone, Debug)]
pub struct Gravity {
    node: [usize; 1],
    weight: Vector3<f64>,
}

impl Gravity {
    /// The weight `m g` (world axes) of a node.
    pub fn new(node: usize, weight: Vector3<f64>) -> Self {
        Gravity { node: [node], weight }
    }
}

impl Force for Gravity {
    fn nodes(&self) -> &[usize] {
        &self.node
    }

    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        out[0] += stack(&scene.motion(0).into_body(&self.weight), &Vector3::zeros());
    }

    fn tangent(&mut self, scene: Scene, stiffness: &mut [Matrix6<f64>], _: &mut [Matrix6<f64>]) {
        // δ(Rᵀw) = (Rᵀw) × δr
        let mut view = stiffness[0].fixed_view_mut::<3, 3>(0, 3);
        view += skew(&scene.motion(0).into_body(&self.weight));
    }

    fn energy(&mut self, scene: Scene) -> f64 {
        -self.weight.dot(&scene.motion(0).position)
    }

    fn power(&mut self, _: Scene) -> f64 {
        0.0
    }
}
