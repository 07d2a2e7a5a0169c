//! States between accepted steps: cubic Hermite in positions, velocities and states, rates as their slopes, multipliers and variables
//! linear. [Negrut et al. 2005, sheet §3.3]
//!
//! A method of higher order names points of its past, through which the polynomial goes as well. With `s` from 0 to 1 along the step
//! and the points at `s₁ > s₂`, both below zero,
//!
//! ```text
//! p(s) = H(s) + w(s) (c₁ + c₂ (s − s₁)),   w = s² (1 − s)²,   p(s₁) = y₁,  p(s₂) = y₂
//! ```

use crate::state::State;
use crate::step::PastPoint;
use crate::system::System;

/// Moves of the end by this part of the step tell how the increment from the start changes with them.
const MOVE: f64 = 1e-3;

/// Points nearer to the next than this part of the step are left out: they would magnify rounding.
const NEAREST: f64 = 0.3;

/// Interpolates between accepted states.
#[derive(Clone, Debug)]
pub(crate) struct DenseOutput {
    /// The increment of the step, then of the state in it.
    local: Vec<f64>,
    /// Rate of the increment at the end of the step, times the step.
    slope: Vec<f64>,
    increment: Vec<f64>,
    q: Vec<f64>,
    /// Increments from the start of the step to points of the past.
    past: [Vec<f64>; 2],
}

impl DenseOutput {
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let zeros = vec![0.0; sizes.motion];
        DenseOutput {
            local: zeros.clone(),
            slope: zeros.clone(),
            past: [zeros.clone(), zeros.clone()],
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
        self.interpolate_with(system, (from, to), [None; 2], t, out);
    }

