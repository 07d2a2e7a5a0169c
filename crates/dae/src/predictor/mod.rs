//! Prediction of accelerations, multipliers, rates and variables from accepted steps. [Negrut et al. 2005, sheet §3.1]
//!
//! A polynomial is the natural guess, but not behind a position constraint: there the recursion of a
//! generalized-α method answers every small error of an iteration with an oscillation that changes
//! its sign from step to step, a hundred times larger than the error at ρ∞ = 0.9, and no polynomial
//! follows it. With `z` the shift by one step and the positions prescribed, velocity and acceleration
//! repeat with
//!
//! ```text
//! z² − tr z + det,   tr = 2 − (γ + ½)/β,   det = 1 + (½ − γ)/β        [Dymore note, eqs. 8–13 with q given]
//! ```
//!
//! and the true acceleration follows the algorithmic one with `z + α_f/(1 − α_f)`: three times −ρ∞
//! for Chung and Hulbert's coefficients. With velocities prescribed it is `z + (1 − γ)/γ` instead of
//! the quadratic. Formulations that correct positions and velocities do not oscillate. The product of these factors, applied to the past, removes
//! the oscillation; what is left is smooth, is extrapolated, and the oscillation put back. Whichever
//! guess was nearer lately is used.

mod differences;

use crate::coefficients::Coefficients;
use crate::ringing::Prescribed;
use crate::state::State;
use differences::{Differences, LANES, Lanes, POINTS};
use serde::{Deserialize, Serialize};

/// Terms of the past in the filter.
const PAST: usize = 3;

/// Weights of the values one, two and three steps back; the new one has weight 1. Zeros: no filter.
pub(crate) type Filter = [f64; PAST];

/// See the [module](self).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Predictor {
    plain: Differences,
    filtered: Differences,
    /// Weights of the last values in the filter.
    filter: Filter,
    /// The last values, newest first, at equal distances; so many are known.
    past: [Vec<Lanes>; PAST],
    known: usize,
    last: f64,
    step: f64,
    cap: usize,
    values: Vec<Lanes>,
    prediction: Vec<Lanes>,
    length: usize,
}

impl Predictor {
    pub fn new(state: &State, filter: Filter) -> Self {
        let length = length(state);
        let groups = length.div_ceil(LANES);
        let zeros = || vec![[0.0; LANES]; groups];
        Predictor {
            plain: Differences::new(groups),
            filtered: Differences::new(groups),
            filter,
            past: std::array::from_fn(|_| zeros()),
            known: 0,
            last: f64::NAN,
            step: f64::NAN,
            cap: POINTS - 1,
            values: zeros(),
            prediction: zeros(),
            length,
        }
    }

    /// Forgets the past, except the given state.
    pub fn restart(&mut self, state: &State) {
        self.plain.forget();
        self.filtered.forget();
        self.known = 0;
        self.accept(state);
    }

    /// Distrusts high degrees until the next acceptance.
    pub fn caution(&mut self, worse: bool) {
        self.cap = if worse { 0 } else { self.cap.saturating_sub(1).min(1) };
    }

    /// Learns an accepted state.
    pub fn accept(&mut self, state: &State) {
        let t = state.t;
        gather(state, self.values.as_flattened_mut());
        self.plain.learn(t, &self.values);
        if self.filter != [0.0; PAST] {
            self.learn_filtered(t);
        }
        self.cap = POINTS - 1;
    }

    fn learn_filtered(&mut self, t: f64) {
        let step = t - self.last;
        if !self.even(step) {
            self.filtered.forget();
            self.known = self.known.min(1);
        }
        (self.last, self.step) = (t, step);
        if self.known == PAST {
            self.prediction.copy_from_slice(&self.values);
            self.add_past(1.0);
            self.filtered.learn(t, &self.prediction);
        }
        self.past.rotate_right(1);
        std::mem::swap(&mut self.past[0], &mut self.values);
        self.known = (self.known + 1).min(PAST);
    }

    /// Whether a step is as long as the last one.
    fn even(&self, step: f64) -> bool {
        (step - self.step).abs() <= 1e-6 * self.step
    }

    /// Predicts at time `t`; `constant` asks for degree 0.
    pub fn predict(&mut self, t: f64, constant: bool) -> &[f64] {
        if constant {
            self.plain.predict(t, 0, &mut self.prediction);
            return &self.prediction.as_flattened()[..self.length];
        }
        let (degree, error) = self.plain.best(self.cap);
        let (other_degree, other_error) = self.filtered.best(self.cap);
        if other_error < error && self.even(t - self.last) {
            self.filtered.predict(t, other_degree, &mut self.prediction);
            self.add_past(-1.0);
        } else {
            self.plain.predict(t, degree, &mut self.prediction);
        }
        &self.prediction.as_flattened()[..self.length]
    }

