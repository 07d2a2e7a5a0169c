//! Known mechanisms, built of bodies and joints.
//!
//! | file | mechanism |
//! |---|---|
//! | `squeezer` | Andrews' squeezing mechanism: seven planar bodies, ten pins |
//! | `top` | heavy top: a rigid body on a ball joint |
//! | `slider_crank` | planar and spatial slider crank |
//! | `flexible_slider_crank` | slider crank with an elastic rod |
//! | `bricard` | Bricard's six-hinged loop |
//! | `four_bars` | two parallelograms in a row |
//! | `bicycle` | Whipple's bicycle |
//! | `cantilever` | clamped beams with a load at their tip |
//! | `strips` | structures of several beams: frame, strip that buckles sideways, shaft |

pub mod bicycle;
pub mod bricard;
pub(crate) mod cantilever;
pub mod flexible_slider_crank;
pub mod four_bars;
pub mod slider_crank;
pub mod squeezer;
pub(crate) mod strips;
pub mod top;

use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::{Joint, Revolute};
use rotula_mechanics::{Body, BodyId, JointId, Model, ModelError};

/// Connects two bodies at a place of the world, the axis of the joint along a direction.
pub(crate) fn connect(
    model: &mut Model,
    name: &str,
    joint: &dyn Joint,
    bodies: [BodyId; 2],
    (at, axis): (Vector3<f64>, Vector3<f64>),
) -> Result<JointId, ModelError> {
    let frame = model.frame(at, axis);
    let (a, b) = (model.marker_at(bodies[0], frame), model.marker_at(bodies[1], frame));
    model.joint(name, joint, a, b)
}

/// Pins two planar bodies together at a place of the world.
pub(crate) fn pin(
    model: &mut Model,
    name: &str,
    bodies: [BodyId; 2],
    at: Vector3<f64>,
) -> Result<JointId, ModelError> {
    connect(model, name, &Revolute, bodies, (at, Vector3::z()))
}

/// Turned in the plane.
pub(crate) fn turned(angle: f64) -> Quaternion {
    Quaternion::exp(&Vector3::new(0.0, 0.0, angle))
}

/// A uniform planar bar from one point to another, which move with given velocities.
pub(crate) fn bar(mass: f64, ends: [Vector3<f64>; 2], velocities: [Vector3<f64>; 2]) -> Body {
    let (along, rate) = (ends[1] - ends[0], velocities[1] - velocities[0]);
    let squared = along.norm_squared();
    let spin = along.cross(&rate) / squared;
    let centre = (ends[0] + ends[1]) * 0.5;
    Body::planar(mass, mass * squared / 12.0)
        .at_frame(Frame::new(centre, turned(along.y.atan2(along.x))))
        .moving((velocities[0] + velocities[1]) * 0.5, spin)
}

/// Angle and rate at a time of `ẍ = f(x, ẋ)`, by the classical Runge-Kutta method.
pub fn runge_kutta(
    f: impl Fn(f64, f64) -> f64,
    start: (f64, f64),
    until: f64,
    steps: usize,
) -> (f64, f64) {
    let h = until / steps as f64;
    let (mut x, mut v) = start;
    for _ in 0..steps {
        let (k1, l1) = (v, f(x, v));
        let (k2, l2) = (v + 0.5 * h * l1, f(x + 0.5 * h * k1, v + 0.5 * h * l1));
        let (k3, l3) = (v + 0.5 * h * l2, f(x + 0.5 * h * k2, v + 0.5 * h * l2));
        let (k4, l4) = (v + h * l3, f(x + h * k3, v + h * l3));
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        v += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    (x, v)
}
