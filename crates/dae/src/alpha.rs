//! The recursion shared by the whole generalized-α family: predictors, algorithmic acceleration,
//! variable-step adjustment and local error.
//!
//! Positions and velocities are affine in the new acceleration, `Δ = Δ̂ + c8 v̇`, `v = v̂ + c7 v̇`;
//! first-order states follow the same rule as velocities, `x = x̂ + c7 ẋ`.

use crate::coefficients::{Coefficients, StepConstants};
use crate::settings::{Adjustment, Settings};
use crate::state::State;
use crate::step::LocalError;
use crate::system::Sizes;
use crate::vector::{rms_weighted, scaled_sum};
use serde::{Deserialize, Serialize};

/// First guess handed to a formulation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Guess<'a> {
    /// Predicted accelerations, multipliers, rates and variables at the end of the step.
    Values { vdot: &'a [f64], multipliers: &'a [f64], xdot: &'a [f64], y: &'a [f64] },
    /// Constant velocity: `q = qₙ + h vₙ`.
    Euler,
    /// Constant position: `q = qₙ`.
    Hold,
}

/// Memory and step values of the recursion.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Alpha {
    pub coefficients: Coefficients,
    pub adjustment: Adjustment,
    pub c: StepConstants,
    /// Accepted algorithmic acceleration and rate.
    pub a: Vec<f64>,
    w: Vec<f64>,
    /// What the last accepted step started from, and its size.
    a_before: Vec<f64>,
    w_before: Vec<f64>,
    pub previous_h: Option<f64>,
    /// Adjusted values this attempt starts from.
    pub a_start: Vec<f64>,
    w_start: Vec<f64>,
    /// Values at zero acceleration.
    pub increment_hat: Vec<f64>,
    pub v_hat: Vec<f64>,
    pub x_hat: Vec<f64>,
    /// Algorithmic values of this attempt.
    pub a_new: Vec<f64>,
    w_new: Vec<f64>,
    /// Rate of the states one accepted step back.
    xdot_before: Vec<f64>,
}

impl Alpha {
    /// The recursion that the settings ask for.
    pub fn of(sizes: Sizes, settings: &Settings) -> Self {
        let (coefficients, adjustment) = (settings.coefficients, settings.adjustment);
        let motion = || vec![0.0; sizes.motion];
        let states = || vec![0.0; sizes.states];
        Alpha {
            coefficients,
            adjustment,
            c: StepConstants::default(),
            a: motion(),
            w: states(),
            a_before: motion(),
            w_before: states(),
            previous_h: None,
            a_start: motion(),
            w_start: states(),
            increment_hat: motion(),
            v_hat: motion(),
            x_hat: states(),
            a_new: motion(),
            w_new: states(),
            xdot_before: states(),
        }
    }

    /// Starts afresh: `a = v̇`, `w = ẋ`.
    pub fn restart(&mut self, state: &State) {
        self.a.copy_from_slice(&state.vdot);
        self.w.copy_from_slice(&state.xdot);
        self.previous_h = None;
    }

    /// `r = h / h₋` where the step size changes by more than the rounding of times, else `None`.
    pub fn step_ratio(&self, h: f64) -> Option<f64> {
        let ratio = h / self.previous_h?;
        ((ratio - 1.0).abs() > 1e-6).then_some(ratio)
    }

    /// Prepares a step of size `h` from an accepted state, with velocity `v` (usually the state's).
    pub fn begin(&mut self, state: &State, v: &[f64], h: f64) {
        self.c = self.coefficients.step(h);
        self.adjust(state, h);
        let c = self.c;
        let n = v.len();
        // slices of one length: vector instructions take them
        let (vdot, a_start) = (&state.vdot[..n], &self.a_start[..n]);
        let (increment, velocity) = (&mut self.increment_hat[..n], &mut self.v_hat[..n]);
        for i in 0..n {
            let (vdot, a) = (vdot[i], a_start[i]);
            increment[i] = h * v[i] + c.c1 * vdot + c.c2 * a; // [Dymore note, eq. 10]
            velocity[i] = v[i] + c.c3 * vdot + c.c4 * a; // [Dymore note, eq. 12]
        }
        for i in 0..state.x.len() {
            self.x_hat[i] = state.x[i] + c.c3 * state.xdot[i] + c.c4 * self.w_start[i];
        }
    }

    /// Moves the algorithmic values to the place they have for the new step size.
    fn adjust(&mut self, state: &State, h: f64) {
        self.a_start.copy_from_slice(&self.a);
        self.w_start.copy_from_slice(&self.w);
        let Some(ratio) = self.step_ratio(h) else { return };
        match self.adjustment {
            Adjustment::Off => {}
            Adjustment::Extrapolated | Adjustment::AccelerationOnly => {
                let factor = self.coefficients.alpha() * (ratio - 1.0); // [Jay & Negrut 2009, eq. 14a]
                extrapolate(&mut self.a_start, &self.a, &self.a_before, factor);
                extrapolate(&mut self.w_start, &self.w, &self.w_before, factor);
            }
            Adjustment::Rescaled => {
                rescale(&mut self.a_start, &state.vdot, ratio); // [Negrut et al. 2005, sheet §2.2]
                rescale(&mut self.w_start, &state.xdot, ratio);
            }
        }
    }

