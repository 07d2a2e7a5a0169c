//! A beam laid along a line: its nodes, and elements between them.

use super::planar::lies_in;
use super::{Beam, BeamElement, Distributed, MassKind, PlanarBeam};
use crate::body::Body;
use crate::curve::Curve;
use crate::element::Section;
use crate::error::{ModelError, Refusal, refusal};
use crate::marker::Marker;
use crate::model::{BodyId, Model};
use crate::node::NodeKind;
use crate::quantity::REACTION;
use crate::room::Many;
use nalgebra::{Matrix3, Vector3, Vector6};
use rotula_lie::{Frame, Quaternion, se3};

/// A beam before it is laid.
#[derive(Clone, Debug)]
pub struct BeamLine {
    /// Frames of all nodes where the beam is free of stress; x points along it.
    pub frames: Vec<Frame>,
    /// Nodes of each element: 2, 3 or 4.
    pub nodes_per_element: usize,
    /// Sections of the elements: one for all, or one each.
    pub sections: Vec<Section>,
    /// Length of each element along the beam, if it is known better than from the places of the nodes.
    pub lengths: Option<Vec<f64>>,
    /// Bodies that serve as the first and the last node.
    pub ends: [Option<BodyId>; 2],
    /// How mass is spread.
    pub mass: MassKind,
    /// Loads per length.
    pub loads: Vec<Distributed>,
    /// Velocity at the start of the first frame's origin, and angular velocity, as of a rigid body.
    pub moving: [Vector3<f64>; 2],
    /// Whether it moves only in the x-y plane of its first frame.
    pub planar: bool,
}

/// A beam in a model.
#[derive(Clone, Debug)]
pub struct LaidBeam {
    /// Markers of its nodes, in the axes of the sections.
    pub nodes: Vec<Marker>,
    /// Its elements, also to be found in [`Model::elements`].
    pub elements: Vec<BeamElement>,
    /// The motion from each node to the next where it is free of stress, as a twist.
    pub rest: Vec<Vector6<f64>>,
}

impl BeamLine {
    /// A beam from a frame along a constant strain `(γ; κ)` per length, with `γ = (1, 0, 0)` for a
    /// beam along x: straight, an arc, or pre-twisted. Its nodes lie at equal distances.
    pub fn along(start: Frame, strain: &Vector6<f64>, length: f64, nodes: usize) -> Self {
        let last = nodes.max(2) - 1;
        let stations: Vec<f64> = (0..=last).map(|k| k as f64 / last as f64).collect();
        Self::along_at(start, strain, length, &stations)
    }

    /// The same with nodes at parts of its length, from 0 to 1.
    pub fn along_at(start: Frame, strain: &Vector6<f64>, length: f64, stations: &[f64]) -> Self {
        let frame = |station: &f64| start * se3::exp(&(strain * (length * station)));
        BeamLine {
            frames: stations.iter().map(frame).collect(),
            nodes_per_element: 2,
            sections: Vec::new(),
            lengths: None,
            ends: [None; 2],
            mass: MassKind::default(),
            loads: Vec::new(),
            moving: [Vector3::zeros(); 2],
            planar: false,
        }
    }

    /// A straight beam between two points, whose z axis points as nearly along `up` as it can.
    pub fn straight(
        from: Vector3<f64>,
        to: Vector3<f64>,
        up: Vector3<f64>,
        nodes: usize,
    ) -> Result<Self, ModelError> {
        let invalid = |what: Refusal| Err(ModelError::invalid("beam", what));
        let length = (to - from).norm();
        if !(length.is_finite() && length > 0.0) {
            return invalid(refusal!("its ends are at the same place"; "put them apart"));
        }
        let x = (to - from) / length;
        let y = up.cross(&x);
        if y.norm() <= 1e-9 * up.norm() {
            return invalid(refusal!("`up` points along it"; "give a direction across it"));
        }
        let y = y.normalize();
        let axes = Matrix3::from_columns(&[x, y, x.cross(&y)]);
        let start = Frame::new(from, Quaternion::from_matrix(&axes));
        Ok(BeamLine::along(start, &Vector6::ith(0, 1.0), length, nodes))
    }

