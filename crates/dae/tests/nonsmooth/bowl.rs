//! A particle inside a circular bowl: gap `(R² − |q|²)/2R`, radius 1, gravity 10 downwards.

use rotula_dae::*;

pub struct Bowl {
    contacts: Vec<Contact>,
}

impl Bowl {
    pub fn new() -> Self {
        Bowl { contacts: vec![Contact::smooth(0.0)] }
    }

    pub fn state(angle: f64, speed: f64) -> State {
        let mut state = State::zeros(Sizes::vector(2));
        state.q = vec![angle.sin(), -angle.cos()];
        state.v = vec![speed * angle.cos(), speed * angle.sin()];
        state
    }
}

impl System for Bowl {
    fn sizes(&self) -> Sizes {
        Sizes::vector(2)
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        for i in 0..2 {
            out[i] = if terms.inertia { at.vdot[i] } else { 0.0 };
        }
        out[1] += if terms.forces { 10.0 } else { 0.0 };
    }

    fn tangent(&mut self, _at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        let mass = if terms.inertia { weights.mass } else { 0.0 };
        values.copy_from_slice(&[mass, 0.0, 0.0, mass]);
    }

    rotula_dae::hand_out!(Contacts, Energetics);
}

impl Contacts for Bowl {
    fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        let dot = |a: &[f64], b: &[f64]| a[0] * b[0] + a[1] * b[1];
        out[0] = match level {
            Level::Position => 0.5 * (1.0 - dot(at.q, at.q)),
            Level::Velocity => -dot(at.q, at.v),
            Level::Acceleration => -dot(at.q, at.vdot) - dot(at.v, at.v),
        };
    }

    fn contact_gradient(&mut self, at: &Point, values: &mut [f64]) {
        values.copy_from_slice(&[-at.q[0], -at.q[1]]);
    }

    fn contact_tangent(&mut self, level: Level, at: &Point, w: Weights, values: &mut [f64]) {
        for i in 0..2 {
            values[i] = match level {
                Level::Position => -w.stiffness * at.q[i],
                Level::Velocity => -w.damping * at.q[i] - w.stiffness * at.v[i],
                Level::Acceleration => {
                    -w.mass * at.q[i] - 2.0 * w.damping * at.v[i] - w.stiffness * at.vdot[i]
                }
            };
        }
    }

    fn contact_curvature(&mut self, _at: &Point, forces: &[f64], values: &mut [f64]) {
        values.copy_from_slice(&[forces[0], 0.0, 0.0, forces[0]]);
    }
}

impl Energetics for Bowl {
    fn energy(&mut self, at: &Point) -> Option<Energy> {
        let kinetic = 0.5 * (at.v[0] * at.v[0] + at.v[1] * at.v[1]);
        Some(Energy { kinetic, potential: 10.0 * at.q[1] })
    }
}
