//! A model: bodies, joints, drives and forces by name. Immutable once it is assembled.

use crate::assembly::Assembly;
use crate::body::Body;
use crate::constraint::{Constraint, Row, Rows, Target};
use crate::control::Signals;
use crate::element::Element;
use crate::error::{ModelError, refusal};
use crate::force::Force;
use crate::function::TimeFunction;
use crate::joint::{Joint, Look, Pair, Way};
use crate::marker::Marker;
use crate::measure::Coordinate;
use crate::node::NodeKind;
use crate::quantity::{Acting, Attachment, Drive, REACTION};
use crate::stop::Stop;
use crate::unilateral::{CandidateList, Unilateral};
use nalgebra::Vector3;
use rotula_formula::nearest;
use rotula_lie::{Frame, Retraction};
use std::collections::HashSet;

/// A body of a model; the ground is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyId(pub(crate) usize);

/// The ground: the world frame.
pub const GROUND: BodyId = BodyId(0);

impl BodyId {
    /// The number of its node.
    pub fn node(&self) -> usize {
        self.0
    }
}

/// A joint of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JointId(pub(crate) usize);

impl JointId {
    /// Its place in [`Model::joints`].
    pub fn index(&self) -> usize {
        self.0
    }
}

/// One of the model's functions of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(pub(crate) usize);

impl FunctionId {
    /// Its place in [`Model::functions`].
    pub fn index(&self) -> usize {
        self.0
    }
}

/// A joint in a model.
#[derive(Clone, Debug)]
pub struct JointEntry {
    /// Its name.
    pub name: String,
    /// The word for its kind.
    pub word: &'static str,
    /// How it appears in pictures.
    pub look: Look,
    /// Its markers.
    pub pair: Pair,
    /// Whether its bodies fly all the same, see [`Joint::flies`].
    pub flies: bool,
    /// Its coordinates by name.
    pub coordinates: Vec<(&'static str, Coordinate)>,
    /// Where each of these goes.
    pub ways: Vec<Way>,
    /// Its constraints, as numbers in the model's list.
    pub constraints: std::ops::Range<usize>,
}

impl JointEntry {
    /// Where one of its coordinates goes, by name.
    pub fn way(&self, coordinate: &str) -> Option<Way> {
        let found = self.coordinates.iter().position(|(word, _)| *word == coordinate);
        found.map(|k| self.ways[k])
    }
}

/// A constraint in a model and what it belongs to.
#[derive(Clone, Debug)]
pub struct ConstraintEntry {
    /// The name of the joint or drive.
    pub owner: String,
    /// The equations.
    pub constraint: Box<dyn Constraint>,
}

/// Bodies, joints, drives and forces.
///
/// ```
/// use nalgebra::Vector3;
/// use rotula_mechanics::{Body, GROUND, MassProperties, Model, joint::Revolute};
///
/// let mut model = Model::new();
/// model.gravity = Vector3::new(0.0, 0.0, -9.81);
/// let rod = MassProperties::principal(1.0, Vector3::new(1e-4, 1.0 / 12.0, 1.0 / 12.0));
/// let rod = model.body("rod", Body::rigid(rod).at(Vector3::new(0.5, 0.0, 0.0)))?;
/// let hinge = model.frame(Vector3::zeros(), Vector3::y());
/// let (a, b) = (model.marker_at(GROUND, hinge), model.marker_at(rod, hinge));
/// model.joint("hinge", &Revolute, a, b)?;
/// let system = model.assemble()?;
/// # Ok::<(), rotula_mechanics::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    /// Acceleration of gravity, world axes.
    pub gravity: Vector3<f64>,
    /// How increments move frames.
    pub retraction: Retraction,
    bodies: Vec<(String, Body)>,
    joints: Vec<JointEntry>,
    constraints: Vec<ConstraintEntry>,
    forces: Vec<(String, Box<dyn Force>)>,
    elements: Vec<(String, Box<dyn Element>)>,
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) drives: Vec<Drive>,
    functions: Vec<TimeFunction>,
    /// Known times at which functions of time jump.
    jumps: Vec<f64>,
    pub(crate) signals: Signals,
    stops: Vec<Stop>,
    touching: Vec<(String, Unilateral)>,
    lists: Vec<(String, Box<dyn CandidateList>)>,
    names: HashSet<(&'static str, String)>,
    /// Bytes of memory that has been taken for elements and bodies.
    pub(crate) room: f64,
}

impl Default for Model {
    fn default() -> Self {
        Self::new()
    }
}

impl Model {
    /// An empty model without gravity.
    pub fn new() -> Self {
        let ground = Body::massless();
        Model {
            gravity: Vector3::zeros(),
            retraction: Retraction::Exponential,
            bodies: vec![("ground".into(), Body { kind: NodeKind::Ground, ..ground })],
            joints: Vec::new(),
            constraints: Vec::new(),
            forces: Vec::new(),
            elements: Vec::new(),
            attachments: Vec::new(),
            drives: Vec::new(),
            functions: Vec::new(),
            jumps: Vec::new(),
            signals: Signals::default(),
            stops: Vec::new(),
            touching: Vec::new(),
            lists: Vec::new(),
            names: HashSet::from([("body", "ground".into())]),
            room: 0.0,
        }
    }

