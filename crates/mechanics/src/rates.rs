//! In which axes a node keeps its velocity.
//!
//! Integrators add numbers: a velocity, its rate, an increment, all of one node. What stays the same
//! in their axes they carry exactly, at any step; what turns there they follow to their order.
//!
//! | | configuration space | exact for | used for |
//! |---|---|---|---|
//! | [`Rates::Body`] | SE(3) | steady screw motion | bodies that joints, beams or mounts hold |
//! | [`Rates::Centre`] | R³ × SO(3) | flight, spin about a principal axis | free bodies |
//! | [`Rates::World`] | R³ × SO(3) | flight, spin, rolling | free bodies with a round inertia |
//!
//! Free are bodies on which no constraint, beam, flexible body or mount acts, but for joints that leave a
//! plane to fly along. Springs, forces and contacts do not hold a body. The assembly chooses.
//!
//! Joints, forces, contacts and sensors are written for the twist of a body in its own axes. `Kept`
//! is all that stands between the two: with `Q` the rotation from the axes of the body to those in
//! which the velocity is kept,
//!
//! ```text
//! V = Qᵀẋ,   V̇ = Qᵀẍ − Ω × V;     the world's rates:  Ω = Qᵀω,   Ω̇ = Qᵀω̇
//! ```
//!
//! Forces and rows of gradients, which act on velocities, turn with `Q` as these do.

use crate::node::{Motion, Node, NodeKind, angular_part, stack};
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_lie::so3::skew;
use rotula_lie::{Frame, Retraction};

/// In which axes velocity, acceleration and increment of a node are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rates {
    /// All in the axes of the body.
    Body,
    /// Those of the centre of mass in the axes of the world, those of the rotation in the axes of the body.
    Centre,
    /// All in the axes of the world.
    World,
}

/// The rates of a node and how its body stands in their axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub rates: Rates,
    /// From the axes of the body to those in which rates are kept; of no meaning for [`Rates::Body`].
    pub turn: Matrix3<f64>,
}

impl Kept {
    /// Whether nothing needs to be turned.
    #[inline]
    pub fn as_body(&self) -> bool {
        self.rates == Rates::Body
    }

    /// A twist, a wrench or a row in the axes of the body, as it is kept.
    #[inline]
    pub fn kept_vector(&self, a: &Vector6<f64>) -> Vector6<f64> {
        let (linear, angular): (Vector3<f64>, Vector3<f64>) =
            (a.fixed_rows::<3>(0).into(), a.fixed_rows::<3>(3).into());
        match self.rates {
            Rates::Body => *a,
            Rates::Centre => stack(&(self.turn * linear), &angular),
            Rates::World => stack(&(self.turn * linear), &(self.turn * angular)),
        }
    }

    /// The columns of a block along the twist, as they are along the velocity that is kept.
    pub fn kept_columns(&self, block: &Matrix6<f64>) -> Matrix6<f64> {
        let mut out = *block;
        for k in 0..6 {
            out.set_row(k, &self.kept_vector(&block.row(k).transpose()).transpose());
        }
        out
    }

    /// The rows of a block on the wrench in the axes of the body, as they are on the one that is kept.
    pub fn kept_rows(&self, block: &Matrix6<f64>) -> Matrix6<f64> {
        let mut out = *block;
        for k in 0..6 {
            out.set_column(k, &self.kept_vector(&block.column(k).into()));
        }
        out
    }

