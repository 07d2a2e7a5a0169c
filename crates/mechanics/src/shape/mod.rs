//! Solid shapes: what gives a body its mass, what touches, and what is drawn.
//!
//! | file | what is inside |
//! |---|---|
//! | `solid` | volume and inertia in closed form |
//! | `mesh` | closed surfaces of triangles |
//! | `polyhedron` | volume and inertia of a mesh, exactly |
//! | `made` | convex hulls and height fields as meshes |
//! | `read` | meshes from STL and OBJ files |

mod made;
mod mesh;
mod polyhedron;
mod read;
mod solid;
mod terrain;

pub use mesh::Mesh;

use crate::body::MassProperties;
use crate::error::{ModelError, refusal};
use nalgebra::Vector3;
use rotula_lie::Frame;
use std::sync::Arc;

/// A solid, centred in the origin of its own frame (a mesh is where its vertices are).
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A box with edges along the axes.
    Box {
        /// Lengths of its edges.
        size: Vector3<f64>,
    },
    /// A cylinder about the z axis.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Its length along z.
        length: f64,
    },
    /// A sphere.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// A cylinder about the z axis with half spheres at its ends.
    Capsule {
        /// Radius of the cylinder and of the half spheres.
        radius: f64,
        /// Length of the cylinder alone, which is the distance of the centres of the half spheres.
        length: f64,
    },
    /// What a closed surface of triangles encloses.
    Mesh(Arc<Mesh>),
}

impl Shape {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Shape::Box { .. } => "box",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Sphere { .. } => "sphere",
            Shape::Capsule { .. } => "capsule",
            Shape::Mesh(_) => "mesh",
        }
    }

    /// Mass, centre and inertia of the homogeneous solid, in the frame of the shape.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, ModelError> {
        if !(density.is_finite() && density >= 0.0) {
            return Err(ModelError::invalid(
                self.word(),
                refusal!("a density of {density} kg/m³ makes no sense"; "give a positive number"),
            ));
        }
        self.validate()?;
        match self {
            Shape::Mesh(mesh) => {
                mesh.check_solid()?;
                Ok(polyhedron::mass_properties(mesh, density))
            }
            _ => Ok(solid::mass_properties(self, density)),
        }
    }

    /// Says what no solid can be.
    pub fn validate(&self) -> Result<(), ModelError> {
        let lengths: &[(&str, f64)] = match self {
            Shape::Box { size } => &[
                ("length along x", size.x),
                ("length along y", size.y),
                ("length along z", size.z),
            ],
            Shape::Cylinder { radius, length } => &[("radius", *radius), ("length", *length)],
            Shape::Sphere { radius } => &[("radius", *radius)],
            // a capsule without length is a sphere
            Shape::Capsule { radius, length } if *length == 0.0 => &[("radius", *radius)],
            Shape::Capsule { radius, length } => &[("radius", *radius), ("length", *length)],
            Shape::Mesh(_) => &[],
        };
        match lengths.iter().find(|(_, value)| !(value.is_finite() && *value > 0.0)) {
            None => Ok(()),
            Some((what, value)) => Err(ModelError::invalid(
                self.word(),
                refusal!("its {what} is {value} m"; "give a positive number"),
            )),
        }
    }
}

/// Shapes of one density, each in its place, welded together. Where they overlap the material
/// counts twice.
pub fn composed(density: f64, shapes: &[(Frame, Shape)]) -> Result<MassProperties, ModelError> {
    let mut sum = MassProperties::principal(0.0, Vector3::zeros());
    for (frame, shape) in shapes {
        sum = sum.plus(&shape.mass_properties(density)?.moved(frame));
    }
    Ok(sum)
}
