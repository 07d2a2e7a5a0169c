//! Nodes: what moves. Every node is a frame, whatever it stores.
//!
//! | kind | stores | moves by | of the body twist |
//! |---|---|---|---|
//! | spatial | position, unit quaternion | 6 | all |
//! | planar | x, y, θ in a plane | 3 | linear x, y and angular z |
//! | point | position | 3 | linear, axes stay those of the world |
//! | amplitudes | up to three numbers | as many | linear: numbers that add |
//! | ground | nothing | 0 | none |
//!
//! A planar node moves in SE(2), a subgroup of SE(3), and a point in R³, another one: increments of
//! all kinds are twists with some components left out. So joints and forces are written once, for
//! twists with six components in the axes of the body, and a node keeps the columns it has. Spatial and
//! planar nodes that nothing holds keep their velocities in axes that do not turn ([`crate::rates`]).

use crate::rates::Rates;
use crate::small_angle::{sinc, sine_cosine};
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_dae::Point;
use rotula_lie::{Frame, Quaternion, Retraction};

/// How a node moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeKind {
    /// Does not move.
    Ground,
    /// Moves freely in space.
    Spatial,
    /// Moves in the x-y plane of a fixed frame and turns about its z axis.
    Planar(Frame),
    /// Moves without turning.
    Point,
    /// Does not move at all: up to three amplitudes of shapes of a flexible body, which take the
    /// places of a position and its rates.
    Amplitudes {
        /// The number of the first of them among all of the body, counted from one.
        first: usize,
        /// How many, 1 to 3.
        count: usize,
        /// How large an amplitude is where displacements are as large as the unit of length.
        scale: f64,
    },
}

impl NodeKind {
    /// The components of a body twist (linear, angular) that this node has.
    pub fn columns(&self) -> &'static [usize] {
        match self {
            NodeKind::Ground => &[],
            NodeKind::Spatial => &[0, 1, 2, 3, 4, 5],
            NodeKind::Planar(_) => &[0, 1, 5],
            NodeKind::Point => &[0, 1, 2],
            NodeKind::Amplitudes { count, .. } => &[0, 1, 2][..*count],
        }
    }

    /// Numbers that store its configuration.
    pub fn stored(&self) -> usize {
        match self {
            NodeKind::Ground => 0,
            NodeKind::Spatial => 7,
            NodeKind::Planar(_) | NodeKind::Point => 3,
            NodeKind::Amplitudes { count, .. } => *count,
        }
    }
}

/// A node and where its numbers are.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// How it moves.
    pub kind: NodeKind,
    /// In which axes its velocity is; those of the body unless it is spatial or planar.
    pub rates: Rates,
    /// Where its configuration begins.
    pub q: usize,
    /// Where its velocity begins.
    pub v: usize,
}

/// The motion of a node. All but the frame itself is in the axes of the body.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Position in the world.
    pub position: Vector3<f64>,
    /// Rotation `R_WB`.
    pub rotation: Matrix3<f64>,
    /// Linear velocity of the node.
    pub velocity: Vector3<f64>,
    /// Angular velocity.
    pub omega: Vector3<f64>,
    /// Time derivative of `velocity` as seen in the body.
    pub velocity_rate: Vector3<f64>,
    /// Angular acceleration.
    pub omega_rate: Vector3<f64>,
}

impl Motion {
    /// At rest at a frame.
    pub fn at_rest(frame: &Frame) -> Self {
        let zero = Vector3::zeros();
        Motion {
            position: frame.position,
            rotation: frame.orientation.to_matrix(),
            velocity: zero,
            omega: zero,
            velocity_rate: zero,
            omega_rate: zero,
        }
    }

    /// Where it is some time later, if it goes on with the velocities that it has.
    pub(crate) fn ahead(&self, time: f64) -> Self {
        let turn = Quaternion::exp(&(self.omega * time)).to_matrix();
        Motion {
            position: self.position + self.rotation * self.velocity * time,
            rotation: self.rotation * turn,
            velocity: turn.tr_mul(&self.velocity),
            ..*self
        }
    }

    /// World vector in body axes.
    pub fn into_body(&self, a: &Vector3<f64>) -> Vector3<f64> {
        self.rotation.tr_mul(a)
    }

    /// The twist: linear velocity, angular velocity.
    pub fn twist(&self) -> Vector6<f64> {
        stack(&self.velocity, &self.omega)
    }
}

