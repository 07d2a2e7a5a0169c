//! Where a coordinate of a joint goes: what acts on it is drawn there.

use super::Pair;
use crate::marker::Marker;
use nalgebra::Vector3;

/// Where a coordinate of a joint goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// About the z axis of a marker.
    Turns(Marker),
    /// Along the z axis of a marker, to the origin of another.
    Slides {
        /// On the body along which it is counted.
        along: Marker,
        /// On the other body.
        to: Marker,
    },
}

impl Way {
    /// As most joints have it: `x` and `y` along these axes of the first marker, `displacement` along its z axis, and
    /// angles about that.
    pub(super) fn named(pair: &Pair, coordinate: &str) -> Self {
        match coordinate {
            "x" => Way::along(pair, Vector3::x()),
            "y" => Way::along(pair, Vector3::y()),
            "displacement" => Way::Slides { along: pair.a, to: pair.b },
            _ => Way::Turns(pair.a),
        }
    }

    /// Along an axis of the first marker.
    pub(super) fn along(pair: &Pair, axis: Vector3<f64>) -> Self {
        Way::Slides { along: pair.a.facing(&axis), to: pair.b }
    }

    /// The marker whose z axis is that of the motion.
    pub fn axis(&self) -> Marker {
        match self {
            Way::Turns(axis) => *axis,
            Way::Slides { along, .. } => *along,
        }
    }
}
