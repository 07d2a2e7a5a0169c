//! What a mechanism looks like at an instant: plain lines, faces and marks in the world, from which
//! pictures of any kind can be made.
//!
//! Bodies with shapes show them. Others are drawn as bars between the points where joints, springs
//! and named frames sit on them: one line, a triangle, or a star about the centre of mass.

mod faces;

use crate::assembly::Assembly;
use crate::force::Surface;
use crate::marker::Marker;
use crate::model::Model;
use crate::shape::Shape;
use nalgebra::Vector3;
use rotula_lie::Frame;

/// What a picture shows besides bodies and joints.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// Surfaces that touch others.
    pub surfaces: Vec<(Marker, Surface)>,
    /// Ends of springs and dampers.
    pub springs: Vec<[Marker; 2]>,
    /// Further points of bodies.
    pub points: Vec<Marker>,
    /// Points whose paths are shown, by name.
    pub traced: Vec<(String, Marker)>,
    /// Colours of bodies, by name, as in `#3465a4`.
    pub colours: Vec<(String, String)>,
}

/// Something to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The body it belongs to, by its place in the model; zero is the ground.
    pub body: usize,
    /// What it is.
    pub form: Form,
}

/// What can be drawn, in world coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A bar between two points.
    Bar([Vector3<f64>; 2]),
    /// A flat face of a solid, counterclockwise seen from outside.
    Face {
        /// Its corners.
        corners: Vec<Vector3<f64>>,
        /// Whether its edges are edges of the solid, and not only of the approximation.
        sharp: bool,
    },
    /// A sphere.
    Ball {
        /// Its centre.
        centre: Vector3<f64>,
        /// Its radius.
        radius: f64,
    },
    /// A point mass, or a centre of mass.
    Mass(Vector3<f64>),
    /// A plane without end: the x-y plane of a frame.
    Plane(Frame),
    /// A joint.
    Joint {
        /// Where it is.
        at: Vector3<f64>,
        /// Its axis.
        axis: Vector3<f64>,
        /// The word for its kind.
        word: &'static str,
        /// Whether it sits on the ground.
        grounded: bool,
    },
    /// A spring or damper.
    Spring([Vector3<f64>; 2]),
    /// The path of a point.
    Path(Vec<Vector3<f64>>),
    /// The name of a body, beside its centre of mass.
    Name(Vector3<f64>, String),
}

impl Sketch {
    /// Everything to be drawn at a configuration.
    pub fn parts(&self, model: &Model, assembly: &Assembly, q: &[f64]) -> Vec<Part> {
        let frame = |marker: &Marker| assembly.node_frame(marker.node, q) * marker.frame;
        let place = |marker: &Marker| frame(marker).position;
        let mut parts = Vec::new();
        for (node, (name, body)) in model.bodies().iter().enumerate() {
            let mut add = |form: Form| parts.push(Part { body: node, form });
            let own = assembly.node_frame(node, q);
            for (local, shape) in &body.shapes {
                draw(&(own * body.from_node(local)), shape, &mut add);
            }
            if node == 0 {
                continue;
            }
            if body.shapes.is_empty() {
                let points = self.points_of(node, model, &place);
                bars(&points, own.position, &mut add);
            }
            add(Form::Name(own.position, name.clone()));
        }
        for (marker, surface) in &self.surfaces {
            let mut add = |form: Form| parts.push(Part { body: marker.node, form });
            match surface {
                Surface::Plane => add(Form::Plane(frame(marker))),
                // the solid of a body has been drawn with it
                Surface::Solid(shape) => {
                    let known = &model.bodies()[marker.node].1.shapes;
                    if !known.iter().any(|(_, other)| other == shape) {
                        draw(&frame(marker), shape, &mut add);
                    }
                }
            }
        }
        for [a, b] in &self.springs {
            parts.push(Part { body: a.node, form: Form::Spring([place(a), place(b)]) });
        }
        for joint in model.joints() {
            let at = frame(&joint.pair.a);
            let axis = at.orientation.rotate(&Vector3::z());
            let grounded = joint.pair.a.node == 0 || joint.pair.b.node == 0;
            let (mut at, word) = (at.position, joint.word);
            if joint.pair.a.node == 0 && touches_along_a_way(word) {
                at = place(&joint.pair.b);
            }
            let form = Form::Joint { at, axis, word, grounded };
            parts.push(Part { body: joint.pair.b.node, form });
        }
        parts
    }

    /// The points of a body where something is attached, each once.
    fn points_of(
        &self,
        node: usize,
        model: &Model,
        place: &impl Fn(&Marker) -> Vector3<f64>,
    ) -> Vec<Vector3<f64>> {
        let joints = model.joints().iter().flat_map(|joint| [&joint.pair.a, &joint.pair.b]);
        let springs = self.springs.iter().flatten();
        let all = joints.chain(springs).chain(&self.points);
        let mut points: Vec<Vector3<f64>> = Vec::new();
        for marker in all.filter(|marker| marker.node == node) {
            let new = place(marker);
            let size = 1.0 + new.norm();
            if points.iter().all(|old| (old - new).norm() > 1e-9 * size) {
                points.push(new);
            }
        }
        points
    }
}

/// Joints whose first marker says where a way or plane is, not where the bodies meet.
fn touches_along_a_way(word: &str) -> bool {
    ["rolling", "point-on-curve", "point-on-line", "point-on-plane", "planar", "knife-edge"]
        .contains(&word)
        || ["prismatic", "cylindrical"].contains(&word)
}

/// A body without shape.
fn bars(points: &[Vector3<f64>], centre: Vector3<f64>, add: &mut impl FnMut(Form)) {
    match points {
        [] => add(Form::Mass(centre)),
        [one] => {
            add(Form::Bar([*one, centre]));
            add(Form::Mass(centre));
        }
        [a, b] => add(Form::Bar([*a, *b])),
        [a, b, c] => {
            add(Form::Bar([*a, *b]));
            add(Form::Bar([*b, *c]));
            add(Form::Bar([*c, *a]));
        }
        many => many.iter().for_each(|point| add(Form::Bar([centre, *point]))),
    }
}

fn draw(frame: &Frame, shape: &Shape, add: &mut impl FnMut(Form)) {
    match shape {
        Shape::Sphere { radius } => add(Form::Ball { centre: frame.position, radius: *radius }),
        _ => {
            for (corners, sharp) in faces::of(shape) {
                let corners = corners.iter().map(|corner| frame.transform_point(corner)).collect();
                add(Form::Face { corners, sharp });
            }
        }
    }
}
