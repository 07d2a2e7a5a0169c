//! `hollow` and `wall` of a solid: what is not there of it.

use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::placed::Placed;
use crate::reading::{ModelError, Scope};
use crate::solid::{SHAPE_KEYS, placed_shape};
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::shape::Shape;
use std::f64::consts::TAU;
use std::path::Path;

/// A cavity may touch the outside: it is a hole then.
const TOUCHES: f64 = 1e-9;
/// Points round a circle at which a cavity is looked at.
const ROUND: usize = 16;

/// The cavity of a solid in the frame of its body, if it has one; it must lie within.
pub(crate) fn cavity(
    fields: &Fields,
    folder: &Path,
    (frame, shape): (&Frame, &Shape),
    scope: &mut Scope,
) -> Result<Option<(Frame, Shape)>, ModelError> {
    fields.refuse_together(&["hollow", "wall"])?;
    if let Some(wall) = fields.positive("wall", scope)? {
        return within_wall(fields, frame, shape, wall).map(Some);
    }
    let Some(inner) = fields.inner("hollow") else { return Ok(None) };
    let (place, cavity) = placed_shape(&inner, folder, scope, &SHAPE_KEYS)?;
    let place = Placed::of(fields.place).own_axes().frame(place);
    cavity.validate().map_err(|error| refused(inner.place, error))?;
    let outside = |point: &Vector3<f64>| {
        let seen = frame.inverse().transform_point(&place.transform_point(point));
        !lies_within(shape, &seen)
    };
    if corners(&cavity).iter().any(outside) {
        let message = format!("{}: the cavity is not within the {}", inner.path, shape.word());
        let error = fault_at(fields, "hollow", message);
        return Err(error.with_help("make it smaller, or move it by its `at`, in body axes"));
    }
    Ok(Some((place, cavity)))
}

/// The same shape, smaller by a wall on every side.
fn within_wall(
    fields: &Fields,
    frame: &Frame,
    shape: &Shape,
    wall: f64,
) -> Result<(Frame, Shape), ModelError> {
    let cavity = match shape {
        Shape::Box { size } => Shape::Box { size: size.add_scalar(-2.0 * wall) },
        Shape::Cylinder { radius, length } => {
            Shape::Cylinder { radius: radius - wall, length: length - 2.0 * wall }
        }
        Shape::Sphere { radius } => Shape::Sphere { radius: radius - wall },
        Shape::Capsule { radius, length } => {
            Shape::Capsule { radius: radius - wall, length: *length }
        }
        Shape::Mesh(_) => {
            let message = format!("{}: the wall of a mesh is not known", fields.path);
            let error = fault_at(fields, "wall", message);
            return Err(error.with_help("give a `hollow`, with a mesh of the inside for example"));
        }
    };
    match cavity.validate() {
        Ok(()) => Ok((*frame, cavity)),
        Err(_) => {
            let message = format!("{}: a wall of {wall} m leaves no cavity", fields.path);
            let error = fault_at(fields, "wall", message);
            Err(error.with_help("make it thinner, or leave it out: the solid is full"))
        }
    }
}

/// Whether a point lies in a solid; of meshes this is not asked.
fn lies_within(shape: &Shape, point: &Vector3<f64>) -> bool {
    let across = point.xy().norm();
    match shape {
        Shape::Box { size } => (0..3).all(|k| point[k].abs() <= 0.5 * size[k] * (1.0 + TOUCHES)),
        Shape::Cylinder { radius, length } => {
            across <= radius * (1.0 + TOUCHES) && point.z.abs() <= 0.5 * length * (1.0 + TOUCHES)
        }
        Shape::Sphere { radius } => point.norm() <= radius * (1.0 + TOUCHES),
        Shape::Capsule { radius, length } => {
            let beyond = (point.z.abs() - 0.5 * length).max(0.0);
            across.hypot(beyond) <= radius * (1.0 + TOUCHES)
        }
        Shape::Mesh(_) => true,
    }
}

/// Points of a shape that reach farthest.
fn corners(shape: &Shape) -> Vec<Vector3<f64>> {
    let circle = |radius: f64, height: f64| {
        (0..ROUND).map(move |k| {
            let (sin, cos) = (TAU * k as f64 / ROUND as f64).sin_cos();
            Vector3::new(radius * cos, radius * sin, height)
        })
    };
    match shape {
        Shape::Box { size } => (0..8)
            .map(|k| {
                let sign = |bit: usize| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
                size.component_mul(&Vector3::new(sign(0), sign(1), sign(2)))
            })
            .collect(),
        Shape::Cylinder { radius, length } => {
            circle(*radius, 0.5 * length).chain(circle(*radius, -0.5 * length)).collect()
        }
        Shape::Sphere { radius } => globe(*radius, 0.0, &circle),
        Shape::Capsule { radius, length } => globe(*radius, 0.5 * length, &circle),
        Shape::Mesh(mesh) => mesh.vertices().to_vec(),
    }
}

/// Points of two half spheres, some way apart along z.
fn globe<I: Iterator<Item = Vector3<f64>>>(
    radius: f64,
    apart: f64,
    circle: &impl Fn(f64, f64) -> I,
) -> Vec<Vector3<f64>> {
    let mut points = Vec::new();
    for k in 0..=4 {
        let (sin, cos) = (TAU / 16.0 * f64::from(k)).sin_cos();
        for side in [1.0, -1.0] {
            points.extend(circle(radius * cos, side * (apart + radius * sin)));
        }
    }
    points
}
