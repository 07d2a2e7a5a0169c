//! How joint coordinates move: those of turns and slides add, a ball moves by increments and velocities in its own axes,
//! `q = q₀ exp(Δ)`.

use super::link::{Freedom, Link};
use nalgebra::Vector3;
use rotula_lie::{Quaternion, so3};

/// Coordinates that add, one after the other.
#[derive(Clone, Debug)]
struct Run {
    q: usize,
    v: usize,
    count: usize,
}

/// Where all coordinates are that add, and all that are quaternions: configuration and velocity of each.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    runs: Vec<Run>,
    balls: Vec<(usize, usize)>,
}

impl Chart {
    pub fn new(links: &[Link]) -> Self {
        let mut chart = Chart::default();
        for Link { q, v, freedom, .. } in links {
            match freedom {
                Freedom::None => {}
                Freedom::Ball => chart.balls.push((*q, *v)),
                Freedom::Turn(_) | Freedom::Slide(_) => match chart.runs.last_mut() {
                    Some(run) if run.q + run.count == *q => run.count += 1,
                    _ => chart.runs.push(Run { q: *q, v: *v, count: 1 }),
                },
            }
        }
        chart
    }

    /// Coordinates where nothing has moved yet.
    pub fn reset(&self, q: &mut [f64]) {
        q.fill(0.0);
        self.balls.iter().for_each(|(ball, _)| q[*ball] = 1.0);
    }

    pub fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        for Run { q: first, v, count } in &self.runs {
            let (own, more) = (&q[*first..first + count], &increment[*v..v + count]);
            let out = &mut out[*first..first + count];
            for k in 0..*count {
                out[k] = own[k] + more[k];
            }
        }
        for &(ball, v) in &self.balls {
            let turned = turn(q, ball) * Quaternion::exp(&three(increment, v));
            out[ball..ball + 4].copy_from_slice(&turned.normalised().to_array());
        }
    }

    pub fn local(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        for Run { q: first, v, count } in &self.runs {
            for k in 0..*count {
                out[v + k] = other[first + k] - q[first + k];
            }
        }
        for &(ball, v) in &self.balls {
            let turn = (turn(q, ball).conjugate() * turn(other, ball)).shortest().log();
            out[v..v + 3].copy_from_slice(turn.as_slice());
        }
    }

    pub fn increment_rate(&self, increment: &[f64], v: &[f64], out: &mut [f64]) {
        out.copy_from_slice(v);
        for &(_, ball) in &self.balls {
            let rate = so3::tangent_inverse(&three(increment, ball)) * three(v, ball);
            out[ball..ball + 3].copy_from_slice(rate.as_slice());
        }
    }
}

/// The quaternion that begins at a place.
pub(super) fn turn(q: &[f64], at: usize) -> Quaternion {
    Quaternion::new(q[at], q[at + 1], q[at + 2], q[at + 3])
}

/// The three numbers that begin at a place.
pub(super) fn three(values: &[f64], at: usize) -> Vector3<f64> {
    Vector3::new(values[at], values[at + 1], values[at + 2])
}
