//! States between accepted steps: cubic Hermite in positions and velocities, linear elsewhere.
//! [003 §3.3]

use crate::state::State;
use crate::system::System;

/// Fills `out` with the state at time `t` between two accepted states.
pub(crate) fn interpolate(
    system: &dyn System,
    (from, to): (&State, &State),
    t: f64,
    out: &mut State,
    local: &mut [f64],
) {
    let h = to.t - from.t;
    let s = (t - from.t) / h;
    out.t = t;
    system.local(&from.q, &to.q, local);
    for i in 0..local.len() {
        let (v0, v1) = (h * from.v[i], h * to.v[i]);
        out.v[i] = hermite(s, from.v[i], h * from.vdot[i], to.v[i], h * to.vdot[i]);
        local[i] = hermite(s, 0.0, v0, local[i], v1);
    }
    system.retract(&from.q, local, &mut out.q);
    for i in 0..out.x.len() {
        out.x[i] = hermite(s, from.x[i], h * from.xdot[i], to.x[i], h * to.xdot[i]);
    }
    linear(s, &from.vdot, &to.vdot, &mut out.vdot);
    linear(s, &from.multipliers, &to.multipliers, &mut out.multipliers);
    linear(s, &from.xdot, &to.xdot, &mut out.xdot);
    linear(s, &from.y, &to.y, &mut out.y);
    out.increment.fill(0.0);
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
