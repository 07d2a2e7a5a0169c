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
    /// The origin alone, which touches planes, spheres and bowls, and softly capsules and cylinders.
    Point,
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
            Surface::Plane | Surface::Point => Ok(()),
            Surface::Solid(Shape::Mesh(mesh)) => mesh.check_solid(),
            Surface::Solid(shape) => shape.validate(),
        }
    }
}

/// Two surfaces that meet, with a point as a sphere without radius; `soft` contact knows more pairs.
pub(crate) fn meeting(
    first: &Surface,
    second: &Surface,
    soft: bool,
) -> Result<[Surface; 2], ModelError> {
    first.validate()?;
    second.validate()?;
    let smooth = |surface: &Surface| match surface {
        Surface::Plane | Surface::Bowl { .. } | Surface::Solid(Shape::Sphere { .. }) => true,
        Surface::Solid(Shape::Capsule { .. } | Shape::Cylinder { .. }) => soft,
        _ => false,
    };
    let point = Surface::Solid(Shape::Sphere { radius: 0.0 });
    match (first, second) {
        (Surface::Point, other) if smooth(other) => Ok([point, other.clone()]),
        (other, Surface::Point) if smooth(other) => Ok([other.clone(), point]),
        (Surface::Point, _) | (_, Surface::Point) => Err(ModelError::invalid(
            "contact",
            "a point touches a plane, a sphere or a bowl only, in soft contact a capsule or cylinder too; \
             give the other side one of them, or make the point a small sphere",
        )),
        (first, second) => Ok([first.clone(), second.clone()]),
    }
}

/// Of a cylinder only the side is soft, and only for what is round.
pub(super) fn no_cylinders() -> ModelError {
    ModelError::invalid(
        "contact",
        "a cylinder has soft contact with points and spheres only; use a capsule, a box or a mesh in \
         its place, or give a restitution in place of a stiffness",
    )
}
