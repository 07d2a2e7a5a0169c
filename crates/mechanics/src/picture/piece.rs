//! What is drawn, fixed to the bodies it moves with.

use super::{Form, Part};
use crate::joint::{Symbol, Way};
use crate::marker::Marker;
use nalgebra::Vector3;
use rotula_lie::Frame;

/// Something to be drawn that moves with bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The body it belongs to, by its place in the model; zero is the ground.
    pub body: usize,
    /// What it is, and what holds it.
    pub held: Held,
}

/// How a piece is held.
#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    /// By its body alone: the form is in the axes of the body's node.
    Rigid(Form),
    /// Between the origins of two markers.
    Between([Marker; 2], Line),
    /// A joint, at the origin of a marker, about the z axis of another.
    Joint {
        /// Its name.
        name: String,
        /// Where it is.
        at: Marker,
        /// Whose z axis is its axis.
        axis: Marker,
        /// What stands for it.
        symbol: Symbol,
        /// Whether it sits on the ground.
        grounded: bool,
    },
    /// Something that acts, at the origin of a marker, about its z axis.
    Mark(Marker, Mark),
}

/// What stands for something that acts at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// What drives a joint that turns.
    Motor,
    /// What drives a joint that slides.
    Pusher,
    /// A wheel with its pitch radius, or zero if that is not known.
    Gear(f64),
    /// A ring with teeth inside, with its pitch radius.
    Ring(f64),
    /// An elastic mount.
    Bushing,
    /// A spring, a damper, or both, on an angle.
    Torsion(Line),
}

/// Where a spring or damper is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sprung {
    /// Between two points.
    Between([Marker; 2]),
    /// On a coordinate of a joint.
    Joint(Way),
}

impl Sprung {
    /// The spring or damper. How long it is where a displacement is zero follows from the nodes that it joins.
    pub(super) fn piece(&self, line: Line, rest: impl Fn([usize; 2]) -> f64) -> Piece {
        let (body, held) = match *self {
            Sprung::Between([a, b]) => (a.node, Held::Between([a, b], line)),
            Sprung::Joint(Way::Turns(axis)) => (axis.node, Held::Mark(axis, Mark::Torsion(line))),
            Sprung::Joint(Way::Slides { along, to }) => {
                // on the side of the body along which it slides
                let axis = along.direction(&Vector3::z());
                let above = along.node != 0 && along.frame.position.dot(&axis) < 0.0;
                let way = axis * rest([along.node, to.node]);
                let position = along.frame.position + if above { way } else { -way };
                let foot = Marker { frame: Frame::new(position, along.frame.orientation), ..along };
                (along.node, Held::Between([foot, to], line))
            }
        };
        Piece { body, held }
    }
}

/// What runs from a marker to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A spring.
    Spring,
    /// A damper.
    Damper,
    /// A spring with a damper in it.
    SpringDamper,
    /// A rod without mass, or an actuator.
    Rod,
}

impl Piece {
    /// The piece in the world, where the nodes have the given frames.
    pub fn placed(&self, frame: &impl Fn(usize) -> Frame) -> Part {
        let place = |marker: &Marker| (frame(marker.node) * marker.frame).position;
        let form = match &self.held {
            Held::Rigid(form) => form.moved(&frame(self.body)),
            Held::Between([a, b], line) => {
                let ends = [place(a), place(b)];
                match line {
                    Line::Spring | Line::SpringDamper => Form::Spring(ends),
                    Line::Damper => Form::Damper(ends),
                    Line::Rod => Form::Rod(ends),
                }
            }
            Held::Joint { at, axis, symbol, grounded, .. } => Form::Joint {
                at: place(at),
                axis: (frame(axis.node) * axis.frame).orientation.rotate(&Vector3::z()),
                symbol: *symbol,
                grounded: *grounded,
            },
            Held::Mark(marker, mark) => Form::Mark {
                at: place(marker),
                axis: (frame(marker.node) * marker.frame).orientation.rotate(&Vector3::z()),
                mark: *mark,
            },
        };
        Part { body: self.body, form }
    }
}

impl Form {
    /// Points at its edge.
    pub(super) fn reach(&self) -> Vec<Vector3<f64>> {
        match self {
            Form::Bar(ends) => ends.to_vec(),
            Form::Face { corners, .. } => corners.clone(),
            Form::Ball { centre, radius } => {
                let corner = Vector3::repeat(*radius);
                vec![centre - corner, centre + corner]
            }
            Form::Mass(at) => vec![*at],
            _ => Vec::new(),
        }
    }

    /// The form carried along by a frame.
    pub fn moved(&self, frame: &Frame) -> Form {
        let point = |p: &Vector3<f64>| frame.transform_point(p);
        let ends = |[a, b]: &[Vector3<f64>; 2]| [point(a), point(b)];
        match self {
            Form::Bar(line) => Form::Bar(ends(line)),
            Form::Spring(line) => Form::Spring(ends(line)),
            Form::Rod(line) => Form::Rod(ends(line)),
            Form::Damper(line) => Form::Damper(ends(line)),
            Form::Mark { at, axis, mark } => {
                Form::Mark { at: point(at), axis: frame.orientation.rotate(axis), mark: *mark }
            }
            Form::Face { corners, sharp } => {
                Form::Face { corners: corners.iter().map(point).collect(), sharp: *sharp }
            }
            Form::Ball { centre, radius } => Form::Ball { centre: point(centre), radius: *radius },
            Form::Mass(at) => Form::Mass(point(at)),
            Form::Plane(plane) => Form::Plane(*frame * *plane),
            Form::Joint { at, axis, symbol, grounded } => Form::Joint {
                at: point(at),
                axis: frame.orientation.rotate(axis),
                symbol: *symbol,
                grounded: *grounded,
            },
            Form::Path(points) => Form::Path(points.iter().map(point).collect()),
            Form::Name(at, name) => Form::Name(point(at), name.clone()),
        }
    }
}
