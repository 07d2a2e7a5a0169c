//! Links: what a joint is made of, one free motion after the other.
//!
//! Every link stands at a constant place on the one before and moves from there by its own freedom. The links of a joint
//! stand in its point and have the axes of the body that it carries, as everything stood at the beginning:
//!
//! | joint | links |
//! |---|---|
//! | revolute, prismatic | one turn, one slide |
//! | cylindrical, planar | slides, then a turn |
//! | universal | a turn about an axis of each body |
//! | spherical | a ball, by a unit quaternion |
//! | none | three slides and a ball; of a planar body two slides and a turn, of a point three slides, of amplitudes of shapes a slide for each |
//!
//! How their coordinates move: see `chart`.

use super::chart::turn;
use crate::joint::Pair;
use crate::node::NodeKind;
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};

/// How a link moves, with axes of unit length in its own axes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Freedom {
    /// Not at all.
    None,
    Turn(Vector3<f64>),
    Slide(Vector3<f64>),
    Ball,
}

/// A link and where its numbers are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The link before; [`GROUND`] if there is none.
    pub parent: usize,
    /// Its place on the link before, where its coordinates are zero.
    pub place: Frame,
    pub freedom: Freedom,
    /// Where its coordinates begin, and its velocities.
    pub q: usize,
    pub v: usize,
}

/// The link of the ground.
pub(super) const GROUND: usize = usize::MAX;

impl Freedom {
    /// Numbers that store its coordinates.
    pub fn stored(&self) -> usize {
        match self {
            Freedom::None => 0,
            Freedom::Turn(_) | Freedom::Slide(_) => 1,
            Freedom::Ball => 4,
        }
    }

    /// Velocities.
    pub fn count(&self) -> usize {
        match self {
            Freedom::None => 0,
            Freedom::Turn(_) | Freedom::Slide(_) => 1,
            Freedom::Ball => 3,
        }
    }

    /// The same with axes of the world in those of a frame.
    fn seen_from(&self, frame: &Frame) -> Self {
        match self {
            Freedom::Turn(axis) => Freedom::Turn(frame.orientation.rotate_back(axis)),
            Freedom::Slide(axis) => Freedom::Slide(frame.orientation.rotate_back(axis)),
            other => *other,
        }
    }
}

/// The frame in which the links of a joint stand, and how they move, in axes of the world.
///
/// `word` is the kind of the joint, `[a, b]` are its markers in the world, `second` says that the joint carries the body of
/// `b`, and `body` is the frame of the body that it carries.
pub(super) fn links_of_joint(
    word: &str,
    pair: &Pair,
    [a, b]: [&Frame; 2],
    second: bool,
    body: &Frame,
) -> (Frame, Vec<Freedom>) {
    let axis = |frame: &Frame, axis: Vector3<f64>| frame.orientation.rotate(&axis);
    let (x, y, z) = (axis(a, Vector3::x()), axis(a, Vector3::y()), axis(a, Vector3::z()));
    let freedoms = match word {
        "revolute" => vec![Freedom::Turn(z)],
        "prismatic" => vec![Freedom::Slide(z)],
        "cylindrical" => vec![Freedom::Slide(z), Freedom::Turn(z)],
        "planar" => vec![Freedom::Slide(x), Freedom::Slide(y), Freedom::Turn(z)],
        "universal" => {
            let cross = [Freedom::Turn(x), Freedom::Turn(axis(b, Vector3::y()))];
            if second { cross.to_vec() } else { vec![cross[1], cross[0]] }
        }
        "spherical" => match pair.plane {
            Some(normal) => vec![Freedom::Turn(axis(a, normal))],
            None => vec![Freedom::Ball],
        },
        _ => vec![Freedom::None],
    };
    let point = if second { b.position } else { a.position };
    let stand = Frame::new(point, body.orientation);
    (stand, freedoms.iter().map(|freedom| freedom.seen_from(&stand)).collect())
}

/// The same for a body that nothing carries.
pub(super) fn links_of_flight(kind: &NodeKind, body: &Frame) -> (Frame, Vec<Freedom>) {
    let axes = match kind {
        NodeKind::Planar(plane) => plane.orientation,
        _ => Quaternion::identity(),
    };
    let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| axes.rotate(&axis));
    let slide = Freedom::Slide;
    let freedoms = match kind {
        NodeKind::Planar(_) => vec![slide(x), slide(y), Freedom::Turn(z)],
        NodeKind::Point => vec![slide(x), slide(y), slide(z)],
        NodeKind::Amplitudes { count, .. } => {
            [x, y, z][..*count].iter().copied().map(slide).collect()
        }
        _ => vec![slide(x), slide(y), slide(z), Freedom::Ball],
    };
    (*body, freedoms.iter().map(|freedom| freedom.seen_from(body)).collect())
}

impl Link {
    /// The motion against its place.
    pub fn motion(&self, q: &[f64]) -> Frame {
        match self.freedom {
            Freedom::None => Frame::identity(),
            Freedom::Turn(axis) => {
                let (sin, cos) = (0.5 * q[self.q]).sin_cos();
                Frame::new(Vector3::zeros(), Quaternion::from_parts(cos, axis * sin))
            }
            Freedom::Slide(axis) => Frame::new(axis * q[self.q], Quaternion::identity()),
            Freedom::Ball => Frame::new(Vector3::zeros(), turn(q, self.q)),
        }
    }
}
