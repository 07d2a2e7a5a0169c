//! Sliding velocities of two surfaces that touch in one point.
//!
//! Seen from the first body, the material of the second moves in the point of contact with
//! `u = v + ω × s`, where `v` is the velocity of its marker, `ω` its angular velocity and `s` the arm
//! from the marker to the point of contact. The slip is the part of `u` along one or two tangents.

use crate::constraint::{Equations, RelativeMotion, cross};
use nalgebra::Vector3;
use rotula_dae::automatic::Scalar;

/// What the normal is, seen from the first marker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Normal {
    /// The z axis.
    Axis,
    /// From the origin of the first marker to that of the second.
    Centres,
    /// The same divided by a length that is its own where the surfaces touch: smooth in the middle.
    Within(f64),
    /// The part of it at right angles to the z axis, divided by such a length.
    Around(f64),
    /// The direction of that part.
    Aside,
    /// At right angles to the z axes of both.
    Across,
}

impl Normal {
    /// The direction, in the axes of the first marker.
    pub(super) fn direction<T: Scalar>(self, motion: &RelativeMotion<T>) -> [T; 3] {
        let (zero, p) = (T::from(0.0), &motion.position);
        let unit = |x: T, y: T| {
            let scale = (x * x + y * y).sqrt().recip();
            [x * scale, y * scale, zero]
        };
        match self {
            Normal::Axis => [zero, zero, T::from(1.0)],
            Normal::Centres => {
                let scale = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt().recip();
                p.map(|p| p * scale)
            }
            Normal::Within(length) => p.map(|p| p * length.recip()),
            Normal::Around(length) => [p[0] * length.recip(), p[1] * length.recip(), zero],
            Normal::Aside => unit(p[0], p[1]),
            Normal::Across => unit(-motion.rotation[1][2], motion.rotation[0][2]),
        }
    }
}

/// The sliding velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slip {
    pub(super) normal: Normal,
    /// The point of contact is at `arm` times the normal from the second marker, or from the edge along its z axis.
    pub(super) arm: f64,
    /// Normal of the plane in which both bodies move, in the axes of the first marker.
    pub(super) plane: Option<Vector3<f64>>,
}

impl Slip {
    /// From the second marker to the place of contact.
    fn reach<T: Scalar>(&self, motion: &RelativeMotion<T>, n: &[T; 3]) -> [T; 3] {
        let arm = n.map(|n| n * self.arm);
        if self.normal != Normal::Across {
            return arm;
        }
        // along the second edge to where the first is nearest
        let (p, d) = (&motion.position, motion.rotation.map(|row| row[2]));
        let along = -(p[0] * d[0] + p[1] * d[1]) * (d[0] * d[0] + d[1] * d[1]).recip();
        std::array::from_fn(|k| d[k] * along + arm[k])
    }
}

impl Equations for Slip {
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
        let n = self.normal.direction(motion);
        let turned = cross(&motion.angular_velocity, &self.reach(motion, &n));
        let u: [T; 3] = std::array::from_fn(|k| motion.velocity[k] + turned[k]);
        let along = |t: [T; 3]| t[0] * u[0] + t[1] * u[1] + t[2] * u[2];
        if let Some(plane) = self.plane {
            let t = cross(&std::array::from_fn(|k| T::from(plane[k])), &n);
            out[0] = along(t);
            return;
        }
        match self.normal {
            Normal::Axis => out.copy_from_slice(&u[..2]),
            Normal::Around(_) | Normal::Aside | Normal::Across => {
                out[0] = n[0] * u[1] - n[1] * u[0];
                out[1] = u[2];
            }
            Normal::Centres | Normal::Within(_) => {
                // x and y axes, turned the shortest way that takes the z axis to the normal
                let [x, y, z] = n;
                let a = (z + 1.0).recip();
                let mixed = -(x * y * a);
                out[0] = along([-(x * x * a) + 1.0, mixed, -x]);
                out[1] = along([mixed, -(y * y * a) + 1.0, -y]);
            }
        }
    }
}
