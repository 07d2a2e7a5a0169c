//! What a mechanism looks like: plain lines, faces and marks, from which pictures of any kind can be made.
//!
//! | type | what it is |
//! |---|---|
//! | [`Sketch`] | what a picture shows besides bodies and joints |
//! | [`Piece`] | something to be drawn, fixed to the bodies it moves with |
//! | [`Part`] | the same in the world, at an instant |
//! | [`Film`] | pieces and the frames of all bodies over time, with forces: what an animation needs |
//!
//! Bodies with shapes show them, with bars to joints beyond them. Others are drawn as bars between the
//! points where joints, springs and named frames sit on them: one line, a triangle, or a star about the
//! centre of mass. Beams are drawn as they bend.

mod beams;
mod bent;
mod cut;
mod faces;
mod film;
mod piece;

pub use bent::{BentBody, Covering, skin};
pub use cut::{Cut, Outline};
pub use film::{Actor, Arrow, ArrowKind, Field, Film, Shapes, Skin, Tube};
pub use piece::{Held, Line, Mark, Piece, Sprung};

use crate::assembly::Assembly;
use crate::force::Surface;
use crate::joint::Symbol;
use crate::marker::Marker;
use crate::model::Model;
use crate::node::NodeKind;
use crate::shape::Shape;
use nalgebra::{Vector3, Vector6};
use rotula_lie::{Frame, Quaternion};

/// The thickness of a disc, over its radius.
const FLAT: f64 = 0.3;

/// What a picture shows besides bodies and joints.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// Surfaces that touch others.
    pub surfaces: Vec<(Marker, Surface)>,
    /// Springs and dampers, and which of these they are.
    pub springs: Vec<(Sprung, Line)>,
    /// Ends of actuators whose length is prescribed.
    pub actuators: Vec<[Marker; 2]>,
    /// Beams, bars and cables.
    pub beams: Vec<Lain>,
    /// Flexible bodies.
    pub flexible: Vec<BentBody>,
    /// Further points of bodies.
    pub points: Vec<Marker>,
    /// Points whose paths are shown, by name.
    pub traced: Vec<(String, Marker)>,
    /// Symbols of motors, gears and bushings, at the origin of a marker, about its z axis.
    pub marks: Vec<(Marker, Mark)>,
    /// Opposite corners of boxes, open along z, that stand on the ground.
    pub containers: Vec<[Vector3<f64>; 2]>,
    /// Colours of bodies, by name, as in `#3465a4`.
    pub colours: Vec<(String, String)>,
    /// How opaque bodies are, by name, from 0 to 1; those not named hide what is behind them.
    pub opacities: Vec<(String, f64)>,
}

/// A beam, bar or cable by its nodes.
#[derive(Clone, Debug)]
pub struct Lain {
    /// Its name.
    pub name: String,
    /// Its nodes.
    pub nodes: Vec<Marker>,
    /// Of a bar or cable, the length of each element free of stress.
    pub piece: Option<f64>,
    /// Of a beam, the motion from each node to the next where it is free of stress.
    pub rest: Vec<Vector6<f64>>,
    /// Its section, or those of its elements.
    pub cuts: Vec<Cut>,
}

/// Something to be drawn, in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The body it belongs to, by its place in the model; zero is the ground.
    pub body: usize,
    /// What it is.
    pub form: Form,
}

/// What can be drawn.
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
        /// What stands for it.
        symbol: Symbol,
        /// Whether it sits on the ground.
        grounded: bool,
    },
    /// A spring, with or without a damper.
    Spring([Vector3<f64>; 2]),
    /// A damper.
    Damper([Vector3<f64>; 2]),
    /// A rod without mass, or an actuator.
    Rod([Vector3<f64>; 2]),
    /// A motor, gear or bushing.
    Mark {
        /// Where it is.
        at: Vector3<f64>,
        /// Its axis.
        axis: Vector3<f64>,
        /// Which of these.
        mark: Mark,
    },
    /// The path of a point.
    Path(Vec<Vector3<f64>>),
    /// The name of a body, beside its centre of mass.
    Name(Vector3<f64>, String),
}

