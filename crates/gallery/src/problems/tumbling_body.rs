//! A rigid body of three different moments of inertia, held at its centre of mass: it tumbles, and
//! every set of three angles comes near its singularity.

use super::rigid_body::{Pose, RigidBody, Vector, about};
use super::rods::Coordinates;
use super::spatial::{Joint, Mechanism, mechanism};
use rotula_dae::State;
use rotula_dae::automatic::Automatic;

const INERTIA: Vector<f64> = [2.0, 1.0, 3.0];
const SPIN: Vector<f64> = [4.0, 1.0, 0.5];

/// The body with its orientation in given coordinates.
pub fn tumbling_body(coordinates: Coordinates) -> (Automatic<Mechanism>, State) {
    let rotation = about(2, 0.3);
    let angular_velocity = std::array::from_fn(|i| (0..3).map(|j| rotation[i][j] * SPIN[j]).sum());
    let pose = Pose { position: [0.0; 3], rotation, velocity: [0.0; 3], angular_velocity };
    let joint = Joint::Coincident { first: (None, [0.0; 3]), second: (Some(0), [0.0; 3]) };
    mechanism(&[(1.0, INERTIA, coordinates.of(&rotation), pose)], vec![joint])
}

/// Angular momentum in space, which stays as it is.
pub fn angular_momentum(body: &RigidBody, state: &State) -> Vector<f64> {
    let orientation = body.first + 3..body.first + body.size();
    let rates = body.body_rates(&state.q[orientation.clone()], &state.v[orientation]);
    let rotation = body.rotation(&state.q);
    std::array::from_fn(|i| (0..3).map(|j| rotation[i][j] * INERTIA[j] * rates[j]).sum())
}
