//! Where a node is as seen from the first node of its element: a chart of the element's shape.
//!
//! With `H_r` the reference and `H` the node, `x = log(H_r⁻¹ H)`. Body variations change it by
//!
//! ```text
//! δx = T⁻¹(x) δ − T⁻¹(−x) δ_r
//! ```
//!
//! so that `ẋ` follows from the velocities in the same way, and a force `s` conjugate to `x` acts on
//! the two nodes by `T⁻ᵀ(x) s` and `−T⁻ᵀ(−x) s`. [Sonneville–Cardona–Brüls 2014]

use crate::node::{Motion, stack};
use nalgebra::{Matrix6, Vector6};
use rotula_dae::Weights;
use rotula_lie::{Frame, Quaternion, se3};

/// A node in the chart of its element, with its rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chart {
    /// The 6-vector from the reference to the node.
    pub x: Vector6<f64>,
    /// Its first time derivative.
    pub rate: Vector6<f64>,
    /// Its second time derivative.
    pub rate_rate: Vector6<f64>,
    /// `T⁻¹(x)`.
    forth: Matrix6<f64>,
}

/// How the rates of a chart change with the motion, beyond what [`Chart`] knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes {
    /// `∂ẋ/∂x`.
    pub rate: Matrix6<f64>,
    /// `∂ẍ/∂x`.
    pub rate_rate: Matrix6<f64>,
    /// `∂ẍ/∂v` of the reference and of the node.
    pub by_velocity: [Matrix6<f64>; 2],
}

/// The 6-vector from one frame to another.
pub(super) fn between(from: &Motion, to: &Motion) -> Vector6<f64> {
    let rotation = from.rotation.tr_mul(&to.rotation);
    let position = from.rotation.tr_mul(&(to.position - from.position));
    se3::log(&Frame::new(position, Quaternion::from_matrix(&rotation)))
}

/// Accelerations in body axes.
fn acceleration(motion: &Motion) -> Vector6<f64> {
    stack(&motion.velocity_rate, &motion.omega_rate)
}

impl Chart {
    /// The chart at present motions.
    pub fn new(reference: &Motion, node: &Motion) -> Self {
        let x = between(reference, node);
        let forth = se3::tangent_inverse(&x);
        // T⁻¹(x) − T⁻¹(−x) = ad(x): the rest is even
        let (v, v_r) = (node.twist(), reference.twist());
        let (a, a_r) = (acceleration(node), acceleration(reference));
        let rate = forth * (v - v_r) + se3::bracket(&x, &v_r);
        let linear = forth * (a - a_r) + se3::bracket(&x, &a_r);
        let curved = se3::tangent_inverse_variation_times(&x, &rate, &(v - v_r));
        Chart { x, rate, rate_rate: linear - se3::bracket(&v_r, &rate) + curved, forth }
    }

    /// Adds the wrenches of a force conjugate to `x`.
    pub fn push(
        &self,
        force: &Vector6<f64>,
        reference: &mut Vector6<f64>,
        node: &mut Vector6<f64>,
    ) {
        let on_node = self.forth.tr_mul(force);
        *reference += se3::bracket_transposed(&self.x, force) - on_node;
        *node += on_node;
    }

    /// `[∂x/∂δ_r, ∂x/∂δ]`, which are also `∂ẋ/∂v` and `∂ẍ/∂v̇`.
    pub fn columns(&self) -> [Matrix6<f64>; 2] {
        [se3::adjoint_bracket(&self.x) - self.forth, self.forth]
    }

    /// The derivative with respect to `x` of the wrenches of a constant force.
    pub fn geometric(&self, force: &Vector6<f64>) -> [Matrix6<f64>; 2] {
        let node = se3::tangent_inverse_transposed_derivative(&self.x, force);
        // E(−x, a) = −ad(a) − E(x, a), with force and moment in each other's place
        [se3::coadjoint_bracket(force) - node, node]
    }

    /// How the rates change.
    pub fn slopes(&self, reference: &Motion, node: &Motion) -> Slopes {
        let (v, v_r) = (node.twist(), reference.twist());
        let derivative = |v: &Vector6<f64>, v_r: &Vector6<f64>| {
            se3::tangent_inverse_derivative(&self.x, &(v - v_r)) - se3::adjoint_bracket(v_r)
        };
        let rate = derivative(&v, &v_r);
        let second = se3::tangent_inverse_second_derivative(&self.x, &self.rate, &(v - v_r));
        let linear = derivative(&acceleration(node), &acceleration(reference));
        let varied = se3::tangent_inverse_variation(&self.x, &self.rate);
        let [by_reference, by_node] = self.columns();
        Slopes {
            rate,
            rate_rate: linear + second + rate * rate,
            by_velocity: [
                se3::adjoint_bracket(&self.rate) - varied + rate * by_reference,
                varied + rate * by_node,
            ],
        }
    }
}

impl Slopes {
    /// `∂(ẋ, ẍ)/∂(v, v̇)` with weights, of the reference and of the node.
    pub fn plain(&self, chart: &Chart, weights: &Weights) -> [[Matrix6<f64>; 2]; 2] {
        let columns = chart.columns();
        [0, 1].map(|k| {
            [
                columns[k] * weights.damping,
                self.by_velocity[k] * weights.damping + columns[k] * weights.mass,
            ]
        })
    }
}