    /// A beam along a curve, with nodes at parts of its length, from 0 to 1, and elements of so many nodes; z axes point as nearly along
    /// `up` as they can.
    pub fn on_curve(
        curve: &Curve,
        up: Vector3<f64>,
        stations: &[f64],
        nodes_per_element: usize,
    ) -> Result<Self, ModelError> {
        let (places, whole) = curve.parameters_at(stations);
        let frame = |(k, s): (usize, f64)| {
            let [position, slope, ..] = curve.derivatives(s);
            let x = slope.normalize();
            let y = up.cross(&x);
            if y.norm() <= 1e-6 * up.norm() {
                let what = refusal!(
                    "`up` points along it at node {k}";
                    "give a direction that lies across it everywhere"
                );
                return Err(ModelError::invalid("beam", what));
            }
            let y = y.normalize();
            let axes = Matrix3::from_columns(&[x, y, x.cross(&y)]);
            Ok(Frame::new(position, Quaternion::from_matrix(&axes)))
        };
        let frames = places.into_iter().enumerate().map(frame).collect::<Result<Vec<_>, _>>()?;
        if let Some(k) = frames.windows(2).position(|pair| turns_over(&pair[0], &pair[1])) {
            let what = refusal!(
                "its sections turn over between nodes {k} and {}, where the axis passes by `up`", k + 1;
                "give a direction that lies across it everywhere, or more elements"
            );
            return Err(ModelError::invalid("beam", what));
        }
        let each = nodes_per_element - 1;
        let ends: Vec<f64> = stations.iter().step_by(each).copied().collect();
        let lengths = ends.windows(2).map(|pair| whole * (pair[1] - pair[0])).collect();
        let straight = BeamLine::along(frames[0], &Vector6::ith(0, 1.0), whole, 2);
        Ok(BeamLine { frames, lengths: Some(lengths), nodes_per_element, ..straight })
    }

    /// With sections turned about the axis, by an angle at each node.
    pub fn twisted(mut self, angles: &[f64]) -> Self {
        for (frame, angle) in self.frames.iter_mut().zip(angles) {
            frame.orientation =
                frame.orientation * Quaternion::exp(&Vector3::new(*angle, 0.0, 0.0));
        }
        self
    }

    /// With one section.
    pub fn with_section(mut self, section: Section) -> Self {
        self.sections = vec![section];
        self
    }

    /// With elements of 2, 3 or 4 nodes.
    pub fn with_nodes_per_element(mut self, nodes: usize) -> Self {
        self.nodes_per_element = nodes;
        self
    }

    /// With bodies that serve as its ends.
    pub fn held_by(mut self, first: Option<BodyId>, last: Option<BodyId>) -> Self {
        self.ends = [first, last];
        self
    }

    /// Moving only in the x-y plane of its first frame.
    pub fn in_plane(mut self) -> Self {
        self.planar = true;
        self
    }

    /// The motion of a node at the start.
    fn velocity(&self, frame: &Frame) -> Vector3<f64> {
        let [velocity, spin] = &self.moving;
        velocity + spin.cross(&(frame.position - self.frames[0].position))
    }
}

/// Whether sections twist by more than a quarter turn from one node to the next: the turn between them is one that
/// takes the axis along, after a twist about it by `2 atan(x/w)`.
fn turns_over(first: &Frame, second: &Frame) -> bool {
    let [w, x, ..] = (first.orientation.conjugate() * second.orientation).to_array();
    x.abs() > w.abs()
}

