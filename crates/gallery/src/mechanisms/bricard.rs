//! Bricard's mechanism, benchmark A04 of the IFToMM library: five rods and the ground on six hinges.
//!
//! By the count of Grübler nothing could move; it does because the hinges stand at right angles to
//! each other. The angles between the rods take turns, α, β, α, β, …, and closing the loop demands
//! `cos(α/2) cos(β/2) = 1/2`. With `u = (α+β)/2` and `w = (α−β)/2` this is
//! `sin²(u/2) + sin²(w/2) = 1/2`, which one angle ψ describes all the way round:
//! `√2 sin(u/2) = cos ψ`, `√2 sin(w/2) = sin ψ`.

use super::connect;
use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::{Body, BodyId, GROUND, MassProperties, Model, ModelError};
use std::f64::consts::{FRAC_PI_2, SQRT_2};

const GRAVITY: f64 = 9.81;
/// Moments of inertia of a rod along it and across it: 1 kg, 1 m, section 0.1 m × 0.1 m.
const ALONG: f64 = 0.02 / 12.0;
const ACROSS: f64 = 1.01 / 12.0;
/// The rod at whose end P3 is: the third.
pub const THIRD: usize = 2;

/// The hinges at the start: where they are and along which axis.
fn hinges() -> [(Vector3<f64>, Vector3<f64>); 6] {
    let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
    [(Vector3::zeros(), y), (x, z), (x - y, x), (x - y + z, y), (z - y, z), (z, x)]
}

/// Rod `k` at the start: where its centre is, and its direction.
fn rod(k: usize) -> (Vector3<f64>, Vector3<f64>) {
    let (from, to) = (hinges()[k].0, hinges()[k + 1].0);
    ((from + to) * 0.5, to - from)
}

/// The inertia of rod `k` about its centre, in the axes of the world at the start.
fn inertia(k: usize) -> Matrix3<f64> {
    let along = rod(k).1;
    Matrix3::identity() * ACROSS + along * along.transpose() * (ALONG - ACROSS)
}

/// The mechanism at rest; bodies have the axes of the world at the start.
pub fn bricard() -> Result<Model, ModelError> {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -GRAVITY, 0.0);
    let mut chain: Vec<BodyId> = vec![GROUND];
    for k in 0..5 {
        let mass = MassProperties::new(1.0, Vector3::zeros(), inertia(k));
        chain.push(model.body(&format!("rod {}", k + 1), Body::rigid(mass).at(rod(k).0))?);
    }
    chain.push(GROUND);
    for (k, place) in hinges().into_iter().enumerate() {
        connect(&mut model, &format!("hinge {k}"), &Revolute, [chain[k], chain[k + 1]], place)?;
    }
    Ok(model)
}

/// P3 as seen from the centre of the third rod.
pub fn tip() -> Vector3<f64> {
    rod(THIRD).1 * 0.5
}

/// The mechanism reduced to the angle ψ, which is zero at the start.
#[derive(Clone, Copy, Debug)]
pub struct Reduced {
    /// `I` of the kinetic energy `I ψ̇²/2`.
    pub inertia: f64,
    /// Potential energy.
    pub potential: f64,
    /// Where P3 is.
    pub tip: Vector3<f64>,
    /// By how much the last hinge misses its place on the ground, and its axis its direction.
    pub gap: f64,
}

/// The mechanism at an angle ψ: a product of turns about the hinges as they stand at the start.
pub fn reduced(psi: f64) -> Reduced {
    let (sin, cos) = psi.sin_cos();
    // half of u and w, and the rates of u and w
    let (u, w) = ((cos / SQRT_2).asin(), (sin / SQRT_2).asin());
    let (du, dw) = (-SQRT_2 * sin / u.cos(), SQRT_2 * cos / w.cos());
    let turns = [(2.0 * (u + w) - FRAC_PI_2, du + dw), (2.0 * (u - w) - FRAC_PI_2, du - dw)];
    let mut place = Frame::identity();
    let (mut omega, mut drift) = (Vector3::zeros(), Vector3::zeros());
    let mut found = Reduced { inertia: 0.0, potential: 0.0, tip: Vector3::zeros(), gap: f64::NAN };
    for (k, (at, axis)) in hinges().into_iter().take(5).enumerate() {
        let (turn, rate) = turns[k % 2];
        // the velocity of the point of the body that passes through the origin
        let (point, direction) = (place.transform_point(&at), place.orientation.rotate(&axis));
        omega -= direction * rate;
        drift -= point.cross(&direction) * rate;
        let orientation = Quaternion::exp(&(-axis * turn));
        place = place * Frame::new(at - orientation.rotate(&at), orientation);
        let centre = place.transform_point(&rod(k).0);
        let velocity = drift + omega.cross(&centre);
        let spin = place.orientation.rotate_back(&omega);
        found.inertia += velocity.norm_squared() + spin.dot(&(inertia(k) * spin));
        found.potential += GRAVITY * centre.y;
        if k == THIRD {
            found.tip = place.transform_point(&hinges()[3].0);
        }
    }
    let (at, axis) = hinges()[5];
    found.gap =
        (place.transform_point(&at) - at).norm() + (place.orientation.rotate(&axis) - axis).norm();
    found
}

/// The acceleration of ψ: `I ψ̈ = −V' − I' ψ̇²/2`, slopes by differences of fourth order.
fn acceleration(psi: f64, rate: f64) -> f64 {
    let step = 2e-3;
    let at = |k: f64| reduced(psi + k * step);
    let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(at);
    let slope =
        |f: fn(&Reduced) -> f64| (f(&a) - 8.0 * f(&b) + 8.0 * f(&c) - f(&d)) / (12.0 * step);
    let force = slope(|r| r.potential) + 0.5 * rate * rate * slope(|r| r.inertia);
    -force / reduced(psi).inertia
}

/// The angle ψ and its rate at a time, from rest at the start, by the classical Runge-Kutta method.
pub fn reduced_motion(until: f64, steps: usize) -> (f64, f64) {
    crate::mechanisms::runge_kutta(acceleration, (0.0, 0.0), until, steps)
}
