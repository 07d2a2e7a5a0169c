//! Hinged rods in space: the rod pendulum and the spatial double pendulum of document 003.

use super::rigid_body::{Orientation, Pose, about, column, compose, cross, safe_reference};
use super::spatial::{Mechanism, mechanism, revolute};
use rotula_dae::State;
use rotula_dae::automatic::Automatic;

const INERTIA: [f64; 3] = [1e-3, 1.0 / 12.0, 1.0 / 12.0];
const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const HEAD: [f64; 3] = [-0.5, 0.0, 0.0];
const TIP: [f64; 3] = [0.5, 0.0, 0.0];

/// Which coordinates describe orientations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// Unit quaternions.
    Quaternion,
    /// Euler angles 3-1-3, each against a frame that starts at (0, π/2, 0).
    Euler,
}

impl Coordinates {
    /// The orientation coordinates of a body that starts with a rotation.
    pub fn of(self, rotation: &[[f64; 3]; 3]) -> Orientation {
        match self {
            Coordinates::Quaternion => Orientation::Quaternion,
            Coordinates::Euler => Orientation::Euler { reference: safe_reference(rotation) },
        }
    }
}

/// A uniform rod of 1 kg and 1 m, hinged at the origin about y, released horizontal along x.
pub fn rod(coordinates: Coordinates) -> (Automatic<Mechanism>, State) {
    rod_against(coordinates.of(&about(1, 0.0)))
}

/// The same rod with its orientation against any frame.
pub fn rod_against(orientation: Orientation) -> (Automatic<Mechanism>, State) {
    let pose = Pose {
        position: TIP,
        rotation: about(1, 0.0),
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
    };
    let hinge = revolute((None, [0.0; 3], [X, Z]), (Some(0), HEAD, Y));
    mechanism(&[(1.0, INERTIA, orientation, pose)], hinge)
}

/// Two such rods: the first starts at 0.3 rad with 1 rad/s about y, the second is hinged at its end
/// about the first rod's own z axis, at 0.5 rad with 2 rad/s.
pub fn double_pendulum(coordinates: Coordinates) -> (Automatic<Mechanism>, State) {
    let first = about(1, 0.3);
    let second = compose(&first, &about(2, 0.5));
    let (x1, z1, x2) = (column(&first, 0), column(&first, 2), column(&second, 0));
    let w1 = Y;
    let w2: [f64; 3] = std::array::from_fn(|i| w1[i] + 2.0 * z1[i]);
    let (v1, v2) = (cross(w1, x1), cross(w2, x2));
    let upper = Pose {
        position: x1.map(|x| 0.5 * x),
        rotation: first,
        velocity: v1.map(|v| 0.5 * v),
        angular_velocity: w1,
    };
    let lower = Pose {
        position: std::array::from_fn(|i| x1[i] + 0.5 * x2[i]),
        rotation: second,
        velocity: std::array::from_fn(|i| v1[i] + 0.5 * v2[i]),
        angular_velocity: w2,
    };
    let mut joints = revolute((None, [0.0; 3], [X, Z]), (Some(0), HEAD, Y));
    joints.extend(revolute((Some(0), TIP, [X, Y]), (Some(1), HEAD, Z)));
    let parts = [
        (1.0, INERTIA, coordinates.of(&first), upper),
        (1.0, INERTIA, coordinates.of(&second), lower),
    ];
    mechanism(&parts, joints)
}
