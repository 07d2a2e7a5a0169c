//! How what a part describes lies in the world: each copy of it is placed, turned and perhaps mirrored.
//!
//! A point p of the part is at A p + o. A body of orientation R in the part has R' = A R F, and a vector v in its axes becomes F v,
//! with a diagonal F of signs, so that R' v' = A R v and R' stays a rotation where A mirrors. What turns (angular velocities,
//! moments, axes of rotation) is mirrored as the turning is: det(A) A v.

use crate::reading::{Place, Placement};
use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};

/// Where the copy is that something belongs to; what belongs to none stays where it is.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    turn: Matrix3<f64>,
    origin: Vector3<f64>,
    flip: Matrix3<f64>,
    identity: bool,
}

impl Placed {
    /// Where the copy is that a place belongs to.
    pub(crate) fn of(place: &Place) -> Placed {
        let placement = place.copy.as_ref().map(|copy| copy.placement);
        let Placement { axes, origin, flip } = placement.unwrap_or_default();
        Placed {
            turn: Matrix3::from_fn(|i, j| axes[i][j]),
            origin: origin.into(),
            flip: Matrix3::from_diagonal(&flip.into()),
            identity: placement.is_none_or(|placement| placement == Placement::default()),
        }
    }

    /// The same for what is given in the axes of a body or frame of this name: those of the ground are the axes of the part,
    /// its own things are mirrored with it, and others know nothing of it.
    pub(crate) fn in_axes_of(place: &Place, name: &str) -> Placed {
        let placed = Placed::of(place);
        let own = place.copy.as_ref().is_some_and(|copy| {
            name.strip_prefix(copy.path.as_str()).is_some_and(|rest| rest.starts_with('.'))
        });
        if name == "ground" {
            return placed;
        }
        if own { placed.own_axes() } else { Placed::of(&Place { copy: None, ..place.clone() }) }
    }

    /// The same for what is given in the axes of a body that belongs to the copy.
    pub(crate) fn own_axes(&self) -> Placed {
        let identity = self.flip == Matrix3::identity();
        Placed { turn: self.flip, origin: Vector3::zeros(), identity, ..*self }
    }

    /// The placement of what is placed within this one by a frame, and mirrored before if a normal is given.
    pub(crate) fn within(&self, frame: &Frame, mirror: Option<Vector3<f64>>) -> Placement {
        let reflection = match mirror {
            Some(normal) => Matrix3::identity() - 2.0 * normal * normal.transpose(),
            None => Matrix3::identity(),
        };
        let turn = self.turn * frame.orientation.to_matrix() * reflection;
        let flip = self.flip * reflection;
        let origin = self.point(frame.position);
        Placement {
            axes: [0, 1, 2].map(|i| [0, 1, 2].map(|j| turn[(i, j)])),
            origin: origin.into(),
            flip: [0, 1, 2].map(|i| flip[(i, i)]),
        }
    }

    /// Whether nothing changes.
    pub(crate) fn stays(&self) -> bool {
        self.identity
    }

    /// Whether it is a mirror image.
    pub(crate) fn mirrored(&self) -> bool {
        self.handedness() < 0.0
    }

    fn handedness(&self) -> f64 {
        self.flip.diagonal().product()
    }

    /// A point in the world.
    pub(crate) fn point(&self, p: Vector3<f64>) -> Vector3<f64> {
        if self.identity { p } else { self.turn * p + self.origin }
    }

    /// A vector in world axes.
    pub(crate) fn vector(&self, v: Vector3<f64>) -> Vector3<f64> {
        if self.identity { v } else { self.turn * v }
    }

    /// A vector in world axes about which something turns.
    pub(crate) fn axial(&self, v: Vector3<f64>) -> Vector3<f64> {
        self.vector(v) * self.handedness()
    }

    /// A frame in the world.
    pub(crate) fn frame(&self, frame: Frame) -> Frame {
        if self.identity {
            return frame;
        }
        let axes = self.turn * frame.orientation.to_matrix() * self.flip;
        Frame::new(self.point(frame.position), Quaternion::from_matrix(&axes))
    }

    /// Moments of inertia in the axes of a body.
    pub(crate) fn inertia(&self, inertia: Matrix3<f64>) -> Matrix3<f64> {
        self.flip * inertia * self.flip
    }

    /// What takes vectors from there to here, those that turn with their sign.
    pub(crate) fn matrix(&self, turns: bool) -> Matrix3<f64> {
        if turns { self.turn * self.handedness() } else { self.turn }
    }

    /// Whether the z axis of a frame in a mirror image points where the mirror shows it, rather than to the other side.
    pub(crate) fn keeps_z(&self) -> bool {
        self.flip[(2, 2)] > 0.0
    }
}