/// Two vectors one above the other.
pub(crate) fn stack(top: &Vector3<f64>, bottom: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(top.x, top.y, top.z, bottom.x, bottom.y, bottom.z)
}

impl Node {
    /// The ground.
    pub(crate) const GROUND: Node = Node { kind: NodeKind::Ground, rates: Rates::Body, q: 0, v: 0 };

    /// Adds what is missing to a velocity or increment of this node: a whole twist.
    pub fn embed(&self, values: &[f64]) -> Vector6<f64> {
        let mut twist = Vector6::zeros();
        for (k, &column) in self.kind.columns().iter().enumerate() {
            twist[column] = values[self.v + k];
        }
        twist
    }

    /// The frame stored in a configuration.
    pub fn frame(&self, q: &[f64]) -> Frame {
        let q = &q[self.q..];
        match self.kind {
            NodeKind::Ground => Frame::identity(),
            NodeKind::Spatial => {
                Frame::new(Vector3::new(q[0], q[1], q[2]), Quaternion::new(q[3], q[4], q[5], q[6]))
            }
            NodeKind::Planar(plane) => plane * planar_frame(q[0], q[1], q[2]),
            NodeKind::Point => Frame::new(Vector3::new(q[0], q[1], q[2]), Quaternion::identity()),
            NodeKind::Amplitudes { count, .. } => {
                Frame::new(padded(&q[..count]), Quaternion::identity())
            }
        }
    }

    /// Stores a frame; a planar node keeps the part in its plane, a point the position.
    pub fn store(&self, frame: &Frame, q: &mut [f64]) {
        let q = &mut q[self.q..];
        match self.kind {
            NodeKind::Ground => {}
            NodeKind::Spatial => {
                q[..3].copy_from_slice(frame.position.as_slice());
                q[3..7].copy_from_slice(&frame.orientation.to_array());
            }
            NodeKind::Planar(plane) => {
                let inside = frame.seen_from(&plane);
                q[0] = inside.position.x;
                q[1] = inside.position.y;
                q[2] = planar_angle(&inside.orientation);
            }
            NodeKind::Point => q[..3].copy_from_slice(frame.position.as_slice()),
            NodeKind::Amplitudes { count, .. } => {
                q[..count].copy_from_slice(&frame.position.as_slice()[..count]);
            }
        }
    }

    /// Moves by an increment.
    pub fn retract(&self, map: Retraction, q: &[f64], increment: &[f64], out: &mut [f64]) {
        match self.kind {
            NodeKind::Ground => {}
            NodeKind::Point | NodeKind::Amplitudes { .. } => {
                for k in 0..self.kind.stored() {
                    out[self.q + k] = q[self.q + k] + increment[self.v + k];
                }
            }
            NodeKind::Spatial if self.rates != Rates::Body => {
                let (frame, by) = (self.frame(q), self.embed(increment));
                let turn = map.motion(&angular_part(&by)).orientation;
                let turned = match self.rates {
                    Rates::World => turn * frame.orientation,
                    _ => frame.orientation * turn,
                };
                let place = frame.position + linear_part(&by);
                self.store(&Frame::new(place, turned.normalised()), out);
            }
            NodeKind::Spatial => {
                self.store(&map.retract(&self.frame(q), &self.embed(increment)), out)
            }
            NodeKind::Planar(_) if self.rates != Rates::Body => {
                let [_, _, turn] = self.planar_step(map, increment);
                for (k, by) in [increment[self.v], increment[self.v + 1], turn].iter().enumerate() {
                    out[self.q + k] = q[self.q + k] + by;
                }
            }
            NodeKind::Planar(_) => {
                let [x, y, turn] = self.planar_step(map, increment);
                let (sin, cos) = sine_cosine(q[self.q + 2]);
                out[self.q] = q[self.q] + cos * x - sin * y;
                out[self.q + 1] = q[self.q + 1] + sin * x + cos * y;
                // The angle is kept as it is, with all its turns.
                out[self.q + 2] = q[self.q + 2] + turn;
            }
        }
    }

