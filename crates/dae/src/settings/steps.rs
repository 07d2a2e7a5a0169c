//! How steps are chosen, what becomes of accelerations when they change, and when results are recorded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How step sizes are chosen. In words, the first key of each alternative excludes the keys of the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum StepControl {
    /// A repeated sequence of steps that sums to `h`, as in the studies of document 001.
    Repeated {
        /// Step size of a run with fixed steps; not together with `tolerance`.
        #[serde(rename = "step")]
        h: f64,
        /// Fractions of `step`, adding up to 1, that are taken in turn instead of equal steps.
        #[serde(rename = "repeated")]
        fractions: Vec<f64>,
    },
    /// Equal steps; shortened a little if they do not divide the interval.
    Fixed {
        /// Step size of a run with fixed steps; not together with `tolerance`.
        #[serde(rename = "step")]
        h: f64,
    },
    /// Local error below a tolerance.
    Tolerance(ToleranceControl),
}

/// Settings of the error-controlled step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToleranceControl {
    /// Bound of the local error, relative to the scale of each coordinate. Default 1e-8 if there is no `step`; 1e-6 for
    /// formulations with impacts.
    pub tolerance: f64,
    /// First step of a run with `tolerance`; chosen from the initial motion if absent.
    #[serde(rename = "first_step")]
    pub first: Option<f64>,
    /// Smallest step of a run with `tolerance`; below it the run stops with a diagnosis. Default 1e-10 of the simulated time.
    #[serde(rename = "min_step")]
    pub min: f64,
    /// Largest step of a run with `tolerance`; steps are also short enough to turn no body by more than 1.5 rad. Default a
    /// fiftieth of the simulated time.
    #[serde(rename = "max_step")]
    pub max: f64,
}

/// When results are recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "OutputWords", into = "OutputWords")]
pub enum Output {
    /// After every accepted step.
    EachStep,
    /// At equal intervals, by interpolation.
    Every(f64),
    /// At given times, by interpolation.
    At(Vec<f64>),
}

/// The words for [`Output`], which exclude each other.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum OutputWords {
    Every {
        /// Interval at which results are recorded, by interpolation. Default: after each step.
        output_every: f64,
    },
    At {
        /// Times at which results are recorded, by interpolation.
        output_at: Vec<f64>,
    },
    #[schemars(skip)]
    EachStep {},
}

impl From<OutputWords> for Output {
    fn from(words: OutputWords) -> Self {
        match words {
            OutputWords::Every { output_every } => Output::Every(output_every),
            OutputWords::At { output_at } => Output::At(output_at),
            OutputWords::EachStep {} => Output::EachStep,
        }
    }
}

impl From<Output> for OutputWords {
    fn from(output: Output) -> Self {
        match output {
            Output::Every(output_every) => OutputWords::Every { output_every },
            Output::At(output_at) => OutputWords::At { output_at },
            Output::EachStep => OutputWords::EachStep {},
        }
    }
}

/// Adjustment of the algorithmic acceleration when the step size changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Adjustment {
    /// None: only first order when steps alternate.
    Off,
    /// `a += α(h/h₋ − 1)(a − a₋)`, for `M a` as well. [Jay & Negrut 2009, eqs. 14a, 14b]
    Extrapolated,
    /// Only (14a), not the product `M a`: for studies of SOI2.
    AccelerationOnly,
    /// `a = v̇ + (h/h₋)(a − v̇)`, and the velocity residual of the constraints scaled by `(h/h₋)²`.
    /// [Negrut et al. 2005, sheet §2.2]
    Rescaled,
}

/// Start value of the algorithmic acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StartAcceleration {
    /// `a₀ = v̇₀`.
    Initial,
    /// Solved with the first step so that it lives at `t₀ + αh`. [Jay & Negrut 2009, eq. 8]
    Shifted,
    /// With constraints: shifted, and the velocity given the residual that position-level constraints settle
    /// to, so that multipliers are clean from the first step on (`index3`, `hht-i3`; `shifted` elsewhere).
    /// [Negrut et al. 2005, sheet §2.3]
    Clean,
    /// The `a` of the initial state as it is: for a run that goes on where another one ended, or
    /// where `a(t₀ + αh)` is known. With [`InitialPolicy::Trust`](super::InitialPolicy::Trust) nothing of the state is changed.
    #[serde(skip_deserializing)]
    #[schemars(skip)]
    Given,
}
