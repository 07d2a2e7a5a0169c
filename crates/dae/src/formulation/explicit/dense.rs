//! The dense output of order 7: a polynomial through both ends of a step. [Hairer, Nørsett & Wanner 1993, II.6]
//!
//! ```text
//! z(t₀ + sh) = z₀ + s (F₀ + (1−s) (F₁ + s (F₂ + (1−s) (F₃ + …))))
//! F₀ = z₁ − z₀,  F₁ = h ż₀ − F₀,  F₂ = 2 F₀ − h (ż₀ + ż₁),  F₃ … F₆ = h Σ dᵢ kᵢ
//! ```

use super::combination::add_combination;
use super::tableau::{DENSE, STAGES};
use serde::{Deserialize, Serialize};

/// The coefficients of a step.
#[derive(Serialize, Deserialize)]
pub(super) struct Dense {
    coefficients: [Vec<f64>; 7],
}

impl Dense {
    pub fn new(count: usize) -> Self {
        Dense { coefficients: std::array::from_fn(|_| vec![0.0; count]) }
    }

    /// Makes the polynomial between two ends from the rates of all stages.
    pub fn make(&mut self, (start, end): (&[f64], &[f64]), rates: &[Vec<f64>], h: f64) {
        let [first, second, third, rest @ ..] = &mut self.coefficients;
        for (i, (start, end)) in start.iter().zip(end).enumerate() {
            let way = end - start;
            let (slope, end_slope) = (h * rates[0][i], h * rates[STAGES][i]);
            first[i] = way;
            second[i] = slope - way;
            third[i] = 2.0 * way - slope - end_slope;
        }
        for (out, row) in rest.iter_mut().zip(DENSE) {
            out.fill(0.0);
            add_combination(out, h, row, rates);
        }
    }

    /// Adds the way from the start to a part `s` of the step.
    pub fn add_way(&self, s: f64, out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            let mut sum = 0.0;
            for (k, coefficients) in self.coefficients.iter().enumerate().rev() {
                let factor = if k % 2 == 0 { s } else { 1.0 - s };
                sum = (sum + coefficients[i]) * factor;
            }
            *out += sum;
        }
    }
}