    /// Position increment for an acceleration.
    pub fn set_increment(&self, vdot: &[f64], increment: &mut [f64]) {
        scaled_sum(&self.increment_hat, self.c.c8, vdot, increment);
    }

    /// Velocity for an acceleration.
    pub fn set_velocity(&self, vdot: &[f64], v: &mut [f64]) {
        scaled_sum(&self.v_hat, self.c.c7, vdot, v);
    }

    /// States for a rate.
    pub fn set_states(&self, xdot: &[f64], x: &mut [f64]) {
        scaled_sum(&self.x_hat, self.c.c7, xdot, x);
    }

    /// Turns a guess into the acceleration that realises it.
    pub fn guess_acceleration(&self, guess: &Guess, v: &[f64], out: &mut [f64]) {
        match guess {
            Guess::Values { vdot, .. } => out.copy_from_slice(vdot),
            Guess::Euler => {
                for i in 0..out.len() {
                    out[i] = (self.c.h * v[i] - self.increment_hat[i]) / self.c.c8;
                }
            }
            Guess::Hold => {
                for i in 0..out.len() {
                    out[i] = -self.increment_hat[i] / self.c.c8;
                }
            }
        }
    }

    /// Algorithmic values that belong to the converged acceleration and rate.
    pub fn conclude(&mut self, state: &State, vdot: &[f64], xdot: &[f64]) {
        let c = self.c;
        let n = vdot.len();
        let (old, start, new) = (&state.vdot[..n], &self.a_start[..n], &mut self.a_new[..n]);
        for i in 0..n {
            new[i] = c.c5 * old[i] + c.c6 * start[i] + c.c9 * vdot[i];
        }
        for i in 0..xdot.len() {
            self.w_new[i] = c.c5 * state.xdot[i] + c.c6 * self.w_start[i] + c.c9 * xdot[i];
        }
    }

    /// `(1−α) v̇₀ + α v̇₁`: the acceleration at `t₀ + αh` after a step to `next`. [Jay & Negrut 2009, eq. 8]
    pub fn shifted_acceleration(&self, state: &State, next: &State, out: &mut [f64]) {
        let alpha = self.coefficients.alpha();
        for (out, (old, new)) in out.iter_mut().zip(state.vdot.iter().zip(&next.vdot)) {
            *out = (1.0 - alpha) * old + alpha * new;
        }
    }

    /// Local error of the attempt, relative to the weights of coordinates and states. [Dymore note, sheet §5; Negrut et al.
    /// 2005, sheet §2.4]
    pub fn local_error(
        &self,
        (state, next): (&State, &State),
        weights: &[f64],
        state_weights: &[f64],
    ) -> LocalError {
        let h = self.c.h;
        let position = self.coefficients.position_error_constant()
            * h
            * h
            * rms_weighted([&self.a_new, &self.a_start], |[a, b]| a - b, weights);
        LocalError { position, state: self.state_error(state, next, state_weights), state_order: 2 }
    }

    fn state_error(&self, state: &State, next: &State, weights: &[f64]) -> f64 {
        let n = state.x.len();
        if n == 0 {
            return 0.0;
        }
        let h = self.c.h;
        let mut sum = 0.0;
        for i in 0..n {
            let slope = (next.xdot[i] - state.xdot[i]) / h;
            // One step back is unknown after a start: use the whole slope as a safe bound.
            let third = match self.previous_h {
                Some(before) => {
                    let old = (state.xdot[i] - self.xdot_before[i]) / before;
                    2.0 * (slope - old) / (h + before)
                }
                None => slope / h,
            };
            sum += (third / weights[i]).powi(2);
        }
        self.coefficients.state_error_constant() * h.powi(3) * (sum / n as f64).sqrt()
    }

    /// The attempt is accepted: candidate values become memory.
    pub fn commit(&mut self, state: &State) {
        std::mem::swap(&mut self.a_before, &mut self.a_start);
        std::mem::swap(&mut self.w_before, &mut self.w_start);
        self.a.copy_from_slice(&self.a_new);
        self.w.copy_from_slice(&self.w_new);
        self.xdot_before.copy_from_slice(&state.xdot);
        self.previous_h = Some(self.c.h);
    }
}

fn extrapolate(start: &mut [f64], now: &[f64], before: &[f64], factor: f64) {
    for i in 0..start.len() {
        start[i] = now[i] + factor * (now[i] - before[i]);
    }
}

fn rescale(start: &mut [f64], base: &[f64], ratio: f64) {
    for (a, b) in start.iter_mut().zip(base) {
        *a = b + ratio * (*a - b);
    }
}
