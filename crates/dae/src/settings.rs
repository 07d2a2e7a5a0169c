//! Typed settings of a run: the definition of every key of the section `[solve]`.
//!
//! | file | concept |
//! |---|---|
//! | `formulation`, `options` | formulations and their own options |
//! | `steps` | choice and change of steps, recording |
//! | `newton` | the iteration |
//! | `words` | the keys and words of all these, as a schema |
//!
//! Names, documents and kinds of keys follow from the types by serde and schemars; whoever adds a field has added a key.

mod formulation;
mod newton;
mod options;
mod steps;
mod words;

use crate::coefficients::{CoefficientChoice, Coefficients};
use crate::error::SettingsError;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

pub use formulation::*;
pub use newton::*;
pub use options::*;
pub use steps::*;
pub use words::{Key, key, keys, schema as solve_schema, words_of};

/// Which accelerations and multipliers are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReactionOutput {
    /// Those of the formulation.
    Raw,
    /// Solved anew from positions and velocities at acceleration level: second order and free of
    /// spikes at step changes. [Negrut et al. 2005, sheet §2.2]
    Recomputed,
}

/// What to do with an initial state that violates the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RedundantPolicy {
    /// Refuse them and name them.
    Refuse,
    /// Leave the repetitions out while marching and record the least multipliers.
    Solve,
}

/// In which coordinates a mechanism is integrated. Results are the same columns in either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Coordinates {
    /// All of every body; joints are constraints.
    #[default]
    Redundant,
    /// Those that joints leave free; joints that close loops are constraints.
    Joint,
    /// Those of the joints where that pays, else all.
    Auto,
}

/// Everything that decides how a system is integrated.
///
/// Serialised, it is the section `[solve]` with every key that applies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Self")]
pub struct Settings {
    /// How constraints are enforced.
    #[serde(flatten)]
    pub formulation: Formulation,
    /// Member of the generalized-α family; without meaning for formulations outside of it. Default
    /// `{ generalized-alpha = 0.8 }`, and `{ hht = -0.3 }` for the formulations `hht-soi2` and `hht-i3`.
    #[schemars(with = "CoefficientChoice", extend("family" = true))]
    pub coefficients: Coefficients,
    /// Step sizes.
    #[serde(flatten)]
    pub control: StepControl,
    /// Start time. Default 0.
    pub start: f64,
    /// End time; the one key that a run needs. Analyses (check, statics, modes) do without.
    pub until: f64,
    /// Recording.
    #[serde(flatten)]
    pub output: Output,
    /// Where the run starts. `refuse` takes the start as given and refuses one that violates the constraints;
    /// `project-velocities` lets velocities follow from the constraints, `project` positions as well;
    /// `equilibrium` finds the static equilibrium near the given start and begins there at rest, or with the
    /// velocities that motions demand; `trust` asks nothing. Default `refuse`; for mechanisms without
    /// any given velocity `project-velocities`.
    pub initial: InitialPolicy,
    /// What to do with constraints that follow from others: `refuse` names them, `solve` leaves the
    /// repetitions out and records the least multipliers. Default `solve` for mechanisms, `refuse` for
    /// equations.
    pub redundant: RedundantPolicy,
    /// In which coordinates a mechanism is integrated; results have the same columns in either. `redundant`: all of every body,
    /// and joints are constraints; `joint`: those that joints leave free, and only what closes loops, drives and
    /// couplings are constraints; `auto`: `joint` where that pays.
    #[serde(default)]
    pub coordinates: Coordinates,
    /// Start value of the algorithmic acceleration. Default `initial`: the true acceleration; for `index3` and the
    /// recommended mode of `hht-i3` `clean`: shifted to the place it will have, with velocities that have the small residual they
    /// will settle to, so that reactions are of second order from the first step on.
    #[schemars(extend("family" = true))]
    pub start_acceleration: StartAcceleration,
    /// Which accelerations and multipliers are recorded. Default `raw`: those of the formulation;
    /// `recomputed` solves them anew from positions and velocities.
    pub reactions: ReactionOutput,
    /// Adjustment of the algorithmic acceleration when the step size changes. Default
    /// `extrapolated`; for `index3` and `hht-i3` `rescaled`, or `off` in the mode `paper`.
    #[schemars(extend("family" = true))]
    pub adjustment: Adjustment,
    /// The Newton iteration.
    pub newton: NewtonSettings,
    /// Most rows of the table of contacts; a key of `[output]`.
    #[serde(skip, default = "usual_contact_rows")]
    pub contact_rows: usize,
}

