//! Polynomial prediction of accelerations, multipliers, rates and variables from accepted steps.
//! [003 §3.1]

use crate::state::State;

const POINTS: usize = 4;

/// Newton divided differences through the last accepted values, with the degree that predicted best.
#[derive(Clone, Debug)]
pub(crate) struct Predictor {
    /// Newest first.
    times: [f64; POINTS],
    /// `differences[k]` is the divided difference of order `k` over the newest `k + 1` points.
    differences: [Vec<f64>; POINTS],
    known: usize,
    /// Running geometric mean of each degree's error.
    error: [f64; POINTS],
    judged: [bool; POINTS],
    cap: usize,
    prediction: Vec<f64>,
}

impl Predictor {
    pub fn new(state: &State) -> Self {
        let n = length(state);
        Predictor {
            times: [0.0; POINTS],
            differences: std::array::from_fn(|_| vec![0.0; n]),
            known: 0,
            error: [0.0; POINTS],
            judged: [false; POINTS],
            cap: POINTS - 1,
            prediction: vec![0.0; n],
        }
    }

    /// Forgets the past, except the given state.
    pub fn restart(&mut self, state: &State) {
        self.known = 0;
        self.judged = [false; POINTS];
        self.cap = POINTS - 1;
        self.accept(state);
    }

    /// Distrusts high degrees until the next acceptance.
    pub fn caution(&mut self, worse: bool) {
        self.cap = if worse { 0 } else { self.cap.saturating_sub(1).min(1) };
    }

    /// Learns an accepted state: judges every degree by it, then updates the differences.
    pub fn accept(&mut self, state: &State) {
        let t = state.t;
        let mut squares = [0.0; POINTS];
        // Factors of the Newton form, and inverse spans of the new differences.
        let mut factors = [1.0; POINTS];
        let mut inverse = [0.0; POINTS];
        for k in 0..self.known {
            inverse[k] = 1.0 / (t - self.times[k]);
            if k + 1 < POINTS {
                factors[k + 1] = factors[k] * (t - self.times[k]);
            }
        }
        for (i, value) in numbers(state).enumerate() {
            let mut predicted = 0.0;
            let mut carried = value;
            for k in 0..self.known {
                let old = self.differences[k][i];
                predicted += factors[k] * old;
                squares[k] += (predicted - value) * (predicted - value);
                self.differences[k][i] = carried;
                carried = (carried - old) * inverse[k];
            }
            if self.known < POINTS {
                self.differences[self.known][i] = carried;
            }
        }
        for degree in 0..self.known {
            let error = squares[degree].sqrt() + 1e-150;
            self.error[degree] = match self.judged[degree] {
                true => (self.error[degree] * error).sqrt(),
                false => error,
            };
            self.judged[degree] = true;
        }
        self.times.rotate_right(1);
        self.times[0] = t;
        self.known = (self.known + 1).min(POINTS);
        self.cap = POINTS - 1;
    }

    /// Predicts at time `t`; `constant` asks for degree 0.
    pub fn predict(&mut self, t: f64, constant: bool) -> &[f64] {
        let mut degree = 0;
        if !constant {
            for candidate in 1..self.known.min(self.cap + 1) {
                if self.judged[candidate] && self.error[candidate] < self.error[degree] {
                    degree = candidate;
                }
            }
        }
        for (i, slot) in self.prediction.iter_mut().enumerate() {
            let mut value = self.differences[degree][i];
            for k in (0..degree).rev() {
                value = value * (t - self.times[k]) + self.differences[k][i];
            }
            *slot = value;
        }
        &self.prediction
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
