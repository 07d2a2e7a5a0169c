//! How analyses of a model are done: without the interpreter, with exceptions of the user first, and what they leave.

use super::{Compiled, Report};
use crate::errors::{Fault, failed};
use crate::finished::{Finished, Known};
use crate::nesting::Nesting;
use crate::plan::PROGRAM;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use rotula_dae::{Diagnosis, Outcome, State, System, Trajectory};
use rotula_study::checkpoint::{Checkpoints, Plan, inputs};
use rotula_study::{degrees_of_freedom, places};
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

impl Compiled {
    /// The state at the start time.
    pub(super) fn initial(&self) -> State {
        State { t: self.settings.start, ..self.model.initial_state() }
    }

    /// Works on the equations without holding the interpreter. An exception of a function of the
    /// user comes before whatever the analysis makes of it.
    pub(super) fn work<T: Send>(
        &self,
        py: Python<'_>,
        task: impl FnOnce(&mut dyn System) -> T + Send,
    ) -> PyResult<T> {
        let _nesting = Nesting::enter()?;
        self.unless_troubled(py.detach(|| task(self.model.system().as_mut())))
    }

    /// A result, unless a function of the user has raised an exception, which comes first.
    pub(crate) fn unless_troubled<T>(&self, result: T) -> PyResult<T> {
        match self.trouble.take() {
            Some(error) => Err(error),
            None => Ok(result),
        }
    }

    /// What a run leaves behind.
    pub(crate) fn known(&self, outcome: Outcome, wall_seconds: f64) -> Known {
        let start = self.model.initial_state();
        Known {
            model: self.model.clone(),
            title: self.model.title().to_owned(),
            file: self.name.clone(),
            results: self.model.results(&outcome.trajectory),
            trajectory: outcome.trajectory,
            settings: self.settings.clone(),
            diagnosis: outcome.failure,
            warnings: outcome.warnings,
            initial: serde_json::to_value(&outcome.initial).unwrap_or_default(),
            freedom: degrees_of_freedom(self.model.system().as_mut(), &start),
            wall_seconds,
            verification: None,
        }
    }

    /// States that no integrator has computed, as results.
    pub(super) fn of_states(
        &self,
        system: &mut dyn System,
        states: &[State],
        seconds: f64,
    ) -> Known {
        let trajectory = Trajectory::of_states(system, states);
        let freedom = states.first().map_or(0, |state| degrees_of_freedom(system, state));
        Known {
            model: self.model.clone(),
            title: self.model.title().to_owned(),
            file: self.name.clone(),
            results: self.model.results(&trajectory),
            trajectory,
            settings: self.settings.clone(),
            diagnosis: None,
            warnings: Vec::new(),
            initial: serde_json::Value::Null,
            freedom,
            wall_seconds: seconds,
            verification: None,
        }
    }

    /// Refuses to run a model without an end time; analyses need none.
    pub(super) fn refuse_endless(&self, py: Python<'_>) -> PyResult<()> {
        let Err(error) = self.model.settings() else { return Ok(()) };
        let fault = Fault {
            message: error.what,
            remedy: Some(error.help),
            file: self.name.clone(),
            ..Fault::default()
        };
        Err(fault.at(&self.document, places::section(&self.document, "solve")).raise(py))
    }

    /// Checkpoints of this model in a directory.
    pub(super) fn checkpoints(
        &self,
        (directory, every): (PathBuf, String),
    ) -> PyResult<Checkpoints> {
        let model = PathBuf::from(&self.name);
        let plan = Plan {
            program: PROGRAM.into(),
            name: self.name.clone(),
            inputs: inputs(&model, &self.overrides),
            model,
            set: self.overrides.clone(),
            interval: every.parse().map_err(PyValueError::new_err)?,
            options: json!({ "text": self.document.source.text, "functions": self.functions }),
        };
        Checkpoints::begin_or_resume(&directory, &plan)
            .map_err(|refusal| PyOSError::new_err(refusal.to_string()))
    }

    pub(crate) fn refused(&self, py: Python<'_>, diagnosis: &Diagnosis) -> PyErr {
        Fault::refused(&self.name, &self.document, diagnosis).raise(py)
    }

    /// A report with the state it speaks of.
    pub(super) fn report(
        &self,
        py: Python<'_>,
        task: impl FnOnce(&mut dyn System) -> Result<(String, String, State), Diagnosis> + Send,
    ) -> PyResult<Report> {
        let clock = Instant::now();
        let (json, words, known) = self
            .work(py, |system| {
                let (json, words, state) = task(system)?;
                let seconds = clock.elapsed().as_secs_f64();
                Ok((json, words, self.of_states(system, &[state], seconds)))
            })?
            .map_err(|diagnosis: Diagnosis| failed(py, &diagnosis))?;
        Ok((json, words, Finished::new(known, None, false)?))
    }
}
