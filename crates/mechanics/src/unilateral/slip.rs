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
}

/// The sliding velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slip {
    pub(super) normal: Normal,
    /// The point of contact is at `arm` times the normal from the second marker.
    pub(super) arm: f64,
    /// Normal of the plane in which both bodies move, in the axes of the first marker.
    pub(super) plane: Option<Vector3<f64>>,
}

impl Slip {
    fn direction<T: Scalar>(&self, p: &[T; 3]) -> [T; 3] {
        let zero = T::from(0.0);
        match self.normal {
            Normal::Axis => [zero, zero, T::from(1.0)],
            Normal::Centres => {
                let scale = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt().recip();
                p.map(|p| p * scale)
            }
            Normal::Within(length) => p.map(|p| p * length.recip()),
            Normal::Around(length) => [p[0] * length.recip(), p[1] * length.recip(), zero],
        }
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
        let n = self.direction(&motion.position);
        let turned = cross(&motion.angular_velocity, &n.map(|n| n * self.arm));
        let u: [T; 3] = std::array::from_fn(|k| motion.velocity[k] + turned[k]);
        let along = |t: [T; 3]| t[0] * u[0] + t[1] * u[1] + t[2] * u[2];
        if let Some(plane) = self.plane {
            let t = cross(&std::array::from_fn(|k| T::from(plane[k])), &n);
            out[0] = along(t);
            return;
        }
        match self.normal {
            Normal::Axis => out.copy_from_slice(&u[..2]),
            Normal::Around(_) => {
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
