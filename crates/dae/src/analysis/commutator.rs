//! How increments of a configuration turn when the configuration itself moves.

use super::dense::scales;
use crate::state::State;
use crate::system::System;
use faer::Mat;

/// What the differences leave uncertain, in the scales of the coordinates and the speed: rounding over the
/// product of their two steps, `ε/(4·(2e-3)²)`, is a thousandth of it, and so is the truncation, `(2e-3)⁴`.
const NOISE: f64 = 1e-8;

/// The fastest velocity in the scales of the coordinates.
fn speed(system: &dyn System, state: &State) -> f64 {
    (0..state.v.len()).map(|i| (state.v[i] / system.scale(i)).abs()).fold(0.0, f64::max)
}

/// Bounds of the errors of [`commutator`], entry by entry.
pub(super) fn commutator_noise(system: &dyn System, state: &State) -> Mat<f64> {
    let (n, speed, scale) = (state.v.len(), speed(system, state), scales(system));
    Mat::from_fn(n, n, |i, j| NOISE * speed * scale[i] / scale[j])
}

/// `C` with `δq̇ = δv − C δq`: the mixed second derivative of `local(q ∘ hv, (q ∘ δ) ∘ hv)`, by
/// central differences of fourth order.
pub(super) fn commutator(system: &dyn System, state: &State) -> Mat<f64> {
    let n = state.v.len();
    let mut matrix = Mat::zeros(n, n);
    let speed = speed(system, state);
    if speed == 0.0 {
        return matrix;
    }
    let scale = scales(system);
    let difference = |step: f64, j: usize| -> Vec<f64> {
        let h = step / speed;
        let mut sum = vec![0.0; n];
        for (sign_h, sign_d) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let along: Vec<f64> = state.v.iter().map(|v| sign_h * h * v).collect();
            let mut aside = vec![0.0; n];
            aside[j] = sign_d * step * scale[j];
            let mut base = state.q.clone();
            system.retract(&state.q, &along, &mut base);
            let (mut shifted, mut moved) = (state.q.clone(), state.q.clone());
            system.retract(&state.q, &aside, &mut shifted);
            system.retract(&shifted, &along, &mut moved);
            let mut local = vec![0.0; n];
            system.local(&base, &moved, &mut local);
            for (sum, local) in sum.iter_mut().zip(local) {
                *sum += sign_h * sign_d * local;
            }
        }
        sum.iter().map(|s| s / (4.0 * h * step * scale[j])).collect()
    };
    for j in 0..n {
        let (coarse, fine) = (difference(4e-3, j), difference(2e-3, j));
        for i in 0..n {
            let value = (4.0 * fine[i] - coarse[i]) / 3.0;
            // below the noise of the differences, configurations add
            let noise = NOISE * speed * scale[i] / scale[j];
            matrix[(i, j)] = if value.abs() > noise { -value } else { 0.0 };
        }
    }
    matrix
}
