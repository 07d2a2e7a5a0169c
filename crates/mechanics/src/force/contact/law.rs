//! The force at a place of contact.

use super::Touch;
use crate::error::{ModelError, Refusal, refusal};
use crate::force::Stribeck;
use crate::force::two_bodies::{Bodies, Wrenches};
use crate::force::varying::{Scalar, Vector};
use nalgebra::Vector3;

/// The law of Hunt and Crossley with smooth friction, at every place of contact: with the depth `δ`,
///
/// ```text
/// N = k δⁿ (1 + d δ̇) + c s(δ/δ_c) δ̇,  never negative;      friction = −μ(s) N v/s,  s = √(v·v + ε²)
/// ```
///
/// where `s(x) = 3x² − 2x³` grows from 0 to 1 between the surface and the depth `δ_c` and stays there: `d` is the dissipation of Hunt
/// and Crossley, `c` that of the function IMPACT of Adams. Grooves or flanges of a pulley are a guide: while a sphere presses on a
/// cylinder or capsule, the force `−g z` leads it back to the middle along the axis. For a small loss by `d` alone the coefficient of restitution at the speed `u` is `1 − 2 d u/3`. Where several
/// places touch, as with a box or a mesh, the stiffness is that of each of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// Stiffness `k`, in N/mⁿ.
    pub stiffness: f64,
    /// Exponent `n`: 1.5 for spheres by Hertz's theory, 1 for a linear foundation.
    pub exponent: f64,
    /// Dissipation `d`, in s/m.
    pub dissipation: f64,
    /// Damping `c`, in N s/m.
    pub damping: f64,
    /// Depth `δ_c` from which damping is full, in m.
    pub damping_depth: f64,
    /// Stiffness `g` of a guide along the axis of a cylinder or capsule, in N/m.
    pub guide: f64,
    /// Arm `ρ` of the rolling resistance, in m.
    pub rolling: f64,
    /// Arm `σ` of the spinning resistance, in m.
    pub spinning: f64,
    /// Angular velocity `ε` over which resistance passes through rest, in rad/s.
    pub resting: f64,
    /// Friction, if any.
    pub friction: Option<Stribeck>,
}

impl Default for ContactLaw {
    /// A rather hard elastic contact without losses.
    fn default() -> Self {
        ContactLaw {
            stiffness: 1e7,
            exponent: 1.5,
            dissipation: 0.0,
            damping: 0.0,
            damping_depth: 0.0,
            guide: 0.0,
            rolling: 0.0,
            spinning: 0.0,
            resting: 0.01,
            friction: None,
        }
    }
}

/// What surfaces do to each other at a place where they press.
#[derive(Clone, Copy, Debug)]
pub(super) struct Press<const N: usize> {
    /// The force along the normal.
    pub normal: Scalar<N>,
    /// The friction on the second body and what guides it, in the world.
    pub friction: Vector<N>,
}

impl ContactLaw {
    pub(super) fn validate(&self) -> Result<(), ModelError> {
        let fault = |what: Refusal| Err(ModelError::invalid("contact", what));
        if !(self.stiffness.is_finite() && self.stiffness > 0.0) {
            return fault(
                refusal!("its stiffness is {}", self.stiffness; "give a positive number"),
            );
        }
        if !(self.exponent.is_finite() && self.exponent >= 1.0) {
            return fault(refusal!("its exponent is {}", self.exponent; "give at least 1"));
        }
        if !(self.dissipation.is_finite() && self.dissipation >= 0.0) {
            return fault(refusal!(
                "its dissipation is {} s/m", self.dissipation;
                "give zero or a positive number"
            ));
        }
        let Self { damping, damping_depth, guide, .. } = *self;
        if !(guide.is_finite() && guide >= 0.0) {
            return fault(refusal!("its guide is {guide} N/m"; "give zero or a positive number"));
        }
        if !(damping.is_finite() && damping >= 0.0) {
            return fault(
                refusal!("its damping is {damping} N s/m"; "give zero or a positive number"),
            );
        }
        if damping > 0.0 && !(damping_depth.is_finite() && damping_depth > 0.0) {
            return fault(refusal!(
                "its damping is full from a depth of {damping_depth} m";
                "give a positive number, such as a tenth of the depth expected"
            ));
        }
        for (what, arm) in [("rolling", self.rolling), ("spinning", self.spinning)] {
            if !(arm.is_finite() && arm >= 0.0) {
                return fault(
                    refusal!("its {what} resistance is {arm} m"; "give zero or a positive arm"),
                );
            }
        }
        if !(self.resting.is_finite() && self.resting > 0.0) {
            return fault(refusal!("it rests at {} rad/s", self.resting; "give a positive number"));
        }
        self.friction.map_or(Ok(()), |friction| friction.validate("contact"))
    }