    /// The same with points of the past, the last first.
    pub fn interpolate_with(
        &mut self,
        system: &dyn System,
        (from, to): (&State, &State),
        past: [Option<PastPoint>; 2],
        t: f64,
        out: &mut State,
    ) {
        let h = to.t - from.t;
        let s = (t - from.t) / h;
        out.t = t;
        self.end_slope(system, (from, to), h);
        system.local(&from.q, &to.q, &mut self.local);
        for (point, local) in past.iter().flatten().zip(&mut self.past) {
            system.local(&from.q, point.q, local);
        }
        let shares = shares(s, past.iter().flatten().map(|point| (point.t - from.t) / h));
        // value, and slope along s, of the polynomial with values and slopes at the ends and values known before
        let through = |ends: [f64; 4], known: [f64; 2]| {
            let cubic = [hermite(s, ends), hermite_slope(s, ends)];
            shares.iter().zip(known).fold(cubic, |[value, slope], (share, known)| match share {
                None => [value, slope],
                Some(Share { at, part, rate }) => {
                    let missed = known - hermite(*at, ends);
                    [value + part * missed, slope + rate * missed]
                }
            })
        };
        let known = |of: fn(&PastPoint, usize) -> f64, i: usize| {
            past.map(|point| point.map_or(0.0, |point| of(&point, i)))
        };
        for i in 0..self.local.len() {
            let ends = [from.v[i], h * from.vdot[i], to.v[i], h * to.vdot[i]];
            let [value, slope] = through(ends, known(|point, i| point.v[i], i));
            (out.v[i], out.vdot[i]) = (value, slope / h);
            let ends = [0.0, h * from.v[i], self.local[i], self.slope[i]];
            [self.local[i], _] = through(ends, [self.past[0][i], self.past[1][i]]);
        }
        system.retract(&from.q, &self.local, &mut out.q);
        for i in 0..out.x.len() {
            let ends = [from.x[i], h * from.xdot[i], to.x[i], h * to.xdot[i]];
            let [value, slope] = through(ends, known(|point, i| point.x[i], i));
            (out.x[i], out.xdot[i]) = (value, slope / h);
        }
        linear(s, &from.multipliers, &to.multipliers, &mut out.multipliers);
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

/// What a point of the past adds: a part of what the cubic misses there, which has a rate along the step.
#[derive(Clone, Copy)]
struct Share {
    at: f64,
    part: f64,
    rate: f64,
}

/// The shares of points of the past at `s`.
fn shares(s: f64, past: impl Iterator<Item = f64>) -> [Option<Share>; 2] {
    let weight = |s: f64| (s * (1.0 - s)).powi(2);
    let slope = 2.0 * s * (1.0 - s) * (1.0 - 2.0 * s);
    let mut past = past.scan(0.0, |before, at| {
        let apart = std::mem::replace(before, at) - at;
        (apart >= NEAREST).then_some(at)
    });
    let Some(first) = past.next() else { return [None; 2] };
    let mut near =
        Share { at: first, part: weight(s) / weight(first), rate: slope / weight(first) };
    let Some(second) = past.next() else { return [Some(near), None] };
    let over = 1.0 / (weight(second) * (second - first));
    let part = weight(s) * (s - first) * over;
    let rate = (slope * (s - first) + weight(s)) * over;
    // the first must not disturb the second
    let between = weight(second) / weight(first);
    near.part -= part * between;
    near.rate -= rate * between;
    [Some(near), Some(Share { at: second, part, rate })]
}

/// The cubic with values and slopes `p₀, m₀, p₁, m₁` at 0 and 1.
fn hermite(s: f64, [p0, m0, p1, m1]: [f64; 4]) -> f64 {
    let d = p1 - p0;
    let (c2, c3) = (3.0 * d - 2.0 * m0 - m1, m0 + m1 - 2.0 * d);
    p0 + s * (m0 + s * (c2 + s * c3))
}

/// Its slope.
fn hermite_slope(s: f64, [p0, m0, p1, m1]: [f64; 4]) -> f64 {
    let d = p1 - p0;
    let (c2, c3) = (3.0 * d - 2.0 * m0 - m1, m0 + m1 - 2.0 * d);
    m0 + s * (2.0 * c2 + s * 3.0 * c3)
}

fn linear(s: f64, a: &[f64], b: &[f64], out: &mut [f64]) {
    for ((o, a), b) in out.iter_mut().zip(a).zip(b) {
        *o = a + s * (b - a);
    }
}

#[cfg(test)]
mod tests {
    use super::{hermite, hermite_slope, shares};

    #[test]
    fn hermite_reproduces_a_cubic() {
        let p = |s: f64| 2.0 - s + 3.0 * s * s - 0.5 * s * s * s;
        let d = |s: f64| -1.0 + 6.0 * s - 1.5 * s * s;
        for s in [0.0, 0.3, 0.77, 1.0] {
            assert!((hermite(s, [p(0.0), d(0.0), p(1.0), d(1.0)]) - p(s)).abs() < 1e-15);
        }
    }

    /// Each point of the past raises the degree by one.
    #[test]
    fn points_of_the_past_are_met() {
        type Curve<'a> = (&'a dyn Fn(f64) -> f64, &'a dyn Fn(f64) -> f64);
        let through = |s: f64, past: &[f64], (p, d): Curve| {
            let ends = [p(0.0), d(0.0), p(1.0), d(1.0)];
            let mut found = [hermite(s, ends), hermite_slope(s, ends)];
            for share in shares(s, past.iter().copied()).into_iter().flatten() {
                let missed = p(share.at) - hermite(share.at, ends);
                found[0] += share.part * missed;
                found[1] += share.rate * missed;
            }
            found
        };
        let p = |s: f64| 1.0 + s - 2.0 * s.powi(3) + 0.7 * s.powi(4);
        let d = |s: f64| 1.0 - 6.0 * s.powi(2) + 2.8 * s.powi(3);
        let (quintic, slope) = (|s: f64| p(s) - 0.4 * s.powi(5), |s: f64| d(s) - 2.0 * s.powi(4));
        let cases: [(&[f64], Curve); 2] =
            [(&[-0.8], (&p, &d)), (&[-0.8, -2.1], (&quintic, &slope))];
        for (past, curve) in cases {
            for s in [0.0, 0.2, 0.55, 0.9, 1.0] {
                let [value, rate] = through(s, past, curve);
                assert!((value - curve.0(s)).abs() < 1e-14 && (rate - curve.1(s)).abs() < 1e-13);
                // too near to tell anything
                assert_eq!(through(s, &[-0.01], curve), through(s, &[], curve));
            }
        }
    }
}
