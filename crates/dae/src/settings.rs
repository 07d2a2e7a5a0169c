//! Typed settings of a run. The words a user writes are turned into these by [`crate::solve`].

use crate::coefficients::Coefficients;
use crate::error::SettingsError;
use serde::{Deserialize, Serialize};

/// How constraints are enforced: one file each under `formulation/`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formulation {
    /// Constraints at position level. [000 §4–5, Arnold–Brüls]
    Index3 {
        /// Scale equations and multipliers so that the iteration matrix stays well conditioned.
        scaling: bool,
        /// Add the augmented-Lagrangian penalty `s BᵀB`.
        augmented: bool,
    },
    /// Constraints at velocity level. [002 §4.2]
    Index2,
    /// Constraints at acceleration level. [002 §4.2]
    Index1,
    /// Mixed level `g̈ + 2α ġ + β² g = 0`. [002 §4.2]
    Baumgarte {
        /// α of the damping term.
        alpha: f64,
        /// β of the stiffness term.
        beta: f64,
    },
    /// Position and velocity level by a position correction. [002 eqs. 73, 74]
    Ggl(GglVariant),
    /// Position, velocity and acceleration level. [002 eq. 70]
    Pva,
    /// Stabilised overdetermined index-2 system, holonomic and nonholonomic. [001 eq. 13]
    Soi2 {
        /// How the mass product of the old step is obtained.
        mass: MassHistory,
    },
    /// HHT-SOI2 in its compact form. [001 eq. 17]
    HhtSoi2,
    /// HHT index-3 with states and variables, after document 003.
    HhtI3(HhtMode),
    /// Underlying ordinary differential equation, then projection. [004 eq. 2.5]
    Projected,
    /// DAE-α: dynamics and constraints at position and velocity level. [004 eq. 3.3]
    DaeAlpha {
        /// The iteration that solves a step.
        iteration: DaeIteration,
        /// Where the acceleration of the underlying equation comes from.
        multipliers: MultiplierSource,
    },
    /// Impacts and friction: smooth motion by generalized-α, corrections of position and velocity by
    /// backward Euler. [002 §3]
    Nonsmooth {
        /// Which constraints take part in the smooth motion.
        strategy: Strategy,
        /// What an open contact does.
        variant: NonsmoothVariant,
        /// How a step is solved.
        iteration: NonsmoothIteration,
    },
    /// Moreau and Jean's θ method for impacts and friction at velocity level. [002 §2.2.3]
    MoreauJean {
        /// Weight of the new forces and velocities, from ½ to 1.
        theta: f64,
        /// A contact acts if its gap closes within this part of the step at the present velocity, from
        /// 0 to 1. With ½ bodies that meet with a speed `v` overlap by up to `vh`, with 1 by up to
        /// `½vh` and may stop as far before they touch; both for a restitution of zero and θ = ½.
        activation: f64,
    },
    /// Backward differentiation formulas, variable order and step. [003 §7]
    Bdf {
        /// Constraint form.
        form: BdfForm,
        /// Highest order, 1 to 5.
        max_order: usize,
    },
}

/// Which of the two Gear–Gupta–Leimkuhler forms of document 002.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GglVariant {
    /// `U = G(qₙ)ᵀ ν`. [002 eq. 73]
    OldGradient,
    /// `M U = G(qₙ₊₁)ᵀ ν`. [002 eq. 74]
    MassWeighted,
}

/// Which constraints the smooth motion of `nonsmooth` obeys: the set S. [002 §3.4]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// None: the smooth motion is free. First order in the bilateral constraints already.
    Free,
    /// Bilateral constraints at acceleration level.
    Bilateral,
    /// Bilateral constraints at velocity level, the earlier method. [002 ref. 12]
    Pvv,
    /// Bilateral constraints and closed contacts at acceleration level.
    Pva,
}

/// What holds for an open contact in `nonsmooth`. [sheet 002, erratum 4]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NonsmoothVariant {
    /// Its total impulse is zero: well posed.
    Star,
    /// Its correction is zero, so that the past reaction lingers: as printed.
    Printed,
}

/// How a step of `nonsmooth` is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NonsmoothIteration {
    /// Split while that contracts well, then all equations together.
    Auto,
    /// The three sub-problems in turn; all equations together only if that fails. [002 Algorithm 1]
    Split,
    /// All equations together.
    Monolithic,
    /// All equations at once, from impulses that Gauss–Seidel sweeps over the contacts find. The others
    /// do so where Newton's method fails.
    Sweeps,
}

/// How SOI2 obtains `(M a)` of the old step. [001 §2]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MassHistory {
    /// The product of the previous step is stored.
    Stored,
    /// `M(t+αh, y+αhz)` is evaluated anew.
    Evaluated,
}

/// The two modes of sheet 003.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HhtMode {
    /// As printed in document 003, misprints mended.
    Paper,
    /// Second order in all cases, with rescaled starting values.
    Recommended,
}

/// Iterations of DAE-α. [004 §3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DaeIteration {
    /// Newton's method on the saddle-point system.
    Newton,
    /// Coordinate splitting: multipliers are eliminated with a basis of the constraint kernel.
    Cs,
    /// Modified coordinate splitting: the curvature of the constraints is dropped.
    Cm,
    /// Modified splitting first, curvature once the iteration is near.
    Hybrid,
}

/// Source of the multipliers inside the underlying acceleration φ. [004 §5.6]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MultiplierSource {
    /// From the acceleration-level system (2.2).
    AccelerationLevel,
    /// From the velocity-level multiplier, `μ/(γ̂h)`.
    VelocityLevel,
}

