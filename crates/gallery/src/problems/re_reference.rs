//! Euler angles that never come near their singularity: whenever `|sin θ|` of a body falls below a
//! limit, its angles are counted against a new reference frame, in which they are (0, π/2, 0).
//! [Negrut et al. 2005, sheet §3.4]
//!
//! The motion itself does not notice: rotation, angular velocity and angular acceleration are kept,
//! and rates, accelerations and algorithmic accelerations of the angles are those that belong to
//! them. The integrator forgets its predictor, its matrix and the largest magnitudes of the angles.

use super::rigid_body::{Orientation, RigidBody, Vector, safe_reference};
use super::spatial::Mechanism;
use crate::study::{run_freely, smaller};
use rotula_dae::automatic::Automatic;
use rotula_dae::{
    Diagnosis, Failure, InitialPolicy, Settings, StartAcceleration, State, Statistics, StepControl,
    StepRecord,
};
use std::f64::consts::FRAC_PI_2;

/// A new reference frame is due below this `|sin θ|`.
pub const LIMIT: f64 = 0.3;

/// The end of a run with new reference frames.
#[derive(Clone, Debug)]
pub struct ReReferenced {
    /// The last state, in the angles of the system as it is then.
    pub state: State,
    /// Counters of all pieces together.
    pub statistics: Statistics,
    /// How often a frame was changed.
    pub changes: usize,
    /// Smallest `|sin θ|` of an accepted step.
    pub smallest_sine: f64,
}

/// Runs a mechanism and gives its bodies new reference frames where they need them; `watch` sees
/// every accepted state with the mechanism in whose angles it is written.
pub fn simulate_re_referenced(
    system: &mut Automatic<Mechanism>,
    initial: &State,
    settings: &Settings,
    watch: &mut dyn FnMut(&Mechanism, &State),
) -> Result<ReReferenced, Diagnosis> {
    let mut settings = settings.clone();
    let mut state = initial.clone();
    let mut statistics = Statistics::default();
    let (mut changes, mut smallest_sine) = (0, f64::INFINITY);
    loop {
        let mechanism = system.equations().clone();
        let mut last = 0.0;
        let mut observer = |state: &State, step: &StepRecord| {
            last = step.h;
            watch(&mechanism, state);
            let sine = smallest(&mechanism, &state.q);
            smallest_sine = smaller(smallest_sine, sine);
            sine >= LIMIT
        };
        let outcome = run_freely(system, &state, &settings, &mut observer)?;
        statistics.add(&outcome.trajectory.statistics);
        state = outcome.state;
        match outcome.failure {
            Some(diagnosis) if diagnosis.failure != Failure::Interrupted => return Err(diagnosis),
            Some(_) if state.t < settings.until => {}
            _ => return Ok(ReReferenced { state, statistics, changes, smallest_sine }),
        }
        for body in system.equations_mut().bodies_mut() {
            if body.sine(&state.q).is_some_and(|sine| sine < LIMIT) {
                body.re_reference(&mut state);
                changes += 1;
            }
        }
        continue_from(&mut settings, state.t, last);
    }
}

/// Settings that go on at time `t` after a step of size `h`.
fn continue_from(settings: &mut Settings, t: f64, h: f64) {
    settings.start = t;
    settings.initial = InitialPolicy::Trust;
    settings.start_acceleration = StartAcceleration::Given;
    if let StepControl::Tolerance(control) = &mut settings.control {
        control.first = Some(h);
    }
}

/// Smallest `|sin θ|` of all bodies; infinite without Euler angles.
fn smallest(mechanism: &Mechanism, q: &[f64]) -> f64 {
    mechanism.bodies().iter().filter_map(|body| body.sine(q)).fold(f64::INFINITY, smaller)
}

impl RigidBody {
    /// `|sin θ|` of Euler angles.
    fn sine(&self, q: &[f64]) -> Option<f64> {
        let euler = matches!(self.orientation, Orientation::Euler { .. });
        euler.then(|| q[self.first + 4].sin().abs())
    }

