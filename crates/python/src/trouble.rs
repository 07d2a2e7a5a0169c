//! Exceptions in functions that an integrator calls.

use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The first exception of a run. While there is one, functions are not called any more and give
/// numbers that are not finite, so that the run ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trouble(Arc<Mutex<Option<PyErr>>>);

impl Trouble {
    fn slot(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the first exception.
    pub(crate) fn keep(&self, error: PyErr) {
        self.slot().get_or_insert(error);
    }

    pub(crate) fn is_there(&self) -> bool {
        self.slot().is_some()
    }

    /// Takes the exception out, so that the model can be used again.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.slot().take()
    }

    /// Calls Python unless there is trouble, and keeps the exception if it raises one.
    pub(crate) fn guard<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        if self.is_there() {
            return None;
        }
        Python::attach(|py| call(py).map_err(|error| self.keep(error)).ok())
    }
}