/// Forms of the backward differentiation integrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BdfForm {
    /// Constraints at position level; error control on positions only.
    Index3,
    /// Stabilised index 2: position and velocity level, error control on both.
    Si2,
}

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
    /// Shifted, and the velocity given the residual that position-level constraints settle to, so
    /// that multipliers are clean from the first step on (`index3`, `hht-i3`; `shifted` elsewhere).
    /// [003 §2.3]
    Clean,
    /// The `a` of the initial state as it is: for a run that goes on where another one ended, or
    /// where `a(t₀ + αh)` is known. With [`InitialPolicy::Trust`] nothing of the state is changed.
    Given,
}

/// Which accelerations and multipliers are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReactionOutput {
    /// Those of the formulation.
    Raw,
    /// Solved anew from positions and velocities at acceleration level: second order and free of
    /// spikes at step changes. [003 §2.2]
    Recomputed,
}

/// When the iteration matrix is built anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PredictorChoice {
    /// Polynomial through accepted values, degree chosen by past success. [003 §3.1]
    Polynomial,
    /// Constant acceleration and multipliers (Taylor). [004 §2]
    Taylor,
    /// Constant velocity. [004 §2]
    Euler,
    /// Constant position. [004 §2]
    Hold,
}

/// Settings of the Newton iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewtonSettings {
    /// Relative accuracy of the acceleration in fixed-step runs.
    pub tolerance: f64,
    /// Most iterations with one matrix.
    pub max_iterations: usize,
    /// Most matrices in one attempt, beyond a recycled one.
    pub max_matrices: usize,
    /// When the matrix is renewed.
    pub matrix: MatrixPolicy,
    /// First guess tried.
    pub predictor: PredictorChoice,
    /// Try the remaining guesses of the ladder when the first fails.
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

/// What to do with an initial state that violates the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InitialPolicy {
    /// Refuse it and say what projection would change.
    Refuse,
    /// Refuse wrong positions; project velocities, and report the change.
    ProjectVelocities,
    /// Project positions and velocities, and report the change.
    Project,
    /// Take position, velocity, acceleration and multipliers as given: for studies of inconsistent
    /// starts.
    Trust,
}

/// What to do with constraints that follow from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RedundantPolicy {
    /// Refuse them and name them.
    Refuse,
    /// Leave the repetitions out while marching and record the least multipliers.
    Solve,
}

/// When results are recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// After every accepted step.
    EachStep,
    /// At equal intervals, by interpolation.
    Every(f64),
    /// At given times, by interpolation.
    At(Vec<f64>),
}

/// Everything that decides how a system is integrated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// How constraints are enforced.
    pub formulation: Formulation,
    /// Member of the generalized-α family; ignored by `bdf`.
    pub coefficients: Coefficients,
    /// Step sizes.
    pub control: StepControl,
    /// Start time.
    pub start: f64,
    /// End time.
    pub until: f64,
    /// Recording.
    pub output: Output,
    /// Iteration.
    pub newton: NewtonSettings,
    /// Inconsistent starts.
    pub initial: InitialPolicy,
    /// Redundant constraints.
    pub redundant: RedundantPolicy,
    /// Start value of the algorithmic acceleration.
    pub start_acceleration: StartAcceleration,
    /// Adjustment at changes of the step size.
    pub adjustment: Adjustment,
    /// Recorded accelerations and multipliers.
    pub reactions: ReactionOutput,
}

impl Settings {
    /// Settings with the defaults of a formulation.
    pub fn new(formulation: Formulation, coefficients: Coefficients, control: StepControl) -> Self {
        let adjustment = match formulation {
            Formulation::HhtI3(HhtMode::Paper) => Adjustment::Off,
            // Position-level constraints alone leave a velocity residual that depends on h.
            Formulation::HhtI3(HhtMode::Recommended) | Formulation::Index3 { .. } => {
                Adjustment::Rescaled
            }
            _ => Adjustment::Extrapolated,
        };
        Settings {
            formulation,
            coefficients,
            control,
            start: 0.0,
            until: 1.0,
            output: Output::EachStep,
            newton: NewtonSettings::default(),
            initial: InitialPolicy::Refuse,
            redundant: RedundantPolicy::Refuse,
            start_acceleration: StartAcceleration::Initial,
            adjustment,
            reactions: ReactionOutput::Raw,
        }
    }

    /// Refuses numbers that make no sense.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let positive = |name: &'static str, value: f64| {
            if value > 0.0 && value.is_finite() {
                Ok(())
            } else {
                Err(SettingsError::NotPositive { name, value })
            }
        };
        match &self.control {
            StepControl::Fixed { h } | StepControl::Repeated { h, .. } => positive("step", *h)?,
            StepControl::Tolerance(control) => {
                positive("tolerance", control.tolerance)?;
                positive("min_step", control.min)?;
                positive("max_step", control.max)?;
                if let Some(first) = control.first {
                    positive("first_step", first)?;
                }
            }
        }
        if let StepControl::Repeated { fractions, .. } = &self.control {
            for &fraction in fractions {
                positive("each step fraction", fraction)?;
            }
            if (fractions.iter().sum::<f64>() - 1.0).abs() > 1e-9 {
                return Err(SettingsError::StepChoice("the step fractions must add up to 1"));
            }
        }
        if !(self.until > self.start && self.until.is_finite() && self.start.is_finite()) {
            return Err(SettingsError::EmptyInterval { start: self.start, until: self.until });
        }
        match &self.output {
            Output::Every(interval) => positive("output interval", *interval)?,
            Output::At(times) if times.iter().any(|t| !t.is_finite()) => {
                return Err(SettingsError::StepChoice("output times must be finite numbers"));
            }
            _ => {}
        }
        positive("newton tolerance", self.newton.tolerance)
    }
}
