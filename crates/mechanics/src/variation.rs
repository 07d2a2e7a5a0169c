//! Motions of a node that differ a little, for derivatives by differences.

use crate::node::Motion;
use nalgebra::Vector3;
use rotula_lie::so3;

/// Moved by a body variation along component `k`; velocities in body axes stay.
pub(crate) fn varied(motion: &Motion, k: usize, by: f64) -> Motion {
    let mut moved = *motion;
    let mut axis = Vector3::zeros();
    axis[k % 3] = by;
    if k < 3 {
        moved.position += motion.rotation * axis;
    } else {
        moved.rotation = motion.rotation * so3::exp(&axis);
    }
    moved
}

/// With another component `k` of the velocity.
pub(crate) fn faster(motion: &Motion, k: usize, by: f64) -> Motion {
    let mut faster = *motion;
    if k < 3 {
        faster.velocity[k] += by;
    } else {
        faster.omega[k - 3] += by;
    }
    faster
}

/// Where the node is after a short while, to second order in it. Velocities are left as they are.
pub(crate) fn carried(motion: &Motion, duration: f64) -> Motion {
    let (v, w) = (motion.velocity, motion.omega);
    let half = 0.5 * duration * duration;
    let path = v * duration + (motion.velocity_rate + w.cross(&v)) * half;
    let turn = w * duration + motion.omega_rate * half;
    Motion {
        position: motion.position + motion.rotation * path,
        rotation: motion.rotation * so3::exp(&turn),
        ..*motion
    }
}
