//! Runs that go on when they are told to.

use crate::compiled::Compiled;
use crate::errors::failed;
use crate::finished::Finished;
use crate::nesting::Nesting;
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rotula_dae::checkpoint::Snapshot;
use rotula_dae::{Diagnosis, Integrator, State};
use rotula_model::reading::did_you_mean;
use rotula_study::Probe;
use std::collections::HashMap;
use std::time::Instant;

/// How many steps are taken before a long advance looks whether someone wants to stop it.
const STEPS_BETWEEN_LOOKS: usize = 100;

/// A run, step by step.
#[pyclass(unsendable, module = "rotula")]
pub(crate) struct Simulation {
    model: Py<Compiled>,
    /// None after the end.
    integrator: Option<Integrator<'static>>,
    probe: Probe,
    curves: HashMap<String, usize>,
    inputs: Vec<String>,
    /// The present state as the record has it; made when it is asked for.
    row: Option<State>,
    /// An input was changed since the last step.
    changed: bool,
    clock: Instant,
}

/// Where a run was.
#[pyclass(frozen, module = "rotula")]
pub(crate) struct SavedRun(Snapshot);

#[pymethods]
impl SavedRun {
    /// The time.
    #[getter]
    fn t(&self) -> f64 {
        self.0.t
    }

    fn __repr__(&self) -> String {
        format!("SavedRun(t={})", self.0.t)
    }
}

impl Simulation {
    pub(crate) fn new(py: Python<'_>, model: Py<Compiled>) -> PyResult<Self> {
        let _nesting = Nesting::enter()?;
        let compiled = model.get();
        let mut system = compiled.model.system();
        let inputs = system.inputs().map(|inputs| inputs.names()).unwrap_or_default();
        let probe = compiled.model.probe();
        let curves = probe.names().iter().enumerate().map(|(k, name)| (name.clone(), k)).collect();
        let start = compiled.model.initial_state();
        let begun = Integrator::new(system, &start, &compiled.settings);
        let integrator = compiled.unless_troubled(begun)?;
        let integrator = integrator.map_err(|diagnosis| compiled.refused(py, &diagnosis))?;
        let (integrator, row, clock) = (Some(integrator), None, Instant::now());
        Ok(Simulation { model, integrator, probe, curves, inputs, row, changed: false, clock })
    }

    fn integrator(&mut self) -> PyResult<&mut Integrator<'static>> {
        self.integrator.as_mut().ok_or_else(|| PyRuntimeError::new_err("the run was finished"))
    }

    /// Does something with the run; the row of the present state is no longer valid then.
    fn work<T>(
        &mut self,
        py: Python<'_>,
        task: impl FnOnce(&mut Integrator<'static>) -> Result<T, Diagnosis>,
    ) -> PyResult<T> {
        self.row = None;
        let changed = std::mem::take(&mut self.changed);
        let integrator = self.integrator()?;
        let done = match changed {
            true => integrator.restart().and_then(|()| task(integrator)),
            false => task(integrator),
        };
        let done = self.model.get().unless_troubled(done)?;
        done.map_err(|diagnosis| failed(py, &diagnosis))
    }

    fn input(&self, name: &str) -> PyResult<usize> {
        self.inputs.iter().position(|known| known == name).ok_or_else(|| {
            let help = match self.inputs.is_empty() {
                true => "the model has none; declare it under [input]".to_owned(),
                false => did_you_mean(name, self.inputs.iter().map(String::as_str).collect()),
            };
            PyKeyError::new_err(format!("there is no input `{name}`; {help}"))
        })
    }
}

#[pymethods]
impl Simulation {
    /// The time reached.
    #[getter]
    fn t(&mut self) -> PyResult<f64> {
        Ok(self.integrator()?.state().t)
    }