impl Model {
    /// Lays a beam: nodes become massless bodies named `name.0`, `name.1`, …, elements lie between
    /// them.
    pub fn beam(&mut self, name: &str, line: &BeamLine) -> Result<LaidBeam, ModelError> {
        let thing = || format!("beam `{name}`");
        let invalid = |what: Refusal| Err(ModelError::invalid(thing(), what));
        let (nodes, each) = (line.frames.len(), line.nodes_per_element);
        if !(2..=4).contains(&each) {
            return invalid(refusal!("its elements have {each} nodes"; "take 2, 3 or 4"));
        }
        if nodes < each || !(nodes - 1).is_multiple_of(each - 1) {
            return invalid(format!("{nodes} nodes do not make whole elements of {each}").into());
        }
        let count = (nodes - 1) / (each - 1);
        if line.sections.len() != 1 && line.sections.len() != count {
            let given = line.sections.len();
            return invalid(refusal!(
                "it has {given} sections for {count} elements";
                "give one, or one for each"
            ));
        }
        if let Some(lengths) = &line.lengths
            && lengths.len() != count
        {
            let given = lengths.len();
            return invalid(format!("it has {given} lengths for {count} elements").into());
        }
        if line.ends[0].is_some() && line.ends[0] == line.ends[1] && nodes == 2 {
            return invalid("both ends of its only element sit on one body".into());
        }
        if line.planar {
            self.check_plane(line).map_err(|what| ModelError::invalid(thing(), what))?;
        }
        let kind = if line.planar { NodeKind::Planar(line.frames[0]) } else { NodeKind::Spatial };
        let size = if line.planar { size_of::<PlanarBeam>() } else { size_of::<Beam>() };
        self.take_room(thing(), &Many::elements(count, each, &kind, size))?;
        let mut markers = Vec::with_capacity(nodes);
        for (k, frame) in line.frames.iter().enumerate() {
            let holder = match k {
                0 => line.ends[0],
                _ if k == nodes - 1 => line.ends[1],
                _ => None,
            };
            markers.push(match holder {
                Some(body) => self.marker_at(body, *frame),
                None => {
                    let body = Body { kind, ..Body::massless().at_frame(*frame) };
                    let body = body.moving(line.velocity(frame), line.moving[1]);
                    let body = self.body(&format!("{name}.{k}"), body)?;
                    self.marker(body, Frame::identity())
                }
            });
        }
        let mut elements = Vec::with_capacity(count);
        for k in 0..count {
            let range = k * (each - 1)..k * (each - 1) + each;
            let section = &line.sections[k.min(line.sections.len() - 1)];
            let (start, ends) = (&line.frames[range.clone()], &markers[range]);
            let named = |error: ModelError| ModelError::invalid(thing(), error.to_string());
            let length = line.lengths.as_ref().map(|lengths| lengths[k]);
            let mut beam = Beam::new(ends, start, section.clone(), length).map_err(named)?;
            for load in &line.loads {
                beam = beam.loaded(*load).map_err(named)?;
            }
            let beam = beam.with_mass(line.mass);
            let name = format!("{name}.{}", k + 1);
            // mass beside the axis is left to the spatial element, which serves planar nodes too
            elements.push(if line.planar && PlanarBeam::fits(&section.mass) {
                let beam = PlanarBeam::new(beam, start, &line.frames[0]).map_err(named)?;
                self.element(&name, beam.clone())?;
                BeamElement::from(beam)
            } else {
                self.element(&name, beam.clone())?;
                BeamElement::from(beam)
            });
        }
        self.attach((name, line.ends.map(|end| end.is_some())), &markers, count, &REACTION);
        let way = |pair: &[Frame]| se3::log(&pair[1].seen_from(&pair[0]));
        let rest = line.frames.windows(2).map(way).collect();
        Ok(LaidBeam { nodes: markers, elements, rest })
    }

    /// Says why a beam cannot move in a plane.
    fn check_plane(&self, line: &BeamLine) -> Result<(), Refusal> {
        let plane = &line.frames[0];
        if line.frames.iter().any(|frame| !lies_in(frame, plane)) {
            return Err(
                "it is planar, but its sections do not lie in one plane with their z axes \
                        along its normal"
                    .into(),
            );
        }
        let normal = |frame: &Frame| frame.orientation.rotate(&Vector3::z());
        for body in line.ends.iter().flatten() {
            let (name, holder) = &self.bodies()[body.node()];
            let fits = match &holder.kind {
                NodeKind::Ground => true,
                NodeKind::Planar(other) => normal(other).cross(&normal(plane)).norm() < 1e-9,
                NodeKind::Spatial | NodeKind::Point | NodeKind::Amplitudes { .. } => false,
            };
            if !fits {
                return Err(refusal!(
                    "it is planar, but `{name}` at its end does not move in its plane";
                    "make that body planar or the beam spatial"
                ));
            }
        }
        Ok(())
    }
}
