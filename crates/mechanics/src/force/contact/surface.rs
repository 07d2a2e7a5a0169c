//! What can touch.

use crate::error::ModelError;
use crate::shape::Shape;

/// A surface in the frame of a marker.
#[derive(Clone, Debug, PartialEq)]
pub enum Surface {
    /// The plane z = 0; all below it is solid.
    Plane,
    /// The surface of a solid.
    Solid(Shape),
    /// The inside of a hollow sphere about the origin: for rigid contact of a sphere in it.
    Bowl {
        /// Its radius.
        radius: f64,
    },
}

impl From<Shape> for Surface {
    fn from(shape: Shape) -> Self {
        Surface::Solid(shape)
    }
}

impl Surface {
    pub(crate) fn validate(&self) -> Result<(), ModelError> {
        match self {
            Surface::Bowl { radius } => Shape::Sphere { radius: *radius }.validate(),
            Surface::Plane => Ok(()),
            Surface::Solid(Shape::Mesh(mesh)) => mesh.check_solid(),
            Surface::Solid(shape) => shape.validate(),
        }
    }
}

/// Cylinders have rigid contact only.
pub(super) fn no_cylinders() -> ModelError {
    ModelError::invalid(
        "contact",
        "a cylinder has no soft contact; use a capsule, a box or a mesh in its place, or give a \
         restitution in place of a stiffness",
    )
}
