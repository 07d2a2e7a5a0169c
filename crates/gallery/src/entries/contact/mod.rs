//! Invariants of contact: rolling, bouncing and hitting several bodies at once, against closed forms.

mod bounces;
mod friction;
mod machines;
mod passing;
mod rims;
mod rolling;
mod simultaneous;

use crate::entry::{Entry, GalleryError};
use crate::study::{run_model, run_system};
use rotula_dae::{Impact, Trajectory};
use rotula_model::Mechanism;

pub(crate) fn entries() -> Vec<Entry> {
    vec![
        rolling::ENTRY,
        rims::ENTRY,
        bounces::ENTRY,
        simultaneous::ENTRY,
        friction::ENTRY,
        passing::ENTRY,
        machines::ENTRY,
    ]
}

/// How a model is marched: words of its formulation and of its steps.
#[derive(Clone, Copy)]
struct March {
    name: &'static str,
    formulation: &'static str,
    /// `step` or `tolerance`, and its value.
    steps: (&'static str, &'static str),
}

const fn nonsmooth(name: &'static str, key: &'static str, value: &'static str) -> March {
    March { name, formulation: "nonsmooth", steps: (key, value) }
}

const fn moreau_jean(name: &'static str, step: &'static str) -> March {
    March { name, formulation: "moreau-jean", steps: ("step", step) }
}

/// A model text whose own steps give way.
fn marched(text: &str, march: March) -> String {
    let own = |line: &&str| !line.starts_with("step = ") && !line.starts_with("tolerance = ");
    let text: String = text.lines().filter(own).map(|line| format!("{line}\n")).collect();
    format!("{text}{} = {}\n", march.steps.0, march.steps.1)
}

/// The trajectory of a model of equations.
fn equations(text: &str, march: March) -> Result<Trajectory, GalleryError> {
    let run = run_model(&marched(text, march), &[("solve.formulation", march.formulation)])?;
    Ok(run.outcome.trajectory)
}

/// A run, and its curves by name.
struct Run {
    trajectory: Trajectory,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Run {
    /// Marches a model; a run that fails, ends early or leaves numbers that are not finite is an error.
    fn of(text: &str, march: March, overrides: &[(&str, String)]) -> Result<Run, GalleryError> {
        let wrong = |error: rotula_model::ModelError| GalleryError::Model(error.to_string());
        let mut all: Vec<(String, String)> =
            overrides.iter().map(|(key, value)| (key.to_string(), value.clone())).collect();
        all.push(("solve.formulation".into(), march.formulation.into()));
        let text = marched(text, march);
        let model = Mechanism::parse(&text, "model.toml", &all).map_err(wrong)?;
        let outcome = run_system(&mut model.system(), &model.initial_state(), &model.settings()?)?;
        let trajectory = outcome.trajectory;
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        for group in model.curves(&trajectory) {
            columns.extend((0..group.names.len()).map(|j| group.table.column(j).collect()));
            names.extend(group.names);
        }
        Ok(Run { trajectory, names, columns })
    }

    fn column(&self, name: &str) -> Result<&[f64], GalleryError> {
        let missing = || GalleryError::Incomplete(format!("the run has no column `{name}`"));
        let k = self.names.iter().position(|own| own == name).ok_or_else(missing)?;
        Ok(&self.columns[k])
    }

    fn last(&self, name: &str) -> Result<f64, GalleryError> {
        Ok(self.column(name)?.last().copied().unwrap_or(f64::NAN))
    }

    /// Forces of the first contact, normal row.
    fn forces(&self) -> Vec<f64> {
        self.trajectory.contacts.force.column(0).collect()
    }

    /// Kinetic and potential energy of each row.
    fn energies(&self) -> Vec<f64> {
        let energy = &self.trajectory.energy;
        (0..self.trajectory.len()).map(|i| energy.row(i)[0] + energy.row(i)[1]).collect()
    }

    fn impacts(&self) -> &[Impact] {
        &self.trajectory.contacts.impacts
    }
}