impl Sketch {
    /// Everything to be drawn at a configuration.
    pub fn parts(&self, model: &Model, assembly: &Assembly, q: &[f64]) -> Vec<Part> {
        let frame = |node: usize| assembly.node_frame(node, q);
        let mut parts: Vec<Part> =
            self.pieces(model).iter().map(|piece| piece.placed(&frame)).collect();
        self.draw_beams(&frame, &mut parts);
        self.draw_flexible(&frame, &mut parts);
        parts
    }

    /// Everything to be drawn, fixed to the bodies it moves with.
    pub fn pieces(&self, model: &Model) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for (node, (name, body)) in model.bodies().iter().enumerate() {
            let mut add = |form: Form| pieces.push(Piece { body: node, held: Held::Rigid(form) });
            let shapes: Vec<(Frame, &Shape)> =
                body.shapes.iter().map(|(local, shape)| (body.from_node(local), shape)).collect();
            shapes.iter().for_each(|(frame, shape)| draw(frame, shape, &mut add));
            if node == 0 || self.is_node_of_beam(node, body) || self.is_of_flexible(node) {
                continue;
            }
            let points = self.points_of(node, model);
            match shapes.is_empty() {
                true => bars(&points, &mut add),
                false => necks(&points, &shapes, &mut add),
            }
            add(Form::Name(Vector3::zeros(), name.clone()));
        }
        // what is touched by many is drawn once
        let mut drawn: Vec<&(Marker, Surface)> = Vec::new();
        for both @ (marker, surface) in &self.surfaces {
            if drawn.contains(&both) {
                continue;
            }
            drawn.push(both);
            let mut add =
                |form: Form| pieces.push(Piece { body: marker.node, held: Held::Rigid(form) });
            match surface {
                Surface::Plane => add(Form::Plane(marker.frame)),
                Surface::Point | Surface::Segment { .. } => {}
                Surface::Landscape { .. } | Surface::Cam { .. } => {
                    faces::of_formed(surface).into_iter().for_each(|(corners, sharp)| {
                        let place = |corner: &Vector3<f64>| marker.frame.transform_point(corner);
                        add(Form::Face { corners: corners.iter().map(place).collect(), sharp });
                    });
                }
                Surface::Bowl { radius } => {
                    draw(&marker.frame, &Shape::Sphere { radius: *radius }, &mut add);
                }
                // the solid of a body has been drawn with it
                Surface::Solid(shape) => {
                    let body = &model.bodies()[marker.node].1;
                    if body.shapes.iter().any(|(_, other)| other == shape) {
                        continue;
                    }
                    match (shape, body.kind) {
                        // what rolls in a plane is a disc; the z axis of its node is the normal
                        (Shape::Sphere { radius }, NodeKind::Planar(_)) => {
                            let disc = Shape::Cylinder { radius: *radius, length: FLAT * radius };
                            let frame = Frame::new(marker.frame.position, Quaternion::identity());
                            draw(&frame, &disc, &mut add);
                        }
                        _ => draw(&marker.frame, shape, &mut add),
                    }
                }
            }
        }
        let between = |[a, b]: [&Marker; 2], line: Line| Piece {
            body: a.node,
            held: Held::Between([*a, *b], line),
        };
        let springs: Vec<Piece> = self
            .springs
            .iter()
            .map(|(sprung, line)| sprung.piece(*line, |nodes| rest_length(nodes, model, &pieces)))
            .collect();
        pieces.extend(springs);
        pieces.extend(
            self.marks
                .iter()
                .map(|(at, mark)| Piece { body: at.node, held: Held::Mark(*at, *mark) }),
        );
        let walls = self.containers.iter().flat_map(container);
        pieces.extend(walls.map(|wall| Piece { body: 0, held: Held::Rigid(wall) }));
        let rods = model.joints().iter().filter(|joint| joint.look.symbol == Symbol::Rod);
        let rods = rods.map(|joint| [&joint.pair.a, &joint.pair.b]);
        let rods = rods.chain(self.actuators.iter().map(|[a, b]| [a, b]));
        pieces.extend(rods.map(|ends| between(ends, Line::Rod)));
        pieces.extend(model.joints().iter().map(|joint| {
            let (a, b) = (joint.pair.a, joint.pair.b);
            let at = match joint.look.slides {
                true => Marker { node: b.node, frame: Frame::identity() },
                false => a,
            };
            let grounded = a.node == 0 || b.node == 0;
            let name = joint.name.clone();
            Piece {
                body: b.node,
                held: Held::Joint { name, at, axis: a, symbol: joint.look.symbol, grounded },
            }
        }));
        pieces
    }

    /// The points of a body where something is attached, each once, in the axes of its node.
    fn points_of(&self, node: usize, model: &Model) -> Vec<Vector3<f64>> {
        // what slides has no fixed place where it is held
        let held = model.joints().iter().filter(|joint| !joint.look.slides);
        let joints = held.flat_map(|joint| [&joint.pair.a, &joint.pair.b]);
        let springs = self.springs.iter().filter_map(|(sprung, _)| match sprung {
            Sprung::Between(ends) => Some(ends),
            Sprung::Joint(_) => None,
        });
        let springs = springs.chain(&self.actuators).flatten();
        let all = joints.chain(springs).chain(&self.points);
        let mut points: Vec<Vector3<f64>> = Vec::new();
        for marker in all.filter(|marker| marker.node == node) {
            let new = marker.frame.position;
            let size = 1.0 + new.norm();
            if points.iter().all(|old| (old - new).norm() > 1e-9 * size) {
                points.push(new);
            }
        }
        points
    }
}

