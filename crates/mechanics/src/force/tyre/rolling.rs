//! From the motion of the patch to the slips of the tyre, with relaxation, and to its forces.
//!
//! With the forward speed `V` of the patch, its drift `Vy`, the rate of rotation `Ω` and the rolling radius `Re`, the wheel
//! slips along with `Vsx = V − Ω Re` and across with `Vsy = Vy`. A tyre is sheared before it slips: its shears `u`, `v`
//! follow with relaxation lengths σ [Pacejka 2012, eq. 7.7 and 7.9]
//!
//! ```text
//! u̇ = −Vsx − |V| u/σκ        κ     = u/σκ
//! v̇ =  Vsy − |V| v/σα        tan α = v/σα
//! ```
//!
//! which at a standstill is a spring, and in steady rolling `κ = −Vsx/|V|`, `tan α = Vsy/|V|`. At low speed, where this
//! spring would be without damping, the slips get a part of the rates, and shears stay finite while a
//! wheel spins on the spot; both fade out up to the speed `VXLOW` of the file [ibid., §8.6].

use super::characteristics::{Answer, Characteristics, Running};
use crate::force::varying::Scalar;
use std::f64::consts::PI;

/// What the numbers of a tyre depend on: deflection, its rate, camber, speed, drift, spin, and the two shears.
pub(super) const INPUTS: usize = 8;
/// How many of these are states.
pub(super) const STATES: usize = 2;

/// Damping of the shears at a standstill, as a time: a quarter of critical for the shear of a car's tyre.
const SHEAR_DAMPING: f64 = 0.02;
/// The greatest slip of a wheel that turns on the spot.
const SLIP_ON_THE_SPOT: f64 = 3.0;
/// A speed with which shears let go at a standstill, so that rest is a single state.
const CREEP: f64 = 1e-3;
/// The least relaxation length as a part of the radius, so that a tyre without load keeps one.
const LEAST_RELAXATION: f64 = 0.05;
/// Damping fades in over this part of the nominal deflection, so that touching the road is no jump.
const FIRST_TOUCH: f64 = 0.1;

/// A tyre at a patch.
pub(super) struct Rolling<'a> {
    pub(super) characteristics: &'a Characteristics,
    pub(super) mirrored: bool,
    pub(super) relaxing: bool,
}

impl Rolling<'_> {
    /// Forces, moments, slip, slip angle, camber, deflection and the rates of the shears, with derivatives by all inputs.
    pub(super) fn numbers(
        &self,
        motion: [f64; INPUTS - STATES],
        shear: [f64; STATES],
    ) -> [Scalar<INPUTS>; 12] {
        let hand = if self.mirrored { -1.0 } else { 1.0 };
        let input = |k: usize| Scalar::variable(motion[k], k);
        let [deflection, sinking, camber, speed, drift, spin] = [0, 1, 2, 3, 4, 5].map(input);
        let [u, v] = [0, 1].map(|k| Scalar::variable(shear[k], INPUTS - STATES + k));
        let tyre = self.characteristics;
        let load = self.load(&deflection, &sinking);
        let pressed = if deflection.value > 0.0 { deflection } else { Scalar::constant(0.0) };
        let sliding = speed - spin * tyre.rolling_radius(&pressed, &spin);
        let low = low_speed_weight(&speed, tyre.low_speed());
        let least = LEAST_RELAXATION * tyre.radius();
        let [along, across] = tyre.relaxation(&load).map(|length| length.hypot(least));
        let (slip, side_slip, rates) = if self.relaxing {
            let slipping = (sliding.squared() + drift.squared()) * (1.0 / SLIP_ON_THE_SPOT.powi(2));
            let slipping = {
                let root = (slipping.value + CREEP * CREEP).sqrt();
                slipping.map((root, 0.5 / root)) * low
            };
            let letting_go = speed.hypot(CREEP) + slipping;
            let rate_u = -sliding - letting_go * u / along;
            let rate_v = drift - letting_go * v / across;
            let damped = low * SHEAR_DAMPING;
            ((u - damped * sliding) / along, (v + damped * drift) / across, [rate_u, rate_v])
        } else {
            let rolling = speed.hypot(tyre.low_speed());
            let zero = Scalar::constant(0.0);
            (-sliding / rolling, drift / rolling, [zero, zero])
        };
        let zero = Scalar::constant(0.0);
        let mut forces = [zero; 6];
        forces[2] = load;
        if load.value > 0.0 {
            let at =
                Running { load, slip, side_slip: side_slip * hand, camber: camber * hand, speed };
            let Answer { fx, fy, mx, my, mz } = tyre.answer(&at);
            forces = [fx, fy * hand, load, mx * hand, my, mz * hand];
        }
        let [fx, fy, fz, mx, my, mz] = forces;
        [fx, fy, fz, mx, my, mz, slip, side_slip.atan(), camber, deflection, rates[0], rates[1]]
    }

    /// Pressing only: spring and damper over the deflection.
    fn load(&self, deflection: &Scalar<INPUTS>, sinking: &Scalar<INPUTS>) -> Scalar<INPUTS> {
        if deflection.value <= 0.0 {
            return Scalar::constant(0.0);
        }
        let (_, nominal) = self.characteristics.nominal();
        let touch = *deflection * (1.0 / (FIRST_TOUCH * nominal));
        let fade = match touch.value < 1.0 {
            true => touch.squared() * (touch * -2.0 + 3.0),
            false => Scalar::constant(1.0),
        };
        let damper = fade * *sinking * self.characteristics.damping();
        let load = self.characteristics.spring(deflection) + damper;
        if load.value > 0.0 { load } else { Scalar::constant(0.0) }
    }
}

/// One at a standstill, zero from the low speed on, smooth between [Pacejka 2012, eq. 8.128].
fn low_speed_weight(speed: &Scalar<INPUTS>, low: f64) -> Scalar<INPUTS> {
    if speed.value.abs() >= low {
        return Scalar::constant(0.0);
    }
    (*speed * (PI / low)).cos() * 0.5 + 0.5
}
