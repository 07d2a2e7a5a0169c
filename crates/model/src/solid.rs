//! `solid = { … }` of a body: a shape and a density instead of mass and inertia.

use crate::fault::refused;
use crate::fields::Fields;
use crate::hollow::cavity;
use crate::placed::Placed;
use crate::reading::keys::{self, Key, Kind, join, key};
use crate::reading::{ModelError, Scope, did_you_mean};
use crate::table::{Direction, Keys, List, Number, Numbers, Value, table};
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::MassProperties;
use rotula_mechanics::marker::frame_along;
use rotula_mechanics::shape::{Mesh, Shape};
use std::path::Path;
use std::sync::Arc;

/// A word for a shape: what it means, and how it is made.
pub(crate) struct ShapeWord {
    key: Key,
    make: Make,
}

/// Makes a shape of the value of a key, with its axis if it has one.
type Make =
    fn(&Fields, &str, &Path, &mut Scope) -> Result<(Shape, Option<Vector3<f64>>), ModelError>;

table! {
    /// What is round about an axis.
    Round {
        /// Its radius.
        needed radius: Number, "m";
        /// Its length; of a capsule without the half spheres.
        needed length: Number, "m";
        /// Its axis, body axes. Default "z".
        optional axis: Direction;
    }
}

table! {
    /// A landscape.
    Heights {
        /// Heights, one row along x after the other along y.
        needed values: List, "m";
        /// How many heights a row has.
        needed columns: Number;
        /// Lengths along x and y, about the middle.
        needed lengths: Numbers<2>, "m";
        /// How far it is solid below its lowest height.
        usual depth: Number = 1.0, "m";
    }
}

/// The shapes of solids.
const SHAPES: &[ShapeWord] = &[
    ShapeWord {
        key: key("box", Kind::Numbers(3), "A box: lengths of its edges along the axes.").unit("m"),
        make: |fields, word, _, scope| {
            let size = fields.vector(word, scope)?.ok_or_else(|| fields.misses(word))?;
            Ok((Shape::Box { size }, None))
        },
    },
    ShapeWord {
        key: key(
            "cylinder",
            Round::KIND,
            "A cylinder; softly its side alone touches, and only points, spheres and segments.",
        ),
        make: |fields, word, _, scope| {
            let round = needed::<Round>(fields, word, scope)?;
            Ok((Shape::Cylinder { radius: round.radius, length: round.length }, round.axis))
        },
    },
    ShapeWord {
        key: key("sphere", Kind::Number, "A sphere: its radius.").unit("m"),
        make: |fields, word, _, scope| {
            Ok((Shape::Sphere { radius: fields.needed_number(word, scope)? }, None))
        },
    },
    ShapeWord {
        key: key("capsule", Round::KIND, "A cylinder with half spheres at its ends."),
        make: |fields, word, _, scope| {
            let round = needed::<Round>(fields, word, scope)?;
            Ok((Shape::Capsule { radius: round.radius, length: round.length }, round.axis))
        },
    },
    ShapeWord {
        key: key(
            "mesh",
            Kind::Text,
            "A closed surface: an STL or OBJ file, named from the folder of the model.",
        ),
        make: |fields, word, folder, scope| mesh(fields, word, folder, Ok, scope),
    },
    ShapeWord {
        key: key(
            "hull",
            Kind::Text,
            "The convex hull of the vertices of an STL or OBJ file, named from the folder of the model.",
        ),
        make: |fields, word, folder, scope| {
            mesh(fields, word, folder, |mesh| Mesh::hull(mesh.vertices()), scope)
        },
    },
    ShapeWord {
        key: key("heights", Heights::KIND, "A landscape: heights over a rectangle."),
        make: |fields, word, _, scope| {
            Ok((landscape(&needed::<Heights>(fields, word, scope)?)?, None))
        },
    },
];

/// The keys of the shapes.
pub(crate) const SHAPE_KEYS: [Key; SHAPES.len()] = {
    let mut keys = [key("", Kind::Text, ""); SHAPES.len()];
    let mut k = 0;
    while k < SHAPES.len() {
        keys[k] = SHAPES[k].key;
        k += 1;
    }
    keys
};

pub(crate) const SCALE: Key =
    key("scale", Kind::Number, "Metres per unit of the mesh or hull. Default 1.");
const AT: Key =
    key("at", Kind::Numbers(3), "Centre of the shape, body axes. Default the origin of the body.")
        .unit("m");
const HOLLOW: Key = key(
    "hollow",
    Kind::Table(ShapeKeys::KEYS),
    "A cavity: a shape that is taken out of it, with its own `at`. A tube is a cylinder with a hollow cylinder of its length.",
);
const WALL: Key =
    key("wall", Kind::Number, "Thickness of its wall, all round: it is hollow and closed.")
        .unit("m");
const DENSITY: Key = keys::needed("density", Kind::Number, "Mass per volume.").unit("kg/m³");

/// What a body looks like.
pub(crate) enum ShapeKeys {}