    /// Adds the past, as the filter weighs it, to the prediction.
    fn add_past(&mut self, sign: f64) {
        let [f1, f2, f3] = self.filter.map(|f| sign * f);
        let [x1, x2, x3] = self.past.each_ref().map(|x| &x[..self.prediction.len()]);
        for (g, out) in self.prediction.iter_mut().enumerate() {
            for l in 0..LANES {
                out[l] += f1 * x1[g][l] + f2 * x2[g][l] + f3 * x3[g][l];
            }
        }
    }
}

/// The filter for what the constraints prescribe.
pub(crate) fn filter(coefficients: Coefficients, prescribed: Option<Prescribed>) -> Filter {
    match prescribed {
        Some(Prescribed::Positions) => given_positions(coefficients),
        Some(Prescribed::Velocities) => given_velocities(coefficients),
        None => Filter::default(),
    }
}

/// The filter where the constraints give positions: index 3.
fn given_positions(coefficients: Coefficients) -> Filter {
    let Coefficients { alpha_f, beta, gamma, .. } = coefficients;
    let follow = alpha_f / (1.0 - alpha_f);
    let (trace, determinant) = (2.0 - (gamma + 0.5) / beta, 1.0 + (0.5 - gamma) / beta);
    [follow - trace, determinant - follow * trace, follow * determinant]
}

/// The filter where the constraints give velocities: index 2.
fn given_velocities(coefficients: Coefficients) -> Filter {
    let Coefficients { alpha_f, gamma, .. } = coefficients;
    let (follow, turn) = (alpha_f / (1.0 - alpha_f), (1.0 - gamma) / gamma);
    [follow + turn, follow * turn, 0.0]
}

fn length(state: &State) -> usize {
    state.vdot.len() + state.multipliers.len() + state.xdot.len() + state.y.len()
}

fn gather(state: &State, mut out: &mut [f64]) {
    for part in [&state.vdot, &state.multipliers, &state.xdot, &state.y] {
        let (head, rest) = out.split_at_mut(part.len());
        head.copy_from_slice(part);
        out = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Sizes;

    fn learn(predictor: &mut Predictor, values: impl Fn(f64) -> f64, times: &[f64]) {
        let mut state = State::zeros(Sizes::vector(1));
        for (k, &t) in times.iter().enumerate() {
            state.t = t;
            state.vdot[0] = values(t);
            match k {
                0 => predictor.restart(&state),
                _ => predictor.accept(&state),
            }
        }
    }

    fn predictor(rho: f64) -> Predictor {
        let coefficients = Coefficients::generalized_alpha(rho).unwrap();
        Predictor::new(&State::zeros(Sizes::vector(1)), given_positions(coefficients))
    }

    #[test]
    fn a_cubic_is_predicted_exactly_once_its_degree_is_learnt() {
        let cubic = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t - 3.0 * t * t * t;
        let mut predictor = predictor(0.9);
        learn(&mut predictor, cubic, &[0.0, 0.1, 0.25, 0.3, 0.45, 0.6, 0.7]);
        assert!((predictor.predict(0.9, false)[0] - cubic(0.9)).abs() < 1e-12);
        assert_eq!(predictor.predict(0.9, true)[0], cubic(0.7));
    }

    #[test]
    fn the_filter_has_the_roots_of_the_recursion_with_given_positions() {
        // Chung and Hulbert: a threefold root at −ρ.
        let near = |found: Filter, expected: Filter| {
            let same = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(same, "{found:?} {expected:?}");
        };
        let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
        near(given_positions(coefficients), [2.7, 2.43, 0.729]);
        near(given_velocities(coefficients), [0.9 + 17.0 / 21.0, 0.9 * 17.0 / 21.0, 0.0]);
        near(given_positions(Coefficients::generalized_alpha(0.0).unwrap()), [0.0; 3]);
    }

    #[test]
    fn an_alternating_oscillation_is_continued() {
        let h = 0.125;
        let decay = |n: f64| (-0.9f64).powi(n as i32) * (2.0 + 0.3 * n - 0.1 * n * n);
        let signal = |t: f64| 1.0 + t - 0.5 * t * t + decay((t / h).round());
        let mut predictor = predictor(0.9);
        let times: Vec<f64> = (0..14).map(|k| k as f64 * h).collect();
        learn(&mut predictor, signal, &times);
        let next = 14.0 * h;
        assert!((predictor.predict(next, false)[0] - signal(next)).abs() < 1e-10);
        // Another step has another oscillation: back to polynomials.
        let far = predictor.predict(next + 0.5 * h, false)[0];
        assert!(far.is_finite() && (far - signal(next)).abs() > 1e-3);
    }
}
