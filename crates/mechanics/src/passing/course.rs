//! How a body moves in a step, between motions that are known at both ends.

use crate::node::Motion;
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use std::f64::consts::TAU;

/// Positions along the cubic with the velocities of both ends, turning at one rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// The points whose polygon the cubic lies in, and so its velocities in those of their differences.
    points: [Vector3<f64>; 4],
    start: Quaternion,
    /// The rotation from one end to the other, in the axes of the start.
    turn: Vector3<f64>,
    fastest_turn: f64,
    h: f64,
}

/// The frame of a motion.
pub(super) fn frame(motion: &Motion) -> Frame {
    Frame::new(motion.position, Quaternion::from_matrix(&motion.rotation))
}

impl Course {
    pub(super) fn new(from: &Motion, to: &Motion, h: f64) -> Self {
        let third = |m: &Motion| m.rotation * m.velocity * (h / 3.0);
        let points =
            [from.position, from.position + third(from), to.position - third(to), to.position];
        let start = Quaternion::from_matrix(&from.rotation);
        let end = Quaternion::from_matrix(&to.rotation);
        let mean = 0.5 * h * (from.omega + to.omega);
        let turn = wound((start.conjugate() * end).shortest().log(), &mean);
        let fastest_turn = from.omega.norm().max(to.omega.norm()).max(turn.norm() / h);
        Course { points, start, turn, fastest_turn, h }
    }

    /// Where it is after a part of the step.
    pub(super) fn at(&self, s: f64) -> Frame {
        let [a, b, c, d] = &self.points;
        let r = 1.0 - s;
        let place =
            a * (r * r * r) + b * (3.0 * s * r * r) + c * (3.0 * s * s * r) + d * (s * s * s);
        Frame::new(place, self.start * Quaternion::exp(&(self.turn * s)))
    }

    /// A bound on how fast another one moves past it.
    pub(super) fn fastest_to(&self, other: &Course) -> f64 {
        let way = |k: usize| other.points[k] - self.points[k];
        let leg = |k: usize| (way(k + 1) - way(k)).norm();
        3.0 / self.h * leg(0).max(leg(1)).max(leg(2))
    }

    /// A bound on how fast it turns.
    pub(super) fn turning(&self) -> f64 {
        self.fastest_turn
    }
}

/// A rotation with whole turns added, as near as can be to what the rates of both ends say.
fn wound(turn: Vector3<f64>, expected: &Vector3<f64>) -> Vector3<f64> {
    let angle = turn.norm();
    if expected.norm() < 0.5 * TAU || angle == 0.0 {
        return turn;
    }
    let axis = turn / angle;
    axis * (angle + TAU * ((axis.dot(expected) - angle) / TAU).round())
}
