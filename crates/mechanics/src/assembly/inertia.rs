//! Inertia and weight of a body, on the velocity that its node keeps.

use super::places::Block;
use crate::node::{Motion, Node, NodeKind, stack};
use crate::rates::Rates;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_dae::{Point, Terms, Weights};
use rotula_lie::so3::skew;

/// A body with mass and where its own block is.
#[derive(Clone, Debug)]
pub(super) struct Inertia {
    pub(super) node: usize,
    pub(super) mass: f64,
    pub(super) moments: Matrix3<f64>,
    /// The weight `m g` in the world, and whether there is any.
    pub(super) weight: Vector3<f64>,
    pub(super) heavy: bool,
    /// In which axes its node keeps velocities, and the weight there if these do not turn.
    pub(super) rates: Rates,
    pub(super) fixed_weight: Vector3<f64>,
    pub(super) block: Block,
}

impl Inertia {
    /// Inertia, gyroscopic terms and weight, each on its own, as components along the kept velocity.
    #[inline(always)]
    pub(super) fn parts(&self, node: &Node, motion: &Motion, at: &Point) -> [Vector6<f64>; 3] {
        let m = motion;
        let spin = m.omega.cross(&(self.moments * m.omega));
        if self.rates == Rates::Body {
            let weight = if self.heavy { m.into_body(&self.weight) } else { Vector3::zeros() };
            return [
                stack(&(m.velocity_rate * self.mass), &(self.moments * m.omega_rate)),
                stack(&(m.omega.cross(&m.velocity) * self.mass), &spin),
                stack(&-weight, &Vector3::zeros()),
            ];
        }
        // in axes that stay, momentum has no terms of its own; those of a round body have none at all
        let kept = node.embed(at.vdot);
        let (linear, angular) = (kept.fixed_rows::<3>(0), kept.fixed_rows::<3>(3));
        let spin = if self.rates == Rates::World { Vector3::zeros() } else { spin };
        [
            stack(&(linear * self.mass), &(self.moments * angular)),
            stack(&Vector3::zeros(), &spin),
            stack(&-self.fixed_weight, &Vector3::zeros()),
        ]
    }

    /// The chosen terms of the residual.
    pub(super) fn residual(
        &self,
        node: &Node,
        motion: &Motion,
        at: &Point,
        terms: Terms,
    ) -> Vector6<f64> {
        let [inertia, gyroscopic, weight] = self.parts(node, motion, at);
        let mut sum = Vector6::zeros();
        if terms.inertia {
            sum += inertia;
        }
        if terms.forces {
            sum += gyroscopic + weight;
        }
        sum
    }

    /// Their derivatives along kept acceleration and velocity, and, of the weight, along body variations.
    pub(super) fn tangent(
        &self,
        motion: &Motion,
        weights: Weights,
        terms: Terms,
    ) -> (Matrix6<f64>, Option<Matrix6<f64>>) {
        let m = motion;
        let mut block = Matrix6::zeros();
        if terms.inertia {
            set(&mut block, 0, 0, Matrix3::from_diagonal_element(weights.mass * self.mass));
            set(&mut block, 3, 3, self.moments * weights.mass);
        }
        if !terms.forces {
            return (block, None);
        }
        let w = weights.damping;
        if self.rates == Rates::Body {
            add(&mut block, 0, 0, skew(&m.omega) * (self.mass * w));
            add(&mut block, 0, 3, skew(&m.velocity) * (-self.mass * w));
        }
        if self.rates != Rates::World {
            let spin = skew(&m.omega) * self.moments - skew(&(self.moments * m.omega));
            add(&mut block, 3, 3, spin * w);
        }
        let turns = self.heavy && self.rates == Rates::Body;
        let weight = turns.then(|| {
            // δ(Rᵀw) = (Rᵀw) × δr
            let mut change = Matrix6::zeros();
            set(&mut change, 0, 3, skew(&m.into_body(&self.weight)) * -weights.stiffness);
            change
        });
        (block, weight)
    }
}

/// A vector of the world in the axes in which a node keeps velocities, if these do not turn.
pub(super) fn in_fixed_axes(node: &Node, a: &Vector3<f64>) -> Vector3<f64> {
    match node.kind {
        NodeKind::Planar(plane) => plane.orientation.rotate_back(a),
        _ => *a,
    }
}

fn set(block: &mut Matrix6<f64>, row: usize, col: usize, part: Matrix3<f64>) {
    block.fixed_view_mut::<3, 3>(row, col).copy_from(&part);
}

fn add(block: &mut Matrix6<f64>, row: usize, col: usize, part: Matrix3<f64>) {
    let mut view = block.fixed_view_mut::<3, 3>(row, col);
    view += part;
}