    /// The motion in the plane that belongs to an increment: place and turn.
    fn planar_step(&self, map: Retraction, increment: &[f64]) -> [f64; 3] {
        match map {
            Retraction::Exponential => {
                let [x, y, turn] = [0, 1, 2].map(|k| increment[self.v + k]);
                let (sine, versed) = sinc(turn);
                let across = turn * versed;
                [sine * x - across * y, across * x + sine * y, turn]
            }
            _ => {
                let moved = map.motion(&self.embed(increment));
                [moved.position.x, moved.position.y, planar_angle(&moved.orientation)]
            }
        }
    }

    /// The increment that leads from one configuration to another.
    pub fn local(&self, map: Retraction, q: &[f64], other: &[f64], out: &mut [f64]) {
        let twist = match self.kind {
            NodeKind::Ground => return,
            NodeKind::Amplitudes { count, .. } => {
                for k in 0..count {
                    out[self.v + k] = other[self.q + k] - q[self.q + k];
                }
                return;
            }
            NodeKind::Point | NodeKind::Spatial | NodeKind::Planar(_) => {
                let (from, to) = (self.frame(q), self.frame(other));
                match self.rates {
                    Rates::Body => map.local(&from, &to),
                    Rates::Centre | Rates::World => self.way(map, &from, &to),
                }
            }
        };
        for (k, &column) in self.kind.columns().iter().enumerate() {
            out[self.v + k] = twist[column];
        }
    }

    /// The rate of an increment where the node moves with the velocity `v`: the inverse of the tangent map.
    pub fn increment_rate(&self, map: Retraction, increment: &[f64], v: &[f64], out: &mut [f64]) {
        let rate = match self.kind {
            NodeKind::Ground => return,
            NodeKind::Point | NodeKind::Amplitudes { .. } => self.embed(v),
            NodeKind::Spatial | NodeKind::Planar(_) if self.rates == Rates::Body => {
                map.tangent_inverse(&self.embed(increment)) * self.embed(v)
            }
            NodeKind::Spatial | NodeKind::Planar(_) => {
                let (turn, velocity) = (angular_part(&self.embed(increment)), self.embed(v));
                let inverse = map.tangent_inverse(&turn);
                let right = inverse.fixed_view::<3, 3>(3, 3);
                let omega: Vector3<f64> = velocity.fixed_rows::<3>(3).into();
                // the left tangent is the transpose of the right one
                let angular = match self.rates {
                    Rates::World => right.tr_mul(&omega),
                    _ => right * omega,
                };
                stack(&linear_part(&velocity), &angular)
            }
        };
        for (k, &column) in self.kind.columns().iter().enumerate() {
            out[self.v + k] = rate[column];
        }
    }

    /// The way of the node from one configuration to another and the rotation between them, in the axes
    /// of the world; of a planar node in its plane.
    pub fn displacement(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        match self.kind {
            NodeKind::Spatial => {
                let (from, to) = (self.frame(q), self.frame(other));
                let turn = (to.orientation * from.orientation.conjugate()).shortest().log();
                let whole = stack(&(to.position - from.position), &turn);
                out[self.v..self.v + 6].copy_from_slice(whole.as_slice());
            }
            _ => {
                for k in 0..self.kind.stored() {
                    out[self.v + k] = other[self.q + k] - q[self.q + k];
                }
            }
        }
    }

    /// The motion at a point.
    #[inline]
    pub fn motion(&self, at: &Point) -> Motion {
        // apart, so that the motion of a jointed body is made where it is wanted and not copied there
        match self.rates {
            Rates::Body => self.kept_motion(at),
            Rates::Centre | Rates::World => self.turned_motion(at),
        }
    }

    #[inline(never)]
    fn turned_motion(&self, at: &Point) -> Motion {
        let mut motion = self.kept_motion(at);
        let turn = self.kept(&motion.rotation).turn;
        motion.velocity = turn.tr_mul(&motion.velocity);
        motion.velocity_rate = turn.tr_mul(&motion.velocity_rate);
        if self.rates == Rates::World {
            motion.omega = turn.tr_mul(&motion.omega);
            motion.omega_rate = turn.tr_mul(&motion.omega_rate);
        }
        motion.velocity_rate -= motion.omega.cross(&motion.velocity);
        motion
    }

