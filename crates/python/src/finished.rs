//! What a run leaves behind, as arrays without copies.

use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rotula_dae::{Diagnosis, Settings, Table, Trajectory};
use rotula_report::{
    Curves, Extra, LongTable, Run, Values, Verification, contact_table, event_table, report,
    summary, tables, write_all,
};
use rotula_study::{Model, Results, film};
use std::path::PathBuf;
use std::sync::Arc;

/// Everything known about a run.
pub(crate) struct Known {
    pub model: Arc<Model>,
    pub title: String,
    pub file: String,
    pub trajectory: Trajectory,
    pub settings: Settings,
    pub results: Results,
    pub diagnosis: Option<Diagnosis>,
    pub warnings: Vec<String>,
    pub initial: serde_json::Value,
    pub freedom: usize,
    pub wall_seconds: f64,
    pub verification: Option<Verification>,
}

/// A finished or interrupted run.
#[pyclass(frozen)]
pub(crate) struct Finished {
    known: Known,
    /// Keys and headings of the tables, in order.
    blocks: Vec<(String, Vec<String>)>,
    /// The exception that ended the run.
    trouble: Option<Py<PyAny>>,
    /// An observer ended it.
    #[pyo3(get)]
    stopped: bool,
}

/// A table: its key, the headings of its columns, and the numbers.
type Shown<'py> = (String, Vec<String>, Bound<'py, PyArray2<f64>>);

impl Known {
    /// The run as writers see it, with these curves.
    pub(crate) fn run(&self, extra: Extra, curves: Vec<Curves>) -> Run<'_> {
        Run {
            model_file: Some(self.file.clone()),
            diagnosis: self.diagnosis.as_ref(),
            warnings: self.warnings.clone(),
            initial: self.initial.clone(),
            extra,
            curves,
            coordinates: self.results.coordinates,
            units: self.results.units.clone(),
            hot_spots: self.results.hot_spots.clone(),
            degrees_of_freedom: Some(self.freedom),
            wall_seconds: self.wall_seconds,
            verification: self.verification.as_ref(),
            ..Run::new(self.title.clone(), &self.trajectory, &self.settings)
        }
    }

    /// Does something with the run as a report shows it, in motion.
    fn shown<T>(&self, task: impl FnOnce(&Run) -> T) -> T {
        let film = film(&self.model, &self.trajectory);
        let Results { extra, curves, .. } = &self.results;
        let run = self.run(extra.clone(), curves.clone());
        task(&Run { film: film.as_ref(), ..run })
    }

    /// The table of a key.
    fn table(&self, key: &str) -> Option<&Table> {
        let Trajectory { contacts, .. } = &self.trajectory;
        Some(match key {
            "q" => &self.trajectory.q,
            "v" => &self.trajectory.v,
            "vdot" => &self.trajectory.vdot,
            "multipliers" => &self.trajectory.multipliers,
            "x" => &self.trajectory.x,
            "xdot" => &self.trajectory.xdot,
            "y" => &self.trajectory.y,
            "energy" => &self.trajectory.energy,
            "residuals" => &self.trajectory.residuals,
            "gap" => &contacts.gap,
            "contact_force" => &contacts.force,
            "contact_impulse" => &contacts.impulse,
            "contacts" => &contacts.summary,
            "extra" => &self.results.extra.table,
            _ => {
                let mut curves = self.results.curves.iter();
                let named = |curves: &&Curves| curves.title.to_lowercase().replace(' ', "_") == key;
                &curves.find(named)?.table
            }
        })
    }
}

impl Finished {
    pub(crate) fn new(
        mut known: Known,
        trouble: Option<Py<PyAny>>,
        stopped: bool,
    ) -> PyResult<Self> {
        // the curves are lent to a run, which knows how columns are called
        let extra = std::mem::take(&mut known.results.extra);
        let curves = std::mem::take(&mut known.results.curves);
        let (blocks, extra, curves) = {
            let run = known.run(extra, curves);
            let blocks =
                tables(&run).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            let blocks: Vec<_> = blocks
                .iter()
                .filter(|block| !block.names.is_empty())
                .map(|block| (block.key.to_string(), block.headings().collect()))
                .collect();
            let Run { extra, curves, .. } = run;
            (blocks, extra, curves)
        };
        (known.results.extra, known.results.curves) = (extra, curves);
        Ok(Finished { known, blocks, trouble, stopped })
    }
}

