//! The pendulum of document 001, eq. (16), in its one degree of freedom: a reference at any time.
//!
//! `(4/3) m L² θ″ = −c θ′ − k (θ − 3π/2) − m g L cos θ`, by the classical Runge–Kutta method.

use super::errors::Solution;
use crate::study::larger;
use std::f64::consts::PI;

const MASS: f64 = 5.0;
const LENGTH: f64 = 2.0;
const STIFFNESS: f64 = 3000.0;
const DAMPING: f64 = 100.0;
const GRAVITY: f64 = 9.81;
/// Errors of the fourth-order method with this step are far below those that are measured.
const STEP: f64 = 1e-4;

fn acceleration([theta, omega]: [f64; 2]) -> f64 {
    let moment =
        -DAMPING * omega - STIFFNESS * (theta - 1.5 * PI) - MASS * GRAVITY * LENGTH * theta.cos();
    moment / (4.0 / 3.0 * MASS * LENGTH * LENGTH)
}

/// Angle and rate at time `t`, which may lie before the start.
fn motion(t: f64) -> [f64; 2] {
    let steps = larger((t / STEP).abs().ceil(), 1.0);
    let h = t / steps;
    let mut y = [1.5 * PI, 10.0];
    let rate = |y: [f64; 2]| [y[1], acceleration(y)];
    let ahead = |y: [f64; 2], k: [f64; 2], s: f64| [y[0] + s * k[0], y[1] + s * k[1]];
    for _ in 0..steps as usize {
        let k1 = rate(y);
        let k2 = rate(ahead(y, k1, h / 2.0));
        let k3 = rate(ahead(y, k2, h / 2.0));
        let k4 = rate(ahead(y, k3, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y
}

/// The solution in the three coordinates of eq. (16), with multipliers in the sign of Rotula.
pub(crate) fn solution(t: f64) -> Solution {
    let [theta, omega] = motion(t);
    let alpha = acceleration([theta, omega]);
    let (sin, cos) = theta.sin_cos();
    let ax = -LENGTH * (sin * alpha + cos * omega * omega);
    let ay = LENGTH * (cos * alpha - sin * omega * omega);
    Solution {
        q: vec![LENGTH * cos, LENGTH * sin, theta],
        v: vec![-LENGTH * sin * omega, LENGTH * cos * omega, omega],
        vdot: vec![ax, ay, alpha],
        multipliers: vec![MASS * ax, MASS * (ay + GRAVITY)],
    }
}
