//! The plane pendulum of unit length in its angle from the vertical, solved far more exactly than any
//! entry needs and independently of the integrators under test.

use crate::study::larger;

const GRAVITY: f64 = 9.81;
/// Steps of the classical Runge–Kutta method; its error is below 1e-12 for a second.
const SUBSTEP: f64 = 1e-4;

/// Angle and rate after `time`.
pub(crate) fn flow((mut angle, mut rate): (f64, f64), time: f64) -> (f64, f64) {
    let steps = larger((time / SUBSTEP).ceil(), 4.0);
    let h = time / steps;
    let pull = |angle: f64| -GRAVITY * angle.sin();
    for _ in 0..steps as usize {
        let (a1, w1) = (rate, pull(angle));
        let (a2, w2) = (rate + 0.5 * h * w1, pull(angle + 0.5 * h * a1));
        let (a3, w3) = (rate + 0.5 * h * w2, pull(angle + 0.5 * h * a2));
        let (a4, w4) = (rate + h * w3, pull(angle + h * a3));
        angle += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        rate += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    }
    (angle, rate)
}

/// Multipliers `3 g y` at increasing times of the pendulum released horizontal at time 0.
pub(crate) fn multipliers(times: &[f64]) -> Vec<f64> {
    let mut state = (std::f64::consts::FRAC_PI_2, 0.0);
    let mut now = 0.0;
    let at = |&t: &f64| {
        if t > now {
            state = flow(state, t - now);
            now = t;
        }
        -3.0 * GRAVITY * state.0.cos()
    };
    times.iter().map(at).collect()
}
