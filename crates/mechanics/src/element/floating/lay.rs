//! Flexible bodies in a model.

use super::integrals::{Integrals, Present};
use super::{Floating, ShapeLoad};
use crate::body::{Body, MassProperties};
use crate::constraint::Follower;
use crate::error::{ModelError, Refusal, refusal};
use crate::force::Amplitude;
use crate::model::{BodyId, Model};
use crate::node::NodeKind;
use nalgebra::{DMatrix, Vector3};
use rotula_elastic::{FlexibleBody, FlexibleFrame};
use rotula_lie::{Frame, Quaternion};
use std::sync::Arc;

/// Displacements out of a plane that are small enough to be left out, as a part of all.
const IN_PLANE: f64 = 1e-6;

/// A reduced body at the start.
#[derive(Clone, Debug)]
pub struct Flexible {
    /// Its shapes and their integrals.
    pub body: Arc<FlexibleBody>,
    /// How its frame moves: in space or in a plane.
    pub kind: NodeKind,
    /// Where the frame of its mesh is.
    pub frame: Frame,
    /// Velocity of that frame's origin, world axes.
    pub velocity: Vector3<f64>,
    /// Angular velocity, world axes.
    pub angular_velocity: Vector3<f64>,
    /// Amplitudes of the shapes; those that are not given are zero.
    pub amplitudes: Vec<f64>,
    /// Loads on frame and shapes.
    pub loads: Vec<ShapeLoad>,
}

/// Where a flexible body is in a model.
#[derive(Clone, Debug)]
pub struct LaidFlexible {
    /// The body of its floating frame, whose own frame is that of the mesh.
    pub body: BodyId,
    /// The nodes of its amplitudes, three in each.
    pub amplitudes: Vec<usize>,
    /// Its interfaces by name.
    pub interfaces: Vec<(String, BodyId)>,
    /// Its shapes.
    pub shapes: Arc<FlexibleBody>,
}

impl LaidFlexible {
    /// The amplitudes in which the nodes are.
    pub fn amplitudes(&self, frame: impl Fn(usize) -> Frame) -> Vec<f64> {
        let all = self.amplitudes.iter().flat_map(|node| <[f64; 3]>::from(frame(*node).position));
        all.take(self.shapes.shapes()).collect()
    }
}