impl Keys for ShapeKeys {
    const KEYS: &'static [Key] = &join::<{ SHAPES.len() + 2 }>(&SHAPE_KEYS, &[SCALE, AT]);
}

/// What a body is made of.
pub(crate) enum SolidKeys {}

impl Keys for SolidKeys {
    const KEYS: &'static [Key] =
        &join::<{ SHAPES.len() + 5 }>(&SHAPE_KEYS, &[SCALE, AT, HOLLOW, WALL, DENSITY]);
}

/// A table that the checker has found to be there.
fn needed<'a, T: Value<'a>>(
    fields: &Fields<'a>,
    word: &str,
    scope: &mut Scope,
) -> Result<T::Read, ModelError> {
    T::read(fields, word, scope)?.ok_or_else(|| fields.misses(word))
}

/// The shape in its place in the body's frame, and its mass properties there.
pub(crate) fn solid(
    fields: &Fields,
    folder: &Path,
    scope: &mut Scope,
) -> Result<(Frame, Shape, MassProperties), ModelError> {
    let density = fields.needed_number(DENSITY.name, scope)?;
    if density <= 0.0 {
        let message = format!("{} is {density} kg/m³", fields.at("density"));
        let error = ModelError::new(fields.place_of("density"), message);
        return Err(error.with_help("a density must be positive"));
    }
    let (frame, shape) = placed_shape(fields, folder, scope, &SHAPE_KEYS)?;
    let frame = Placed::of(fields.place).own_axes().frame(frame);
    let properties =
        shape.mass_properties(density).map_err(|error| refused(fields.place, error))?;
    let mut whole = properties.moved(&frame);
    if let Some(cavity) = cavity(fields, folder, (&frame, &shape), scope)? {
        let (place, shape) = cavity;
        let missing = shape
            .mass_properties(density)
            .map_err(|error| refused(fields.place, error))?
            .moved(&place);
        whole = whole.plus(&MassProperties::new(-missing.mass, missing.centre, -missing.inertia));
    }
    Ok((frame, shape, whole))
}

/// A shape without mass, in its place in the body's frame.
pub(crate) fn look(
    fields: &Fields,
    folder: &Path,
    scope: &mut Scope,
) -> Result<(Frame, Shape), ModelError> {
    let (frame, shape) = placed_shape(fields, folder, scope, &SHAPE_KEYS)?;
    shape.validate().map_err(|error| refused(fields.place, error))?;
    Ok((Placed::of(fields.place).own_axes().frame(frame), shape))
}

/// One of the shapes, in its place in the axes of the part; `words` are all that could be chosen.
pub(crate) fn placed_shape(
    fields: &Fields,
    folder: &Path,
    scope: &mut Scope,
    words: &[Key],
) -> Result<(Frame, Shape), ModelError> {
    let words: Vec<&str> = words.iter().map(|key| key.name).collect();
    fields.refuse_together(&words)?;
    if fields.get("mesh").is_none() && fields.get("hull").is_none() {
        fields.refuse(&["scale"], "only meshes and hulls are scaled")?;
    }
    if Placed::of(fields.place).mirrored() {
        let why = "surfaces of files and landscapes cannot be mirrored";
        fields.refuse(&["mesh", "hull", "heights"], why)?;
    }
    let at = fields.vector("at", scope)?.unwrap_or_default();
    let Some(shape) = SHAPES.iter().find(|shape| fields.get(shape.key.name).is_some()) else {
        let message = format!("{} does not say what shape it is", fields.path);
        return Err(ModelError::new(fields.place, message).with_help(did_you_mean("", words)));
    };
    let (shape, z) = (shape.make)(fields, shape.key.name, folder, scope)?;
    Ok((placed(at, z), shape))
}

/// A frame at a place, whose z axis is that of the shape.
pub(crate) fn placed(at: Vector3<f64>, z: Option<Vector3<f64>>) -> Frame {
    match z {
        Some(z) if z != Vector3::z() => frame_along(at, z),
        _ => Frame::new(at, Default::default()),
    }
}

/// A surface from a file.
fn mesh(
    fields: &Fields,
    word: &str,
    folder: &Path,
    made: impl Fn(Mesh) -> Result<Mesh, rotula_mechanics::ModelError>,
    scope: &mut Scope,
) -> Result<(Shape, Option<Vector3<f64>>), ModelError> {
    let file = fields.text(word).ok_or_else(|| fields.misses(word))?;
    let scale = fields.number("scale", scope)?.unwrap_or(1.0);
    let mesh = Mesh::read(folder.join(file), scale)
        .and_then(made)
        .map_err(|error| refused(fields.place_of(word), error))?;
    Ok((Shape::Mesh(Arc::new(mesh)), None))
}

/// Heights over a rectangle.
fn landscape(heights: &Heights) -> Result<Shape, ModelError> {
    let &Heights { ref fields, ref values, columns, lengths, depth } = heights;
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
    let mesh =
        Mesh::heights(&rows, lengths, depth).map_err(|error| refused(fields.place, error))?;
    Ok(Shape::Mesh(Arc::new(mesh)))
}
