//! Forces between two bodies, with exact tangents.
//!
//! A force is written in the world with [`Bodies`] and handed over to [`Wrenches`], which give to
//! one body what they take from the other: forces and moments balance by construction.

use super::varying::Vector;
use crate::node::{Motion, stack};
use crate::scene::Scene;
use crate::sensor::Slopes;
use nalgebra::{Matrix3, Matrix6, RowSVector, SMatrix, Vector3, Vector6};
use rotula_lie::so3::skew;

/// The directions of variation: six body variations of either node, then six velocities of either.
pub(crate) const VARIATIONS: usize = 24;

/// Wrench and tangent of a force that is written once, as `act`, for numbers with and without variations.
macro_rules! wrench_and_tangent {
    () => {
        fn wrench(&mut self, scene: $crate::scene::Scene, out: &mut [nalgebra::Vector6<f64>]) {
            self.act::<0>(scene).add_to(out);
        }

        fn tangent(
            &mut self,
            scene: $crate::scene::Scene,
            stiffness: &mut [nalgebra::Matrix6<f64>],
            damping: &mut [nalgebra::Matrix6<f64>],
        ) {
            const VARIATIONS: usize = $crate::force::two_bodies::VARIATIONS;
            self.act::<VARIATIONS>(scene).add_tangents(stiffness, damping);
        }
    };
}
pub(crate) use wrench_and_tangent;

/// The two bodies at a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bodies<'a, const N: usize>([&'a Motion; 2]);

impl<'a, const N: usize> Bodies<'a, N> {
    pub(crate) fn new(scene: Scene<'a>) -> Self {
        Bodies([scene.motion(0), scene.motion(1)])
    }

    pub(crate) fn motion(&self, slot: usize) -> &'a Motion {
        self.0[slot]
    }

    /// A point fixed to a body, in the world: `x + R s` changes by `R (δu + δr × s)`.
    pub(crate) fn point(&self, slot: usize, s: &Vector3<f64>) -> Vector<N> {
        let m = self.0[slot];
        let mut point = self.direction(slot, s);
        point.value += m.position;
        set(&mut point, 6 * slot, &m.rotation);
        point
    }

    /// A direction fixed to a body, in the world: `R a` changes by `R (δr × a)`.
    pub(crate) fn direction(&self, slot: usize, a: &Vector3<f64>) -> Vector<N> {
        let m = self.0[slot];
        let mut direction = Vector::constant(m.rotation * a);
        set(&mut direction, 6 * slot + 3, &(-m.rotation * skew(a)));
        direction
    }

    /// The angular velocity of a body, in the world.
    pub(crate) fn angular_velocity(&self, slot: usize) -> Vector<N> {
        let m = self.0[slot];
        let mut omega = self.direction(slot, &m.omega);
        set(&mut omega, 12 + 6 * slot + 3, &m.rotation);
        omega
    }

    /// The velocity of the material point of a body that is at a place, in the world.
    pub(crate) fn velocity(&self, slot: usize, place: &Vector<N>) -> Vector<N> {
        let m = self.0[slot];
        let mut velocity = self.direction(slot, &m.velocity);
        set(&mut velocity, 12 + 6 * slot, &m.rotation);
        let origin = self.point(slot, &Vector3::zeros());
        velocity + self.angular_velocity(slot).cross(&(*place - origin))
    }

    /// How fast the second body moves past the first at a place, in the world.
    pub(crate) fn relative_velocity(&self, place: &Vector<N>) -> Vector<N> {
        self.velocity(1, place) - self.velocity(0, place)
    }

    /// World components become body components: `Rᵀ w` changes by `Rᵀ δw + (Rᵀ w) × δr`.
    pub(crate) fn inside_body(&self, slot: usize, w: &Vector<N>) -> Vector<N> {
        let mut inside = w.transformed(&self.0[slot].rotation.transpose());
        let turn = skew(&inside.value);
        add(&mut inside, 6 * slot + 3, &turn);
        inside
    }

    /// Body components become world components: `R a` changes by `R δa + R (δr × a)`.
    pub(crate) fn outside_body(&self, slot: usize, a: &Vector<N>) -> Vector<N> {
        let m = self.0[slot];
        let mut outside = a.transformed(&m.rotation);
        add(&mut outside, 6 * slot + 3, &(-m.rotation * skew(&a.value)));
        outside
    }
}

