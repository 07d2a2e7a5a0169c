//! Roads: a plane, or a height over the plane of a marker, `z = h(x, y)`, with the normal that belongs to it.

use crate::error::ModelError;
use crate::force::relief::{Near, Relief};
use crate::force::varying::{Scalar, Vector};
use crate::marker::Marker;
use nalgebra::Vector3;
use rotula_formula::Tables;

/// A surface on which tyres roll.
///
/// Its height is counted along z of a marker. Where the height is a table, its slopes are those of the
/// curve through the points, so that the normal turns as smoothly as the curve bends.
#[derive(Clone, Debug)]
pub struct Road {
    /// Where its plane is; z is up.
    pub marker: Marker,
    /// Its height; none for a plane.
    height: Option<Relief>,
}

impl Road {
    /// The plane z = 0 of a marker.
    pub fn plane(marker: Marker) -> Self {
        Road { marker, height: None }
    }

    /// A road whose height is a formula of `x` and `y`, which may call tables by name.
    pub fn formula(marker: Marker, text: &str, tables: &Tables) -> Result<Self, ModelError> {
        Ok(Road { marker, height: Some(Relief::landscape(text, tables)?) })
    }

    /// The height at a place of its plane.
    pub fn height(&self, x: f64, y: f64) -> f64 {
        self.height.as_ref().map_or(0.0, |height| height.height(x, y))
    }

    /// The tangent plane of the road straight below a point.
    pub(super) fn below<const N: usize>(&self, point: &Vector<N>) -> Near<N> {
        self.height.as_ref().and_then(|height| height.near(point)).unwrap_or_else(|| Near {
            distance: Scalar { value: point.value.z, by: point.by.row(2).into_owned() },
            normal: Vector::constant(Vector3::z()),
        })
    }
}