    /// Takes a name, which must be new among things of its kind.
    fn claim(&mut self, kind: &'static str, name: &str) -> Result<(), ModelError> {
        if self.names.insert((kind, name.into())) {
            return Ok(());
        }
        Err(ModelError::Duplicate { kind, name: name.into() })
    }

    /// Adds a body.
    pub fn body(&mut self, name: &str, body: Body) -> Result<BodyId, ModelError> {
        self.claim("body", name)?;
        body.validate(name)?;
        self.bodies.push((name.into(), body));
        Ok(BodyId(self.bodies.len() - 1))
    }

    /// The body that has a node.
    pub fn body_id(&self, node: usize) -> BodyId {
        debug_assert!(node < self.bodies.len());
        BodyId(node)
    }

    /// A frame at a place whose z axis points along a direction.
    pub fn frame(&self, position: Vector3<f64>, z: Vector3<f64>) -> Frame {
        crate::marker::frame_along(position, z)
    }

    /// A marker given by its place in the body's own frame.
    pub fn marker(&self, body: BodyId, local: Frame) -> Marker {
        Marker { node: body.0, frame: self.bodies[body.0].1.from_node(&local) }
    }

    /// A marker given by its place in the world at the start.
    pub fn marker_at(&self, body: BodyId, world: Frame) -> Marker {
        Marker { node: body.0, frame: world.seen_from(&self.bodies[body.0].1.node_frame()) }
    }

    /// Connects two markers.
    pub fn joint(
        &mut self,
        name: &str,
        joint: &dyn Joint,
        a: Marker,
        b: Marker,
    ) -> Result<JointId, ModelError> {
        self.claim("joint", name)?;
        if a.node == b.node {
            return Err(ModelError::invalid(
                format!("joint `{name}`"),
                refusal!("it connects a body with itself"; "name two different bodies"),
            ));
        }
        let pair = self.pair(a, b);
        let first = self.constraints.len();
        for constraint in joint.constraints(&pair)? {
            self.constraints.push(ConstraintEntry { owner: name.into(), constraint });
        }
        let coordinates = joint.coordinates(&pair);
        self.joints.push(JointEntry {
            name: name.into(),
            word: joint.word(),
            look: joint.look(),
            flies: joint.flies(&pair),
            pair,
            ways: coordinates.iter().map(|(word, _)| joint.way(&pair, word)).collect(),
            coordinates,
            constraints: first..self.constraints.len(),
        });
        REACTION.iter().for_each(|quantity| self.offer(Acting::Joint, name, quantity));
        Ok(JointId(self.joints.len() - 1))
    }

    /// The normal, in the axes of `a`, of the plane in which both nodes move.
    fn common_plane(&self, a: &Marker, b: &Marker) -> Option<Vector3<f64>> {
        let plane = |node: usize| match self.bodies[node].1.kind {
            NodeKind::Planar(plane) => Some(plane),
            _ => None,
        };
        let still = |node: usize| self.bodies[node].1.kind == NodeKind::Ground;
        let normal = |plane: Frame| plane.orientation.rotate(&Vector3::z());
        let shared = match (plane(a.node), plane(b.node)) {
            (Some(p), Some(q)) => {
                let (p, q) = (normal(p), normal(q));
                (p.cross(&q).norm() < 1e-9).then_some(p)
            }
            (Some(p), None) if still(b.node) => Some(normal(p)),
            (None, Some(q)) if still(a.node) => Some(normal(q)),
            _ => None,
        }?;
        let world = self.bodies[a.node].1.node_frame() * a.frame;
        Some(world.orientation.rotate_back(&shared))
    }

    /// A coordinate of a joint, such as `angle` or `displacement`.
    pub fn coordinate(&self, joint: JointId, name: &str) -> Result<Coordinate, ModelError> {
        let entry = &self.joints[joint.0];
        let found = entry.coordinates.iter().find(|(word, _)| *word == name);
        found.map(|(_, coordinate)| coordinate.clone()).ok_or_else(|| {
            let names: Vec<&str> = entry.coordinates.iter().map(|(word, _)| *word).collect();
            let what = match nearest(name, names.iter().copied()) {
                Some(near) => refusal!("it has no coordinate `{name}`"; "did you mean `{near}`?"),
                None if names.is_empty() => {
                    format!("a {} joint has no coordinate to drive or read", entry.word).into()
                }
                None => refusal!("it has no coordinate `{name}`"; "it has {}", names.join(", ")),
            };
            ModelError::invalid(format!("joint `{}`", entry.name), what)
        })
    }

    /// Adds a function of time.
    pub fn function(&mut self, function: TimeFunction) -> FunctionId {
        self.jumps.extend_from_slice(function.jumps(0));
        self.functions.push(function);
        FunctionId(self.functions.len() - 1)
    }