/// Writes a block of derivatives, if there are any.
pub(crate) fn set<const N: usize>(vector: &mut Vector<N>, column: usize, block: &Matrix3<f64>) {
    if N == VARIATIONS {
        vector.by.fixed_view_mut::<3, 3>(0, column).copy_from(block);
    }
}

fn add<const N: usize>(vector: &mut Vector<N>, column: usize, block: &Matrix3<f64>) {
    if N == VARIATIONS {
        let mut view = vector.by.fixed_view_mut::<3, 3>(0, column);
        view += block;
    }
}

/// Adds the derivatives of a number to those of a reading whose first two slots are the bodies.
pub(crate) fn add_slopes(by: &RowSVector<f64, VARIATIONS>, slopes: &mut Slopes) {
    for slot in 0..2 {
        let part = |first: usize| by.fixed_columns::<6>(first + 6 * slot).transpose();
        slopes.increment[slot] += part(0);
        slopes.velocity[slot] += part(12);
    }
}

/// The wrenches on both nodes, in body axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrenches<const N: usize>([(Vector<N>, Vector<N>); 2]);

impl<const N: usize> Wrenches<N> {
    pub(crate) fn zero() -> Self {
        let zero = Vector::constant(Vector3::zeros());
        Wrenches([(zero, zero); 2])
    }

    /// A force (world) on the second body at a place, and its opposite on the first at the same
    /// place.
    pub(crate) fn push(&mut self, bodies: &Bodies<N>, force: &Vector<N>, place: &Vector<N>) {
        for (slot, force) in [(0, -*force), (1, *force)] {
            let arm = *place - bodies.point(slot, &Vector3::zeros());
            let (linear, angular) = self.0[slot];
            self.0[slot] = (
                linear + bodies.inside_body(slot, &force),
                angular + bodies.inside_body(slot, &arm.cross(&force)),
            );
        }
    }

    /// A moment (world) on the second body and its opposite on the first.
    pub(crate) fn turn(&mut self, bodies: &Bodies<N>, moment: &Vector<N>) {
        for (slot, moment) in [(0, -*moment), (1, *moment)] {
            self.0[slot].1 = self.0[slot].1 + bodies.inside_body(slot, &moment);
        }
    }

    /// Adds the values.
    pub(crate) fn add_to(&self, out: &mut [Vector6<f64>]) {
        for (out, (linear, angular)) in out.iter_mut().zip(&self.0) {
            *out += stack(&linear.value, &angular.value);
        }
    }
}

impl Wrenches<VARIATIONS> {
    /// Adds the derivatives.
    pub(crate) fn add_tangents(
        &self,
        stiffness: &mut [Matrix6<f64>],
        damping: &mut [Matrix6<f64>],
    ) {
        for (i, (linear, angular)) in self.0.iter().enumerate() {
            for j in 0..2 {
                for (blocks, first) in [(&mut *stiffness, 6 * j), (&mut *damping, 12 + 6 * j)] {
                    let block = &mut blocks[2 * i + j];
                    let part = |v: &Vector<VARIATIONS>| -> SMatrix<f64, 3, 6> {
                        v.by.fixed_view::<3, 6>(0, first).into_owned()
                    };
                    let mut top = block.fixed_view_mut::<3, 6>(0, 0);
                    top += part(linear);
                    let mut bottom = block.fixed_view_mut::<3, 6>(3, 0);
                    bottom += part(angular);
                }
            }
        }
    }
}
