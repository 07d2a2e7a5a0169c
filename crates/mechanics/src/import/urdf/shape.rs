//! Shapes on links, to be drawn or to touch others.

use nalgebra::Vector3;
use rotula_lie::Frame;

/// The shape of a visual or collision element.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// Edge lengths.
    Box(Vector3<f64>),
    /// Radius and length, along z.
    Cylinder(f64, f64),
    /// Radius.
    Sphere(f64),
    /// A file, as it is named there, and its scale.
    Mesh(String, Vector3<f64>),
}

/// What a shape is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be drawn.
    Visual,
    /// To touch others.
    Collision,
}

/// A shape on a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkShape {
    /// The link.
    pub link: String,
    /// What it is for.
    pub purpose: Purpose,
    /// Its place on the link.
    pub frame: Frame,
    /// The shape.
    pub geometry: Geometry,
}
