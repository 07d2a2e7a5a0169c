//! Settings of the Newton iteration.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When the iteration matrix is built anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MatrixPolicy {
    /// In each iteration: full Newton.
    EachIteration,
    /// At the start of each step.
    EachStep,
    /// Only when contraction is slow or the step size has changed.
    Reuse,
}

/// First guess of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PredictorChoice {
    /// Polynomial through accepted values, degree chosen by past success. [Negrut et al. 2005, sheet §3.1]
    Polynomial,
    /// Constant acceleration and multipliers (Taylor). [Yen et al. 1998, sheet §2]
    Taylor,
    /// Constant velocity. [Yen et al. 1998, sheet §2]
    Euler,
    /// Constant position. [Yen et al. 1998, sheet §2]
    Hold,
}

/// The Newton iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NewtonSettings {
    /// Relative accuracy of the acceleration in runs with fixed steps.
    pub tolerance: f64,
    /// Most iterations with one matrix.
    pub max_iterations: usize,
    /// Most matrices in one attempt, beyond a recycled one.
    pub max_matrices: usize,
    /// When the iteration matrix is built anew.
    pub matrix: MatrixPolicy,
    /// First guess of a step.
    pub predictor: PredictorChoice,
    /// Try the remaining guesses when the first fails; with a tolerance, when shorter steps have failed too.
    pub ladder: bool,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        NewtonSettings {
            tolerance: 1e-9,
            max_iterations: 10,
            max_matrices: 3,
            matrix: MatrixPolicy::Reuse,
            predictor: PredictorChoice::Polynomial,
            ladder: true,
        }
    }
}
