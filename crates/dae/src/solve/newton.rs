//! The words for the Newton iteration.

use super::words::word;
use crate::error::SettingsError;
use crate::settings::{MatrixPolicy, NewtonSettings, PredictorChoice};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const MATRICES: &[&str] = &["each-iteration", "each-step", "reuse"];
const PREDICTORS: &[&str] = &["polynomial", "taylor", "euler", "hold"];

/// The Newton iteration; what is absent has its default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Newton {
    /// Relative accuracy of the acceleration in runs with fixed steps. Default 1e-9.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Most iterations with one matrix. Default 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<usize>,
    /// Most matrices in one attempt, beyond a recycled one. Default 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_matrices: Option<usize>,
    /// When the iteration matrix is built anew. Default `reuse`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = MATRICES))]
    pub matrix: Option<String>,
    /// First guess of a step. Default `polynomial`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = PREDICTORS))]
    pub predictor: Option<String>,
    /// Try the remaining guesses when the first fails. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ladder: Option<bool>,
}

impl Newton {
    pub(super) fn is_default(&self) -> bool {
        *self == Newton::default()
    }

    pub(super) fn settings(&self) -> Result<NewtonSettings, SettingsError> {
        let default = NewtonSettings::default();
        let count = |name, given: Option<usize>, default| match given {
            Some(0) => Err(SettingsError::NotPositive { name, value: 0.0 }),
            other => Ok(other.unwrap_or(default)),
        };
        Ok(NewtonSettings {
            tolerance: self.tolerance.unwrap_or(default.tolerance),
            max_iterations: count("max_iterations", self.max_iterations, default.max_iterations)?,
            max_matrices: count("max_matrices", self.max_matrices, default.max_matrices)?,
            matrix: match word("matrix policy", &self.matrix, MATRICES, "reuse")? {
                "each-iteration" => MatrixPolicy::EachIteration,
                "each-step" => MatrixPolicy::EachStep,
                _ => MatrixPolicy::Reuse,
            },
            predictor: match word("predictor", &self.predictor, PREDICTORS, "polynomial")? {
                "taylor" => PredictorChoice::Taylor,
                "euler" => PredictorChoice::Euler,
                "hold" => PredictorChoice::Hold,
                _ => PredictorChoice::Polynomial,
            },
            ladder: self.ladder.unwrap_or(default.ladder),
        })
    }
}
