//! A point of a node: its motion in the world, and how that changes with the motion of the node.

use crate::node::{Motion, stack};
use nalgebra::{Matrix3, Matrix3x6, Matrix6, Vector3, Vector6};
use rotula_dae::Terms;
use rotula_lie::so3::skew;

/// A point that a node carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointOn<'a> {
    motion: &'a Motion,
    /// Where it is, in the axes of the node.
    arm: Vector3<f64>,
}

/// Three rows: one part by linear, one by angular motion.
fn beside(linear: &Matrix3<f64>, angular: &Matrix3<f64>) -> Matrix3x6<f64> {
    let mut matrix = Matrix3x6::zeros();
    matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(linear);
    matrix.fixed_view_mut::<3, 3>(0, 3).copy_from(angular);
    matrix
}

impl<'a> PointOn<'a> {
    pub fn new(motion: &'a Motion, arm: Vector3<f64>) -> Self {
        PointOn { motion, arm }
    }

    pub fn position(&self) -> Vector3<f64> {
        self.motion.position + self.motion.rotation * self.arm
    }

    /// Velocity in the axes of the node.
    fn own_velocity(&self) -> Vector3<f64> {
        self.motion.velocity + self.motion.omega.cross(&self.arm)
    }

    pub fn velocity(&self) -> Vector3<f64> {
        self.motion.rotation * self.own_velocity()
    }

    /// The chosen part of the acceleration in the axes of the node: inertia that of `v̇`, forces the rest.
    fn own_acceleration(&self, terms: Terms) -> Vector3<f64> {
        let m = self.motion;
        let mut sum = Vector3::zeros();
        if terms.inertia {
            sum += m.velocity_rate + m.omega_rate.cross(&self.arm);
        }
        if terms.forces {
            sum += m.omega.cross(&self.own_velocity());
        }
        sum
    }

    pub fn acceleration(&self, terms: Terms) -> Vector3<f64> {
        self.motion.rotation * self.own_acceleration(terms)
    }

    /// `∂x/∂δ`, also `∂ẋ/∂v` and `∂ẍ/∂v̇`.
    pub fn place_columns(&self) -> Matrix3x6<f64> {
        let rotation = &self.motion.rotation;
        beside(rotation, &(rotation * -skew(&self.arm)))
    }

    /// `∂ẋ/∂δ`.
    pub fn velocity_columns(&self) -> Matrix3x6<f64> {
        let turned = self.motion.rotation * -skew(&self.own_velocity());
        beside(&Matrix3::zeros(), &turned)
    }

    /// `∂ẍ/∂δ` of the chosen part.
    pub fn acceleration_columns(&self, terms: Terms) -> Matrix3x6<f64> {
        let turned = self.motion.rotation * -skew(&self.own_acceleration(terms));
        beside(&Matrix3::zeros(), &turned)
    }

    /// `∂ẍ/∂v`.
    pub fn acceleration_by_velocity(&self) -> Matrix3x6<f64> {
        let m = self.motion;
        let turning = skew(&m.omega);
        let angular = -skew(&self.own_velocity()) - turning * skew(&self.arm);
        beside(&(m.rotation * turning), &(m.rotation * angular))
    }

    /// A world force at the point as a wrench on the node.
    pub fn wrench(&self, force: &Vector3<f64>) -> Vector6<f64> {
        let own = self.motion.into_body(force);
        stack(&own, &self.arm.cross(&own))
    }

    /// The derivative of [`wrench`](Self::wrench) of a constant force along a turn of the node.
    pub fn turned_wrench(&self, force: &Vector3<f64>) -> Matrix6<f64> {
        let turned = skew(&self.motion.into_body(force));
        let mut matrix = Matrix6::zeros();
        matrix.fixed_view_mut::<3, 3>(0, 3).copy_from(&turned);
        matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&(skew(&self.arm) * turned));
        matrix
    }
}