    /// Adds a function of time that a constraint follows: its curvature becomes an acceleration.
    pub(crate) fn prescribed(&mut self, function: TimeFunction) -> FunctionId {
        self.jumps.extend_from_slice(function.jumps(2));
        self.function(function)
    }

    /// Drives a coordinate along a function of time.
    pub fn drive(
        &mut self,
        name: &str,
        coordinate: Coordinate,
        function: TimeFunction,
    ) -> Result<(), ModelError> {
        let FunctionId(target) = self.prescribed(function);
        let row = Row {
            name: "prescribed motion".into(),
            sum: coordinate.sum,
            target: Target::Function(target),
        };
        self.constrain(name, Box::new(Rows::new(coordinate.nodes, vec![row])))
    }

    /// Adds equations of your own.
    pub fn constrain(
        &mut self,
        name: &str,
        constraint: Box<dyn Constraint>,
    ) -> Result<(), ModelError> {
        self.claim("constraint", name)?;
        self.constraints.push(ConstraintEntry { owner: name.into(), constraint });
        Ok(())
    }

    /// Adds a hard stop. A soft one is a force: a [`SoftStop`](crate::force::SoftStop) on a
    /// [`Spring`](crate::force::Spring).
    pub fn stop(&mut self, stop: Stop) -> Result<(), ModelError> {
        stop.validate()?;
        self.claim("stop", &stop.name)?;
        self.stops.push(stop);
        Ok(())
    }

    /// Adds a force.
    pub fn force(&mut self, name: &str, force: impl Force + 'static) -> Result<(), ModelError> {
        self.claim("force", name)?;
        self.promise(name, force.quantities());
        self.forces.push((name.into(), Box::new(force)));
        Ok(())
    }

    /// Adds an element with elasticity and inertia.
    pub fn element(
        &mut self,
        name: &str,
        element: impl Element + 'static,
    ) -> Result<(), ModelError> {
        self.claim("element", name)?;
        self.elements.push((name.into(), Box::new(element)));
        Ok(())
    }

    /// The bodies by name; the first is the ground. A body's place in the list is its node.
    pub fn bodies(&self) -> &[(String, Body)] {
        &self.bodies
    }

    /// The joints.
    pub fn joints(&self) -> &[JointEntry] {
        &self.joints
    }

    /// The joint at a place in [`joints`](Self::joints).
    pub fn joint_id(&self, index: usize) -> Option<JointId> {
        (index < self.joints.len()).then_some(JointId(index))
    }

    /// All constraints: of joints, drives and your own.
    pub fn constraints(&self) -> &[ConstraintEntry] {
        &self.constraints
    }

    /// The forces by name.
    pub fn forces(&self) -> &[(String, Box<dyn Force>)] {
        &self.forces
    }

    /// The elements by name.
    pub fn elements(&self) -> &[(String, Box<dyn Element>)] {
        &self.elements
    }

    /// Ends of beams, cables and bars that bodies hold.
    pub fn attachments(&self) -> &[Attachment] {
        &self.attachments
    }

    /// The functions of time.
    pub fn functions(&self) -> &[TimeFunction] {
        &self.functions
    }

    /// Known times at which functions of time jump.
    pub(crate) fn jumps(&self) -> &[f64] {
        &self.jumps
    }

    /// The hard stops.
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// The system of equations of this model.
    pub fn assemble(&self) -> Result<Assembly, ModelError> {
        Assembly::new(self)
    }

    /// Takes over contacts that are always there, and a list that changes.
    pub(crate) fn add_contacts(
        &mut self,
        name: &str,
        fixed: impl IntoIterator<Item = (String, Unilateral)>,
        list: Option<Box<dyn CandidateList>>,
    ) -> Result<(), ModelError> {
        self.claim("contact", name)?;
        for (part, contact) in fixed {
            let full = if part.is_empty() { name.to_owned() } else { format!("{name}: {part}") };
            self.touching.push((full, contact));
        }
        self.lists.extend(list.map(|list| (name.to_owned(), list)));
        Ok(())
    }

    /// Names of the rigid contacts, and of the lists of them that change on the way.
    pub fn contact_names(&self) -> impl Iterator<Item = &str> {
        let fixed = self.touching.iter().map(|(name, _)| name.as_str());
        fixed.chain(self.lists.iter().map(|(name, _)| name.as_str()))
    }

    /// Contacts that are always there: those of stops, then the others.
    pub(crate) fn contacts(&self) -> Result<Vec<(String, Unilateral)>, ModelError> {
        let mut all = Vec::new();
        for stop in &self.stops {
            all.extend(stop.contacts()?);
        }
        all.extend(self.touching.iter().cloned());
        Ok(all)
    }

    /// Lists of contacts that change on the way.
    pub(crate) fn candidate_lists(&self) -> &[(String, Box<dyn CandidateList>)] {
        &self.lists
    }

    /// Two markers with the plane in which both bodies move, if there is one.
    pub fn pair(&self, a: Marker, b: Marker) -> Pair {
        Pair { a, b, plane: self.common_plane(&a, &b) }
    }
}
