//! A run as the writers see it.

use crate::verification::Verification;
use rotula_dae::{Diagnosis, Settings, Table, Trajectory};
use rotula_mechanics::picture::Film;
use std::collections::BTreeMap;

/// Output curves beyond the trajectory, for instance sensors, at the recorded times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extra {
    /// Names of the columns.
    pub names: Vec<String>,
    /// One row per recorded time.
    pub table: Table,
}

impl Extra {
    /// True without any curve.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Curves that belong together in a panel of their own, at the recorded times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// Heading of the panel.
    pub title: String,
    /// Its place on the page: least first. Tables keep the order in which the curves are given.
    pub place: usize,
    /// Names of the columns, such as `crank.x`.
    pub names: Vec<String>,
    /// One row per recorded time.
    pub table: Table,
}

/// Units to print beside numbers; an empty word prints nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// Unit of time.
    pub time: String,
    /// Unit of energy.
    pub energy: String,
    /// Units of coordinates, constraints (their multipliers), states, variables and extra curves,
    /// by name.
    pub columns: BTreeMap<String, String>,
}

impl Default for Units {
    /// Seconds and joules.
    fn default() -> Self {
        Units { time: "s".into(), energy: "J".into(), columns: BTreeMap::new() }
    }
}

/// Everything that is known about a finished or failed run.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Title of the model.
    pub title: String,
    /// Name of the model file, if there is one.
    pub model_file: Option<String>,
    /// Recorded states and steps.
    pub trajectory: &'a Trajectory,
    /// Settings in force.
    pub settings: &'a Settings,
    /// Why the run failed; `None` if it reached its end.
    pub diagnosis: Option<&'a Diagnosis>,
    /// What to beware of in this run.
    pub warnings: Vec<String>,
    /// What was found out about the initial state; shown as it is.
    pub initial: serde_json::Value,
    /// Further output curves.
    pub extra: Extra,
    /// Curves in panels of their own.
    pub curves: Vec<Curves>,
    /// Whether the numbers of the integrator (coordinates, velocities, accelerations, multipliers,
    /// states, variables) are written and shown. Where curves say the same in better words they are
    /// left out.
    pub coordinates: bool,
    /// Degrees of freedom, if their number is known better than by counting equations.
    pub degrees_of_freedom: Option<usize>,
    /// Time the run took.
    pub wall_seconds: f64,
    /// Name and version of the program.
    pub program: String,
    /// Units of the numbers.
    pub units: Units,
    /// Where stress was highest in flexible bodies: a list of objects, or nothing.
    pub hot_spots: serde_json::Value,
    /// How far a stricter run differs, if there was one.
    pub verification: Option<&'a Verification>,
    /// The mechanism in motion, if the model is one.
    pub film: Option<&'a Film>,
}

impl<'a> Run<'a> {
    /// A run that reached its end, with nothing known beyond its results.
    pub fn new(
        title: impl Into<String>,
        trajectory: &'a Trajectory,
        settings: &'a Settings,
    ) -> Self {
        Run {
            title: title.into(),
            model_file: None,
            trajectory,
            settings,
            diagnosis: None,
            warnings: Vec::new(),
            initial: serde_json::Value::Null,
            extra: Extra::default(),
            curves: Vec::new(),
            coordinates: true,
            degrees_of_freedom: None,
            wall_seconds: f64::NAN,
            program: concat!("rotula ", env!("CARGO_PKG_VERSION")).into(),
            units: Units::default(),
            hot_spots: serde_json::Value::Null,
            verification: None,
            film: None,
        }
    }

    /// Degrees of freedom: those given, or velocities minus constraints.
    pub fn freedom(&self) -> usize {
        let sizes = self.trajectory.sizes;
        self.degrees_of_freedom.unwrap_or(sizes.motion.saturating_sub(sizes.multipliers()))
    }
}
