//! Where a section sits on its node: at the node itself, or at a marker of a body that serves as one.

use crate::marker::Marker;
use crate::node::Motion;
use nalgebra::{Matrix3, Matrix6, Vector3};
use rotula_lie::Frame;

/// A place on a node.
#[derive(Clone, Debug)]
pub(super) struct End {
    /// From the twist of the node to that of the section; none if they are one.
    carried: Option<Box<Carried>>,
}

#[derive(Clone, Debug)]
struct Carried {
    position: Vector3<f64>,
    rotation: Matrix3<f64>,
    adjoint: Matrix6<f64>,
}

impl End {
    pub fn new(marker: &Marker) -> Self {
        let frame = marker.frame;
        let carried = (frame != Frame::identity()).then(|| {
            let adjoint = frame.inverse().adjoint();
            let rotation = frame.orientation.to_matrix();
            Box::new(Carried { position: frame.position, rotation, adjoint })
        });
        End { carried }
    }

    /// The motion of the section.
    pub fn motion(&self, node: &Motion) -> Motion {
        let Some(carried) = &self.carried else { return *node };
        let Carried { position, rotation, .. } = carried.as_ref();
        let at = |linear: &Vector3<f64>, angular: &Vector3<f64>| {
            rotation.tr_mul(&(linear + angular.cross(position)))
        };
        Motion {
            position: node.position + node.rotation * position,
            rotation: node.rotation * rotation,
            velocity: at(&node.velocity, &node.omega),
            omega: rotation.tr_mul(&node.omega),
            velocity_rate: at(&node.velocity_rate, &node.omega_rate),
            omega_rate: rotation.tr_mul(&node.omega_rate),
        }
    }

    /// From the twist of the node to that of the section.
    pub fn adjoint(&self) -> Option<&Matrix6<f64>> {
        self.carried.as_ref().map(|carried| &carried.adjoint)
    }
}
