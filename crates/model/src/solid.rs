//! `solid = { … }` of a body: a shape and a density instead of mass and inertia.

use crate::fault::refused;
use crate::fields::{Fields, numbers};
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::MassProperties;
use rotula_mechanics::marker::frame_along;
use rotula_mechanics::shape::{Mesh, Shape};
use rotula_reading::keys::{Key, Kind, key, needed};
use rotula_reading::{ModelError, Scope, did_you_mean};
use std::path::Path;
use std::sync::Arc;

const RADIUS: Key = needed("radius", Kind::Number, "Its radius.").unit("m");
const AXIS: Key = key("axis", Kind::Direction, "Its axis, body axes. Default \"z\".");

pub(crate) static CYLINDER: [Key; 3] =
    [RADIUS, needed("length", Kind::Number, "Its length.").unit("m"), AXIS];
pub(crate) static CAPSULE: [Key; 3] =
    [RADIUS, needed("length", Kind::Number, "Length without the half spheres.").unit("m"), AXIS];

/// A landscape.
pub(crate) static HEIGHTS: [Key; 4] = [
    needed("values", Kind::List, "Heights, one row along x after the other along y."),
    needed("columns", Kind::Number, "How many heights a row has."),
    needed("lengths", Kind::Numbers(2), "Lengths along x and y, about the middle."),
    key("depth", Kind::Number, "How far it is solid below its lowest height. Default 1."),
];

const WORDS: [&str; 7] = ["box", "cylinder", "sphere", "capsule", "mesh", "hull", "heights"];

const BOX: Key = key("box", Kind::Numbers(3), "A box: lengths of its edges along the body axes.");
const CYLINDRICAL: Key = key("cylinder", Kind::Table(&CYLINDER), "A cylinder.");
const SPHERE: Key = key("sphere", Kind::Number, "A sphere: its radius.");
const ROUNDED: Key =
    key("capsule", Kind::Table(&CAPSULE), "A cylinder with half spheres at its ends.");
const MESH: Key = key(
    "mesh",
    Kind::Text,
    "A closed surface: an STL or OBJ file, named from the folder of the model.",
);
pub(crate) const HULL: Key = key(
    "hull",
    Kind::Text,
    "The convex hull of the vertices of an STL or OBJ file, named from the folder of the model.",
);
pub(crate) const LANDSCAPE: Key =
    key("heights", Kind::Table(&HEIGHTS), "A landscape: heights over a rectangle.");
const SCALE: Key = key("scale", Kind::Number, "Metres per unit of the mesh or hull. Default 1.");
const AT: Key =
    key("at", Kind::Numbers(3), "Centre of the shape, body axes. Default the origin of the body.")
        .unit("m");

/// What a body looks like.
pub(crate) static SHAPE: [Key; 9] =
    [BOX, CYLINDRICAL, SPHERE, ROUNDED, MESH, HULL, LANDSCAPE, SCALE, AT];

/// What a body is made of.
pub(crate) static SOLID: [Key; 10] = [
    BOX,
    CYLINDRICAL,
    SPHERE,
    ROUNDED,
    MESH,
    HULL,
    LANDSCAPE,
    SCALE,
    AT,
    needed("density", Kind::Number, "Mass per volume, kg/m³.").unit("kg/m³"),
];

/// The shape in its place in the body's frame, and its mass properties there.
pub(crate) fn solid(
    fields: &Fields,
    folder: &Path,
    scope: &mut Scope,
) -> Result<(Frame, Shape, MassProperties), ModelError> {
    let density = fields.number("density", scope)?.unwrap_or_default();
    if density <= 0.0 {
        let message = format!("{} is {density} kg/m³", fields.at("density"));
        let error = ModelError::new(fields.place_of("density"), message);
        return Err(error.with_help("a density must be positive"));
    }
    let (frame, shape) = placed_shape(fields, folder, scope, &WORDS)?;
    let properties =
        shape.mass_properties(density).map_err(|error| refused(fields.place, error))?;
    Ok((frame, shape, properties.moved(&frame)))
}

/// A shape without mass, in its place in the body's frame.
pub(crate) fn look(
    fields: &Fields,
    folder: &Path,
    scope: &mut Scope,
) -> Result<(Frame, Shape), ModelError> {
    let (frame, shape) = placed_shape(fields, folder, scope, &WORDS)?;
    shape.validate().map_err(|error| refused(fields.place, error))?;
    Ok((frame, shape))
}

