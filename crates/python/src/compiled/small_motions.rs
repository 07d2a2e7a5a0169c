//! Small motions of a model: between inputs and outputs, and about steady turns.

use super::Compiled;
use crate::errors::failed;
use numpy::PyArray2;
use numpy::ndarray::Array2;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use rotula_dae::analysis::{self, Matrix, Relaxation, StateSpace};
use rotula_dae::{Diagnosis, InitialPolicy, State, System, make_consistent};
use rotula_model::reading::did_you_mean;
use rotula_study::steady_case;

/// Finds a state from the start.
pub(super) type Finder = fn(&mut dyn System, State) -> Result<State, Diagnosis>;

/// The names of the inputs, the four matrices, and doubts.
pub(super) type Linear<'py> = (Vec<String>, Vec<Bound<'py, PyArray2<f64>>>, Vec<String>);

/// Angular speed, frequencies with damping, how many motions grow, and doubts.
pub(super) type Steady = (f64, Vec<[f64; 2]>, usize, Vec<String>);

/// How a state is found about which something is linearised.
pub(super) fn finder(about: &str) -> PyResult<Finder> {
    let find: Finder = match about {
        "equilibrium" => |system, start| {
            analysis::statics(system, &start, Relaxation::IfNeeded).map(|found| found.state)
        },
        "start" => |system, mut start| {
            make_consistent(system, &mut start, InitialPolicy::Project).map(|_| start)
        },
        "turn" => |system, start| analysis::steady_turn(system, &start).map(|found| found.state),
        other => {
            let message = format!(
                "`about` is {other:?}; write \"equilibrium\", \"start\" or \"turn\" instead"
            );
            return Err(PyValueError::new_err(message));
        }
    };
    Ok(find)
}

impl Compiled {
    /// `A, B, C, D` between inputs, all of them if none are named, and curves.
    pub(super) fn linear<'py>(
        &self,
        py: Python<'py>,
        about: &str,
        inputs: Option<Vec<String>>,
        outputs: Vec<String>,
    ) -> PyResult<Linear<'py>> {
        let find = finder(about)?;
        let mut probe = self.model.probe();
        let curves = outputs.iter().map(|name| place(name, probe.names(), "curve"));
        let curves: Vec<usize> = curves.collect::<PyResult<_>>()?;
        let known = self.model.system().inputs().map(|inputs| inputs.names()).unwrap_or_default();
        let inputs = inputs.unwrap_or_else(|| known.clone());
        let places = inputs.iter().map(|name| place(name, &known, "input"));
        let places: Vec<usize> = places.collect::<PyResult<_>>()?;
        let start = self.initial();
        let found = self.work(py, |system| {
            let state = find(system, start)?;
            let mut read = |state: &State, values: &mut [f64]| {
                for (value, curve) in values.iter_mut().zip(&curves) {
                    *value = probe.read(*curve, state);
                }
            };
            analysis::state_space(system, &state, &places, curves.len(), &mut read)
        })?;
        let StateSpace { dynamics, inputs: b, outputs: c, direct, doubts } =
            found.map_err(|diagnosis| failed(py, &diagnosis))?;
        let matrices = [dynamics, b, c, direct].map(|matrix| array(py, &matrix));
        Ok((inputs, matrices.into(), doubts))
    }

    /// The steady turn near the start, with at least so many of its frequencies.
    pub(super) fn steady(&self, py: Python<'_>, count: usize) -> PyResult<Steady> {
        let found = self.work(py, |system| steady_case(&self.model, system, count))?;
        let found = found.map_err(|diagnosis| failed(py, &diagnosis))?;
        Ok((found.speed, found.oscillations, found.unstable, found.doubts))
    }
}

/// The place of a name among those that are known.
fn place(name: &str, known: &[String], kind: &str) -> PyResult<usize> {
    known.iter().position(|other| other == name).ok_or_else(|| {
        let help = match known.is_empty() {
            true => format!("the model has no {kind}s"),
            false => did_you_mean(name, known.iter().map(String::as_str).collect()),
        };
        PyKeyError::new_err(format!("there is no {kind} `{name}`; {help}"))
    })
}

fn array<'py>(py: Python<'py>, matrix: &Matrix) -> Bound<'py, PyArray2<f64>> {
    let array = Array2::from_shape_fn((matrix.rows, matrix.cols), |(i, j)| matrix.at(i, j));
    PyArray2::from_owned_array(py, array)
}
