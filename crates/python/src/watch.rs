//! Observers and Ctrl-C.

use crate::trouble::Trouble;
use numpy::PyArray1;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use rotula_dae::{Observer, State, StepRecord};
use rotula_model::reading::did_you_mean;
use rotula_study::Probe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a run looks whether someone wants to stop it: soon enough for a person, at no cost.
const PATIENCE: Duration = Duration::from_millis(50);

/// Watches a run for a user.
pub(crate) struct Watch {
    observer: Option<(Py<PyAny>, Arc<Mutex<Probe>>)>,
    trouble: Trouble,
    looked: Instant,
    /// The observer asked to stop.
    pub stopped: bool,
}

impl Watch {
    pub(crate) fn new(observer: Option<(Py<PyAny>, Probe)>, trouble: Trouble) -> Self {
        let observer = observer.map(|(call, probe)| (call, Arc::new(Mutex::new(probe))));
        Watch { observer, trouble, looked: Instant::now(), stopped: false }
    }

    /// Shows the observer a step; whether to go on.
    fn show(&self, state: &State, step: &StepRecord) -> Option<bool> {
        let Some((call, probe)) = &self.observer else { return Some(true) };
        self.trouble.guard(|py| {
            let moment = Moment { state: state.clone(), step: *step, probe: probe.clone() };
            let answer = call.bind(py).call1((moment,))?;
            // only `False` stops: a function without `return` gives `None`
            Ok(!answer.is(pyo3::types::PyBool::new(py, false)))
        })
    }
}

impl Observer for Watch {
    fn goes_on(&mut self) -> bool {
        if self.looked.elapsed() >= PATIENCE {
            self.looked = Instant::now();
            self.trouble.guard(|py| py.check_signals());
        }
        !self.trouble.is_there()
    }

    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool {
        if !self.goes_on() {
            return false;
        }
        match self.show(state, step) {
            Some(true) => !self.trouble.is_there(),
            Some(false) => {
                self.stopped = true;
                false
            }
            None => false,
        }
    }
}

/// What an observer sees after an accepted step.
#[pyclass(frozen, module = "rotula")]
pub(crate) struct Moment {
    state: State,
    step: StepRecord,
    probe: Arc<Mutex<Probe>>,
}

#[pymethods]
impl Moment {
    /// The time.
    #[getter]
    fn t(&self) -> f64 {
        self.state.t
    }

    /// The size of the step that led here.
    #[getter]
    fn step(&self) -> f64 {
        self.step.h
    }

    /// Iterations of this step.
    #[getter]
    fn iterations(&self) -> usize {
        self.step.iterations
    }

    /// The numbers of the configuration.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.state.q)
    }

    /// The velocities: of bodies that something holds in their own axes, of free ones, whose linear velocity is
    /// that of the centre of mass, in those of the world.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.state.v)
    }

    /// Names that can be read.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.probe.lock().unwrap_or_else(PoisonError::into_inner).names().to_vec()
    }

    /// The value of a curve, such as `slider.x`.
    fn __getitem__(&self, name: &str) -> PyResult<f64> {
        let mut probe = self.probe.lock().unwrap_or_else(PoisonError::into_inner);
        match probe.names().iter().position(|known| known == name) {
            Some(curve) => Ok(probe.read(curve, &self.state)),
            None => {
                let known = probe.names().iter().map(String::as_str).collect();
                let help = did_you_mean(name, known);
                Err(PyKeyError::new_err(format!("there is no curve `{name}`; {help}")))
            }
        }
    }

    fn __repr__(&self) -> String {
        format!("Moment(t={}, step={})", self.state.t, self.step.h)
    }
}