/// One of the shapes `words`, in its place.
pub(crate) fn placed_shape(
    fields: &Fields,
    folder: &Path,
    scope: &mut Scope,
    words: &[&str],
) -> Result<(Frame, Shape), ModelError> {
    fields.refuse_together(words)?;
    if fields.get("mesh").is_none() && fields.get("hull").is_none() {
        fields.refuse(&["scale"], "only meshes and hulls are scaled")?;
    }
    let at = fields.vector("at", scope)?.unwrap_or_default();
    let (shape, z) = shape(fields, folder, scope, words)?;
    Ok((placed(at, z), shape))
}

/// A frame at a place, whose z axis is that of the shape.
pub(crate) fn placed(at: Vector3<f64>, z: Option<Vector3<f64>>) -> Frame {
    match z {
        Some(z) if z != Vector3::z() => frame_along(at, z),
        _ => Frame::new(at, Default::default()),
    }
}

/// The shape, and its axis if it has one; `words` are the shapes to choose from.
fn shape(
    fields: &Fields,
    folder: &Path,
    scope: &mut Scope,
    words: &[&str],
) -> Result<(Shape, Option<Vector3<f64>>), ModelError> {
    if let Some(size) = fields.vector("box", scope)? {
        return Ok((Shape::Box { size }, None));
    }
    if let Some(radius) = fields.number("sphere", scope)? {
        return Ok((Shape::Sphere { radius }, None));
    }
    for word in ["cylinder", "capsule"] {
        let Some(inner) = fields.inner(word) else { continue };
        let radius = inner.number("radius", scope)?.unwrap_or_default();
        let length = inner.number("length", scope)?.unwrap_or_default();
        let axis = inner.direction("axis", scope)?;
        let shape = match word {
            "cylinder" => Shape::Cylinder { radius, length },
            _ => Shape::Capsule { radius, length },
        };
        return Ok((shape, axis));
    }
    if let Some(inner) = fields.inner("heights") {
        return Ok((landscape(&inner, scope)?, None));
    }
    let Some((word, file)) =
        ["mesh", "hull"].into_iter().find_map(|word| Some((word, fields.text(word)?)))
    else {
        let message = format!("{} does not say what shape it is", fields.path);
        return Err(
            ModelError::new(fields.place, message).with_help(did_you_mean("", words.to_vec()))
        );
    };
    let scale = fields.number("scale", scope)?.unwrap_or(1.0);
    let mesh = Mesh::read(folder.join(file), scale)
        .and_then(|mesh| if word == "hull" { Mesh::hull(mesh.vertices()) } else { Ok(mesh) })
        .map_err(|error| refused(fields.place_of(word), error))?;
    Ok((Shape::Mesh(Arc::new(mesh)), None))
}

/// Heights over a rectangle.
fn landscape(fields: &Fields, scope: &mut Scope) -> Result<Shape, ModelError> {
    let list = |key: &str, scope: &mut Scope| match fields.get(key) {
        Some(item) => numbers(item, &fields.at(key), scope),
        None => Ok(Vec::new()),
    };
    let (values, lengths) = (list("values", scope)?, list("lengths", scope)?);
    let columns = fields.number("columns", scope)?.unwrap_or_default();
    if !(columns >= 2.0 && columns.fract() == 0.0 && columns <= values.len() as f64) {
        let message = format!("{} is {columns}", fields.at("columns"));
        let help = format!("give a whole number from 2 to the {} values", values.len());
        return Err(ModelError::new(fields.place_of("columns"), message).with_help(help));
    }
    if !values.len().is_multiple_of(columns as usize) {
        let message = format!(
            "{} has {} numbers, which are no whole rows of {columns}",
            fields.at("values"),
            values.len()
        );
        let error = ModelError::new(fields.place_of("values"), message);
        return Err(error.with_help("give every row the same number of heights"));
    }
    let rows: Vec<Vec<f64>> = values.chunks(columns as usize).map(<[f64]>::to_vec).collect();
    let depth = fields.number("depth", scope)?.unwrap_or(1.0);
    let mesh = Mesh::heights(&rows, [0, 1].map(|k| lengths[k]), depth)
        .map_err(|error| refused(fields.place, error))?;
    Ok(Shape::Mesh(Arc::new(mesh)))
}
