//! Constraints that a Python function computes.

use crate::motion::BodyMotion;
use crate::trouble::Trouble;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rotula_mechanics::Marker;
use rotula_mechanics::constraint::PositionFunction;
use rotula_mechanics::node::Motion;
use std::sync::Arc;

/// A function of time and the places of some markers that is held at zero.
#[derive(Clone, Debug)]
pub(crate) struct PythonConstraint {
    pub name: Arc<str>,
    pub markers: Vec<Marker>,
    pub rows: usize,
    pub function: Arc<Py<PyAny>>,
    pub trouble: Trouble,
}

impl PythonConstraint {
    fn call(&self, py: Python<'_>, t: f64, motions: &[Motion]) -> PyResult<Vec<f64>> {
        let mut arguments = vec![t.into_pyobject(py)?.into_any()];
        for (marker, motion) in self.markers.iter().zip(motions) {
            arguments.push(Bound::new(py, BodyMotion::placed(marker, motion))?.into_any());
        }
        let result = self.function.bind(py).call1(PyTuple::new(py, arguments)?)?;
        let values = match result.extract::<f64>() {
            Ok(number) => vec![number],
            Err(_) => result.extract::<Vec<f64>>()?,
        };
        if values.len() != self.rows {
            return Err(PyValueError::new_err(format!(
                "constraint `{}`: the function must return as many numbers as `rows` says, {}, not {}",
                self.name,
                self.rows,
                values.len()
            )));
        }
        Ok(values)
    }
}

impl PositionFunction for PythonConstraint {
    fn rows(&self) -> usize {
        self.rows
    }

    fn describe(&self, row: usize) -> String {
        match self.rows {
            1 => "equation".to_owned(),
            _ => format!("equation {}", row + 1),
        }
    }

    fn residual(&self, t: f64, motions: &[Motion], out: &mut [f64]) {
        match self.trouble.guard(|py| self.call(py, t, motions)) {
            Some(values) => out.copy_from_slice(&values),
            None => out.fill(f64::NAN),
        }
    }
}
