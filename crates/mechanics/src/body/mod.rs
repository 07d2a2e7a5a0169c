//! Bodies: what has mass.

mod inertia;

use crate::error::ModelError;
pub use inertia::MassProperties;

use crate::node::{Motion, NodeKind};
use crate::shape::{Shape, composed};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};

/// A rigid body, a planar body or a point mass, at the start.
///
/// The body's own frame is wherever the user put it; its node sits in the centre of mass, with the
/// same axes.
#[derive(Clone, Debug)]
pub struct Body {
    /// How it moves.
    pub kind: NodeKind,
    /// Mass, centre of mass and inertia in the body's own frame.
    pub mass: MassProperties,
    /// Where the body's own frame is at the start.
    pub frame: Frame,
    /// Velocity of the frame's origin at the start, world axes.
    pub velocity: Vector3<f64>,
    /// Angular velocity at the start, world axes.
    pub angular_velocity: Vector3<f64>,
    /// Its shapes, each in its place in the body's own frame: what is drawn.
    pub shapes: Vec<(Frame, Shape)>,
}

impl Body {
    /// A rigid body in space.
    pub fn rigid(mass: MassProperties) -> Self {
        Body {
            kind: NodeKind::Spatial,
            mass,
            frame: Frame::identity(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            shapes: Vec::new(),
        }
    }

    /// A rigid body made of shapes of one density, each in its place in the body's own frame.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use rotula_lie::Frame;
    /// use rotula_mechanics::{Body, shape::Shape};
    ///
    /// let rod = Shape::Cylinder { radius: 0.01, length: 1.0 };
    /// let bob = Shape::Sphere { radius: 0.05 };
    /// let end = Frame::new(Vector3::new(0.0, 0.0, -0.5), Default::default());
    /// let pendulum = Body::solid(7800.0, vec![(Frame::identity(), rod), (end, bob)])?;
    /// assert!(pendulum.mass.centre.z < 0.0);
    /// # Ok::<(), rotula_mechanics::ModelError>(())
    /// ```
    pub fn solid(density: f64, shapes: Vec<(Frame, Shape)>) -> Result<Self, ModelError> {
        let mass = composed(density, &shapes)?;
        Ok(Body { shapes, ..Body::rigid(mass) })
    }

    /// Adds a shape that is drawn and changes nothing else.
    pub fn drawn(mut self, frame: Frame, shape: Shape) -> Self {
        self.shapes.push((frame, shape));
        self
    }

    /// A body in the x-y plane of the world, with an inertia about z.
    pub fn planar(mass: f64, inertia: f64) -> Self {
        let properties = MassProperties::principal(mass, Vector3::new(0.0, 0.0, inertia));
        Body { kind: NodeKind::Planar(Frame::identity()), ..Body::rigid(properties) }
    }

    /// A point mass.
    pub fn point(mass: f64) -> Self {
        let properties = MassProperties::principal(mass, Vector3::zeros());
        Body { kind: NodeKind::Point, ..Body::rigid(properties) }
    }

    /// A frame without mass, which something must hold.
    pub fn massless() -> Self {
        Body::rigid(MassProperties::principal(0.0, Vector3::zeros()))
    }

    /// Puts the body's origin at a place.
    pub fn at(mut self, position: Vector3<f64>) -> Self {
        self.frame.position = position;
        self
    }

    /// Puts the body's frame at a frame.
    pub fn at_frame(mut self, frame: Frame) -> Self {
        self.frame = frame;
        self
    }

    /// Gives it a velocity of its origin and an angular velocity, world axes.
    pub fn moving(mut self, velocity: Vector3<f64>, angular_velocity: Vector3<f64>) -> Self {
        (self.velocity, self.angular_velocity) = (velocity, angular_velocity);
        self
    }

    /// Where the node is at the start.
    pub fn node_frame(&self) -> Frame {
        Frame::new(self.frame.transform_point(&self.mass.centre), self.frame.orientation)
    }

    /// The motion of the node at the start. A point keeps the axes of the world, whatever the frame in
    /// which it was put.
    pub(crate) fn start(&self) -> Motion {
        let (frame, [x, y, z, a, b, c]) = match self.kind {
            NodeKind::Point => {
                let (p, v) = (self.node_frame().position, self.velocity);
                (Frame::new(p, Quaternion::identity()), [v.x, v.y, v.z, 0.0, 0.0, 0.0])
            }
            _ => (self.node_frame(), self.twist()),
        };
        let mut motion = Motion::at_rest(&frame);
        (motion.velocity, motion.omega) = (Vector3::new(x, y, z), Vector3::new(a, b, c));
        motion
    }

    /// The place of a local frame of the body as seen from its node.
    pub fn from_node(&self, local: &Frame) -> Frame {
        Frame::new(local.position - self.mass.centre, local.orientation)
    }

    /// The node's twist at the start, in body axes.
    pub fn twist(&self) -> [f64; 6] {
        let arm = self.frame.orientation.rotate(&self.mass.centre);
        let velocity = self.velocity + self.angular_velocity.cross(&arm);
        let linear = self.frame.orientation.rotate_back(&velocity);
        let angular = self.frame.orientation.rotate_back(&self.angular_velocity);
        [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
    }

    /// Says what is wrong with the numbers.
    pub(crate) fn validate(&self, name: &str) -> Result<(), ModelError> {
        let thing = || format!("body `{name}`");
        let start = [&self.frame.position, &self.velocity, &self.angular_velocity];
        if start.iter().any(|v| v.iter().any(|x| !x.is_finite())) {
            return Err(ModelError::invalid(
                thing(),
                "position and velocity must be finite numbers",
            ));
        }
        for (_, shape) in &self.shapes {
            shape.validate().map_err(|error| ModelError::invalid(thing(), error.to_string()))?;
        }
        self.mass.validate().map_err(|what| ModelError::invalid(thing(), what))
    }
}
