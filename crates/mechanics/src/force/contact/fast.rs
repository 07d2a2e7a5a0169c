//! How long steps may be that surfaces which meet fast are seen, and resolved while they bounce.
//!
//! A bounce of the mass `m` at the speed `U` goes as deep as `δ = ((n+1) m U²/2k)^(1/(n+1))` and takes about `3 δ/U`. Surfaces in
//! contact bounce if they have the energy to part: `m u²/2 + E(δ) − F δ > 0`, where `F` presses them together. What rests or
//! vibrates without parting is for the error of the step to judge, as any spring.

use super::Contact;
use crate::force::two_bodies::Bodies;
use crate::node::Motion;
use crate::passing::{Ends, Mobility, Resolution};
use crate::scene::{Scene, World};
use nalgebra::Vector3;

/// How long a step in a bounce may be for what bodies move in it, as a part of the thinner solid: this times the part of the bounce
/// that a step may be.
const SLIGHT: f64 = 0.2;

impl Contact {
    /// How long a step from here may be, where steps are to be a part of a bounce.
    pub(crate) fn longest_while_touching(
        &mut self,
        world: &World,
        mobility: &[Mobility],
        resolution: Resolution,
    ) -> f64 {
        let bodies = Bodies::<0>::new(Scene { world, nodes: &self.nodes });
        let law = &self.law;
        let (mut energy, mut pressing) = (0.0, 0.0);
        // depth, way from the first to the second, place, how fast they part
        let mut deepest: Option<(f64, Vector3<f64>, Vector3<f64>, f64)> = None;
        self.geometry.each(&bodies, |touch| {
            let depth = -touch.gap.value;
            if depth <= 0.0 {
                return;
            }
            energy += law.energy(touch.gap.value);
            pressing += law.press(&bodies, &touch).map_or(0.0, |press| press.normal.value);
            if deepest.is_none_or(|(deep, ..)| deep < depth) {
                let parts = touch.normal.dot(&bodies.relative_velocity(&touch.place)).value;
                deepest = Some((depth, touch.normal.value, touch.place.value, parts));
            }
        });
        let Some((depth, way, place, parts)) = deepest else { return f64::INFINITY };
        let motions = [0, 1].map(|slot| bodies.motion(slot));
        let along = |slot: usize| mobility[self.nodes[slot]].along(motions[slot], &place, &way);
        let light = along(0) + along(1);
        let [first, second] = motions.map(|motion| way.dot(&acceleration(motion, &place)));
        let pressed = pressing - (second - first) / light;
        let bounce = parts * parts + 2.0 * light * (energy - pressed * depth);
        match light > 0.0 && bounce > 0.0 {
            true => self.resolved(bounce.sqrt(), light, resolution),
            false => f64::INFINITY,
        }
    }

    /// How long the step between two ends may be, so that surfaces that meet in it are seen to do so.
    pub(crate) fn longest_until_met(
        &self,
        ends: &Ends,
        mobility: &[Mobility],
        resolution: Resolution,
    ) -> f64 {
        let Some(meeting) = self.passing.as_ref().and_then(|passing| passing.meeting(ends)) else {
            return f64::INFINITY;
        };
        let along = |node: &usize| {
            let motion = &ends.from[*node];
            mobility[*node].along(motion, &motion.position, &Vector3::z())
        };
        let light: f64 = self.nodes.iter().map(along).sum();
        self.resolved(meeting.speed, light, resolution).max(meeting.apart)
    }

    /// The step that resolves a bounce at a speed, of bodies that a force of one accelerates by `light`.
    fn resolved(&self, speed: f64, light: f64, resolution: Resolution) -> f64 {
        let n = self.law.exponent;
        let base = 0.5 * (n + 1.0) * speed * speed / (light * self.law.stiffness);
        let bounce = if light > 0.0 { 3.0 * base.powf(1.0 / (n + 1.0)) / speed } else { 0.0 };
        let thin = self.passing.as_ref().map_or(0.0, |passing| passing.thin);
        resolution.part_at(speed) * bounce.max(SLIGHT * thin / speed)
    }
}

/// The acceleration of the point of a body at a place, in the world.
fn acceleration(m: &Motion, place: &Vector3<f64>) -> Vector3<f64> {
    let arm = m.into_body(&(place - m.position));
    let turning = m.omega_rate.cross(&arm) + m.omega.cross(&m.omega.cross(&arm));
    m.rotation * (m.velocity_rate + m.omega.cross(&m.velocity) + turning)
}
