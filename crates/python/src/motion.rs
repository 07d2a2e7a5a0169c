//! How a body stands and moves, as functions of users see it: in world axes.

use nalgebra::{Matrix3, Vector3};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use rotula_mechanics::Marker;
use rotula_mechanics::node::Motion;

/// The motion of a point of a body, in world axes.
#[pyclass(frozen, name = "Motion", module = "rotula")]
pub(crate) struct BodyMotion {
    position: Vector3<f64>,
    rotation: Matrix3<f64>,
    /// Velocity and angular velocity, where a function may look at them.
    velocities: Option<[Vector3<f64>; 2]>,
}

impl BodyMotion {
    /// The motion of a marker, given that of its node.
    pub(crate) fn of(marker: &Marker, node: &Motion) -> Self {
        let arm = marker.frame.position;
        let velocity = node.rotation * (node.velocity + node.omega.cross(&arm));
        let velocities = Some([velocity, node.rotation * node.omega]);
        BodyMotion { velocities, ..BodyMotion::placed(marker, node) }
    }

    /// Where a marker is, without its velocity.
    pub(crate) fn placed(marker: &Marker, node: &Motion) -> Self {
        BodyMotion {
            position: node.position + node.rotation * marker.frame.position,
            rotation: node.rotation * marker.frame.orientation.to_matrix(),
            velocities: None,
        }
    }

    fn of_velocities(&self, k: usize) -> PyResult<&[f64]> {
        match &self.velocities {
            Some(both) => Ok(both[k].as_slice()),
            None => Err(PyAttributeError::new_err(
                "a constraint is a function of positions: use time, position and rotation only",
            )),
        }
    }
}

#[pymethods]
impl BodyMotion {
    /// Position of the point.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.position.as_slice())
    }

    /// Rotation matrix: its columns are the axes of the body.
    #[getter]
    fn rotation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows: Vec<Vec<f64>> =
            (0..3).map(|i| self.rotation.row(i).iter().copied().collect()).collect();
        Ok(PyArray2::from_vec2(py, &rows)?)
    }

    /// Velocity of the point.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, self.of_velocities(0)?))
    }

    /// Angular velocity.
    #[getter]
    fn angular_velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, self.of_velocities(1)?))
    }

    fn __repr__(&self) -> String {
        let [x, y, z] = self.position.into();
        format!("Motion(position=[{x}, {y}, {z}])")
    }
}
