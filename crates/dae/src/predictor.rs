//! Polynomial prediction of accelerations, multipliers, rates and variables from accepted steps.
//! [003 §3.1]

use crate::state::State;

const POINTS: usize = 4;

/// The last accepted values and the degree of the polynomial through them that predicted best.
///
/// Values are kept as they are and combined with weights: for large systems the memory that is read
/// and written counts, and divided differences would all be rewritten in each step.
#[derive(Clone, Debug)]
pub(crate) struct Predictor {
    /// Newest first.
    times: [f64; POINTS],
    values: [Vec<f64>; POINTS],
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
            values: std::array::from_fn(|_| vec![0.0; n]),
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

    /// Learns an accepted state: judges every degree by it, then takes its values.
    pub fn accept(&mut self, state: &State) {
        let steps = self.steps(state.t);
        let mut squares = [0.0; POINTS];
        let mut offset = 0;
        for array in [&state.vdot, &state.multipliers, &state.xdot, &state.y] {
            let range = offset..offset + array.len();
            let past = self.values.each_mut().map(|values| &mut values[range.clone()]);
            match self.known {
                POINTS => judge::<POINTS>(&steps, past, array, &mut squares),
                3 => judge::<3>(&steps, past, array, &mut squares),
                2 => judge::<2>(&steps, past, array, &mut squares),
                1 => judge::<1>(&steps, past, array, &mut squares),
                _ => judge::<0>(&steps, past, array, &mut squares),
            }
            offset = range.end;
        }
        for degree in 0..self.known {
            let error = squares[degree].sqrt() + 1e-150;
            self.error[degree] = match self.judged[degree] {
                true => (self.error[degree] * error).sqrt(),
                false => error,
            };
            self.judged[degree] = true;
        }
        // The oldest place holds the new values.
        self.values.rotate_right(1);
        self.times.rotate_right(1);
        self.times[0] = state.t;
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
        let mut weights = [0.0; POINTS];
        for step in &self.steps(t)[..=degree] {
            for (weight, part) in weights.iter_mut().zip(step) {
                *weight += part;
            }
        }
        let past = self.values.each_ref().map(|values| &values[..]);
        match degree {
            3 => combine::<4>(&weights, past, &mut self.prediction),
            2 => combine::<3>(&weights, past, &mut self.prediction),
            1 => combine::<2>(&weights, past, &mut self.prediction),
            _ => self.prediction.copy_from_slice(past[0]),
        }
        &self.prediction
    }

    /// Weights of the known values in the terms of Newton's form at `t`: row `k` is what degree `k`
    /// adds to degree `k − 1`, namely the divided difference of order `k` times
    /// `(t − t₀)…(t − t₍ₖ₋₁₎)`.
    fn steps(&self, t: f64) -> [[f64; POINTS]; POINTS] {
        let mut steps = [[0.0; POINTS]; POINTS];
        steps[0][0] = 1.0;
        for k in 1..self.known {
            let reach = t - self.times[k - 1];
            let mut last = 0.0;
            for j in 0..k {
                steps[k][j] = steps[k - 1][j] * reach / (self.times[j] - self.times[k]);
                // The weights of a difference cancel.
                last -= steps[k][j];
            }
            steps[k][k] = last;
        }
        steps
    }
}

/// Adds the squared errors of the degrees `0..KNOWN` and puts the new values in the oldest place.
#[inline]
fn judge<const KNOWN: usize>(
    steps: &[[f64; POINTS]; POINTS],
    past: [&mut [f64]; POINTS],
    new: &[f64],
    squares: &mut [f64; POINTS],
) {
    let n = new.len();
    let [a, b, c, d] = past;
    let (a, b, c, d) = (&a[..n], &b[..n], &c[..n], &mut d[..n]);
    for i in 0..n {
        let old = [a[i], b[i], c[i], d[i]];
        let mut missed = -new[i];
        for k in 0..KNOWN {
            for j in 0..=k {
                missed += steps[k][j] * old[j];
            }
            squares[k] += missed * missed;
        }
        d[i] = new[i];
    }
}

/// `out = Σ weight · past` over the newest `COUNT` values.
#[inline]
fn combine<const COUNT: usize>(weights: &[f64; POINTS], past: [&[f64]; POINTS], out: &mut [f64]) {
    let past = past.map(|values| &values[..out.len()]);
    for (i, slot) in out.iter_mut().enumerate() {
        let mut sum = weights[0] * past[0][i];
        for k in 1..COUNT {
            sum += weights[k] * past[k][i];
        }
        *slot = sum;
    }
}

fn length(state: &State) -> usize {
    state.vdot.len() + state.multipliers.len() + state.xdot.len() + state.y.len()
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
