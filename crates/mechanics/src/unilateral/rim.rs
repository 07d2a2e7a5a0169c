//! The rim of a cylinder's cap on a plane.
//!
//! Seen from the first marker, whose z axis is the normal of the plane, with `p` the way to the middle of the cap and `a` the axis of
//! the cylinder, the lowest point of a rim of radius `r` is at `p + s`:
//!
//! ```text
//! s = −r (z − a_z a)/σ,   σ = |z − a_z a| = √(a_x² + a_y²),   g = p_z − r σ
//! u = v + ω × s
//! ```
//!
//! The point moves over the rim as the cylinder turns, and over the plane; both are in the derivatives. A cap that lies on the plane has
//! no lowest point.

use crate::constraint::{Equations, RelativeMotion, cross};
use nalgebra::Vector3;
use rotula_dae::automatic::Scalar;

/// `σ` of the cylinder's axis in the axes of the plane.
fn slope<T: Scalar>(motion: &RelativeMotion<T>) -> T {
    let [x, y] = [0, 1].map(|k| motion.rotation[k][2]);
    (x * x + y * y).sqrt()
}

/// The gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct RimGap {
    pub(super) radius: f64,
}

impl Equations for RimGap {
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
        out[0] = motion.position[2] - slope(motion) * self.radius;
    }
}

/// The sliding velocity of the lowest point.
#[derive(Clone, Copy, Debug)]
pub(super) struct RimSlip {
    pub(super) radius: f64,
    /// Normal of the plane in which both bodies move, in the axes of the first marker.
    pub(super) plane: Option<Vector3<f64>>,
}

impl Equations for RimSlip {
    fn rows(&self) -> usize {
        if self.plane.is_some() { 1 } else { 2 }
    }

    fn holonomic(&self) -> bool {
        false
    }

    fn describe(&self, row: usize) -> String {
        format!("slip {}", row + 1)
    }

    fn evaluate<T: Scalar>(&self, motion: &RelativeMotion<T>, out: &mut [T]) {
        let (slope, [x, y, z]) = (slope(motion), motion.rotation.map(|row| row[2]));
        let part = slope.recip() * self.radius;
        let reach = [x * z * part, y * z * part, -(slope * self.radius)];
        let turned = cross(&motion.angular_velocity, &reach);
        let u: [T; 3] = std::array::from_fn(|k| motion.velocity[k] + turned[k]);
        match self.plane {
            // across the normal, in the plane of motion
            Some(plane) => out[0] = u[0] * plane.y - u[1] * plane.x,
            None => out.copy_from_slice(&u[..2]),
        }
    }
}
