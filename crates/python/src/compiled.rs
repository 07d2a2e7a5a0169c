//! A model that was read, and its analyses.

mod pictures;
mod small_motions;
mod work;

use crate::additions::{Equations, Functions, Load, Variable};
use crate::errors::{Fault, failed};
use crate::finished::{Finished, Known};
use crate::nesting::Nesting;
use crate::simulation::Simulation;
use crate::trouble::Trouble;
use crate::watch::Watch;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rotula_dae::analysis::{self, FloquetSettings, Relaxation, Weighting};
use rotula_dae::checkpoint::Keeper;
use rotula_dae::{
    Diagnosis, Failure, InitialPolicy, Settings, State, make_consistent, redundant_constraints,
    simulate, simulate_kept,
};
use rotula_model::Mechanism;
use rotula_model::reading::Document;
use rotula_study::{
    Added, Model, Results, displacement, driven_times, places, sweep, verify as verify_run,
};
use serde_json::json;
use small_motions::{Linear, Steady, finder};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// A model ready for analyses.
#[pyclass(frozen)]
pub(crate) struct Compiled {
    /// Shared with the runs, which draw it.
    pub(crate) model: Arc<Model>,
    pub(crate) settings: Settings,
    document: Document,
    name: String,
    overrides: Vec<(String, String)>,
    trouble: Trouble,
    /// Names of the functions of the user.
    functions: Vec<String>,
}

/// A report as JSON, in words, and the state it speaks of.
type Report = (String, String, Finished);

/// Status and message; time reached, steps and seconds; values by name.
type Measured = ((String, String), (f64, usize, f64), Vec<(String, f64)>);

fn as_json(report: &impl serde::Serialize) -> String {
    serde_json::to_string(report).unwrap_or_default()
}

#[pymethods]
impl Compiled {
    /// Reads a text with overrides and functions.
    #[new]
    fn new(
        py: Python<'_>,
        text: String,
        name: String,
        overrides: Vec<(String, String)>,
        variables: Vec<Variable>,
        forces: Vec<Load>,
        constraints: Vec<Equations>,
    ) -> PyResult<Self> {
        let _nesting = Nesting::enter()?;
        let trouble = Trouble::default();
        let functions = Functions::new(variables, forces, constraints, &trouble);
        let document = Document::parse(&text, &name)
            .map_err(|error| Fault::of_model(&error, None).raise(py))?;
        let mechanism = Mechanism::recognises(&document);
        let to_equations = functions.check(mechanism).and_then(|()| match mechanism {
            true => Ok(Vec::new()),
            false => functions.for_equations(),
        });
        let to_equations = to_equations.map_err(|(message, remedy)| {
            let remedy = Some(remedy.to_owned());
            Fault { message, remedy, file: name.clone(), ..Fault::default() }.raise(py)
        })?;
        let added = Added { to_mechanism: &functions, to_equations: &to_equations };
        let added = (!functions.is_empty()).then_some(added);
        let model = Model::of(&document, &overrides, added);
        if let Some(error) = trouble.take() {
            return Err(error);
        }
        let model = model.map_err(|error| Fault::of_model(&error, Some(&document)).raise(py))?;
        let settings = model.analysis_settings().map_err(|error| {
            let fault =
                Fault { message: error.to_string(), file: name.clone(), ..Fault::default() };
            fault.at(&document, places::section(&document, "solve")).raise(py)
        })?;
        let functions = functions.names();
        let model = Arc::new(model);
        Ok(Compiled { model, settings, document, name, overrides, trouble, functions })
    }

    /// The title.
    #[getter]
    fn title(&self) -> &str {
        self.model.title()
    }

