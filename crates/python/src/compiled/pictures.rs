//! Pictures of a mechanism.

use super::Compiled;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rotula_dae::{Diagnosis, simulate};
use rotula_report::picture::View;
use rotula_study::{Model, drawing, start_to_draw};

impl Compiled {
    /// The mechanism as SVG, at the start or after running it until a time.
    pub(super) fn drawn(
        &self,
        py: Python<'_>,
        time: Option<f64>,
        view: Option<&str>,
    ) -> PyResult<String> {
        let Model::Mechanism(mechanism) = &*self.model else {
            return Err(PyValueError::new_err("this is a model of equations, which has no shape"));
        };
        let view = match view {
            None => None,
            Some("xy") => Some(View::along(2, 1)),
            Some("xz") => Some(View::along(1, 2)),
            Some("yz") => Some(View::along(0, 2)),
            Some("oblique") => Some(View::oblique(2)),
            Some(other) => {
                let words =
                    format!("`view` is {other:?}; write \"xy\", \"xz\", \"yz\" or \"oblique\"");
                return Err(PyValueError::new_err(words));
            }
        };
        let start = self.settings.start;
        let Some(time) = time else {
            let state = self.work(py, |_| start_to_draw(mechanism, start))?;
            return Ok(drawing(mechanism, &state, Vec::new(), &mechanism.title, view));
        };
        // written so that what is no number is refused
        if !(time > start && time.is_finite()) {
            let words = format!("`time` is {time}; give one after the start, {start} s");
            return Err(PyValueError::new_err(words));
        }
        let mut settings = self.settings.clone();
        settings.until = time;
        let outcome = self.work(py, |system| {
            let outcome = simulate(system, &self.model.initial_state(), &settings, &mut ())?;
            match outcome.failure {
                Some(diagnosis) => Err(diagnosis),
                None => Ok((outcome.trajectory, outcome.state)),
            }
        })?;
        let (trajectory, state) =
            outcome.map_err(|diagnosis: Diagnosis| self.refused(py, &diagnosis))?;
        let title = format!("{}, t = {time} s", mechanism.title);
        Ok(drawing(mechanism, &state, mechanism.paths(&trajectory), &title, view))
    }
}
