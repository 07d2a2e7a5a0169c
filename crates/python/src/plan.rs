//! Runs that were cut off, so that they can be gone on with.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rotula_study::checkpoint::Plan;
use std::path::PathBuf;

/// The program, as plans name it: numbers of another version may differ.
pub(crate) const PROGRAM: &str = concat!("rotula ", env!("CARGO_PKG_VERSION"), " in Python");

/// Text, name and replaced values of the model of an unfinished run, and the names of its functions,
/// which are not on disk.
type Found = (String, String, Vec<(String, String)>, Vec<String>);

/// Reads what a directory says of its unfinished run.
#[pyfunction]
pub(crate) fn unfinished(directory: PathBuf) -> PyResult<Found> {
    let plan = Plan::read(&directory).map_err(|refusal| PyOSError::new_err(refusal.to_string()))?;
    let Some(text) = plan.options.get("text").and_then(|text| text.as_str()) else {
        return Err(PyOSError::new_err(format!(
            "{0}: this run was begun by the program `rotula`; go on with it by `rotula resume {0}`",
            directory.display()
        )));
    };
    plan.refuse_changes(&directory, PROGRAM)
        .map_err(|refusal| PyOSError::new_err(refusal.to_string()))?;
    let names = plan.options.get("functions").and_then(|names| names.as_array());
    let names = names.into_iter().flatten().filter_map(|name| name.as_str());
    let functions = names.map(str::to_owned).collect();
    Ok((text.to_owned(), plan.name.clone(), plan.set.clone(), functions))
}