    /// Derivatives along body variation, twist and its rate, each with the others held, become those
    /// with what is kept held instead, still in the axes of the body:
    ///
    /// ```text
    /// δV = … + V × δφ,   δV̇ = … − Ω × δV + V × δΩ + (V̇ + Ω × V) × δφ
    /// ```
    ///
    /// and the same of the rotation, `δΩ = … + Ω × δφ`, `δΩ̇ = … + Ω̇ × δφ`, if that is the world's.
    pub fn chain(&self, motion: &Motion, rows: &mut [Vector6<f64>; 3]) {
        if self.as_body() {
            return;
        }
        let three = |a: &Vector6<f64>, k: usize| Vector3::new(a[k], a[k + 1], a[k + 2]);
        let Motion { velocity, omega, velocity_rate, omega_rate, .. } = motion;
        let [by_variation, by_twist, by_rate] = rows;
        let rate = three(by_rate, 0);
        *by_twist += stack(&omega.cross(&rate), &rate.cross(velocity));
        let acceleration = velocity_rate + omega.cross(velocity);
        let mut turn = three(by_twist, 0).cross(velocity) + rate.cross(&acceleration);
        if self.rates == Rates::World {
            turn += three(by_twist, 3).cross(omega) + three(by_rate, 3).cross(omega_rate);
        }
        *by_variation += stack(&Vector3::zeros(), &turn);
    }

    /// The same for a block of a force: along body variation and twist.
    pub fn chain_blocks(
        &self,
        motion: &Motion,
        stiffness: &mut Matrix6<f64>,
        damping: &Matrix6<f64>,
    ) {
        for k in 0..6 {
            let of = |block: &Matrix6<f64>| block.row(k).transpose();
            let mut rows = [of(stiffness), of(damping), Vector6::zeros()];
            self.chain(motion, &mut rows);
            stiffness.set_row(k, &rows[0].transpose());
        }
    }

    /// How a wrench that stays in the axes of the body changes as it is kept, by the rotation of the
    /// body; still in its axes: `δφ × f`.
    pub fn turned_wrench(&self, wrench: &Vector6<f64>) -> Matrix6<f64> {
        let mut block = Matrix6::zeros();
        let three = |k: usize| Vector3::new(wrench[k], wrench[k + 1], wrench[k + 2]);
        if !self.as_body() {
            block.fixed_view_mut::<3, 3>(0, 3).copy_from(&-skew(&three(0)));
        }
        if self.rates == Rates::World {
            block.fixed_view_mut::<3, 3>(3, 3).copy_from(&-skew(&three(3)));
        }
        block
    }
}

impl Node {
    /// The increment of a node whose place and rotation are moved on their own.
    pub(crate) fn way(&self, map: Retraction, from: &Frame, to: &Frame) -> Vector6<f64> {
        let turn = match self.rates {
            Rates::World => to.orientation * from.orientation.conjugate(),
            _ => from.orientation.conjugate() * to.orientation,
        };
        let turned = Frame::new(Vector3::zeros(), turn);
        let angular = angular_part(&map.local(&Frame::identity(), &turned));
        let way = to.position - from.position;
        let way = match self.kind {
            NodeKind::Planar(plane) => plane.orientation.rotate_back(&way),
            _ => way,
        };
        stack(&way, &Vector3::zeros()) + angular
    }

    /// How the rates are kept where the body stands so.
    #[inline]
    pub(crate) fn kept(&self, rotation: &Matrix3<f64>) -> Kept {
        let turn = match (self.rates, self.kind) {
            (Rates::Body, _) => Matrix3::identity(),
            (_, NodeKind::Planar(plane)) => plane.orientation.to_matrix().tr_mul(rotation),
            _ => *rotation,
        };
        Kept { rates: self.rates, turn }
    }

    /// Stores the rate of the twist of a motion as the acceleration of the node.
    pub(crate) fn store_acceleration(&self, motion: &Motion, vdot: &mut [f64]) {
        let mut linear = motion.velocity_rate;
        if self.rates != Rates::Body {
            linear += motion.omega.cross(&motion.velocity);
        }
        let rate = stack(&linear, &motion.omega_rate);
        let kept = self.kept(&motion.rotation).kept_vector(&rate);
        for (k, &column) in self.kind.columns().iter().enumerate() {
            vdot[self.v + k] = kept[column];
        }
    }

    /// Stores a twist in the axes of the body as the velocity of the node.
    pub fn store_twist(&self, frame: &Frame, twist: &Vector6<f64>, v: &mut [f64]) {
        let kept = self.kept(&frame.orientation.to_matrix()).kept_vector(twist);
        for (k, &column) in self.kind.columns().iter().enumerate() {
            v[self.v + k] = kept[column];
        }
    }
}
