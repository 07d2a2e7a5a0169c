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
#[inline(always)]
pub(super) fn quarter(a: &Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-a.y, a.x)
}

/// A rotation in the plane: its cosine and sine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    pub cos: f64,
    pub sin: f64,
}

impl Turn {
    #[inline(always)]
    pub fn of(self, a: &Vector2<f64>) -> Vector2<f64> {
        Vector2::new(self.cos * a.x - self.sin * a.y, self.sin * a.x + self.cos * a.y)
    }

    #[inline(always)]
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

/// The section at a node in the axes of the plane. Of places and angles only differences count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Knot {
    pub place: Vector2<f64>,
    pub angle: f64,
    pub turn: Turn,
    /// Velocity, and rate of the angle.
    pub velocity: Vector2<f64>,
    pub omega: f64,
    /// Acceleration, and that of the angle.
    pub acceleration: Vector3<f64>,
}

impl Knot {
    /// A section from velocities (two linear, one angular) and their rates in its own axes.
    #[inline(always)]
    pub fn new(
        (place, angle, turn): (Vector2<f64>, f64, Turn),
        velocity: Vector3<f64>,
        rate: Vector3<f64>,
    ) -> Self {
        let (linear, omega) = (velocity.xy(), velocity.z);
        let own = turn.of(&(rate.xy() + quarter(&linear) * omega));
        Knot {
            place,
            angle,
            turn,
            velocity: turn.of(&linear),
            omega,
            acceleration: Vector3::new(own.x, own.y, rate.z),
        }
    }
}

/// The sections at the nodes of an element, places and angles as seen from the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    count: usize,
    all: [Knot; MOST_NODES],
}

/// A section between the nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bent {
    pub turn: Turn,
    /// `R(θ)ᵀ r′`.
    pub slope: Vector2<f64>,
    pub strain: Vector3<f64>,
}

/// How a section between the nodes moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    /// `R(θ)ᵀ ṙ′`.
    pub slope: Vector2<f64>,
    /// Rate of the angle.
    pub omega: f64,
    /// Rate of the strain.
    pub strain: Vector3<f64>,
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
        let mut places = Places { count: self.count(), all: [Knot::default(); MOST_NODES] };
        let mut first = Vector3::zeros();
        for k in 0..places.count {
            let motion = motion(k);
            let along = self.flat(&motion.rotation.column(0).into());
            let turn = Turn { cos: along.x, sin: along.y };
            let (mut velocity, mut rate) = (Vector3::zeros(), Vector3::zeros());
            if terms.inertia {
                rate = flat(&motion.velocity_rate, &motion.omega_rate);
            }
            if terms.forces {
                velocity = flat(&motion.velocity, &motion.omega);
            }
            let (mut place, mut angle) = (Vector2::zeros(), 0.0);
            if k == 0 {
                first = motion.position;
            } else {
                place = self.flat(&(motion.position - first));
                angle = turn.angle_from(places.all[0].turn);
            }
            places.all[k] = Knot::new((place, angle, turn), velocity, rate);
        }
        places
    }
}

/// The parts of a twist that a motion in a plane has.
fn flat(linear: &Vector3<f64>, angular: &Vector3<f64>) -> Vector3<f64> {
    Vector3::new(linear.x, linear.y, angular.z)
}

impl Places {
    /// The sections at the nodes.
    pub fn knots(&self) -> &[Knot] {
        &self.all[..self.count]
    }
}

impl Station {
    /// The section at this place between the nodes.
    #[inline(always)]
    pub(super) fn bend(&self, knots: &[Knot]) -> Bent {
        let first = &knots[0];
        let mut slope = Vector2::zeros();
        let (mut angle, mut curvature) = (0.0, 0.0);
        for (k, knot) in knots.iter().enumerate().skip(1) {
            let turned = knot.angle - first.angle;
            slope += (knot.place - first.place) * self.slope[k];
            angle += turned * self.shape[k];
            curvature += turned * self.slope[k];
        }
        let (sin, cos) = sin_cos(angle);
        let first = first.turn;
        let turn =
            Turn { cos: first.cos * cos - first.sin * sin, sin: first.sin * cos + first.cos * sin };
        let slope = turn.back(&slope);
        let strain = Vector3::new(slope.x, slope.y, curvature) - self.strain;
        Bent { turn, slope, strain }
    }

    /// How it moves.
    #[inline(always)]
    pub(super) fn rates(&self, knots: &[Knot], bent: &Bent) -> Rates {
        let mut slope = Vector2::zeros();
        let (mut omega, mut curvature) = (0.0, 0.0);
        for (k, knot) in knots.iter().enumerate() {
            slope += knot.velocity * self.slope[k];
            omega += knot.omega * self.shape[k];
            curvature += knot.omega * self.slope[k];
        }
        let slope = bent.turn.back(&slope);
        let rate = slope - quarter(&bent.slope) * omega;
        Rates { slope, omega, strain: Vector3::new(rate.x, rate.y, curvature) }
    }
}
