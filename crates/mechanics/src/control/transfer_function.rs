//! Transfer functions, realised in controllable canonical form.
//!
//! ```text
//!        b₀ sⁿ + b₁ sⁿ⁻¹ + … + bₙ
//! H(s) = ────────────────────────          a₀ = 1 after division
//!        a₀ sⁿ + a₁ sⁿ⁻¹ + … + aₙ
//!
//! ẋₖ = xₖ₊₁,   ẋₙ = u − aₙ x₁ − … − a₁ xₙ,   y = Σ (bₙ₊₁₋ₖ − aₙ₊₁₋ₖ b₀) xₖ + b₀ u
//! ```

use super::declare::finite;
use super::signals::VariableId;
use super::state_space::StateSpace;
use crate::error::{ModelError, Refusal, refusal};
use crate::model::Model;

impl Model {
    /// The output of a transfer function whose input is a formula: the variable `name`.
    ///
    /// Coefficients go from the highest power of `s` down. The degree of the numerator may not exceed
    /// that of the denominator; if it is the same, the input feeds through directly. All inner states
    /// (`name.state1`, …) start at zero.
    pub fn transfer_function(
        &mut self,
        name: &str,
        input: &str,
        numerator: &[f64],
        denominator: &[f64],
    ) -> Result<VariableId, ModelError> {
        let invalid = |what: Refusal| {
            Err(ModelError::invalid(format!("transfer function `{name}`"), what.to_string()))
        };
        for value in numerator.iter().chain(denominator) {
            finite("transfer function", name, "every coefficient", *value)?;
        }
        let (b, a) = (without_zeros(numerator), without_zeros(denominator));
        let Some(&leading) = a.first() else {
            return invalid(refusal!("the denominator is zero"; "give at least one coefficient"));
        };
        if b.len() > a.len() {
            return invalid(refusal!(
                "the numerator has a higher degree than the denominator";
                "add a pole with a small time constant"
            ));
        }
        let n = a.len() - 1;
        let a: Vec<f64> = a.iter().map(|value| value / leading).collect();
        let mut full = vec![0.0; n + 1 - b.len()];
        full.extend(b.iter().map(|value| value / leading));
        let through = full[0];

        let mut matrices = StateSpace {
            dynamics: vec![vec![0.0; n]; n],
            input: vec![vec![0.0]; n],
            output: vec![(0..n).map(|k| full[n - k] - a[n - k] * through).collect()],
            feedthrough: vec![vec![through]],
        };
        for k in 0..n {
            if k + 1 < n {
                matrices.dynamics[k][k + 1] = 1.0;
            } else {
                matrices.dynamics[k] = (0..n).map(|j| -a[n - j]).collect();
                matrices.input[k][0] = 1.0;
            }
        }
        Ok(self.state_space(name, &matrices, &[input])?[0])
    }
}

/// The coefficients from the first that is not zero.
fn without_zeros(coefficients: &[f64]) -> &[f64] {
    let first = coefficients.iter().position(|value| *value != 0.0);
    &coefficients[first.unwrap_or(coefficients.len())..]
}
