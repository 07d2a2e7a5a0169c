//! Variables that a Python function computes from the time and signals: controllers.

use crate::trouble::Trouble;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rotula_mechanics::control::SignalFunction;
use std::sync::Arc;

/// A function of numbers, with or without its derivatives.
#[derive(Clone, Debug)]
pub(crate) struct PythonVariable {
    pub name: Arc<str>,
    pub function: Arc<Py<PyAny>>,
    pub slopes: Option<Arc<Py<PyAny>>>,
    pub trouble: Trouble,
}

impl SignalFunction for PythonVariable {
    fn value(&mut self, inputs: &[f64]) -> f64 {
        let call = |py: Python<'_>| {
            let result = self.function.call1(py, PyTuple::new(py, inputs)?)?;
            result.extract::<f64>(py).map_err(|_| {
                let got = result.bind(py).get_type();
                PyTypeError::new_err(format!(
                    "variable `{}`: the function must return a number, not {got}",
                    self.name
                ))
            })
        };
        self.trouble.guard(call).unwrap_or(f64::NAN)
    }

    fn slopes(&mut self, inputs: &mut [f64], out: &mut [f64]) {
        let Some(slopes) = self.slopes.clone() else { return differences(self, inputs, out) };
        let call = |py: Python<'_>| {
            let result = slopes.call1(py, PyTuple::new(py, inputs.iter())?)?;
            let values: Vec<f64> = result.extract(py)?;
            if values.len() != inputs.len() {
                return Err(PyValueError::new_err(format!(
                    "variable `{}`: `slopes` must return {} numbers, one per input, not {}",
                    self.name,
                    inputs.len(),
                    values.len()
                )));
            }
            Ok(values)
        };
        match self.trouble.guard(call) {
            Some(values) => out.copy_from_slice(&values),
            None => out.fill(f64::NAN),
        }
    }
}

/// The differences that the trait offers.
fn differences(variable: &mut PythonVariable, inputs: &mut [f64], out: &mut [f64]) {
    #[derive(Clone, Debug)]
    struct Plain(PythonVariable);
    impl SignalFunction for Plain {
        fn value(&mut self, inputs: &[f64]) -> f64 {
            self.0.value(inputs)
        }
    }
    Plain(variable.clone()).slopes(inputs, out);
}
