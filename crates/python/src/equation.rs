//! Functions of users in models of equations.

use crate::trouble::Trouble;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rotula_model::equations::EquationFunction;
use std::sync::Arc;

/// A function of numbers that gives one or several.
pub(crate) struct PythonEquation {
    /// What it is and its name, for messages.
    pub thing: String,
    pub function: Arc<Py<PyAny>>,
    /// Gives the partial derivatives.
    pub slopes: Option<Arc<Py<PyAny>>>,
    pub trouble: Trouble,
}

impl PythonEquation {
    /// Calls a function of the inputs, and wants so many numbers of it.
    fn call(
        &self,
        py: Python<'_>,
        (function, what): (&Py<PyAny>, &str),
        inputs: &[f64],
        count: usize,
    ) -> PyResult<Vec<f64>> {
        let result = function.bind(py).call1(PyTuple::new(py, inputs)?)?;
        let values = match result.extract::<f64>() {
            Ok(number) => vec![number],
            Err(_) => result.extract::<Vec<f64>>().map_err(|_| {
                let got = result.get_type();
                let thing = &self.thing;
                PyTypeError::new_err(format!("{thing}: {what} must return numbers, not {got}"))
            })?,
        };
        if values.len() != count {
            let (thing, found) = (&self.thing, values.len());
            let many = if count == 1 { "number" } else { "numbers" };
            return Err(PyValueError::new_err(format!(
                "{thing}: {what} must return {count} {many}, not {found}"
            )));
        }
        Ok(values)
    }
}

impl EquationFunction for PythonEquation {
    fn values(&self, inputs: &[f64], out: &mut [f64]) {
        let call = (&*self.function, "the function");
        match self.trouble.guard(|py| self.call(py, call, inputs, out.len())) {
            Some(values) => out.copy_from_slice(&values),
            None => out.fill(f64::NAN),
        }
    }

    fn slopes(&self, inputs: &[f64], out: &mut [f64]) -> bool {
        let Some(slopes) = &self.slopes else { return false };
        match self.trouble.guard(|py| self.call(py, (slopes, "`slopes`"), inputs, out.len())) {
            Some(values) => out.copy_from_slice(&values),
            None => out.fill(f64::NAN),
        }
        true
    }
}