    /// Counts the angles against a frame in which they are (0, π/2, 0).
    fn re_reference(&mut self, state: &mut State) {
        let angles = self.first + 3..self.first + 6;
        let three =
            |values: &[f64]| -> Vector<f64> { std::array::from_fn(|i| values[self.first + 3 + i]) };
        let (p, rate) = (three(&state.q), three(&state.v));
        let velocity = self.body_rates(&p, &rate);
        let accelerations = [&state.vdot, &state.a].map(|of| {
            let (linear, drift) = (self.body_rates(&p, &three(of)), self.rate_drift(&p, &rate));
            std::array::from_fn::<f64, 3, _>(|k| linear[k] + drift[k]) // ω̇ = T ë + Ṫ ė
        });
        self.orientation =
            Orientation::Euler { reference: safe_reference(&self.rotation(&state.q)) };
        let p = [0.0, FRAC_PI_2, 0.0];
        let rate = self.coordinate_rates(&p, velocity);
        let drift = self.rate_drift(&p, &rate);
        state.q[angles.clone()].copy_from_slice(&p);
        for (values, acceleration) in [&mut state.vdot, &mut state.a].into_iter().zip(accelerations)
        {
            let linear = std::array::from_fn(|k| acceleration[k] - drift[k]);
            values[angles.clone()].copy_from_slice(&self.coordinate_rates(&p, linear));
        }
        state.v[angles].copy_from_slice(&rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problems::rigid_body::about;
    use rotula_dae::Sizes;

    /// Rotation, and the angular velocity and acceleration by differences along a parabola through
    /// the state; nothing of this uses the rate matrices.
    fn motion(body: &RigidBody, state: &State, acceleration: &[f64]) -> Vec<f64> {
        let h = 1e-4;
        let at = |t: f64| {
            let q: Vec<f64> = (0..6)
                .map(|i| state.q[i] + t * state.v[i] + 0.5 * t * t * acceleration[i])
                .collect();
            nalgebra::Matrix3::from_fn(|i, j| body.rotation(&q)[i][j])
        };
        let (before, now, after) = (at(-h), at(0.0), at(h));
        let first = now.transpose() * (after - before) / (2.0 * h);
        let second = now.transpose() * (after - 2.0 * now + before) / (h * h);
        // RᵀR̈ = ω̇~ + ω~ω~, whose skew part is ω̇~
        let axial = |m: nalgebra::Matrix3<f64>| {
            [(2, 1), (0, 2), (1, 0)].map(|(i, j)| 0.5 * (m[(i, j)] - m[(j, i)]))
        };
        [now.as_slice(), &axial(first), &axial(second)].concat()
    }

    #[test]
    fn a_new_reference_keeps_the_motion() {
        let orientation = Orientation::Euler { reference: about(0, 0.4) };
        let mut body = RigidBody { mass: 1.0, inertia: [1.0, 2.0, 3.0], orientation, first: 0 };
        let mut state = State::zeros(Sizes::vector(6));
        state.q = vec![0.1, 0.2, 0.3, 0.8, 0.25, -1.1];
        state.v = vec![1.0, 2.0, 3.0, 0.7, -1.3, 0.4];
        state.vdot = vec![3.0, 2.0, 1.0, -0.5, 0.9, 2.2];
        state.a = vec![3.1, 2.1, 1.1, -0.4, 1.0, 2.0];
        let before = [&state.vdot, &state.a].map(|a| motion(&body, &state, a));
        let linear = state.clone();
        body.re_reference(&mut state);
        let after = [&state.vdot, &state.a].map(|a| motion(&body, &state, a));
        for (before, after) in before.concat().iter().zip(after.concat()) {
            assert!((before - after).abs() < 1e-6, "{before} {after}");
        }
        assert_eq!(state.q[3..], [0.0, FRAC_PI_2, 0.0]);
        assert_eq!((&state.q[..3], &state.v[..3]), (&linear.q[..3], &linear.v[..3]));
        assert_eq!((&state.vdot[..3], &state.a[..3]), (&linear.vdot[..3], &linear.a[..3]));
    }
}