impl Flexible {
    /// A body at rest, undeformed, whose mesh is in the world's frame.
    pub fn new(body: FlexibleBody) -> Self {
        Flexible {
            body: Arc::new(body),
            kind: NodeKind::Spatial,
            frame: Frame::identity(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            amplitudes: Vec::new(),
            loads: Vec::new(),
        }
    }

    /// Puts the frame of its mesh at a frame.
    pub fn at_frame(mut self, frame: Frame) -> Self {
        self.frame = frame;
        self
    }

    /// Gives it a velocity of the mesh's origin and an angular velocity, world axes.
    pub fn moving(mut self, velocity: Vector3<f64>, angular_velocity: Vector3<f64>) -> Self {
        (self.velocity, self.angular_velocity) = (velocity, angular_velocity);
        self
    }

    /// Lets it move in the x-y plane of its own frame alone.
    pub fn in_plane(mut self) -> Self {
        let centre = self.frame.transform_point(&self.body.inertia.centre());
        self.kind = NodeKind::Planar(Frame::new(centre, self.frame.orientation));
        self
    }

    /// Amplitude of shape `k` at the start.
    fn amplitude(&self, k: usize) -> f64 {
        self.amplitudes.get(k).copied().unwrap_or(0.0)
    }

    /// The body of the floating frame.
    fn rigid(&self) -> Body {
        let inertia = &self.body.inertia;
        let mass = MassProperties::new(inertia.mass, inertia.centre(), inertia.central());
        let body = Body { kind: self.kind, ..Body::rigid(mass) };
        body.at_frame(self.frame).moving(self.velocity, self.angular_velocity)
    }

    /// The massless body of an interface at the start.
    fn interface(&self, frame: &FlexibleFrame) -> Body {
        let sum = |shapes: &DMatrix<f64>| -> Vector3<f64> {
            let terms = (0..shapes.ncols())
                .map(|k| shapes.fixed_view::<3, 1>(0, k).into_owned() * self.amplitude(k));
            terms.sum()
        };
        let place = frame.position + sum(&frame.translation);
        let turned = Quaternion::cayley(&sum(&frame.rotation));
        let at = self.frame * Frame::new(place, turned);
        let kind = match self.kind {
            NodeKind::Planar(plane) => {
                let inside = at.seen_from(&plane).position;
                let lift = Frame::new(Vector3::new(0.0, 0.0, inside.z), Quaternion::identity());
                NodeKind::Planar(plane * lift)
            }
            kind => kind,
        };
        let arm = self.frame.orientation.rotate(&place);
        let velocity = self.velocity + self.angular_velocity.cross(&arm);
        let body = Body { kind, ..Body::massless() };
        body.at_frame(at).moving(velocity, self.angular_velocity)
    }

    /// Says what is wrong.
    fn validate(&self) -> Result<(), Refusal> {
        let n = self.body.shapes();
        if self.amplitudes.len() > n {
            let given = self.amplitudes.len();
            return Err(refusal!("{given} amplitudes are given for {n} shapes"; "leave some out"));
        }
        if self.amplitudes.iter().any(|q| !q.is_finite()) {
            return Err("the amplitudes at the start must be finite numbers".into());
        }
        for load in &self.loads {
            if let Amplitude::Variable(_) = load.factor {
                return Err(refusal!(
                    "the factor of a load on its shapes is a variable of a controller";
                    "give a number or a function of time"
                ));
            }
            if load.shapes.len() != n {
                let given = load.shapes.len();
                return Err(refusal!("a load has forces for {given} shapes"; "there are {n}"));
            }
        }
        if let NodeKind::Planar(plane) = self.kind {
            self.validate_plane(&plane)?;
        }
        Ok(())
    }

    /// A body in a plane must be symmetric to it, and its interfaces must stay in it.
    fn validate_plane(&self, plane: &Frame) -> Result<(), Refusal> {
        let z = plane.orientation.rotate_back(&self.frame.orientation.rotate(&Vector3::z()));
        if (z - Vector3::z()).norm() > 1e-9 {
            return Err(refusal!(
                "the z axis of its mesh is not normal to the plane in which it moves";
                "turn it, or let it move in space"
            ));
        }
        for frame in &self.body.frames {
            for k in 0..self.body.shapes() {
                let (u, r) = (frame.translation.column(k), frame.rotation.column(k));
                if u[2].abs() > IN_PLANE * u.norm() || r[0].hypot(r[1]) > IN_PLANE * r.norm() {
                    return Err(refusal!(
                        "shape {} moves the interface `{}` out of the plane", k + 1, frame.name;
                        "keep shapes in the plane only, or let the body move in space"
                    ));
                }
            }
        }
        Ok(())
    }

    fn element(&self, nodes: Vec<usize>) -> Floating {
        let body = &self.body;
        let n = body.shapes();
        let critical = |k: usize| 2.0 * (body.stiffness[k] * body.inertia.modal[(k, k)]).sqrt();
        Floating {
            nodes,
            integrals: Integrals::central(&body.inertia),
            stiffness: body.stiffness.clone(),
            damping: (0..n).map(|k| body.damping[k] * critical(k)).collect(),
            loads: self.loads.clone(),
            gravity: Vector3::zeros(),
            present: Present::new(n),
        }
    }
}

impl Model {
    /// Lays a flexible body: its floating frame becomes the body `name`, its interfaces massless
    /// bodies `name.interface`.
    pub fn flexible(
        &mut self,
        name: &str,
        flexible: &Flexible,
    ) -> Result<LaidFlexible, ModelError> {
        let thing = format!("flexible body `{name}`");
        flexible.validate().map_err(|what| ModelError::invalid(thing.as_str(), what))?;
        let shapes = flexible.body.shapes();
        let body = self.body(name, flexible.rigid())?;
        let scale = flexible.body.inertia.mass.sqrt();
        let mut amplitudes = Vec::new();
        for first in (0..shapes).step_by(3) {
            let count = (shapes - first).min(3);
            let kind = NodeKind::Amplitudes { first: first + 1, count, scale };
            let place = Vector3::from_fn(|i, _| flexible.amplitude(first + i));
            let node = Body { kind, ..Body::massless() }.at(place);
            let title = format!("{name} (shapes {} to {})", first + 1, first + count);
            amplitudes.push(self.body(&title, node)?.node());
        }
        let centre = flexible.body.inertia.centre();
        let mut interfaces = Vec::new();
        for frame in &flexible.body.frames {
            let full = format!("{name}.{}", frame.name);
            let node = self.body(&full, flexible.interface(frame))?;
            let shapes = (&frame.translation, &frame.rotation);
            let from = (body.node(), flexible.kind);
            let at = frame.position - centre;
            let follower = Follower::new(from, node.node(), &amplitudes, at, shapes);
            self.constrain(&full, Box::new(follower))?;
            interfaces.push((frame.name.clone(), node));
        }
        if shapes > 0 || !flexible.loads.is_empty() {
            let nodes = [body.node()].into_iter().chain(amplitudes.iter().copied()).collect();
            self.element(name, flexible.element(nodes))?;
        }
        Ok(LaidFlexible { body, amplitudes, interfaces, shapes: flexible.body.clone() })
    }
}
