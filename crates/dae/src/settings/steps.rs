//! How steps are chosen, and what becomes of accelerations when they change.

use serde::{Deserialize, Serialize};

/// How step sizes are chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepControl {
    /// Equal steps; shortened a little if they do not divide the interval.
    Fixed {
        /// Step size.
        h: f64,
    },
    /// A repeated sequence of steps that sums to `h`, as in the studies of document 001.
    Repeated {
        /// Sum of the sequence.
        h: f64,
        /// Fractions of `h`, adding up to 1.
        fractions: Vec<f64>,
    },
    /// Local error below a tolerance.
    Tolerance(ToleranceControl),
}

/// Settings of the error-controlled step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToleranceControl {
    /// Bound of the local error, relative to the scale of each coordinate.
    pub tolerance: f64,
    /// First step; chosen from the initial jerk if absent.
    pub first: Option<f64>,
    /// Smallest step; below it the run stops with a diagnosis.
    pub min: f64,
    /// Largest step.
    pub max: f64,
}

/// Adjustment of the algorithmic acceleration when the step size changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adjustment {
    /// None: only first order when steps alternate.
    Off,
    /// `a += α(h/h₋ − 1)(a − a₋)`, for `M a` as well. [001 eqs. 14a, 14b]
    Extrapolated,
    /// Only (14a), not the product `M a`: for studies of SOI2.
    AccelerationOnly,
    /// `a = v̇ + (h/h₋)(a − v̇)`, and the velocity residual of the constraints scaled by `(h/h₋)²`.
    /// [003 §2.2]
    Rescaled,
}

/// Start value of the algorithmic acceleration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StartAcceleration {
    /// `a₀ = v̇₀`.
    Initial,
    /// Solved with the first step so that it lives at `t₀ + αh`. [001 eq. 8]
    Shifted,
    /// With constraints: shifted, and the velocity given the residual that position-level constraints settle
    /// to, so that multipliers are clean from the first step on (`index3`, `hht-i3`; `shifted` elsewhere).
    /// [003 §2.3]
    Clean,
    /// The `a` of the initial state as it is: for a run that goes on where another one ended, or
    /// where `a(t₀ + αh)` is known. With [`InitialPolicy::Trust`](super::InitialPolicy::Trust) nothing of the state is changed.
    Given,
}