#[pymethods]
impl Finished {
    /// The recorded times.
    #[getter]
    fn t<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        let view = ArrayView1::from(slf.get().known.trajectory.times.as_slice());
        // SAFETY: the object is frozen, so that the numbers stay; the array keeps it alive and may
        // not be written to.
        #[allow(unsafe_code)]
        let array = unsafe { PyArray1::borrow_from_array(&view, slf.clone().into_any()) };
        array.readwrite().make_nonwriteable();
        array
    }

    /// All tables over the recorded times.
    fn tables<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Shown<'py>>> {
        let Finished { known, blocks, .. } = slf.get();
        let rows = known.trajectory.len();
        let mut shown = Vec::new();
        for (key, headings) in blocks {
            let Some(table) = known.table(key) else { continue };
            let view = ArrayView2::from_shape((rows, table.width()), table.values())
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            // SAFETY: as above.
            #[allow(unsafe_code)]
            let array = unsafe { PyArray2::borrow_from_array(&view, slf.clone().into_any()) };
            array.readwrite().make_nonwriteable();
            shown.push((key.clone(), headings.clone(), array));
        }
        Ok(shown)
    }

    /// Time, size, iterations, factorisations, rejected attempts, error and order of every step.
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let steps = &self.known.trajectory.steps;
        let column = |value: fn(&rotula_dae::StepRecord) -> f64| {
            PyArray1::from_iter(py, steps.iter().map(value))
        };
        let columns = PyDict::new(py);
        columns.set_item("t", column(|step| step.t))?;
        columns.set_item("h", column(|step| step.h))?;
        columns.set_item("iterations", column(|step| step.iterations as f64))?;
        columns.set_item("factorisations", column(|step| step.factorisations as f64))?;
        columns.set_item("rejected", column(|step| step.rejected as f64))?;
        columns.set_item("error", column(|step| step.error))?;
        columns.set_item("order", column(|step| step.order as f64))?;
        Ok(columns)
    }

    /// The contacts that touch, at each recorded time, by column.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_column(py, contact_table(&self.known.run(Extra::default(), Vec::new())))
    }

    /// The impacts, by column.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_column(py, event_table(&self.known.run(Extra::default(), Vec::new())))
    }

    /// The summary as JSON.
    fn summary(&self) -> String {
        summary(&self.known.run(Extra::default(), Vec::new())).to_string()
    }

    /// Units by column.
    #[getter]
    fn units(&self) -> std::collections::BTreeMap<String, String> {
        self.known.results.units.columns.clone()
    }

    /// The title of the model.
    #[getter]
    fn title(&self) -> &str {
        &self.known.title
    }

    /// The exception that ended the run, if one did.
    #[getter]
    fn trouble(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.trouble.as_ref().map(|error| error.clone_ref(py))
    }

    /// Writes summary, tables and report into a directory.
    fn write(&self, py: Python<'_>, directory: PathBuf) -> PyResult<PathBuf> {
        py.detach(|| self.known.shown(|run| write_all(&directory, run)))
            .map(|files| files.report)
            .map_err(|error| PyOSError::new_err(error.to_string()))
    }

    /// The report as a text.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.known.shown(report))
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}

/// A table as a dictionary of arrays and lists of texts; empty if there is no table.
fn by_column<'py>(py: Python<'py>, table: Option<LongTable>) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let Some(LongTable { columns: list, rows }) = table else { return Ok(columns) };
    for column in &list {
        match &column.values {
            Values::Numbers(value) => {
                columns.set_item(&column.name, PyArray1::from_iter(py, (0..rows).map(value)))?;
            }
            Values::Integers(value) => {
                columns.set_item(&column.name, PyArray1::from_iter(py, (0..rows).map(value)))?;
            }
            Values::Texts(value) => {
                columns.set_item(&column.name, (0..rows).map(value).collect::<Vec<_>>())?;
            }
        }
    }
    Ok(columns)
}
