//! A rigid pendulum in the plane, q = (x, y, θ), two constraints, derivatives by hand: the smallest
//! constrained system, used to measure the cost of a step.

use rotula_dae::{Level, Point, Sizes, State, System, Terms, Weights};

/// `x = L cos θ`, `y = L sin θ`, gravity along −y.
#[derive(Clone, Copy, Debug)]
pub struct PlanarPendulum {
    /// Mass.
    pub mass: f64,
    /// Moment of inertia about the centre of mass.
    pub inertia: f64,
    /// Distance from the pivot to the centre of mass.
    pub length: f64,
    /// Gravity.
    pub gravity: f64,
}

impl PlanarPendulum {
    /// A consistent state at rest.
    pub fn at_angle(&self, theta: f64) -> State {
        let mut state = State::zeros(self.sizes());
        let (sin, cos) = theta.sin_cos();
        state.q.copy_from_slice(&[self.length * cos, self.length * sin, theta]);
        state
    }
}

impl System for PlanarPendulum {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 2, ..Sizes::vector(3) }
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        out.fill(0.0);
        if terms.inertia {
            out[0] += self.mass * at.vdot[0];
            out[1] += self.mass * at.vdot[1];
            out[2] += self.inertia * at.vdot[2];
        }
        if terms.forces {
            out[1] += self.mass * self.gravity;
        }
        if terms.reactions {
            let (sin, cos) = at.q[2].sin_cos();
            let [a, b] = [at.multipliers[0], at.multipliers[1]];
            out[0] -= a;
            out[1] -= b;
            out[2] -= self.length * (a * sin - b * cos);
        }
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        values.fill(0.0);
        if terms.inertia {
            values[0] = weights.mass * self.mass;
            values[4] = weights.mass * self.mass;
            values[8] = weights.mass * self.inertia;
        }
        if terms.reactions {
            let (sin, cos) = at.q[2].sin_cos();
            let [a, b] = [at.multipliers[0], at.multipliers[1]];
            values[8] -= weights.stiffness * self.length * (a * cos + b * sin);
        }
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        let l = self.length;
        let (sin, cos) = at.q[2].sin_cos();
        match level {
            Level::Position => {
                out[0] = at.q[0] - l * cos;
                out[1] = at.q[1] - l * sin;
            }
            Level::Velocity => {
                out[0] = at.v[0] + l * sin * at.v[2];
                out[1] = at.v[1] - l * cos * at.v[2];
            }
            Level::Acceleration => {
                let w2 = at.v[2] * at.v[2];
                out[0] = at.vdot[0] + l * (sin * at.vdot[2] + cos * w2);
                out[1] = at.vdot[1] - l * (cos * at.vdot[2] - sin * w2);
            }
        }
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        let (sin, cos) = at.q[2].sin_cos();
        values.copy_from_slice(&[1.0, 0.0, 0.0, 1.0, self.length * sin, -self.length * cos]);
    }

    fn constraint_tangent(&mut self, level: Level, at: &Point, w: Weights, values: &mut [f64]) {
        let l = self.length;
        let (sin, cos) = at.q[2].sin_cos();
        let (rate, acceleration) = (at.v[2], at.vdot[2]);
        let (main, x, y) = match level {
            Level::Position => (w.stiffness, l * sin * w.stiffness, -l * cos * w.stiffness),
            Level::Velocity => (
                w.damping,
                l * (sin * w.damping + cos * rate * w.stiffness),
                -l * (cos * w.damping - sin * rate * w.stiffness),
            ),
            Level::Acceleration => {
                let turn = cos * acceleration - sin * rate * rate;
                let push = sin * acceleration + cos * rate * rate;
                (
                    w.mass,
                    l * (sin * w.mass + 2.0 * cos * rate * w.damping + turn * w.stiffness),
                    -l * (cos * w.mass - 2.0 * sin * rate * w.damping - push * w.stiffness),
                )
            }
        };
        values.copy_from_slice(&[main, 0.0, 0.0, main, x, y]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every derivative against central differences.
    #[test]
    fn derivatives_are_exact() {
        let mut pendulum = PlanarPendulum { mass: 1.3, inertia: 0.2, length: 0.7, gravity: 9.81 };
        let mut state = State::zeros(pendulum.sizes());
        state.q.copy_from_slice(&[0.3, -0.2, 0.9]);
        state.v.copy_from_slice(&[0.4, 1.1, -0.8]);
        state.vdot.copy_from_slice(&[-0.6, 0.5, 2.1]);
        state.multipliers.copy_from_slice(&[1.7, -0.4]);
        let weights = Weights { mass: 0.7, damping: 0.3, stiffness: 1.9 };
        let step = 1e-5;
        for j in 0..3 {
            let moved = |sign: f64| {
                let mut moved = state.clone();
                moved.q[j] += sign * step * weights.stiffness;
                moved.v[j] += sign * step * weights.damping;
                moved.vdot[j] += sign * step * weights.mass;
                moved
            };
            let (plus, minus) = (moved(1.0), moved(-1.0));
            let mut tangent = [0.0; 9];
            pendulum.tangent(&state.point(), weights, Terms::ALL, &mut tangent);
            let (mut a, mut b) = ([0.0; 3], [0.0; 3]);
            pendulum.dynamics(&plus.point(), Terms::ALL, &mut a);
            pendulum.dynamics(&minus.point(), Terms::ALL, &mut b);
            for i in 0..3 {
                let difference = (a[i] - b[i]) / (2.0 * step);
                assert!((tangent[3 * j + i] - difference).abs() < 1e-8, "{i} {j}");
            }
            for level in [Level::Position, Level::Velocity, Level::Acceleration] {
                let mut tangent = [0.0; 6];
                pendulum.constraint_tangent(level, &state.point(), weights, &mut tangent);
                let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
                pendulum.constraint(level, &plus.point(), &mut a);
                pendulum.constraint(level, &minus.point(), &mut b);
                for i in 0..2 {
                    let difference = (a[i] - b[i]) / (2.0 * step);
                    assert!((tangent[2 * j + i] - difference).abs() < 1e-8, "{level:?} {i} {j}");
                }
            }
        }
    }
}
