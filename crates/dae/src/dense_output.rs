//! States between accepted steps: cubic Hermite in positions and velocities, linear elsewhere.
//! [Negrut et al. 2005, sheet §3.3]

use crate::state::State;
use crate::system::System;

/// Moves of the end by this part of the step tell how the increment from the start changes with them.
const MOVE: f64 = 1e-3;

/// Interpolates between accepted states.
#[derive(Clone, Debug)]
pub(crate) struct DenseOutput {
    /// The increment of the step, then of the state in it.
    local: Vec<f64>,
    /// Rate of the increment at the end of the step, times the step.
    slope: Vec<f64>,
    increment: Vec<f64>,
    q: Vec<f64>,
}

impl DenseOutput {
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let zeros = vec![0.0; sizes.motion];
        DenseOutput {
            local: zeros.clone(),
            slope: zeros.clone(),
            increment: zeros,
            q: vec![0.0; sizes.configuration],
        }
    }

    /// Fills `out` with the state at time `t` between two accepted states.
    pub fn interpolate(
        &mut self,
        system: &dyn System,
        (from, to): (&State, &State),
        t: f64,
        out: &mut State,
    ) {
        let h = to.t - from.t;
        let s = (t - from.t) / h;
        out.t = t;
        self.end_slope(system, (from, to), h);
        system.local(&from.q, &to.q, &mut self.local);
        for i in 0..self.local.len() {
            out.v[i] = hermite(s, from.v[i], h * from.vdot[i], to.v[i], h * to.vdot[i]);
            self.local[i] = hermite(s, 0.0, h * from.v[i], self.local[i], self.slope[i]);
        }
        system.retract(&from.q, &self.local, &mut out.q);
        for i in 0..out.x.len() {
            out.x[i] = hermite(s, from.x[i], h * from.xdot[i], to.x[i], h * to.xdot[i]);
        }
        linear(s, &from.vdot, &to.vdot, &mut out.vdot);
        linear(s, &from.multipliers, &to.multipliers, &mut out.multipliers);
        linear(s, &from.xdot, &to.xdot, &mut out.xdot);
        linear(s, &from.y, &to.y, &mut out.y);
        out.increment.fill(0.0);
    }

    /// Where rotations are involved the increment does not grow with the velocity at the end: axes turn on the way.
    fn end_slope(&mut self, system: &dyn System, (from, to): (&State, &State), h: f64) {
        self.slope.fill(0.0);
        for sign in [1.0, -1.0] {
            for (d, v) in self.increment.iter_mut().zip(&to.v) {
                *d = sign * MOVE * h * v;
            }
            system.retract(&to.q, &self.increment, &mut self.q);
            system.local(&from.q, &self.q, &mut self.increment);
            for (slope, d) in self.slope.iter_mut().zip(&self.increment) {
                *slope += sign * d / (2.0 * MOVE);
            }
        }
    }
}

fn hermite(s: f64, p0: f64, m0: f64, p1: f64, m1: f64) -> f64 {
    let d = p1 - p0;
    let (c2, c3) = (3.0 * d - 2.0 * m0 - m1, m0 + m1 - 2.0 * d);
    p0 + s * (m0 + s * (c2 + s * c3))
}

fn linear(s: f64, a: &[f64], b: &[f64], out: &mut [f64]) {
    for ((o, a), b) in out.iter_mut().zip(a).zip(b) {
        *o = a + s * (b - a);
    }
}

#[cfg(test)]
mod tests {
    use super::hermite;

    #[test]
    fn hermite_reproduces_a_cubic() {
        let p = |s: f64| 2.0 - s + 3.0 * s * s - 0.5 * s * s * s;
        let d = |s: f64| -1.0 + 6.0 * s - 1.5 * s * s;
        for s in [0.0, 0.3, 0.77, 1.0] {
            assert!((hermite(s, p(0.0), d(0.0), p(1.0), d(1.0)) - p(s)).abs() < 1e-15);
        }
    }
}