    /// The elastic force `k δⁿ` and its slope.
    pub(super) fn elastic(&self, depth: f64) -> (f64, f64) {
        let slope = self.stiffness * depth.powf(self.exponent - 1.0);
        (slope * depth, slope * self.exponent)
    }

    /// The damping at a depth and its slope.
    fn damping(&self, depth: f64) -> (f64, f64) {
        if self.damping == 0.0 || depth >= self.damping_depth {
            return (self.damping, 0.0);
        }
        let x = depth / self.damping_depth;
        let slope = 6.0 * x * (1.0 - x) / self.damping_depth;
        (self.damping * x * x * (3.0 - 2.0 * x), self.damping * slope)
    }

    /// The normal force at a depth that grows at a rate, and its slopes along both; none where the surfaces do not press.
    pub(super) fn normal(&self, depth: f64, closing: f64) -> Option<(f64, f64, f64)> {
        if depth <= 0.0 {
            return None;
        }
        let ((elastic, stiffness), (damping, slope)) = (self.elastic(depth), self.damping(depth));
        let growth = 1.0 + self.dissipation * closing;
        let normal = elastic * growth + damping * closing;
        let by_closing = elastic * self.dissipation + damping;
        (normal > 0.0).then_some((normal, stiffness * growth + slope * closing, by_closing))
    }

    /// Pieces of beams have neither guides nor resistance to rolling.
    pub(super) fn refuse_beyond_pieces(&self) -> Result<(), ModelError> {
        for (what, given) in [
            ("guide", self.guide),
            ("rolling resistance", self.rolling),
            ("spinning resistance", self.spinning),
        ] {
            if given > 0.0 {
                let what = refusal!("the surface of a whole beam has no {what}"; "name its nodes");
                return Err(ModelError::invalid("contact", what));
            }
        }
        Ok(())
    }

    /// Adds what the surfaces do to each other; nothing where they do not press.
    pub(super) fn act<const N: usize>(
        &self,
        bodies: &Bodies<N>,
        touch: &Touch<N>,
        wrenches: &mut Wrenches<N>,
    ) {
        let Some(Press { normal, friction }) = self.press(bodies, touch) else { return };
        wrenches.push(bodies, &(touch.normal * normal + friction), &touch.place);
        if self.rolling > 0.0 || self.spinning > 0.0 {
            wrenches.turn(bodies, &self.resistance(bodies, &touch.normal, normal));
        }
    }

    /// The moment on the second body that resists rolling and spinning under a normal force.
    fn resistance<const N: usize>(
        &self,
        bodies: &Bodies<N>,
        outwards: &Vector<N>,
        normal: Scalar<N>,
    ) -> Vector<N> {
        let omega = bodies.angular_velocity(1) - bodies.angular_velocity(0);
        let spin = *outwards * outwards.dot(&omega);
        let part = |omega: Vector<N>, arm: f64| {
            omega * (omega.length_with(self.resting).inverse() * normal * Scalar::constant(arm))
        };
        -(part(omega - spin, self.rolling) + part(spin, self.spinning))
    }

    /// The normal force and the friction on the second body; none where the surfaces do not press.
    pub(super) fn press<const N: usize>(
        &self,
        bodies: &Bodies<N>,
        touch: &Touch<N>,
    ) -> Option<Press<N>> {
        let depth = -touch.gap;
        if depth.value <= 0.0 {
            return None;
        }
        let velocity = bodies.relative_velocity(&touch.place);
        let closing = -touch.normal.dot(&velocity);
        let growth = Scalar::constant(1.0)
            + closing.map((self.dissipation * closing.value, self.dissipation));
        let normal = depth.map(self.elastic(depth.value)) * growth
            + depth.map(self.damping(depth.value)) * closing;
        if normal.value <= 0.0 {
            return None;
        }
        let mut rubbing = Vector::constant(Vector3::zeros());
        if let Some(friction) = &self.friction {
            let slip = velocity + touch.normal * closing;
            let speed = slip.length_with(friction.offset());
            rubbing = -(slip * (speed.map(friction.over_speed(speed.value)) * normal));
        }
        if let (true, Some(aside)) = (self.guide > 0.0, touch.aside) {
            rubbing = rubbing - aside * Scalar::constant(self.guide);
        }
        Some(Press { normal, friction: rubbing })
    }

    /// The elastic energy at a gap.
    pub(super) fn energy(&self, gap: f64) -> f64 {
        let depth = (-gap).max(0.0);
        self.elastic(depth).0 * depth / (self.exponent + 1.0)
    }

    /// How fast the elastic energy grows.
    pub(super) fn storing(&self, bodies: &Bodies<0>, touch: &Touch<0>) -> f64 {
        let depth = (-touch.gap.value).max(0.0);
        let closing = -touch.normal.dot(&bodies.relative_velocity(&touch.place)).value;
        self.elastic(depth).0 * closing
    }
}