    /// `mechanism` or `equations`.
    #[getter]
    fn kind(&self) -> &'static str {
        match *self.model {
            Model::Equations(_) => "equations",
            Model::Mechanism(_) => "mechanism",
        }
    }

    /// The parameters with their values.
    #[getter]
    fn parameters(&self) -> Vec<(String, f64)> {
        self.model.parameters().to_vec()
    }

    /// The names of everything, by kind.
    #[getter]
    fn parts(&self) -> Vec<(String, Vec<String>)> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let parts = self.model.parts();
        parts.iter().map(|(kind, names)| (kind.to_lowercase(), owned(names))).collect()
    }

    #[pyo3(signature = (observer, checkpoint=None, verify=false))]
    /// Simulates; with checkpoints in a directory at an interval, and a second time to verify, if asked
    /// for.
    fn run(
        &self,
        py: Python<'_>,
        observer: Option<Py<PyAny>>,
        checkpoint: Option<(PathBuf, String)>,
        verify: bool,
    ) -> PyResult<Finished> {
        self.refuse_endless(py)?;
        let _nesting = Nesting::enter()?;
        let mut checkpoints = checkpoint.map(|choice| self.checkpoints(choice)).transpose()?;
        let observer = observer.map(|call| (call, self.model.probe()));
        let mut watch = Watch::new(observer, self.trouble.clone());
        let start = self.model.initial_state();
        let clock = Instant::now();
        let known: Result<Known, Diagnosis> = py.detach(|| {
            let mut system = self.model.system();
            let keeper: &mut dyn Keeper = match &mut checkpoints {
                Some(checkpoints) => checkpoints,
                None => &mut (),
            };
            let settings = &self.settings;
            let outcome = simulate_kept(system.as_mut(), &start, settings, &mut watch, keeper)?;
            let wall_seconds = match &checkpoints {
                Some(checkpoints) => checkpoints.elapsed(),
                None => clock.elapsed().as_secs_f64(),
            };
            let mut known = self.known(outcome, wall_seconds);
            // after an exception, or if an observer ended it, there is nothing to prove
            if verify && !self.trouble.is_there() && !watch.stopped {
                let Results { extra, curves, .. } = &known.results;
                let run = known.run(extra.clone(), curves.clone());
                let mut again = Watch::new(None, self.trouble.clone());
                let verification = verify_run(&self.model, settings, &run, &mut again);
                known.verification = Some(verification.expect("tables of one model fit together"));
            }
            Ok(known)
        });
        let trouble = self.trouble.take();
        // after an exception, or Ctrl-C, the same call goes on
        if let (Some(checkpoints), None) = (checkpoints, &trouble) {
            checkpoints.remove().map_err(|refusal| PyOSError::new_err(refusal.to_string()))?;
        }
        match (known, trouble) {
            (Ok(known), trouble) => {
                let trouble = trouble.map(|error| error.into_value(py).into_any());
                Finished::new(known, trouble, watch.stopped)
            }
            (Err(_), Some(error)) => Err(error),
            (Err(diagnosis), None) => Err(self.refused(py, &diagnosis)),
        }
    }

    /// Prepares a run that goes on step by step.
    fn start(this: Py<Self>, py: Python<'_>) -> PyResult<Simulation> {
        this.get().refuse_endless(py)?;
        Simulation::new(py, this)
    }

    /// Simulates and keeps the last, least and greatest values of some curves: a row of a sweep.
    /// Without names, those that the model says.
    fn measure(&self, py: Python<'_>, read: Option<Vec<String>>) -> PyResult<Measured> {
        self.refuse_endless(py)?;
        let read = read.unwrap_or_else(|| sweep::wanted(&self.model));
        let _nesting = Nesting::enter()?;
        let mut watch = Watch::new(None, self.trouble.clone());
        let row = py.detach(|| sweep::measure(&self.model, &self.settings, &read, &mut watch));
        match (self.trouble.take(), row) {
            (Some(error), _) => Err(error),
            (None, Some(row)) => Ok((
                (row.status, row.message),
                (row.reached, row.steps, row.wall_seconds),
                row.values,
            )),
            (None, None) => Err(PyRuntimeError::new_err("the run was stopped")),
        }
    }

    /// What is known before a run, as JSON; tries the start and one step.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        let start = self.initial();
        let model = &self.model;
        let found = self.work(py, |system| {
            let redundant = redundant_constraints(system, &start);
            let sizes = system.sizes();
            let freedom = sizes.motion.saturating_sub(sizes.multipliers() - redundant.len());
            let findings = analysis::check(system, &start).map_or_else(
                |_| redundant.iter().map(ToString::to_string).collect(),
                |report| report.findings(),
            );
            let mut first = serde_json::Value::Null;
            let mut one_step = |_: &State, step: &rotula_dae::StepRecord| {
                first = json!({ "h": step.h, "iterations": step.iterations });
                false
            };
            let (failure, initial, warnings, coordinates) = match model.solve().until() {
                Some(_) => {
                    let outcome = simulate(system, &start, &self.settings, &mut one_step)?;
                    let coordinates = outcome.trajectory.coordinates;
                    (outcome.failure, outcome.initial, outcome.warnings, coordinates)
                }
                // what is not to be run need only be able to start
                None => {
                    let mut projected = start.clone();
                    let initial = make_consistent(system, &mut projected, InitialPolicy::Project)?;
                    (None, initial, Vec::new(), None)
                }
            };
            match failure {
                Some(diagnosis) if diagnosis.failure != Failure::Interrupted => Err(diagnosis),
                _ => Ok(json!({
                    "title": model.title(),
                    "degrees_of_freedom": freedom,
                    "sizes": {
                        "configuration": sizes.configuration,
                        "motion": sizes.motion,
                        "constraints": sizes.multipliers(),
                        "states": sizes.states,
                        "variables": sizes.variables,
                    },
                    "redundant": redundant,
                    "findings": findings,
                    "hints": model.hints(),
                    "notes": model.notes(),
                    "initial": initial,
                    "warnings": warnings,
                    "coordinates": coordinates,
                    "first_step": first,
                })),
            }
        })?;
        match found {
            Ok(report) => Ok(report.to_string()),
            Err(diagnosis) => Err(self.refused(py, &diagnosis)),
        }
    }

    /// Closes the joints from where the bodies were put.
    fn assemble(&self, py: Python<'_>) -> PyResult<Report> {
        let mut state = self.initial();
        self.report(py, |system| {
            let report = analysis::assemble_position(system, &mut state, Weighting::Unit)?;
            Ok((as_json(&report), report.to_string(), state))
        })
    }

    /// Finds an equilibrium near the start, under the loads of a time.
    fn statics(&self, py: Python<'_>, at: Option<f64>) -> PyResult<Report> {
        let mut start = self.initial();
        start.t = at.unwrap_or(start.t);
        self.report(py, |system| {
            let found = analysis::statics(system, &start, Relaxation::IfNeeded)?;
            let displacements = self.model.displacements(&start, &found.state);
            let words = match displacement::words(&displacements) {
                none if none.is_empty() => found.to_string(),
                words => format!("{}\n{words}", found.verdict()),
            };
            let mut report = serde_json::to_value(&found).unwrap_or_default();
            report["displacements"] = serde_json::to_value(&displacements).unwrap_or_default();
            Ok((report.to_string(), words, found.state))
        })
    }

    /// Finds the lowest modes, or all, about an equilibrium (`equilibrium`), the start (`start`) or a steady
    /// turn (`turn`).
    fn modes(&self, py: Python<'_>, about: &str, count: Option<usize>) -> PyResult<Report> {
        let find = finder(about)?;
        let start = self.initial();
        self.report(py, |system| {
            let state = find(system, start.clone())?;
            let modes = match count {
                Some(count) => analysis::lowest_modes(system, &state, count)?,
                None => analysis::modes(system, &state)?,
            };
            Ok((as_json(&modes), modes.to_string(), state))
        })
    }

    /// Finds the motion that repeats after a period, or after a turn of what turns fastest, and its multipliers.
    fn floquet(&self, py: Python<'_>, period: Option<f64>, steps: usize) -> PyResult<Report> {
        let start = self.initial();
        let turn = || analysis::turning_period(self.model.system().as_mut(), &start);
        let Some(period) = period.or_else(turn) else {
            let message =
                "nothing turns at the start; give the `period` after which everything repeats";
            return Err(PyValueError::new_err(message));
        };
        let wanted = FloquetSettings { period, steps };
        self.report(py, |system| {
            let found = analysis::floquet(system, &start, &self.settings, &wanted)?;
            Ok((as_json(&found), found.to_string(), found.state))
        })
    }

    /// `A, B, C, D` between inputs, all of them if none are named, and curves.
    fn state_space<'py>(
        &self,
        py: Python<'py>,
        about: &str,
        inputs: Option<Vec<String>>,
        outputs: Vec<String>,
    ) -> PyResult<Linear<'py>> {
        self.linear(py, about, inputs, outputs)
    }

    /// The steady turn near the start, with at least so many of its frequencies.
    fn steady_case(&self, py: Python<'_>, count: usize) -> PyResult<Steady> {
        self.steady(py, count)
    }

    /// The mechanism as SVG, at the start or after running it until a time.
    fn draw(&self, py: Python<'_>, time: Option<f64>, view: Option<&str>) -> PyResult<String> {
        self.drawn(py, time, view)
    }

    /// Follows a driven mechanism; the second result is how far it is from a dead point.
    fn kinematics(&self, py: Python<'_>) -> PyResult<(Finished, Vec<f64>)> {
        self.refuse_endless(py)?;
        let start = self.initial();
        let times = driven_times(&self.settings);
        let clock = Instant::now();
        let (known, regularity) = self
            .work(py, |system| {
                let motion = analysis::kinematics(system, &start, &times)?;
                let seconds = clock.elapsed().as_secs_f64();
                Ok((self.of_states(system, &motion.states, seconds), motion.regularity))
            })?
            .map_err(|diagnosis: Diagnosis| failed(py, &diagnosis))?;
        Ok((Finished::new(known, None, false)?, regularity))
    }
}
