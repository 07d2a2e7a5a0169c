//! The spatial slider crank of document 003: crank, connecting rod and slider, with a spherical and a
//! universal joint at the ends of the rod.

use super::rigid_body::{Matrix, Pose, Vector, cross};
use super::rods::Coordinates;
use super::spatial::{Joint, Mechanism, mechanism, revolute};
use rotula_dae::State;
use rotula_dae::automatic::Automatic;

const X: Vector<f64> = [1.0, 0.0, 0.0];
const Y: Vector<f64> = [0.0, 1.0, 0.0];
const Z: Vector<f64> = [0.0, 0.0, 1.0];
const PIVOT: Vector<f64> = [0.0, 0.1, 0.12];
const CRANK: f64 = 0.08;
const ROD: f64 = 0.3;
const RATE: f64 = 6.0;

/// Number of the slider among the bodies.
pub const SLIDER: usize = 2;

fn dot(a: Vector<f64>, b: Vector<f64>) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

fn axes(x: Vector<f64>, y: Vector<f64>) -> Matrix<f64> {
    let z = cross(x, y);
    std::array::from_fn(|i| [x[i], y[i], z[i]])
}

/// A direction of space in the axes of a body.
fn in_axes(axes: &Matrix<f64>, direction: Vector<f64>) -> Vector<f64> {
    std::array::from_fn(|j| (0..3).map(|i| axes[i][j] * direction[i]).sum())
}

/// The mechanism with the crank upright, turning at 6 rad/s.
pub fn slider_crank(coordinates: Coordinates) -> (Automatic<Mechanism>, State) {
    let tip_velocity = [0.0, -RATE * CRANK, 0.0];
    let slider_velocity = [0.24, 0.0, 0.0];
    let along = [2.0 / 3.0, -1.0 / 3.0, -2.0 / 3.0];
    let cardan = [-0.5f64.sqrt(), 0.0, -0.5f64.sqrt()];
    let (crank_axes, rod_axes) = match coordinates {
        // The hinge of the crank is its own y axis, so that one Euler angle carries the rotation.
        Coordinates::Euler => (axes(Z, X), axes(along, cardan)),
        // Of 160 ways to lay axes and directions these have the condition number of document 003.
        Coordinates::Quaternion => (axes(X, Y), axes(along, cross(cardan, along))),
    };
    let (arm, hinge) = (in_axes(&crank_axes, Z).map(|z| 0.5 * CRANK * z), in_axes(&crank_axes, X));
    // Across the rod the end velocities decide; along it, that the cardan axis stays perpendicular.
    let relative: Vector<f64> = std::array::from_fn(|i| slider_velocity[i] - tip_velocity[i]);
    let across = cross(along, relative).map(|w| w / ROD);
    let plane = cross(cardan, Y);
    let twist = -dot(across, plane) / dot(along, plane);
    let crank = Pose {
        position: [0.0, 0.1, PIVOT[2] + 0.5 * CRANK],
        rotation: crank_axes,
        velocity: tip_velocity.map(|v| 0.5 * v),
        angular_velocity: [RATE, 0.0, 0.0],
    };
    let rod = Pose {
        position: [0.1, 0.05, 0.1],
        rotation: rod_axes,
        velocity: std::array::from_fn(|i| 0.5 * (slider_velocity[i] + tip_velocity[i])),
        angular_velocity: std::array::from_fn(|i| across[i] + twist * along[i]),
    };
    // Like the crank, the slider has its free direction first and turns about nothing.
    let slider = Pose {
        position: [0.2, 0.0, 0.0],
        rotation: axes(X, Y),
        velocity: slider_velocity,
        angular_velocity: [0.0; 3],
    };
    let mut joints = revolute((None, PIVOT, [Y, Z]), (Some(0), arm.map(|z| -z), hinge));
    joints.push(Joint::Coincident {
        first: (Some(0), arm),
        second: (Some(1), [-0.5 * ROD, 0.0, 0.0]),
    });
    joints.push(Joint::Coincident {
        first: (Some(1), [0.5 * ROD, 0.0, 0.0]),
        second: (Some(SLIDER), [0.0; 3]),
    });
    let perpendicular = |first, second| Joint::Perpendicular { first, second };
    joints.push(perpendicular((Some(1), in_axes(&rod_axes, cardan)), (Some(SLIDER), Y)));
    joints.extend([1, 2].map(|axis| Joint::InPlane { body: SLIDER, axis }));
    joints
        .extend([(X, Y), (X, Z), (Y, Z)].map(|(a, b)| perpendicular((None, a), (Some(SLIDER), b))));
    let parts = [
        (0.12, [1e-4; 3], coordinates.of(&crank.rotation), crank),
        (0.5, [4e-4, 4e-3, 4e-3], coordinates.of(&rod.rotation), rod),
        (2.0, [1e-4; 3], coordinates.of(&slider.rotation), slider),
    ];
    mechanism(&parts, joints)
}