/// Most rows of a trajectory: with a few columns some GB.
const MOST_ROWS: f64 = 1e8;
/// A step is at least this many times the distance between neighbouring numbers near its time.
const LEAST_RESOLUTION: f64 = 16.0;

/// Rows of the table of contacts unless a user wants more or fewer: about 100 MB.
pub const CONTACT_ROWS: usize = 1_000_000;

fn usual_contact_rows() -> usize {
    CONTACT_ROWS
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let words = Settings::serialize(self, serde_json::value::Serializer);
        let mut words = words.map_err(serde::ser::Error::custom)?;
        if let Some(words) = words.as_object_mut() {
            let formulation = self.formulation.word();
            let fits = |name: &str| key(name).is_some_and(|key| key.of(&formulation).is_some());
            words.retain(|name, value| !value.is_null() && fits(name));
        }
        words.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Settings::deserialize(deserializer)
    }
}

impl Settings {
    /// Settings with the defaults of a formulation.
    pub fn new(formulation: Formulation, coefficients: Coefficients, control: StepControl) -> Self {
        let adjustment = formulation.character().adjustment;
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
            coordinates: Coordinates::Redundant,
            start_acceleration: match adjustment {
                Adjustment::Rescaled => StartAcceleration::Clean,
                Adjustment::Off | Adjustment::Extrapolated | Adjustment::AccelerationOnly => {
                    StartAcceleration::Initial
                }
            },
            adjustment,
            reactions: ReactionOutput::Raw,
            contact_rows: CONTACT_ROWS,
        }
    }

    /// What a user gets who gives no more than a formulation and the interval of time: its usual member of the
    /// generalized-α family, and steps chosen for a local error, none longer than `longest` if that is given.
    pub fn usual(formulation: Formulation, [start, until]: [f64; 2], longest: Option<f64>) -> Self {
        let character = formulation.character();
        let max = longest.unwrap_or((until - start) / 50.0);
        let control = StepControl::Tolerance(ToleranceControl {
            // Methods of second order throughout: 1e-8 takes five times the steps, and several restitutions or places of
            // contact are not known to so many digits.
            tolerance: if character.impacts { 1e-6 } else { 1e-8 },
            first: None,
            // the default gives way to a small largest step
            min: (1e-10 * (until - start)).min(max),
            max,
        });
        // formulations outside of the family carry some member that nobody reads
        let member = character.member.unwrap_or(CoefficientChoice::GeneralizedAlpha(0.8));
        Settings { start, until, ..Settings::new(formulation, member.into(), control) }
    }

    /// The same settings where `words`, keys of `[solve]` with their values, do not say otherwise.
    pub fn with(&self, words: &Map<String, Value>) -> Result<Self, serde_json::Error> {
        let mut whole = match Settings::serialize(self, serde_json::value::Serializer)? {
            Value::Object(whole) => whole,
            _ => Map::new(),
        };
        let given = || words.keys().filter_map(|name| key(name));
        whole.retain(|name, _| !given().any(|key| key.excludes(name)));
        whole.extend(words.iter().map(|(name, value)| (name.clone(), value.clone())));
        Settings::deserialize(Value::Object(whole))
    }

    /// The member of the generalized-α family; none for formulations outside of it.
    pub fn member(&self) -> Option<&Coefficients> {
        self.formulation.is_generalized_alpha().then_some(&self.coefficients)
    }

    /// Refuses numbers that make no sense.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let positive = |key: &str, name: &str, value: f64| match value > 0.0 && value.is_finite() {
            true => Ok(()),
            false => {
                let what = format!("{name} must be a positive number, not {value}");
                Err(SettingsError::of(key, what))
            }
        };
        if !(self.until > self.start && self.until.is_finite() && self.start.is_finite()) {
            let Settings { start, until, .. } = self;
            let what = format!("the end time {until} must lie after the start time {start}");
            return Err(SettingsError::of("until", what));
        }
        self.formulation.validate()?;
        self.validate_member()?;
        match &self.control {
            StepControl::Fixed { h } => positive("step", "step", *h)?,
            StepControl::Repeated { h, fractions } => {
                positive("step", "step", *h)?;
                for &fraction in fractions {
                    positive("repeated", "each step fraction", fraction)?;
                }
                if (fractions.iter().sum::<f64>() - 1.0).abs() > 1e-9 {
                    let what = "the step fractions must add up to 1".to_owned();
                    return Err(SettingsError::of("repeated", what));
                }
            }
            StepControl::Tolerance(control) => {
                positive("tolerance", "tolerance", control.tolerance)?;
                positive("min_step", "min_step", control.min)?;
                positive("max_step", "max_step", control.max)?;
                let ToleranceControl { min, max, .. } = control;
                if min > max {
                    let what = format!("min_step = {min} exceeds max_step = {max}");
                    let help = "make it smaller, or remove it";
                    return Err(SettingsError::new("min_step", what, help));
                }
                if let Some(first) = control.first {
                    positive("first_step", "first_step", first)?;
                }
            }
        }
        self.refuse_standing_time()?;
        match &self.output {
            Output::Every(interval) => {
                positive("output_every", "output interval", *interval)?;
                self.refuse_many_rows("output_every", *interval)?;
            }
            Output::At(times) if times.iter().any(|t| !t.is_finite()) => {
                let what = "output times must be finite numbers".to_owned();
                return Err(SettingsError::of("output_at", what));
            }
            Output::At(_) | Output::EachStep => {}
        }
        let NewtonSettings { max_iterations, max_matrices, tolerance, .. } = self.newton;
        positive("newton.tolerance", "newton tolerance", tolerance)?;
        positive("newton.max_iterations", "max_iterations", max_iterations as f64)?;
        positive("newton.max_matrices", "max_matrices", max_matrices as f64)
    }

    /// Refuses a member of the generalized-α family that is unstable, or not what the formulation is made for.
    fn validate_member(&self) -> Result<(), SettingsError> {
        let Some(member) = self.member() else { return Ok(()) };
        let usual = self.formulation.character().member;
        if matches!(usual, Some(CoefficientChoice::Hht(_)))
            && !matches!(member.choice(), CoefficientChoice::Hht(_))
        {
            let word = self.formulation.word();
            return Err(SettingsError::new(
                "coefficients",
                format!("the formulation `{word}` needs the coefficients of HHT"),
                "write for example `coefficients = { hht = -0.3 }`",
            ));
        }
        member.sound().map(|_| ())
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
        if step >= resolution {
            return Ok(());
        }
        let what = format!(
            "{name} = {step} is too small for times near {time}, which a computer tells apart only by \
             {resolution}"
        );
        Err(SettingsError::new(name, what, "let the run begin near 0, or take larger steps"))
    }

    fn refuse_many_rows(&self, name: &str, interval: f64) -> Result<(), SettingsError> {
        let rows = (self.until - self.start) / interval;
        if rows <= MOST_ROWS {
            return Ok(());
        }
        let what = format!("{name} asks for {rows:.3e} rows, and {MOST_ROWS:.0e} are the most");
        Err(SettingsError::new(name, what, "record less often"))
    }
}

/// The smallest step that changes a time as it should, anywhere in a run.
pub(crate) fn resolution(start: f64, until: f64) -> f64 {
    let time = start.abs().max(until.abs());
    LEAST_RESOLUTION * (time.next_up() - time)
}
