//! Where the nodes of a planar element are, how they move, and how that strains it.

use super::{PlanarBeam, Station};
use crate::element::beam::MOST_NODES;
use crate::lanes::Number;
use crate::node::Motion;
use crate::scene::Scene;
use crate::small_angle::angle;
use nalgebra::{Vector2, Vector3};
use rotula_dae::Terms;
use std::borrow::Cow;

/// A vector turned by a quarter.
#[inline(always)]
pub(super) fn quarter<T: Number>(a: &Vector2<T>) -> Vector2<T> {
    Vector2::new(-a.y, a.x)
}

/// A rotation in the plane: its cosine and sine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<T = f64> {
    pub cos: T,
    pub sin: T,
}

impl<T: Number> Turn<T> {
    #[inline(always)]
    pub fn of(self, a: &Vector2<T>) -> Vector2<T> {
        let Turn { cos, sin } = self;
        Vector2::new(cos.times_plus(a.x, -sin * a.y), sin.times_plus(a.x, cos * a.y))
    }

    #[inline(always)]
    pub fn back(self, a: &Vector2<T>) -> Vector2<T> {
        let Turn { cos, sin } = self;
        Vector2::new(cos.times_plus(a.x, sin * a.y), cos.times_plus(a.y, -sin * a.x))
    }

    /// This turn by an angle more.
    #[inline(always)]
    fn more(self, angle: T) -> Self {
        let (sin, cos) = angle.sin_cos_if_small();
        let turned = self.of(&Vector2::new(cos, sin));
        Turn { cos: turned.x, sin: turned.y }
    }
}

impl Turn {
    /// The angle from another turn to this one.
    fn angle_from(self, other: Turn) -> f64 {
        angle(
            self.sin * other.cos - self.cos * other.sin,
            self.cos * other.cos + self.sin * other.sin,
        )
    }
}

/// The section at a node in the axes of the plane. Of places and angles only differences count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot<T = f64> {
    pub place: Vector2<T>,
    pub angle: T,
    pub turn: Turn<T>,
    /// Velocity, and rate of the angle.
    pub velocity: Vector2<T>,
    pub omega: T,
    /// Acceleration, and that of the angle.
    pub acceleration: Vector3<T>,
}

impl<T: Number> Knot<T> {
    /// A section from velocities (two linear, one angular) and their rates in its own axes.
    #[inline(always)]
    pub fn new(
        (place, angle, turn): (Vector2<T>, T, Turn<T>),
        velocity: Vector3<T>,
        rate: Vector3<T>,
    ) -> Self {
        let omega = velocity.z;
        let across = omega.times_plus(-velocity.y, rate.x);
        let own = turn.of(&Vector2::new(across, omega.times_plus(velocity.x, rate.y)));
        Knot {
            place,
            angle,
            turn,
            velocity: turn.of(&velocity.xy()),
            omega,
            acceleration: Vector3::new(own.x, own.y, rate.z),
        }
    }

    /// A section at rest at the origin.
    #[inline(always)]
    pub fn at_rest() -> Self {
        let (zero, one) = (T::splat(0.0), T::splat(1.0));
        let at = (Vector2::zeros(), zero, Turn { cos: one, sin: zero });
        Knot::new(at, Vector3::zeros(), Vector3::zeros())
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
pub(super) struct Bent<T = f64> {
    pub turn: Turn<T>,
    /// `R(θ)ᵀ r′`.
    pub slope: Vector2<T>,
    pub strain: Vector3<T>,
}

/// How a section between the nodes moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates<T = f64> {
    /// `R(θ)ᵀ ṙ′`.
    pub slope: Vector2<T>,
    /// Rate of the angle.
    pub omega: T,
    /// Rate of the strain.
    pub strain: Vector3<T>,
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
        let mut places = Places { count: self.count(), all: [Knot::at_rest(); MOST_NODES] };
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

impl<T: Number> Station<T> {
    /// The section at this place between the nodes.
    #[inline(always)]
    pub(super) fn bend(&self, knots: &[Knot<T>]) -> Bent<T> {
        let first = &knots[0];
        let zero = T::splat(0.0);
        let (mut right, mut up) = (zero, zero);
        let (mut angle, mut curvature) = (zero, zero);
        for (k, knot) in knots.iter().enumerate().skip(1) {
            let turned = knot.angle - first.angle;
            right = self.slope[k].times_plus(knot.place.x - first.place.x, right);
            up = self.slope[k].times_plus(knot.place.y - first.place.y, up);
            angle = self.shape[k].times_plus(turned, angle);
            curvature = self.slope[k].times_plus(turned, curvature);
        }
        let turn = first.turn.more(angle);
        let slope = turn.back(&Vector2::new(right, up));
        let strain = Vector3::new(slope.x, slope.y, curvature) - self.strain;
        Bent { turn, slope, strain }
    }

    /// How it moves.
    #[inline(always)]
    pub(super) fn rates(&self, knots: &[Knot<T>], bent: &Bent<T>) -> Rates<T> {
        let zero = T::splat(0.0);
        let mut slope = Vector2::zeros();
        let (mut omega, mut curvature) = (zero, zero);
        for (k, knot) in knots.iter().enumerate() {
            slope += knot.velocity * self.slope[k];
            omega = self.shape[k].times_plus(knot.omega, omega);
            curvature = self.slope[k].times_plus(knot.omega, curvature);
        }
        let slope = bent.turn.back(&slope);
        let rate = slope - quarter(&bent.slope) * omega;
        Rates { slope, omega, strain: Vector3::new(rate.x, rate.y, curvature) }
    }
}
