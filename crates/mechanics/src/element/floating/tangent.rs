//! Derivatives of the residual of a body on a floating frame.

use super::Floating;
use super::integrals::{axial, tensor};
use crate::element::Blocks;
use crate::node::stack;
use crate::scene::Scene;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_dae::{Terms, Weights};
use rotula_lie::so3::skew;

fn add(block: &mut Matrix6<f64>, row: usize, col: usize, part: Matrix3<f64>) {
    let mut view = block.fixed_view_mut::<3, 3>(row, col);
    view += part;
}

impl Floating {
    pub(super) fn add_tangent(&mut self, scene: Scene, w: Weights, terms: Terms, out: Blocks) {
        self.place(scene, terms);
        let mass = if terms.inertia { w.mass } else { 0.0 };
        let damping = if terms.forces { w.damping } else { 0.0 };
        self.frame_by_frame(mass, damping, w.stiffness, &mut *out.by_variation, &mut *out.plain);
        for k in 0..self.shapes() {
            self.frame_by_shape(k, [mass, damping, w.stiffness], &mut *out.plain);
            self.shape_by_frame(
                k,
                [mass, damping, w.stiffness],
                &mut *out.by_variation,
                &mut *out.plain,
            );
            for l in 0..self.shapes() {
                let stiff = if terms.forces { w.stiffness } else { 0.0 };
                let value = self.shape_by_shape(k, l, [mass, damping, w.stiffness], stiff);
                let place = (1 + k / 3) * self.nodes.len() + 1 + l / 3;
                out.plain[place][(k % 3, l % 3)] += value;
            }
        }
    }

    /// Force and moment by the motion of the frame.
    fn frame_by_frame(
        &self,
        mass: f64,
        damping: f64,
        stiffness: f64,
        by_variation: &mut [Matrix6<f64>],
        plain: &mut [Matrix6<f64>],
    ) {
        let p = &self.present;
        let [d, d_rate, _] = &p.first;
        let [inertia, inertia_rate] = &p.inertia;
        let (lever, turn) = (skew(d), skew(&p.omega));
        let block = &mut plain[0];
        if mass != 0.0 {
            add(block, 0, 3, lever * -mass);
            add(block, 3, 0, lever * mass);
            add(block, 3, 3, inertia * mass);
        }
        if damping != 0.0 {
            let force = -skew(&p.omega.cross(d)) - turn * lever - skew(d_rate) * 2.0;
            let moment = -lever * skew(&p.v) + turn * inertia - skew(&(inertia * p.omega))
                + inertia_rate
                - skew(&p.spin[0]);
            add(block, 0, 3, force * damping);
            add(block, 3, 0, lever * turn * damping);
            add(block, 3, 3, moment * damping);
        }
        // δ(Rᵀg) = (Rᵀg) × δr
        add(&mut by_variation[0], 3, 3, lever * skew(&p.gravity) * -stiffness);
    }

    /// Force and moment by the motion of a shape.
    fn frame_by_shape(
        &self,
        k: usize,
        [mass, damping, stiffness]: [f64; 3],
        plain: &mut [Matrix6<f64>],
    ) {
        let p = &self.present;
        let (first, omega) = (&self.integrals.first[k], &p.omega);
        let slope = self.inertia_slope(k);
        let mut column = stack(first, &p.turning[k]) * mass;
        let force = omega.cross(first) * 2.0;
        let moment = slope * omega + omega.cross(&p.turning[k]);
        column += stack(&force, &moment) * damping;
        if stiffness != 0.0 {
            // ∂B_l/∂q_k q̇_l = −∫ṙ×φ_k, and the same with accelerations
            let rate = &p.coupling[1][k];
            let (turned, turned_rate) = (-axial(rate), -axial(&p.coupling[2][k]));
            let force = p.omega_rate.cross(first) + omega.cross(&omega.cross(first));
            let moment = slope * p.omega_rate
                + first.cross(&p.acceleration)
                + turned_rate
                + omega.cross(&(slope * omega))
                + tensor(&(rate + rate.transpose())) * omega
                + omega.cross(&turned);
            column += stack(&force, &moment) * stiffness;
        }
        let mut out = plain[1 + k / 3].column_mut(k % 3);
        out += column;
    }

    /// The equation of a shape by the motion of the frame.
    fn shape_by_frame(
        &self,
        k: usize,
        [mass, damping, stiffness]: [f64; 3],
        by_variation: &mut [Matrix6<f64>],
        plain: &mut [Matrix6<f64>],
    ) {
        let p = &self.present;
        let first = &self.integrals.first[k];
        let place = (1 + k / 3) * self.nodes.len();
        // rows are written as columns: S·(ω × δv) = (S × ω)·δv
        let slope = self.inertia_slope(k) * p.omega;
        let angular = p.v.cross(first) + axial(&p.coupling[1][k]) * 2.0 - slope;
        let row =
            stack(first, &p.turning[k]) * mass + stack(&first.cross(&p.omega), &angular) * damping;
        let mut out = plain[place].row_mut(k % 3);
        out += row.transpose();
        // −S·(g × δr) = −(S × g)·δr
        let row: Vector6<f64> = stack(&Vector3::zeros(), &(first.cross(&p.gravity) * -stiffness));
        let mut out = by_variation[place].row_mut(k % 3);
        out += row.transpose();
    }

    /// The equation of a shape by the motion of another.
    fn shape_by_shape(
        &self,
        k: usize,
        l: usize,
        [mass, damping, stiffness]: [f64; 3],
        elastic: f64,
    ) -> f64 {
        let p = &self.present;
        let product = &self.integrals.product[l * self.shapes() + k];
        // ∫φ_l×φ_k
        let turning = axial(product);
        let centrifugal =
            product.trace() * p.omega.norm_squared() - p.omega.dot(&(product * p.omega));
        let mut value = self.integrals.modal[(k, l)] * mass
            + 2.0 * p.omega.dot(&turning) * damping
            + (turning.dot(&p.omega_rate) - centrifugal) * stiffness;
        if k == l {
            value += self.damping[k] * damping + self.stiffness[k] * elastic;
        }
        value
    }
}
