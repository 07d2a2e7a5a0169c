//! Where links are and how they move.
//!
//! All twists of links are those of the world, linear part at one point `o`: the place of the first link. With the screw `S` of
//! a free motion, `×` the bracket of twists, and `p` the link before,
//!
//! ```text
//! ν = ν_p + Σ S v,        a = a_p + Σ S v̇ + ν_p × ν
//! V = X ν,   V̇ = X a      of a body, in its own axes at its own node
//! ```
//!
//! Here `a` is the rate of `ν` and `V̇` that of `V` as the body sees it: no other terms are needed.

use super::layout::{Layout, Rider};
use super::link::{Freedom, GROUND};
use crate::node::{Motion, stack};
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_lie::Frame;
use rotula_lie::se3::bracket;
use rotula_lie::so3::skew;

/// A link in motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    pub rotation: Matrix3<f64>,
    /// From `o` to the link.
    pub position: Vector3<f64>,
    pub velocity: Vector6<f64>,
    pub acceleration: Vector6<f64>,
}

/// All links in motion.
#[derive(Clone, Debug, Default)]
pub(super) struct Stations {
    pub frames: Vec<Frame>,
    pub links: Vec<Station>,
    /// The screws of all free motions.
    pub screws: Vec<Vector6<f64>>,
    pub origin: Vector3<f64>,
}

/// The motion of the ground.
pub(super) const AT_REST: [Vector6<f64>; 2] = [Vector6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0); 2];

impl Stations {
    /// Where links stand before anything has moved.
    pub fn at_rest(layout: &Layout) -> Self {
        let (mut q, still) = (vec![0.0; layout.stored], vec![0.0; layout.count]);
        layout.chart.reset(&mut q);
        let mut stations = Stations::default();
        stations.place(layout, &q, &still, &still);
        stations
    }

    /// Works out everything from coordinates, velocities and accelerations.
    pub fn place(&mut self, layout: &Layout, q: &[f64], v: &[f64], vdot: &[f64]) {
        layout.frames(q, &mut self.frames);
        self.origin = self.frames.first().map_or(Vector3::zeros(), |frame| frame.position);
        self.links.clear();
        self.screws.clear();
        for (link, frame) in layout.links.iter().zip(&self.frames) {
            let rotation = frame.orientation.to_matrix();
            let position = frame.position - self.origin;
            let turn = |axis: Vector3<f64>| stack(&position.cross(&axis), &axis);
            match link.freedom {
                Freedom::None => {}
                Freedom::Turn(axis) => self.screws.push(turn(rotation * axis)),
                Freedom::Slide(axis) => {
                    self.screws.push(stack(&(rotation * axis), &Vector3::zeros()));
                }
                Freedom::Ball => {
                    self.screws.extend(rotation.column_iter().map(|axis| turn(axis.into())));
                }
            }
            let [below, push] = self.motion_of(link.parent);
            let (mut own, mut acceleration) = (Vector6::zeros(), push);
            for k in link.v..link.v + link.freedom.count() {
                own += self.screws[k] * v[k];
                acceleration += self.screws[k] * vdot[k];
            }
            acceleration += bracket(&below, &own);
            let velocity = below + own;
            self.links.push(Station { rotation, position, velocity, acceleration });
        }
    }

    /// Twist and its rate of a link, or of the ground.
    pub fn motion_of(&self, link: usize) -> [Vector6<f64>; 2] {
        match link {
            GROUND => AT_REST,
            link => [self.links[link].velocity, self.links[link].acceleration],
        }
    }

    /// From `o` to the node of a body.
    pub fn arm(&self, rider: &Rider) -> Vector3<f64> {
        let link = &self.links[rider.link];
        link.position + link.rotation * rider.arm
    }

    /// The motion of a body.
    pub fn motion(&self, rider: &Rider) -> Motion {
        let link = &self.links[rider.link];
        let arm = self.arm(rider);
        let own = |twist: &Vector6<f64>| {
            let (linear, angular) = halves(twist);
            (link.rotation.tr_mul(&(linear + angular.cross(&arm))), link.rotation.tr_mul(&angular))
        };
        let (velocity, omega) = own(&link.velocity);
        let (velocity_rate, omega_rate) = own(&link.acceleration);
        Motion {
            // not by way of `o`: amplitudes of shapes are much smaller than places
            position: self.frames[rider.link].position + link.rotation * rider.arm,
            rotation: link.rotation,
            velocity,
            omega,
            velocity_rate,
            omega_rate,
        }
    }

    /// A wrench, or a row along twists, of a body in its own axes as one of the world at `o`: `Xᵀ w`.
    pub fn to_world(&self, rider: &Rider, wrench: &Vector6<f64>) -> Vector6<f64> {
        let rotation = &self.links[rider.link].rotation;
        let (force, moment) = halves(wrench);
        let force = rotation * force;
        stack(&force, &(rotation * moment + self.arm(rider).cross(&force)))
    }

    /// The other way round: a wrench of the world at `o` in the axes of a body, at its node.
    pub fn to_body(&self, rider: &Rider, wrench: &Vector6<f64>) -> Vector6<f64> {
        let rotation = &self.links[rider.link].rotation;
        let (force, moment) = halves(wrench);
        let moment = moment - self.arm(rider).cross(&force);
        stack(&rotation.tr_mul(&force), &rotation.tr_mul(&moment))
    }

    /// A block on the wrench of one body along the twist of another, both in their own axes, as a form of the world at `o`:
    /// `Xᵀ B X`.
    pub fn form(&self, [row, col]: [&Rider; 2], block: &Matrix6<f64>) -> Matrix6<f64> {
        if block.iter().all(|entry| *entry == 0.0) {
            return Matrix6::zeros();
        }
        let [from, to] = [row, col].map(|rider| &self.links[rider.link].rotation);
        let [arm, other] = [row, col].map(|rider| skew(&self.arm(rider)));
        let turned = |i: usize, j: usize| from * block.fixed_view::<3, 3>(i, j) * to.transpose();
        let (linear, below) = (turned(0, 0), turned(3, 0));
        let right = turned(0, 3) - linear * other;
        let corner = turned(3, 3) - below * other;
        blocks([&linear, &right, &(below + arm * linear), &(corner + arm * right)])
    }

    /// The inertia of a body as a form of the world at `o`.
    pub fn inertia(&self, rider: &Rider, (mass, moments): &(f64, Matrix3<f64>)) -> Matrix6<f64> {
        let rotation = &self.links[rider.link].rotation;
        let arm = skew(&self.arm(rider));
        let across = arm * -*mass;
        let about = rotation * moments * rotation.transpose() + arm * across;
        blocks([&Matrix3::from_diagonal_element(*mass), &across, &-across, &about])
    }
}

/// A matrix of its four quarters, row by row.
fn blocks(quarters: [&Matrix3<f64>; 4]) -> Matrix6<f64> {
    let mut whole = Matrix6::zeros();
    for (k, quarter) in quarters.into_iter().enumerate() {
        whole.fixed_view_mut::<3, 3>(3 * (k / 2), 3 * (k % 2)).copy_from(quarter);
    }
    whole
}

/// The linear and the angular part.
pub(super) fn halves(a: &Vector6<f64>) -> (Vector3<f64>, Vector3<f64>) {
    (Vector3::new(a[0], a[1], a[2]), Vector3::new(a[3], a[4], a[5]))
}
