//! Spatial mechanisms of rigid bodies in the absolute coordinates of document 003, with joints made
//! of two kinds of constraints: points that coincide and directions that stay perpendicular.

use super::rigid_body::{Orientation, Pose, RigidBody, Vector};
use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::{Sizes, State, System};

/// A body by its number, or the ground.
pub type Part = Option<usize>;

/// A piece of a joint.
#[derive(Clone, Copy, Debug)]
pub enum Joint {
    /// Two points coincide: three equations.
    Coincident {
        /// First body and point.
        first: (Part, Vector<f64>),
        /// Second body and point.
        second: (Part, Vector<f64>),
    },
    /// Two directions are perpendicular: one equation.
    Perpendicular {
        /// First body and direction.
        first: (Part, Vector<f64>),
        /// Second body and direction.
        second: (Part, Vector<f64>),
    },
    /// A coordinate of the centre of mass is zero: one equation.
    InPlane {
        /// The body.
        body: usize,
        /// 0, 1, 2 for x, y, z.
        axis: usize,
    },
}

impl Joint {
    fn rows(&self) -> usize {
        if matches!(self, Joint::Coincident { .. }) { 3 } else { 1 }
    }
}

/// Bodies, joints, and gravity along −z.
#[derive(Clone, Debug)]
pub struct Mechanism {
    bodies: Vec<RigidBody>,
    joints: Vec<Joint>,
    gravity: f64,
}

impl Mechanism {
    /// The bodies.
    pub fn bodies(&self) -> &[RigidBody] {
        &self.bodies
    }

    /// The bodies, to be changed.
    pub(super) fn bodies_mut(&mut self) -> &mut [RigidBody] {
        &mut self.bodies
    }

    fn point<T: Scalar>(&self, q: &[T], (part, local): (Part, Vector<f64>)) -> Vector<T> {
        match part {
            Some(body) => self.bodies[body].point(q, local),
            None => local.map(T::from),
        }
    }

    fn direction<T: Scalar>(&self, q: &[T], (part, local): (Part, Vector<f64>)) -> Vector<T> {
        match part {
            Some(body) => self.bodies[body].direction(q, local),
            None => local.map(T::from),
        }
    }

    fn quaternions(&self) -> impl Iterator<Item = &RigidBody> {
        self.bodies.iter().filter(|body| body.orientation == Orientation::Quaternion)
    }
}

impl Equations for Mechanism {
    fn sizes(&self) -> Sizes {
        let motion = self.bodies.iter().map(RigidBody::size).sum();
        let joints: usize = self.joints.iter().map(Joint::rows).sum();
        Sizes { holonomic: joints + self.quaternions().count(), ..Sizes::vector(motion) }
    }

    fn mass<T: Scalar>(&self, _t: T, q: &[T], m: &mut MassMatrix<T>) {
        self.bodies.iter().for_each(|body| body.add_mass(q, m));
    }

    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        self.bodies.iter().for_each(|body| body.add_force(self.gravity, at.q, at.v, f));
    }

    fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
        let mut row = 0;
        for joint in &self.joints {
            match *joint {
                Joint::Coincident { first, second } => {
                    let (a, b) = (self.point(q, first), self.point(q, second));
                    (0..3).for_each(|i| g[row + i] = a[i] - b[i]);
                }
                Joint::Perpendicular { first, second } => {
                    let (a, b) = (self.direction(q, first), self.direction(q, second));
                    g[row] = (0..3).map(|i| a[i] * b[i]).sum();
                }
                Joint::InPlane { body, axis } => g[row] = self.bodies[body].centre(q)[axis],
            }
            row += joint.rows();
        }
        for (body, g) in self.quaternions().zip(&mut g[row..]) {
            *g = body.norm_defect(q);
        }
    }
}

/// A body to be built: mass, inertia, kind of orientation, pose.
pub type Part3d = (f64, Vector<f64>, Orientation, Pose);

/// Builds a mechanism and its initial state.
pub fn mechanism(parts: &[Part3d], joints: Vec<Joint>) -> (Automatic<Mechanism>, State) {
    let mut bodies = Vec::with_capacity(parts.len());
    let mut first = 0;
    for &(mass, inertia, orientation, _) in parts {
        let body = RigidBody { mass, inertia, orientation, first };
        first += body.size();
        bodies.push(body);
    }
    let system = Automatic::new(Mechanism { bodies, joints, gravity: 9.81 });
    let mut state = State::zeros(system.sizes());
    for (body, (.., pose)) in system.equations().bodies.iter().zip(parts) {
        body.place(pose, &mut state.q, &mut state.v);
    }
    (system, state)
}

/// A revolute joint: a common point, and an axis of the second part (with two directions of the first
/// perpendicular to it).
pub fn revolute(
    first: (Part, Vector<f64>, [Vector<f64>; 2]),
    second: (Part, Vector<f64>, Vector<f64>),
) -> Vec<Joint> {
    let (a, at_a, normals) = first;
    let (b, at_b, axis) = second;
    let mut joints = vec![Joint::Coincident { first: (a, at_a), second: (b, at_b) }];
    joints.extend(
        normals.map(|normal| Joint::Perpendicular { first: (a, normal), second: (b, axis) }),
    );
    joints
}