    /// The numbers of the configuration.
    #[getter]
    fn q<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, &self.integrator()?.state().q))
    }

    /// The velocities.
    #[getter]
    fn v<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, &self.integrator()?.state().v))
    }

    /// Whether the end of `[solve]` is reached.
    #[getter]
    fn done(&mut self) -> PyResult<bool> {
        Ok(self.integrator()?.is_done())
    }

    /// Names that can be read.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.probe.names().to_vec()
    }

    /// The inputs of the model, by name.
    #[getter]
    fn inputs(&mut self) -> PyResult<HashMap<String, f64>> {
        let names = self.inputs.clone();
        let system = self.integrator()?.system();
        let Some(inputs) = system.inputs() else { return Ok(HashMap::new()) };
        Ok(names.into_iter().enumerate().map(|(k, name)| (name, inputs.value(k))).collect())
    }

    /// Steps on: by `h`, in as many steps as the settings ask for, or by one step of their size.
    #[pyo3(signature = (h=None))]
    fn step(&mut self, py: Python<'_>, h: Option<f64>) -> PyResult<f64> {
        match h {
            None => self.work(py, |integrator| integrator.step().map(|_| ()))?,
            Some(h) if h > 0.0 && h.is_finite() => {
                let t = self.integrator()?.state().t;
                return self.advance_to(py, t + h);
            }
            Some(h) => {
                let words =
                    format!("a step of {h} leads nowhere; give a positive number of seconds");
                return Err(PyValueError::new_err(words));
            }
        }
        self.t()
    }

    /// Steps until a time, and ends there exactly.
    fn advance_to(&mut self, py: Python<'_>, t: f64) -> PyResult<f64> {
        let now = self.t()?;
        if !(t >= now && t.is_finite()) {
            let words = format!("the run is at {now} already; it goes forward only, not to {t}");
            return Err(PyValueError::new_err(words));
        }
        let mut steps = 0;
        while self.t()? < t {
            self.work(py, |integrator| integrator.step_towards(t))?;
            steps += 1;
            if steps % STEPS_BETWEEN_LOOKS == 0 {
                py.check_signals()?;
            }
        }
        Ok(t)
    }

    /// The value of a curve, such as `slider.x`.
    fn __getitem__(&mut self, name: &str) -> PyResult<f64> {
        let Some(&curve) = self.curves.get(name) else {
            let known = self.probe.names().iter().map(String::as_str).collect();
            let help = did_you_mean(name, known);
            return Err(PyKeyError::new_err(format!("there is no curve `{name}`; {help}")));
        };
        if self.row.is_none() {
            self.row = Some(self.integrator()?.row());
        }
        let state = self.row.as_ref().expect("just made");
        Ok(self.probe.read(curve, state))
    }

    /// Sets an input; forces jump here.
    fn __setitem__(&mut self, name: &str, value: f64) -> PyResult<()> {
        let input = self.input(name)?;
        if !value.is_finite() {
            return Err(PyValueError::new_err(format!("the input `{name}` cannot be {value}")));
        }
        let integrator = self.integrator()?;
        let t = integrator.state().t;
        let inputs = integrator.system().inputs().expect("a system with inputs");
        let old = inputs.value(input);
        inputs.set(input, value, t);
        self.changed |= old != value;
        Ok(())
    }

    /// Where the run is, to come back to.
    fn snapshot(&mut self) -> PyResult<SavedRun> {
        Ok(SavedRun(self.integrator()?.snapshot()))
    }

    /// Comes back to where a snapshot was taken.
    fn restore(&mut self, py: Python<'_>, saved: &SavedRun) -> PyResult<()> {
        self.changed = false;
        self.work(py, |integrator| integrator.restore(&saved.0))
    }

    /// Ends the run: all that was recorded.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.integrator()?;
        let integrator = self.integrator.take().expect("asked for above");
        let compiled = self.model.get();
        let known = compiled.known(integrator.conclude(None), self.clock.elapsed().as_secs_f64());
        let run = py.import("rotula.results")?.getattr("Run")?;
        run.call_method1("_of_native", (Finished::new(known, None, false)?,))
    }

    fn __repr__(&mut self) -> String {
        match &self.integrator {
            Some(integrator) => format!("<rotula.Simulation at t = {}>", integrator.state().t),
            None => "<rotula.Simulation, finished>".into(),
        }
    }
}