    /// The same with rates as they are kept.
    #[inline]
    fn kept_motion(&self, at: &Point) -> Motion {
        let three = |a: &[f64], k: usize| Vector3::new(a[k], a[k + 1], a[k + 2]);
        let zero = Vector3::zeros();
        match self.kind {
            NodeKind::Ground => Motion::at_rest(&Frame::identity()),
            NodeKind::Spatial => {
                let q = &at.q[self.q..self.q + 7];
                let (v, vdot) = (&at.v[self.v..self.v + 6], &at.vdot[self.v..self.v + 6]);
                Motion {
                    position: three(q, 0),
                    rotation: Quaternion::new(q[3], q[4], q[5], q[6]).to_matrix(),
                    velocity: three(v, 0),
                    omega: three(v, 3),
                    velocity_rate: three(vdot, 0),
                    omega_rate: three(vdot, 3),
                }
            }
            NodeKind::Planar(plane) => {
                let (q, v) = (&at.q[self.q..self.q + 3], &at.v[self.v..self.v + 3]);
                let vdot = &at.vdot[self.v..self.v + 3];
                let axes = plane.orientation.to_matrix();
                let (x, y) = (axes.column(0), axes.column(1));
                let (sin, cos) = sine_cosine(q[2]);
                let columns = [x * cos + y * sin, y * cos - x * sin, axes.column(2).into()];
                Motion {
                    position: plane.position + x * q[0] + y * q[1],
                    rotation: Matrix3::from_columns(&columns),
                    velocity: Vector3::new(v[0], v[1], 0.0),
                    omega: Vector3::new(0.0, 0.0, v[2]),
                    velocity_rate: Vector3::new(vdot[0], vdot[1], 0.0),
                    omega_rate: Vector3::new(0.0, 0.0, vdot[2]),
                }
            }
            NodeKind::Point => Motion {
                position: three(at.q, self.q),
                rotation: Matrix3::identity(),
                velocity: three(at.v, self.v),
                omega: zero,
                velocity_rate: three(at.vdot, self.v),
                omega_rate: zero,
            },
            NodeKind::Amplitudes { count, .. } => {
                let v = self.v..self.v + count;
                Motion {
                    position: padded(&at.q[self.q..self.q + count]),
                    rotation: Matrix3::identity(),
                    velocity: padded(&at.v[v.clone()]),
                    omega: zero,
                    velocity_rate: padded(&at.vdot[v]),
                    omega_rate: zero,
                }
            }
        }
    }

    /// The tangent of the retraction where the body stands so: body variations are `T(Δ) dΔ`.
    pub(crate) fn tangent(
        &self,
        map: Retraction,
        increment: &[f64],
        rotation: &Matrix3<f64>,
    ) -> Matrix6<f64> {
        match self.kind {
            NodeKind::Ground | NodeKind::Point | NodeKind::Amplitudes { .. } => Matrix6::identity(),
            NodeKind::Spatial | NodeKind::Planar(_) if self.rates == Rates::Body => {
                map.tangent(&self.embed(increment))
            }
            NodeKind::Spatial | NodeKind::Planar(_) => {
                let whole = map.tangent(&angular_part(&self.embed(increment)));
                let right = whole.fixed_view::<3, 3>(3, 3);
                let turn = self.kept(rotation).turn.transpose();
                let mut tangent = Matrix6::zeros();
                tangent.fixed_view_mut::<3, 3>(0, 0).copy_from(&turn);
                // the left tangent is the transpose of the right one
                let angular = if self.rates == Rates::World {
                    turn * right.transpose()
                } else {
                    right.into()
                };
                tangent.fixed_view_mut::<3, 3>(3, 3).copy_from(&angular);
                tangent
            }
        }
    }
}

fn linear_part(twist: &Vector6<f64>) -> Vector3<f64> {
    twist.fixed_rows::<3>(0).into()
}

/// The twist without its linear part.
pub(crate) fn angular_part(twist: &Vector6<f64>) -> Vector6<f64> {
    Vector6::new(0.0, 0.0, 0.0, twist[3], twist[4], twist[5])
}

/// Up to three numbers as a vector.
fn padded(values: &[f64]) -> Vector3<f64> {
    let mut vector = Vector3::zeros();
    vector.iter_mut().zip(values).for_each(|(out, value)| *out = *value);
    vector
}

fn planar_frame(x: f64, y: f64, angle: f64) -> Frame {
    let (sin, cos) = (0.5 * angle).sin_cos();
    Frame::new(Vector3::new(x, y, 0.0), Quaternion::new(cos, 0.0, 0.0, sin))
}

fn planar_angle(orientation: &Quaternion) -> f64 {
    2.0 * orientation.vector.z.atan2(orientation.scalar)
}
