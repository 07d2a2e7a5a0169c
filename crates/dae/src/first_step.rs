//! The size of the first step, from the jerk at the start. [Negrut et al. 2005, sheet §2.3]

use crate::consistency::solve_accelerations;
use crate::diagnosis::Diagnosis;
use crate::settings::{InitialPolicy, Settings, StepControl};
use crate::state::State;
use crate::system::System;
use crate::underlying::Underlying;
use crate::vector::rms_weighted;

/// From this order on, the first step follows the rule for methods of high order: the jerk alone says little about their error.
const HIGH_ORDER: usize = 6;

/// Chooses the first step of an error-controlled run, whose error falls like `h^(order+1)`; fixed-step runs ignore it.
pub(crate) fn first_step(
    system: &mut dyn System,
    state: &State,
    settings: &Settings,
    order: usize,
    underlying: &mut Underlying,
) -> Result<f64, Diagnosis> {
    let StepControl::Tolerance(control) = &settings.control else { return Ok(0.0) };
    let span = settings.until - settings.start;
    let cautious = (span / 100.0).min(control.max);
    if let Some(first) = control.first {
        return Ok(first);
    }
    if settings.initial == InitialPolicy::Trust {
        return Ok(cautious);
    }
    let delta = 1e-6 * span;
    let mut ahead = state.clone();
    ahead.t += delta;
    let increment: Vec<f64> = state.v.iter().map(|v| delta * v).collect();
    system.retract(&state.q, &increment, &mut ahead.q);
    for (v, vdot) in ahead.v.iter_mut().zip(&state.vdot) {
        *v += delta * vdot;
    }
    for (x, xdot) in ahead.x.iter_mut().zip(&state.xdot) {
        *x += delta * xdot;
    }
    // A start next to a singular point is for the march to report.
    if solve_accelerations(system, &mut ahead, underlying).is_err() {
        return Ok(cautious);
    }
    let weights: Vec<f64> = (0..state.v.len()).map(|i| system.scale(i)).collect();
    let jerk = rms_weighted([&ahead.vdot, &state.vdot], |[a, b]| (a - b) / delta, &weights);
    if order >= HIGH_ORDER {
        // [Hairer, Nørsett & Wanner 1993, II.4: starting step size]
        let change = jerk.max(rms_weighted([&state.vdot], |[a]| a, &weights)).max(1e-300);
        return Ok((0.01 * control.tolerance / change)
            .powf(1.0 / (order as f64 + 1.0))
            .min(cautious));
    }
    let constant = settings.coefficients.position_error_constant();
    let limit = (control.tolerance / (constant * jerk).max(1e-300)).cbrt();
    let curvature: f64 = ahead.xdot.iter().zip(&state.xdot).map(|(a, b)| (a - b).abs()).sum();
    let state_limit = (control.tolerance / (0.3 * curvature / delta).max(1e-300)).sqrt();
    Ok(0.5 * limit.min(state_limit).min(cautious))
}
