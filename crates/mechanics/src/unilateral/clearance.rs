//! Joints with clearance: a pin in a hole, a ball in a socket.

use super::pairs::{not_negative, positive, sphere_in_sphere};
use super::slip::{Normal, Slip};
use super::{ImpactLaw, Unilateral};
use crate::constraint::{Constraint, Equations, Relative, RelativeMotion};
use crate::error::ModelError;
use crate::joint::Pair;
use nalgebra::Vector3;
use rotula_dae::automatic::Scalar;

/// What the second marker plays in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hole {
    /// A hole along the z axis of the first marker. It binds one point of the pin: a long pin
    /// touches at both ends of its hole, which are two clearances.
    Round,
    /// A spherical socket.
    Socket,
}

/// A pin in a hole or a ball in a socket that is wider by a clearance: the distance of their centres
/// is at most the clearance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// The hole.
    pub hole: Hole,
    /// Radius of the hole minus that of the pin.
    pub size: f64,
    /// Radius of the pin or ball, which friction acts upon.
    pub radius: f64,
    /// Restitution and friction.
    pub law: ImpactLaw,
}

impl Clearance {
    /// The contact of the second marker's pin in the first marker's hole.
    pub fn contact(&self, pair: &Pair) -> Result<Unilateral, ModelError> {
        let Clearance { hole, size, radius, law } = *self;
        positive("clearance", size)?;
        not_negative("radius", radius)?;
        if hole == Hole::Socket {
            return sphere_in_sphere(pair, size, radius, law);
        }
        if pair.plane.is_some_and(|plane| plane.cross(&Vector3::z()).norm() > 1e-9) {
            return Err(ModelError::invalid(
                "contact",
                "both bodies are planar, so the axis of the hole must be normal to their plane",
            ));
        }
        let gap = Relative::new(pair.a, pair.b, Play { size });
        let slip = Slip { normal: Normal::Around(size), arm: radius, plane: pair.plane };
        let slip: Option<Box<dyn Constraint>> =
            (law.friction > 0.0).then(|| Box::new(Relative::new(pair.a, pair.b, slip)) as _);
        Unilateral::new(Box::new(gap), slip, law)
    }
}

/// `(c² − x² − y²) / 2c`: zero and slope are those of `c − √(x² + y²)`, and it is smooth in the
/// middle.
#[derive(Clone, Copy, Debug)]
struct Play {
    size: f64,
}

impl Equations for Play {
    fn rows(&self) -> usize {
        1
    }

    fn holonomic(&self) -> bool {
        true
    }

    fn describe(&self, _: usize) -> String {
        "play".into()
    }

    fn evaluate<T: Scalar>(&self, motion: &RelativeMotion<T>, out: &mut [T]) {
        let [x, y, _] = motion.position;
        out[0] = (x * x + y * y) * (-0.5 / self.size) + 0.5 * self.size;
    }
}
