//! The gap between an edge and a point, and between two edges that cross.
//!
//! Seen from the first marker, whose z axis `e` is the edge, with `p` the way to the second, whose z axis is `d` if it has an edge,
//!
//! ```text
//! n = p⊥/|p⊥|          the point is aside of the edge
//! n = e × d/|e × d|    the edges cross
//! g = n·p − r₁ − r₂
//! ```

use super::slip::Normal;
use crate::constraint::{Equations, RelativeMotion};
use rotula_dae::automatic::Scalar;

/// The gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ridge {
    /// [`Normal::Aside`] or [`Normal::Across`].
    pub(super) normal: Normal,
    /// The sum of the radii.
    pub(super) reach: f64,
}

impl Equations for Ridge {
    fn rows(&self) -> usize {
        1
    }

    fn holonomic(&self) -> bool {
        true
    }

    fn describe(&self, _row: usize) -> String {
        "gap".into()
    }

    fn evaluate<T: Scalar>(&self, motion: &RelativeMotion<T>, out: &mut [T]) {
        let (n, p) = (self.normal.direction(motion), motion.position);
        out[0] = n[0] * p[0] + n[1] * p[1] - self.reach;
    }
}
