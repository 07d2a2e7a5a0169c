//! The bouncing pendulum of document 002, section 6.1, in three coordinates.

use rotula_dae::*;

pub struct Pendulum {
    contacts: Vec<Contact>,
}

pub const GRAVITY: f64 = 10.0;
pub const INERTIA: f64 = 0.1;

impl Pendulum {
    pub fn bouncing(restitution: f64) -> Self {
        Pendulum { contacts: vec![Contact::smooth(restitution)] }
    }

    pub fn free() -> Self {
        Pendulum { contacts: Vec::new() }
    }

    pub fn state(angle: f64, rate: f64) -> State {
        let mut state = State::zeros(Sizes { holonomic: 2, ..Sizes::vector(3) });
        state.q = vec![angle.cos(), angle.sin(), angle];
        state.v = vec![-angle.sin() * rate, angle.cos() * rate, rate];
        state
    }
}

impl System for Pendulum {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 2, ..Sizes::vector(3) }
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        let (mass, force) = ([1.0, 1.0, INERTIA], [0.0, GRAVITY, 0.0]);
        let (s, c) = at.q[2].sin_cos();
        let [l1, l2] = [at.multipliers[0], at.multipliers[1]];
        let reaction = [l1, l2, s * l1 - c * l2];
        for i in 0..3 {
            let on = |is: bool| if is { 1.0 } else { 0.0 };
            out[i] = on(terms.inertia) * mass[i] * at.vdot[i]
                - on(terms.forces) * force[i]
                - on(terms.reactions) * reaction[i];
        }
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        values.fill(0.0);
        if terms.inertia {
            (values[0], values[4], values[8]) =
                (weights.mass, weights.mass, weights.mass * INERTIA);
        }
        if terms.reactions {
            let (s, c) = at.q[2].sin_cos();
            values[8] -= weights.stiffness * (c * at.multipliers[0] + s * at.multipliers[1]);
        }
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        let (s, c) = at.q[2].sin_cos();
        let (v, a) = (at.v, at.vdot);
        match level {
            Level::Position => (out[0], out[1]) = (at.q[0] - c, at.q[1] - s),
            Level::Velocity => (out[0], out[1]) = (v[0] + s * v[2], v[1] - c * v[2]),
            Level::Acceleration => {
                out[0] = a[0] + s * a[2] + c * v[2] * v[2];
                out[1] = a[1] - c * a[2] + s * v[2] * v[2];
            }
        }
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        let (s, c) = at.q[2].sin_cos();
        values.copy_from_slice(&[1.0, 0.0, 0.0, 1.0, s, -c]);
    }

    fn constraint_tangent(&mut self, level: Level, at: &Point, w: Weights, values: &mut [f64]) {
        let (s, c) = at.q[2].sin_cos();
        let (rate, acceleration) = (at.v[2], at.vdot[2]);
        let own = match level {
            Level::Position => w.stiffness,
            Level::Velocity => w.damping,
            Level::Acceleration => w.mass,
        };
        values[..4].copy_from_slice(&[own, 0.0, 0.0, own]);
        (values[4], values[5]) = (own * s, -own * c);
        match level {
            Level::Position => {}
            Level::Velocity => {
                values[4] += w.stiffness * c * rate;
                values[5] += w.stiffness * s * rate;
            }
            Level::Acceleration => {
                values[4] +=
                    w.damping * 2.0 * c * rate + w.stiffness * (c * acceleration - s * rate * rate);
                values[5] +=
                    w.damping * 2.0 * s * rate + w.stiffness * (s * acceleration + c * rate * rate);
            }
        }
    }

    rotula_dae::hand_out!(Contacts, Energetics);
}

impl Contacts for Pendulum {
    fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        out[0] = match level {
            Level::Position => at.q[0] - 0.5f64.sqrt(),
            Level::Velocity => at.v[0],
            Level::Acceleration => at.vdot[0],
        };
    }

    fn contact_gradient(&mut self, _at: &Point, values: &mut [f64]) {
        values.copy_from_slice(&[1.0, 0.0, 0.0]);
    }

    fn contact_tangent(&mut self, level: Level, _at: &Point, w: Weights, values: &mut [f64]) {
        let own = match level {
            Level::Position => w.stiffness,
            Level::Velocity => w.damping,
            Level::Acceleration => w.mass,
        };
        values.copy_from_slice(&[own, 0.0, 0.0]);
    }
}

impl Energetics for Pendulum {
    fn energy(&mut self, at: &Point) -> Option<Energy> {
        let v = at.v;
        Some(Energy {
            kinetic: 0.5 * (v[0] * v[0] + v[1] * v[1] + INERTIA * v[2] * v[2]),
            potential: -GRAVITY * at.q[1],
        })
    }
}
