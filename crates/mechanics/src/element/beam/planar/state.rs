//! Where the nodes of a planar element are, how they move, and how that strains it.

use super::{PlanarBeam, Station};
use crate::element::beam::MOST_NODES;
use crate::node::Motion;
use crate::scene::Scene;
use crate::small_angle::{angle, sin_cos};
use nalgebra::{Vector2, Vector3};
use rotula_dae::Terms;
use std::borrow::Cow;

/// A vector turned by a quarter.
pub(super) fn quarter(a: &Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-a.y, a.x)
}

/// A rotation in the plane: its cosine and sine.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    pub cos: f64,
    pub sin: f64,
}

impl Turn {
    pub fn of(self, a: &Vector2<f64>) -> Vector2<f64> {
        Vector2::new(self.cos * a.x - self.sin * a.y, self.sin * a.x + self.cos * a.y)
    }

    pub fn back(self, a: &Vector2<f64>) -> Vector2<f64> {
        Vector2::new(self.cos * a.x + self.sin * a.y, self.cos * a.y - self.sin * a.x)
    }

    /// The angle from another turn to this one.
    fn angle_from(self, other: Turn) -> f64 {
        angle(
            self.sin * other.cos - self.cos * other.sin,
            self.cos * other.cos + self.sin * other.sin,
        )
    }
}

/// Nodes in the axes of the plane; places and angles as seen from the first node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    count: usize,
    pub place: [Vector2<f64>; MOST_NODES],
    pub angle: [f64; MOST_NODES],
    pub turn: [Turn; MOST_NODES],
    /// Velocity in the axes of the plane, and rate of the angle.
    pub velocity: [Vector2<f64>; MOST_NODES],
    pub omega: [f64; MOST_NODES],
    /// Acceleration in the axes of the plane, and of the angle.
    pub acceleration: [Vector3<f64>; MOST_NODES],
}

/// A section between the nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bent {
    pub turn: Turn,
    /// `R(θ)ᵀ r′` and `R(θ)ᵀ ṙ′`.
    pub slope: Vector2<f64>,
    pub slope_rate: Vector2<f64>,
    /// Rate of the angle.
    pub omega: f64,
    /// Strain and its rate.
    pub strain: Vector3<f64>,
    pub rate: Vector3<f64>,
}

impl PlanarBeam {
    /// Nodes as they are. Without the terms of inertia accelerations are those of velocities alone,
    /// without those of forces velocities are zero.
    pub(super) fn places(&self, scene: Scene, terms: Terms) -> Places {
        self.placed(terms, |slot| match self.ends()[slot].adjoint() {
            None => Cow::Borrowed(scene.motion(slot)),
            Some(_) => Cow::Owned(self.ends()[slot].motion(scene.motion(slot))),
        })
    }

    /// Nodes from motions of their sections.
    pub(super) fn placed<'a>(
        &self,
        terms: Terms,
        motion: impl Fn(usize) -> Cow<'a, Motion>,
    ) -> Places {
        let (zero, none) = ([Vector2::zeros(); MOST_NODES], [0.0; MOST_NODES]);
        let mut places = Places {
            count: self.count(),
            place: zero,
            angle: none,
            turn: [Turn::default(); MOST_NODES],
            velocity: zero,
            omega: none,
            acceleration: [Vector3::zeros(); MOST_NODES],
        };
        let mut first = Vector3::zeros();
        for k in 0..places.count {
            let motion = motion(k);
            let along = self.flat(&motion.rotation.column(0).into());
            let turn = Turn { cos: along.x, sin: along.y };
            places.turn[k] = turn;
            let (mut own, mut spin) = (Vector2::zeros(), 0.0);
            if terms.inertia {
                (own, spin) = (motion.velocity_rate.xy(), motion.omega_rate.z);
            }
            if terms.forces {
                let (velocity, omega) = (motion.velocity.xy(), motion.omega.z);
                places.velocity[k] = turn.of(&velocity);
                places.omega[k] = omega;
                own += quarter(&velocity) * omega;
            }
            let own = turn.of(&own);
            places.acceleration[k] = Vector3::new(own.x, own.y, spin);
            if k == 0 {
                first = motion.position;
            } else {
                places.place[k] = self.flat(&(motion.position - first));
                places.angle[k] = turn.angle_from(places.turn[0]);
            }
        }
        places
    }
}

impl Places {
    /// A section between the nodes.
    pub fn at(&self, station: &Station) -> Bent {
        let (mut slope, mut slope_rate) = (Vector2::zeros(), Vector2::zeros());
        let (mut angle, mut curvature, mut omega, mut curvature_rate) = (0.0, 0.0, 0.0, 0.0);
        for k in 0..self.count {
            let (n, m) = (station.shape[k], station.slope[k]);
            slope += self.place[k] * m;
            slope_rate += self.velocity[k] * m;
            angle += self.angle[k] * n;
            curvature += self.angle[k] * m;
            omega += self.omega[k] * n;
            curvature_rate += self.omega[k] * m;
        }
        let (sin, cos) = sin_cos(angle);
        let first = self.turn[0];
        let turn =
            Turn { cos: first.cos * cos - first.sin * sin, sin: first.sin * cos + first.cos * sin };
        let (slope, slope_rate) = (turn.back(&slope), turn.back(&slope_rate));
        let rate = slope_rate - quarter(&slope) * omega;
        Bent {
            turn,
            slope,
            slope_rate,
            omega,
            strain: Vector3::new(slope.x, slope.y, curvature) - station.strain,
            rate: Vector3::new(rate.x, rate.y, curvature_rate),
        }
    }
}
