//! Typed settings of a run. The words a user writes are turned into these by [`crate::solve`].
//!
//! | file | concept |
//! |---|---|
//! | `formulation` | formulations and their variants |
//! | `steps` | choice and change of steps |
//! | `newton` | the iteration |

mod formulation;
mod newton;
mod steps;

use crate::coefficients::Coefficients;
use crate::error::SettingsError;
use serde::Serialize;

pub use formulation::*;
pub use newton::*;
pub use steps::*;

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
    /// Start from rest in the equilibrium near the given start, and report the change; motions may demand
    /// velocities.
    Equilibrium,
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
    /// Most rows of the table of contacts.
    pub contact_rows: usize,
}

/// Most rows of a trajectory: with a few columns some GB.
const MOST_ROWS: f64 = 1e8;
/// A step is at least this many times the distance between neighbouring numbers near its time.
const LEAST_RESOLUTION: f64 = 16.0;

/// Rows of the table of contacts unless a user wants more or fewer: about 100 MB.
pub const CONTACT_ROWS: usize = 1_000_000;

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
            start_acceleration: match adjustment {
                Adjustment::Rescaled => StartAcceleration::Clean,
                _ => StartAcceleration::Initial,
            },
            adjustment,
            reactions: ReactionOutput::Raw,
            contact_rows: CONTACT_ROWS,
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
                if control.min > control.max {
                    return Err(SettingsError::StepBounds { min: control.min, max: control.max });
                }
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
        self.refuse_standing_time()?;
        match &self.output {
            Output::Every(interval) => {
                positive("output interval", *interval)?;
                self.refuse_many_rows("output_every", *interval)?;
            }
            Output::At(times) if times.iter().any(|t| !t.is_finite()) => {
                return Err(SettingsError::StepChoice("output times must be finite numbers"));
            }
            _ => {}
        }
        positive("newton tolerance", self.newton.tolerance)
    }

    /// Refuses steps that rounding of the time would swallow.
    fn refuse_standing_time(&self) -> Result<(), SettingsError> {
        let (name, step) = match &self.control {
            StepControl::Fixed { h } => ("step", *h),
            StepControl::Repeated { h, fractions } => {
                ("step", h * fractions.iter().copied().fold(1.0, f64::min))
            }
            StepControl::Tolerance(control) => ("max_step", control.max),
        };
        let time = self.start.abs().max(self.until.abs());
        let resolution = resolution(self.start, self.until);
        match step < resolution {
            true => Err(SettingsError::TimeResolution { name, step, time, resolution }),
            false => Ok(()),
        }
    }

    fn refuse_many_rows(&self, name: &'static str, interval: f64) -> Result<(), SettingsError> {
        let rows = (self.until - self.start) / interval;
        match rows > MOST_ROWS {
            true => Err(SettingsError::TooManyRows { name, rows, most: MOST_ROWS }),
            false => Ok(()),
        }
    }
}

/// The smallest step that changes a time as it should, anywhere in a run.
pub(crate) fn resolution(start: f64, until: f64) -> f64 {
    let time = start.abs().max(until.abs());
    LEAST_RESOLUTION * (time.next_up() - time)
}
