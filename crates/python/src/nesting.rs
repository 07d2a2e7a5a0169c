//! Functions of a model may run models, but not without end: each level needs some of the stack of the
//! thread, which Python's own limit of recursion does not know of.

use pyo3::PyResult;
use pyo3::exceptions::PyRecursionError;
use std::cell::Cell;

/// Runs within each other; far below what the smallest stack of a thread holds.
const DEEPEST: usize = 16;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// An analysis under way in this thread.
pub(crate) struct Nesting(());

impl Nesting {
    /// Begins an analysis; refuses one that is too deep within others.
    pub(crate) fn enter() -> PyResult<Nesting> {
        let depth = DEPTH.get();
        if depth == DEEPEST {
            return Err(PyRecursionError::new_err(format!(
                "functions of models run models within each other, {DEEPEST} deep: does a function run \
                 its own model?"
            )));
        }
        DEPTH.set(depth + 1);
        Ok(Nesting(()))
    }
}

impl Drop for Nesting {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}
