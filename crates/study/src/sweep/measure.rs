//! One run of a sweep, and what is kept of it.

use crate::model::Model;
use rotula_dae::{Failure, Observer, Outcome, Settings, simulate};
use rotula_mechanics::error::Refusal;
use rotula_model::reading::did_you_mean;
use rotula_report::{Run, tables};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::time::Instant;

/// What is kept of a run: how it ended, and the last, least and greatest value of some curves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `done`, `failed`, or `refused` if it could not start.
    pub status: String,
    /// Why, if it is not done.
    pub message: String,
    /// The time reached.
    pub reached: f64,
    /// Steps taken.
    pub steps: usize,
    /// Time of computing.
    pub wall_seconds: f64,
    /// `NAME.last`, `NAME.min` and `NAME.max` of every curve.
    pub values: Vec<(String, f64)>,
}

/// The curves that are kept if nobody says which: sensors or joint coordinates of a mechanism,
/// outputs or coordinates of equations.
pub fn wanted(model: &Model) -> Vec<String> {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
    match model {
        Model::Equations(model) => match owned(model.output_names().collect()) {
            names if names.is_empty() => owned(model.coordinate_names().collect()),
            names => names,
        },
        Model::Mechanism(mechanism) => {
            let of_joints = |name: &&str| {
                mechanism.model.joints().iter().any(|joint| {
                    name.strip_prefix(joint.name.as_str()).is_some_and(|rest| rest.starts_with('.'))
                })
            };
            let probe = mechanism.probe();
            let recorded: HashSet<&str> = probe.names().collect();
            let all = || mechanism.model.sensor_names().filter(|name| recorded.contains(name));
            match owned(all().filter(|name| !of_joints(name)).collect()) {
                names if names.is_empty() => owned(all().collect()),
                names => names,
            }
        }
    }
}

/// A run that could not start.
pub fn refused(message: impl Into<String>) -> Row {
    let reached = f64::NAN;
    Row { status: "refused".into(), message: message.into(), reached, ..Row::default() }
}

/// Simulates and keeps what is read. None if the observer stopped it.
pub fn measure(
    model: &Model,
    settings: &Settings,
    read: &[String],
    observer: &mut dyn Observer,
) -> Option<Row> {
    let clock = Instant::now();
    let mut system = model.system();
    let start = model.initial_state();
    let outcome = match simulate(system.as_mut(), &start, settings, observer) {
        Ok(outcome) => outcome,
        Err(diagnosis) => return Some(refused(diagnosis.message.to_string())),
    };
    if outcome.failure.as_ref().is_some_and(|why| why.failure == Failure::Interrupted) {
        return None;
    }
    let values = match curves(&run_of(model, &outcome, settings), read) {
        Ok(values) => values,
        Err(refusal) => return Some(refused(refusal.to_string())),
    };
    let (status, message) = match outcome.failure {
        None => ("done", String::new()),
        Some(diagnosis) => ("failed", diagnosis.message.to_string()),
    };
    Some(Row {
        status: status.into(),
        message,
        reached: outcome.state.t,
        steps: outcome.trajectory.statistics.steps,
        wall_seconds: clock.elapsed().as_secs_f64(),
        values,
    })
}

/// Refuses curves that no run of a model has; whether it can be run is another matter.
pub fn refuse_unknown_curves(
    model: &Model,
    settings: &Settings,
    read: &[String],
) -> Result<(), Refusal> {
    let outcome = simulate(model.system().as_mut(), &model.initial_state(), settings, &mut ());
    let Ok(outcome) = outcome else { return Ok(()) };
    curves(&run_of(model, &outcome, settings), read).map(|_| ())
}

fn run_of<'a>(model: &Model, outcome: &'a Outcome, settings: &'a Settings) -> Run<'a> {
    let results = model.results(&outcome.trajectory);
    Run {
        extra: results.extra,
        curves: results.curves,
        coordinates: results.coordinates,
        ..Run::new("", &outcome.trajectory, settings)
    }
}

fn curves(run: &Run, read: &[String]) -> Result<Vec<(String, f64)>, Refusal> {
    let blocks = tables(run).map_err(|error| error.to_string())?;
    let mut values = Vec::with_capacity(3 * read.len());
    for name in read {
        let found = blocks.iter().find_map(|block| {
            let column = block.headings().position(|heading| heading == *name)?;
            Some((block.table, column))
        });
        let Some((table, column)) = found else {
            let headings: Vec<String> = blocks.iter().flat_map(|block| block.headings()).collect();
            let help = did_you_mean(name, headings.iter().map(String::as_str).collect());
            return Err(Refusal::new(format!("there is no curve `{name}`"), help));
        };
        let last = table.column(column).last().unwrap_or(f64::NAN);
        let least = table.column(column).fold(f64::INFINITY, f64::min);
        let greatest = table.column(column).fold(f64::NEG_INFINITY, f64::max);
        for (word, value) in [("last", last), ("min", least), ("max", greatest)] {
            values.push((format!("{name}.{word}"), value));
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::{measure, wanted};
    use crate::Model;

    const TEXT: &str = r#"
        [coordinates]
        x = { at = 1, velocity = 0 }
        [mass]
        x = 1
        [force]
        x = "-x"
        [output]
        double = "2*x"
        [solve]
        formulation = "index3"
        step = 0.001
        until = 6.283185307179586
    "#;

    #[test]
    fn a_row_holds_last_least_and_greatest_values() {
        let model = Model::parse(TEXT, "model.toml", &[]).unwrap();
        let read = wanted(&model);
        assert_eq!(read, ["double"]);
        let row = measure(&model, &model.settings().unwrap(), &read, &mut ()).unwrap();
        assert_eq!((row.status.as_str(), row.values.len()), ("done", 3));
        for ((name, value), expected) in row.values.iter().zip([2.0, -2.0, 2.0]) {
            assert!((value - expected).abs() < 1e-4, "{name} is {value}");
        }
        let none = measure(&model, &model.settings().unwrap(), &["dubble".into()], &mut ());
        let none = none.unwrap();
        assert_eq!(none.status, "refused");
        assert!(none.message.contains("did you mean `double`"), "{}", none.message);
    }
}
