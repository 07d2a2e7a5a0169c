//! Forces that a Python function computes.

use crate::motion::BodyMotion;
use crate::trouble::Trouble;
use nalgebra::{Matrix6, Vector3, Vector6};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rotula_mechanics::force::{Force, numeric_tangent};
use rotula_mechanics::quantity::Ends;
use rotula_mechanics::{Marker, Scene};
use std::sync::Arc;

/// A function of time and the motions of some markers that gives a force, or force and moment, on
/// each, in world axes.
#[derive(Clone, Debug)]
pub(crate) struct PythonForce {
    pub name: Arc<str>,
    pub nodes: Vec<usize>,
    pub markers: Vec<Marker>,
    pub function: Arc<Py<PyAny>>,
    /// Sizes over which the force changes little by little.
    pub length: f64,
    pub speed: f64,
    pub trouble: Trouble,
}

/// Force and moment.
type Pair = [Vector3<f64>; 2];

impl PythonForce {
    fn call(&self, py: Python<'_>, scene: Scene) -> PyResult<Vec<Pair>> {
        let mut arguments = vec![scene.world.t.into_pyobject(py)?.into_any()];
        for (slot, marker) in self.markers.iter().enumerate() {
            let motion = BodyMotion::of(marker, scene.motion(slot));
            arguments.push(Bound::new(py, motion)?.into_any());
        }
        let result = self.function.bind(py).call1(PyTuple::new(py, arguments)?)?;
        if self.markers.len() == 1 {
            return Ok(vec![self.pair(&result)?]);
        }
        let count = self.markers.len();
        let parts: Vec<Bound<PyAny>> = result.try_iter()?.collect::<PyResult<_>>()?;
        if parts.len() != count {
            return Err(PyValueError::new_err(format!(
                "force `{}`: the function must return {count} forces, one per body, not {}",
                self.name,
                parts.len()
            )));
        }
        parts.iter().map(|part| self.pair(part)).collect()
    }

    /// Three numbers are a force; six, or two times three, a force and a moment.
    fn pair(&self, value: &Bound<PyAny>) -> PyResult<Pair> {
        let three = |numbers: &[f64]| Vector3::from_column_slice(numbers);
        if let Ok(numbers) = value.extract::<Vec<f64>>() {
            match numbers.len() {
                3 => return Ok([three(&numbers), Vector3::zeros()]),
                6 => return Ok([three(&numbers[..3]), three(&numbers[3..])]),
                _ => {}
            }
        } else if let Ok(parts) = value.extract::<Vec<Vec<f64>>>()
            && let [force, moment] = parts.as_slice()
            && (force.len(), moment.len()) == (3, 3)
        {
            return Ok([three(force), three(moment)]);
        }
        let shown = value.repr().map_or_else(|_| "something else".into(), |text| text.to_string());
        Err(PyTypeError::new_err(format!(
            "force `{}`: the function must return a force of three numbers, or a force and a moment, \
             not {shown}",
            self.name
        )))
    }
}

impl Force for PythonForce {
    fn ends(&self) -> Ends {
        let second = *self.markers.last().expect("a force acts somewhere");
        let first = (self.markers.len() > 1).then(|| self.markers[0]);
        Ends { first, second, axes: None }
    }

    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let Some(pairs) = self.trouble.guard(|py| self.call(py, scene)) else {
            out.iter_mut().for_each(|wrench| wrench.fill(f64::NAN));
            return;
        };
        for (slot, [force, moment]) in pairs.iter().enumerate() {
            let node = scene.motion(slot);
            let force = node.into_body(force);
            let moment = node.into_body(moment) + self.markers[slot].frame.position.cross(&force);
            out[slot] += Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z);
        }
    }

    fn tangent(
        &mut self,
        scene: Scene,
        stiffness: &mut [Matrix6<f64>],
        damping: &mut [Matrix6<f64>],
    ) {
        let (length, speed) = (self.length, self.speed);
        numeric_tangent(self, scene, length, speed, stiffness, damping);
    }
}
