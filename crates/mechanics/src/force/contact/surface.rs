//! What can touch.

use crate::error::{ModelError, Refusal, refusal};
use crate::force::relief::Relief;
use crate::shape::Shape;

/// A surface in the frame of a marker.
#[derive(Clone, Debug, PartialEq)]
pub enum Surface {
    /// The plane z = 0; all below it is solid.
    Plane,
    /// The surface of a solid.
    Solid(Shape),
    /// The origin alone, which touches planes, spheres and bowls, and softly capsules, cylinders and surfaces by formulas.
    Point,
    /// A straight edge along z about the origin, which softly touches spheres, capsules and cylinders.
    Segment {
        /// Its length.
        length: f64,
    },
    /// The inside of a hollow sphere about the origin: for rigid contact of a sphere in it.
    Bowl {
        /// Its radius.
        radius: f64,
    },
    /// A height by a formula, all below which is solid: for soft contact.
    Landscape {
        /// The height.
        height: Relief,
        /// Two corners, in x and y, of what pictures show of it.
        seen: [[f64; 2]; 2],
    },
    /// A radius about z by a formula of the angle: for soft contact with points and spheres.
    Cam {
        /// The radius.
        radius: Relief,
        /// Its length along z, about the origin.
        length: f64,
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
            Surface::Plane | Surface::Point | Surface::Landscape { .. } => Ok(()),
            Surface::Solid(Shape::Mesh(mesh)) => mesh.check_solid(),
            Surface::Solid(shape) => shape.validate(),
            Surface::Segment { length } => check_length("segment", *length),
            Surface::Cam { length, .. } => check_length("cam", *length),
        }
    }

    /// Its formula, and half its length along z.
    pub(super) fn relief(&self) -> Result<(&Relief, f64), ModelError> {
        match self {
            Surface::Landscape { height, .. } => Ok((height, f64::INFINITY)),
            Surface::Cam { radius, length } => Ok((radius, 0.5 * length)),
            _ => Err(no_pair()),
        }
    }

    fn is_formed(&self) -> bool {
        matches!(self, Surface::Landscape { .. } | Surface::Cam { .. })
    }

    fn is_round(&self) -> bool {
        matches!(self, Surface::Solid(Shape::Sphere { .. }))
    }

    /// A capsule or cylinder that has a width.
    fn is_long(&self) -> bool {
        matches!(self, Surface::Solid(Shape::Capsule { radius, .. } | Shape::Cylinder { radius, .. }) if *radius > 0.0)
    }

    fn is_cylinder(&self) -> bool {
        matches!(self, Surface::Solid(Shape::Cylinder { .. }))
    }

    /// A segment is a capsule without width.
    fn is_segment(&self) -> bool {
        matches!(self, Surface::Solid(Shape::Capsule { radius, .. }) if *radius == 0.0)
    }
}

fn check_length(what: &str, length: f64) -> Result<(), ModelError> {
    if length.is_finite() && length > 0.0 {
        return Ok(());
    }
    Err(ModelError::invalid(what, refusal!("its length is {length} m"; "give a positive number")))
}

/// Two surfaces that meet, with a point as a sphere and a segment as a capsule without radius; `soft` contact knows more pairs.
pub(crate) fn meeting(
    first: &Surface,
    second: &Surface,
    soft: bool,
) -> Result<[Surface; 2], ModelError> {
    first.validate()?;
    second.validate()?;
    let invalid = |what: Refusal| Err(ModelError::invalid("contact", what));
    let only_soft =
        |surface: &Surface| surface.is_formed() || matches!(surface, Surface::Segment { .. });
    if !soft && (only_soft(first) || only_soft(second)) {
        return invalid(refusal!(
            "segments, landscapes by formula and cams have soft contact only";
            "give a stiffness in place of a restitution"
        ));
    }
    let smooth = |surface: &Surface| match surface {
        Surface::Plane | Surface::Bowl { .. } | Surface::Solid(Shape::Sphere { .. }) => true,
        Surface::Solid(Shape::Capsule { .. } | Shape::Cylinder { .. }) => soft,
        surface => surface.is_formed(),
    };
    let round = |surface: &Surface| surface.is_round() || surface.is_long();
    for (own, other) in [(first, second), (second, first)] {
        match own {
            Surface::Point if !smooth(other) => {
                return invalid(refusal!(
                    "a point touches a plane, a sphere or a bowl only, in soft contact a \
                     capsule, a cylinder, a cam or a landscape too";
                    "give the other side one of them, or make the point a small sphere"
                ));
            }
            Surface::Segment { .. } if !round(other) => {
                return invalid(refusal!(
                    "a segment touches a sphere, a capsule or a cylinder only";
                    "give the other side one of them, or make the segment a capsule"
                ));
            }
            _ => {}
        }
    }
    let thick = |surface: &Surface| match surface {
        Surface::Point => Surface::Solid(Shape::Sphere { radius: 0.0 }),
        Surface::Segment { length } => {
            Surface::Solid(Shape::Capsule { radius: 0.0, length: *length })
        }
        other => other.clone(),
    };
    Ok([thick(first), thick(second)])
}

/// Refuses pairs that soft contact does not know, and a guide where it has no axis to lead along. Points and segments are
/// solids without radius by now.
pub(super) fn check_soft([first, second]: [&Surface; 2], guided: bool) -> Result<(), ModelError> {
    let invalid = |what: Refusal| Err(ModelError::invalid("contact", what));
    for (own, other) in [(first, second), (second, first)] {
        match own {
            Surface::Plane if *other == Surface::Plane => {
                return invalid(refusal!("two planes meet without end"; "make one of them a box"));
            }
            Surface::Bowl { .. } => {
                return invalid(refusal!(
                    "a bowl has no soft contact";
                    "give a restitution in place of a stiffness"
                ));
            }
            Surface::Cam { .. } if !other.is_round() => {
                return invalid(refusal!(
                    "a cam touches points and spheres only";
                    "make the other side one of them"
                ));
            }
            _ if own.is_cylinder() && !(other.is_round() || other.is_segment()) => {
                return Err(no_cylinders());
            }
            _ => {}
        }
    }
    let leads = |own: &Surface, other: &Surface| own.is_long() && other.is_round();
    if guided && !leads(first, second) && !leads(second, first) {
        return invalid(refusal!(
            "a guide leads a point or sphere along a cylinder or capsule only";
            "make one side such, or leave the guide out"
        ));
    }
    Ok(())
}

/// Of a cylinder only the side is soft, and only for what is round.
pub(super) fn no_cylinders() -> ModelError {
    ModelError::invalid(
        "contact",
        refusal!(
            "a cylinder has soft contact with points, spheres and segments only";
            "use a capsule, a box or a mesh in its place, or give a restitution in place of a \
             stiffness"
        ),
    )
}

/// Neither of two surfaces is a solid.
pub(super) fn no_pair() -> ModelError {
    ModelError::invalid(
        "contact",
        refusal!("planes, landscapes and cams meet solids and points only"; "make one side such"),
    )
}
