//! Polynomial prediction of accelerations, multipliers, rates and variables from accepted steps.
//! [003 §3.1]

use crate::state::State;

const POINTS: usize = 4;

/// Newton divided differences through the last accepted values, with the degree that predicted best.
#[derive(Clone, Debug)]
pub(crate) struct Predictor {
    times: [f64; POINTS],
    /// Newest first.
    values: [Vec<f64>; POINTS],
    known: usize,
    /// Running mean of the logarithm of each degree's error.
    error: [f64; POINTS],
    judged: [bool; POINTS],
    cap: usize,
    prediction: Vec<f64>,
    trials: [Vec<f64>; POINTS],
}

impl Predictor {
    pub fn new(state: &State) -> Self {
        let n = length(state);
        let empty = || std::array::from_fn(|_| vec![0.0; n]);
        Predictor {
            times: [0.0; POINTS],
            values: empty(),
            known: 0,
            error: [0.0; POINTS],
            judged: [false; POINTS],
            cap: POINTS - 1,
            prediction: vec![0.0; n],
            trials: empty(),
        }
    }

    /// Forgets the past, except the given state.
    pub fn restart(&mut self, state: &State) {
        self.known = 0;
        self.judged = [false; POINTS];
        self.cap = POINTS - 1;
        self.push(state);
    }

    /// Distrusts high degrees until the next acceptance.
    pub fn caution(&mut self, worse: bool) {
        self.cap = if worse { 0 } else { self.cap.saturating_sub(1).min(1) };
    }

    /// Learns an accepted state: judges every degree by it, then stores it.
    pub fn accept(&mut self, state: &State) {
        for degree in 0..self.known {
            let mut trial = std::mem::take(&mut self.trials[degree]);
            self.extrapolate(state.t, degree, &mut trial);
            let mut sum = 0.0;
            for (predicted, value) in trial.iter().zip(numbers(state)) {
                sum += (predicted - value) * (predicted - value);
            }
            self.trials[degree] = trial;
            let log = (sum + 1e-300).ln();
            self.error[degree] =
                if self.judged[degree] { 0.5 * (self.error[degree] + log) } else { log };
            self.judged[degree] = true;
        }
        self.cap = POINTS - 1;
        self.push(state);
    }

    fn push(&mut self, state: &State) {
        self.values.rotate_right(1);
        self.times.rotate_right(1);
        self.times[0] = state.t;
        for (slot, value) in self.values[0].iter_mut().zip(numbers(state)) {
            *slot = value;
        }
        self.known = (self.known + 1).min(POINTS);
    }

    /// Predicts at time `t`; `constant` asks for degree 0.
    pub fn predict(&mut self, t: f64, constant: bool) -> &[f64] {
        let mut degree = 0;
        if !constant {
            for candidate in 1..self.known.min(self.cap + 1) {
                let tried = self.judged[candidate];
                if tried && self.error[candidate] < self.error[degree] {
                    degree = candidate;
                }
            }
        }
        let mut prediction = std::mem::take(&mut self.prediction);
        self.extrapolate(t, degree, &mut prediction);
        self.prediction = prediction;
        &self.prediction
    }

    /// Evaluates the interpolation polynomial of a degree by Lagrange's formula.
    fn extrapolate(&self, t: f64, degree: usize, out: &mut [f64]) {
        let mut weights = [0.0; POINTS];
        for (i, weight) in weights.iter_mut().enumerate().take(degree + 1) {
            *weight = 1.0;
            for j in (0..=degree).filter(|&j| j != i) {
                *weight *= (t - self.times[j]) / (self.times[i] - self.times[j]);
            }
        }
        for (k, slot) in out.iter_mut().enumerate() {
            *slot = (0..=degree).map(|i| weights[i] * self.values[i][k]).sum();
        }
    }
}

fn length(state: &State) -> usize {
    state.vdot.len() + state.multipliers.len() + state.xdot.len() + state.y.len()
}

fn numbers(state: &State) -> impl Iterator<Item = f64> + '_ {
    let (a, b) = (state.vdot.iter().chain(&state.multipliers), state.xdot.iter().chain(&state.y));
    a.chain(b).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Sizes;

    #[test]
    fn a_cubic_is_predicted_exactly_once_its_degree_is_learnt() {
        let cubic = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t - 3.0 * t * t * t;
        let mut state = State::zeros(Sizes::vector(1));
        let mut predictor = Predictor::new(&state);
        state.vdot[0] = cubic(0.0);
        predictor.restart(&state);
        for t in [0.1, 0.25, 0.3, 0.45, 0.6, 0.7] {
            state.t = t;
            state.vdot[0] = cubic(t);
            predictor.accept(&state);
        }
        assert!((predictor.predict(0.9, false)[0] - cubic(0.9)).abs() < 1e-12);
        assert_eq!(predictor.predict(0.9, true)[0], cubic(0.7));
    }
}
