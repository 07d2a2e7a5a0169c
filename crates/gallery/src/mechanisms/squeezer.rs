//! Andrews' squeezing mechanism as seven planar bodies with ten pins, a spring and a torque.

use super::{pin, turned};
use crate::problems::andrews::{
    A, B, C, D, DA, DRIVE, E, EA, FA, INERTIA, MASS, RA, REST_LENGTH, RR, SA, SB, SC, SD,
    STIFFNESS, TA, TB, U, UA, UB, ZF, ZT,
};
use nalgebra::Vector3;
use rotula_dae::State;
use rotula_lie::Frame;
use rotula_mechanics::force::{Amplitude, Axes, Linear, Load, Spring};
use rotula_mechanics::{Body, GROUND, Model, ModelError};

/// β, Θ, γ, Φ, δ, Ω, ε at the start.
const START: [f64; 7] = [
    -0.06171389001427645,
    0.0,
    0.45527981916307037,
    0.22266839016588588,
    0.48736497954384256,
    -0.22266839016588588,
    1.2305474445498212,
];

fn point([x, y]: [f64; 2]) -> Vector3<f64> {
    Vector3::new(x, y, 0.0)
}

/// The mechanism. Every body is seen from its centre of mass, with the axes of Hairer and Wanner.
pub fn squeezer() -> Result<Model, ModelError> {
    let [beta, theta, gamma, phi, delta, omega, epsilon] = START;
    let angles = [beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon];
    let mut model = Model::new();
    // a point of the body as seen from its centre, and where it is in the world
    let crank_pin = turned(beta).rotate(&point([RR, 0.0]));
    let fifth_pin = point(A) + turned(delta).rotate(&point([ZT, 0.0]));
    let seventh_pin = point(A) + turned(epsilon).rotate(&point([0.0, -U]));
    let held = [
        ([-RA, 0.0], point([0.0, 0.0])),
        ([DA, 0.0], crank_pin),
        ([-SB, SA], point(B)),
        ([0.0, E - EA], fifth_pin),
        ([-TA, -TB], point(A)),
        ([FA - ZF, 0.0], seventh_pin),
        ([UB, UA], point(A)),
    ];
    let mut bodies = Vec::new();
    for (k, (local, world)) in held.into_iter().enumerate() {
        let turn = turned(angles[k]);
        let frame = Frame::new(world - turn.rotate(&point(local)), turn);
        let body = Body::planar(MASS[k], INERTIA[k]).at_frame(frame);
        bodies.push(model.body(&format!("body {}", k + 1), body)?);
    }
    let squeezed = crank_pin + turned(angles[1]).rotate(&point([-D, 0.0]));
    let pins = [
        ("O", GROUND, bodies[0], Vector3::zeros()),
        ("crank pin", bodies[0], bodies[1], crank_pin),
        ("B", GROUND, bodies[2], point(B)),
        ("A of body 5", GROUND, bodies[4], point(A)),
        ("A of body 7", GROUND, bodies[6], point(A)),
        ("E", bodies[4], bodies[3], fifth_pin),
        ("F", bodies[6], bodies[5], seventh_pin),
        ("P of body 3", bodies[1], bodies[2], squeezed),
        ("P of body 4", bodies[1], bodies[3], squeezed),
        ("P of body 6", bodies[1], bodies[5], squeezed),
    ];
    for (name, a, b, at) in pins {
        pin(&mut model, name, [a, b], at)?;
    }
    let anchor = model.marker(GROUND, Frame::new(point(C), Default::default()));
    let hook = Frame::new(point([SD - SB, SA - SC]), Default::default());
    let hook = model.marker(bodies[2], hook);
    let law = Linear { stiffness: STIFFNESS, damping: 0.0, free: REST_LENGTH, preload: 0.0 };
    model.force("spring", Spring::between(&anchor, &hook, law))?;
    let crank = model.marker(bodies[0], Frame::identity());
    let zero = Amplitude::Constant(0.0);
    let moment = [zero, zero, Amplitude::Constant(DRIVE)];
    model.force("drive", Load::new(crank, Axes::World, [zero; 3], moment))?;
    Ok(model)
}

/// β, Θ, γ, Φ, δ, Ω, ε of the turns of the bodies, or of their rates.
fn relative(turns: [f64; 7]) -> [f64; 7] {
    let [one, two, three, four, five, six, seven] = turns;
    [one, two - one, three, four - five, five, six - seven, seven]
}

/// β, Θ, γ, Φ, δ, Ω, ε and their rates.
pub fn angles(state: &State) -> ([f64; 7], [f64; 7]) {
    let third = |values: &[f64]| std::array::from_fn(|k| values[3 * k + 2]);
    (relative(third(&state.q)), relative(third(&state.v)))
}
