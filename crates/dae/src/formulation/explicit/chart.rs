//! The chart of increments in which a step is taken.

use crate::diagnosis::{Diagnosis, Failure};
use crate::state::State;
use crate::system::System;
use crate::vector::rms_weighted;

/// How far rates of increments may be from differences of increments before a system is refused.
const SAME_RATE: f64 = 1e-4;

/// Refuses a system that moves its configuration along curves but says of increments that they add.
pub(super) fn check_rates(system: &mut dyn System, state: &State) -> Result<(), Diagnosis> {
    let n = state.v.len();
    let scales: Vec<f64> = (0..n).map(|i| system.scale(i)).collect();
    let direction = |shift: f64, size: f64| -> Vec<f64> {
        let some =
            |(i, scale): (usize, &f64)| size * scale * (1.0 + 0.7 * (i as f64 + shift).sin());
        scales.iter().enumerate().map(some).collect()
    };
    let (increment, velocity) = (direction(1.0, 0.1), direction(0.0, 1.0));
    let mut there = state.q.clone();
    system.retract(&state.q, &increment, &mut there);
    let after = |duration: f64| {
        let step: Vec<f64> = velocity.iter().map(|v| duration * v).collect();
        let (mut moved, mut end) = (there.clone(), vec![0.0; n]);
        system.retract(&there, &step, &mut moved);
        system.local(&state.q, &moved, &mut end);
        end
    };
    let (later, earlier, mut rate) = (after(1e-4), after(-1e-4), vec![0.0; n]);
    system.increment_rate(&increment, &velocity, &mut rate);
    let difference = |[later, earlier, rate]: [f64; 3]| (later - earlier) / 2e-4 - rate;
    let wrong = rms_weighted([&later, &earlier, &rate], difference, &scales);
    if wrong <= SAME_RATE * rms_weighted([&rate], |[rate]| rate, &scales).max(1.0) {
        return Ok(());
    }
    Err(Diagnosis::new(Failure::Unsupported, state.t, "the configuration of this system moves along curves, and no `increment_rate` says how fast \
                  increments grow there: the explicit method would not have its order"
            ).remedied_by(vec![
            "hand out `Manifold` with the `increment_rate` of the system, the inverse tangent map of its `retract`".into(),
            "or use another formulation".into(),
        ]))
}
