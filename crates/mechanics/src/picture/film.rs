//! A mechanism in motion: what an animation needs, without any drawing.

use super::{Outline, Piece};
use crate::marker::Marker;
use nalgebra::Vector3;
use rotula_dae::ContactForces;
use rotula_lie::Frame;

/// A body as an animation knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// Its name.
    pub name: String,
    /// Its colour, as in `#3465a4`, if one is wanted.
    pub colour: Option<String>,
    /// How much of what is behind it it hides, from 0 to 1.
    pub opacity: f64,
    /// The beam or flexible body of which it is but a node: the body that stands for the whole, and the
    /// whole's name.
    pub part_of: Option<(usize, String)>,
}

/// Pieces of a mechanism, and where its bodies are over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Film {
    /// The bodies by number; the first is the ground.
    pub bodies: Vec<Actor>,
    /// What is drawn.
    pub pieces: Vec<Piece>,
    /// Which way is down.
    pub gravity: Vector3<f64>,
    /// Times of the frames, increasing.
    pub times: Vec<f64>,
    /// Frames of the nodes of all bodies: those of the first time, then those of the next.
    pub frames: Vec<Frame>,
    /// Forces.
    pub arrows: Vec<Arrow>,
    /// Forces of contacts that come and go, at each time.
    pub contacts: ContactForces,
    /// Bent bodies.
    pub tubes: Vec<Tube>,
    /// Surfaces of bodies that deform.
    pub skins: Vec<Skin>,
    /// Points whose paths are shown, by name.
    pub traced: Vec<(String, Marker)>,
}

impl Film {
    /// The frames of all bodies at a time, by its number.
    pub fn frames_at(&self, time: usize) -> &[Frame] {
        let count = self.bodies.len();
        &self.frames[time * count..(time + 1) * count]
    }
}

/// Where a force comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// A joint.
    Reaction,
    /// A contact.
    Contact,
}

/// A force over time, in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// What exerts it.
    pub name: String,
    /// What kind of thing that is.
    pub kind: ArrowKind,
    /// The body on which it acts.
    pub body: usize,
    /// Where it acts, by time.
    pub places: Vec<Vector3<f64>>,
    /// The force, by time; zero while there is none.
    pub forces: Vec<Vector3<f64>>,
}

/// Values at the points of a line or surface over time, by which it may be coloured.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What they mean, such as `bending moment`.
    pub quantity: String,
    /// Their unit; empty without one.
    pub unit: String,
    /// The values: those of the first time, point by point, then those of the next.
    pub values: Vec<f64>,
}

impl Field {
    /// A field without values so far.
    pub fn new(quantity: &str, unit: &str) -> Self {
        Field { quantity: quantity.into(), unit: unit.into(), values: Vec::new() }
    }
}

/// A line whose points move freely: a beam, a cable.
#[derive(Clone, Debug, PartialEq)]
pub struct Tube {
    /// The body it belongs to.
    pub body: usize,
    /// Its section.
    pub outline: Outline,
    /// Number of its points.
    pub count: usize,
    /// Its points in the world: those of the first time, then those of the next.
    pub points: Vec<Vector3<f64>>,
    /// Directions of the y axes of its sections at the points; empty if these are round.
    pub across: Vec<Vector3<f64>>,
    /// What it may be coloured by; the first is shown unless another is asked for.
    pub fields: Vec<Field>,
}

/// How a surface deforms, in the axes of its body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    /// The origin of the points, seen from the node of the body.
    pub origin: Vector3<f64>,
    /// The points at rest.
    pub rest: Vec<Vector3<f64>>,
    /// How far each shape of amplitude one moves the points.
    pub moves: Vec<Vec<Vector3<f64>>>,
    /// The amplitudes of all shapes, by time.
    pub amplitudes: Vec<Vec<f64>>,
}

/// A surface whose points move freely: a flexible body.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The body it belongs to.
    pub body: usize,
    /// Its triangles by their points, counterclockwise seen from outside.
    pub triangles: Vec<[usize; 3]>,
    /// Number of its points.
    pub count: usize,
    /// Its points in the world: those of the first time, then those of the next.
    pub points: Vec<Vector3<f64>>,
    /// What it may be coloured by.
    pub fields: Vec<Field>,
    /// The shapes of which the points are sums.
    pub shapes: Shapes,
}