/// How long a spring on the displacement between two bodies is where this is zero: it would not be seen there. A fifth of the larger body,
/// or of the mechanism if both are points, and not within the smaller one.
fn rest_length(nodes: [usize; 2], model: &Model, pieces: &[Piece]) -> f64 {
    let frame = |node: usize| model.bodies()[node].1.node_frame();
    let moving = nodes.into_iter().filter(|node| *node != 0);
    let sizes: Vec<f64> = moving
        .map(|node| {
            let fixed = pieces.iter().filter(|piece| piece.body == node);
            extent(fixed.flat_map(|piece| piece.placed(&frame).form.reach()))
        })
        .collect();
    let smaller = sizes.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let larger = sizes.iter().copied().fold(0.0, f64::max);
    let whole = || {
        let joints = model.joints().iter().flat_map(|joint| [joint.pair.a, joint.pair.b]);
        let joints = joints.map(|marker| (frame(marker.node) * marker.frame).position);
        let places = (1..model.bodies().len()).map(|node| frame(node).position);
        extent(joints.chain(places))
    };
    let around = if larger > 0.0 { larger } else { whole() };
    let length = (0.2 * around).max(0.8 * smaller);
    if length > 0.0 { length } else { 1.0 }
}

/// The largest extent of points along the axes.
fn extent(points: impl Iterator<Item = Vector3<f64>>) -> f64 {
    let none = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    let (low, high) = points.fold(none, |(low, high), p| (low.inf(&p), high.sup(&p)));
    (high - low).max().max(0.0)
}

/// Bars from the shapes of a body to its points beyond them.
fn necks(points: &[Vector3<f64>], shapes: &[(Frame, &Shape)], add: &mut impl FnMut(Form)) {
    for point in points {
        let beyond = |(frame, shape): &(Frame, &Shape)| {
            (point - frame.position).norm() - faces::reach(shape)
        };
        let nearest = shapes.iter().min_by(|a, b| beyond(a).total_cmp(&beyond(b)));
        if let Some(nearest) = nearest.filter(|shape| beyond(shape) > 0.0) {
            add(Form::Bar([nearest.0.position, *point]));
        }
    }
}

/// The edges of a box that is open above.
fn container([low, high]: &[Vector3<f64>; 2]) -> Vec<Form> {
    let corner = |k: usize, z: f64| {
        let (x, y) = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)][k % 4];
        Vector3::new(x, y, z)
    };
    let edges = (0..4).flat_map(|k| {
        let (here, next) = (corner(k, high.z), corner(k + 1, high.z));
        [[corner(k, low.z), corner(k + 1, low.z)], [here, next], [corner(k, low.z), here]]
    });
    edges.map(Form::Bar).collect()
}

/// A body without shape.
fn bars(points: &[Vector3<f64>], add: &mut impl FnMut(Form)) {
    // the node is the centre of mass
    let centre = Vector3::zeros();
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
