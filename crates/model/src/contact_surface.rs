//! `first = { … }` and `second = { … }` of a contact: the surfaces of its two sides.

use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::keys::{Key, Kind, join, key};
use crate::reading::{Item, ModelError, Scope};
use crate::road::formula;
use crate::solid::{SCALE, SHAPE_KEYS, placed, placed_shape};
use crate::table::{Direction, Formula, Keys, Number, Numbers, Value, table};
use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Relief, Surface};
use rotula_mechanics::{Marker, Model};
use std::path::Path;

const PLANE: Key = key("plane", Kind::Direction, "A plane: its normal, out of what is solid.");
const POINT: Key = key(
    "point",
    Kind::Numbers(3),
    "A point: its place, in the axes of the body or frame. It touches planes, spheres and bowls, and softly capsules, cylinders, cams and landscapes.",
)
.unit("m");
const BOWL: Key = key(
    "bowl",
    Kind::Number,
    "A hollow sphere with another sphere in it: its radius. Rigid contact only.",
)
.unit("m");
const SEGMENT: Key = key(
    "segment",
    Edge::KIND,
    "A straight edge, such as a rail under wheels. Soft contact with spheres, capsules and sides of cylinders.",
);
const LANDSCAPE: Key = key(
    "landscape",
    Hills::KIND,
    "A height over x and y by a formula; z is up. Soft contact with points and solids.",
);
const CAM: Key = key(
    "cam",
    Outline::KIND,
    "A disc whose radius is a formula of the angle, such as a cam or sprocket. Soft contact with points and spheres.",
);
const AT: Key = key(
    "at",
    Kind::Numbers(3),
    "Where its middle is, in the axes of the body or frame. Default zero.",
)
.unit("m");

const OWN: [Key; 6] = [PLANE, POINT, BOWL, SEGMENT, LANDSCAPE, CAM];
/// The words for surfaces, of which one is given.
static WORDS: [Key; SHAPE_KEYS.len() + OWN.len()] = join(&SHAPE_KEYS, &OWN);

/// The surface of one side.
pub(crate) enum Side {}

impl Keys for Side {
    const KEYS: &'static [Key] = &join::<{ SHAPE_KEYS.len() + OWN.len() + 2 }>(
        &join::<{ SHAPE_KEYS.len() + OWN.len() }>(&SHAPE_KEYS, &OWN),
        &[SCALE, AT],
    );
}

table! {
    /// A straight edge.
    Edge {
        /// Its length.
        needed length: Number, "m";
        /// Its direction. Default "z".
        optional axis: Direction;
    }
}

table! {
    /// A landscape.
    Hills {
        /// Height over the plane, a formula of `x` and `y` that may call tables, as in "bumps(x)".
        needed height: Formula, "m";
        /// The corner, in x and y, at which pictures begin to show it.
        usual from: Numbers<2> = [-10.0, -10.0], "m";
        /// The corner at which they end.
        usual to: Numbers<2> = [10.0, 10.0], "m";
    }
}

table! {
    /// A disc that is not round.
    Outline {
        /// Its radius, a formula of the angle `phi` of period 2π that may call tables. Against a point it is the pitch curve, on which the centre of a roller runs.
        needed radius: Formula, "m";
        /// Its length along the axis.
        needed length: Number, "m";
        /// Its axis, about which `phi` grows. Default "z".
        optional axis: Direction;
        /// The direction in which `phi` is zero, normal to the axis. Default "x".
        optional zero: Direction;
    }
}

/// The surface of one side, in the frame of a marker.
pub(crate) fn surface(
    fields: &Fields,
    (key, given): (&str, &Option<Fields>),
    item: &Item,
    folder: &Path,
    names: &Names,
    model: &Model,
    scope: &mut Scope,
) -> Result<(Marker, Surface), ModelError> {
    let Some(inner) = given else {
        return own_solid(fields, key, item, names, model);
    };
    let words: Vec<&str> = WORDS.iter().map(|key| key.name).collect();
    inner.refuse_together(&words)?;
    let axes = Placed::in_axes_of(inner.place, item.text().unwrap_or_default());
    let at = |scope: &mut Scope| Ok(inner.vector("at", scope)?.unwrap_or_default());
    let (frame, surface) = if let Some(normal) = inner.direction(PLANE.name, scope)? {
        (placed(axes.point(at(scope)?), Some(axes.vector(normal))), Surface::Plane)
    } else if let Some(place) = inner.vector(POINT.name, scope)? {
        inner.refuse_together(&[POINT.name, AT.name])?;
        (placed(axes.point(place), None), Surface::Point)
    } else if let Some(radius) = inner.number(BOWL.name, scope)? {
        (placed(axes.point(at(scope)?), None), Surface::Bowl { radius })
    } else if let Some(edge) = <Edge as Value>::read(inner, SEGMENT.name, scope)? {
        let along = axes.vector(edge.axis.unwrap_or(Vector3::z()));
        (placed(axes.point(at(scope)?), Some(along)), Surface::Segment { length: edge.length })
    } else if let Some(hills) = <Hills as Value>::read(inner, LANDSCAPE.name, scope)? {
        unmirrored(inner, LANDSCAPE.name, &axes)?;
        (axes.frame(placed(at(scope)?, None)), landscape(&hills, scope)?)
    } else if let Some(outline) = <Outline as Value>::read(inner, CAM.name, scope)? {
        unmirrored(inner, CAM.name, &axes)?;
        let (turned, surface) = cam(&outline, scope)?;
        (axes.frame(Frame::new(at(scope)?, turned)), surface)
    } else {
        let (frame, shape) = placed_shape(inner, folder, scope, &WORDS)?;
        (axes.frame(frame), shape.into())
    };
    let marker = names.marker(item, model)?;
    Ok((Marker { frame: marker.frame * frame, ..marker }, surface))
}

/// Formulas have no mirror images.
fn unmirrored(inner: &Fields, word: &str, axes: &Placed) -> Result<(), ModelError> {
    match axes.mirrored() {
        true => inner.refuse(&[word], "surfaces by formulas cannot be mirrored"),
        false => Ok(()),
    }
}

fn landscape(hills: &Hills, scope: &mut Scope) -> Result<Surface, ModelError> {
    let Hills { fields, height, from, to } = hills;
    if !(from[0] < to[0] && from[1] < to[1]) {
        let error = fault_at(fields, "to", format!("{} is not beyond `from`", fields.at("to")));
        return Err(error.with_help("give two corners, that of the smaller x and y first"));
    }
    let text = formula(height, &fields.at("height"), &["x", "y"], scope)?;
    let height = Relief::landscape(&text, scope.graph.tables())
        .map_err(|error| refused(&height.place, error))?;
    Ok(Surface::Landscape { height, seen: [*from, *to] })
}

/// A cam and its axes.
fn cam(outline: &Outline, scope: &mut Scope) -> Result<(Quaternion, Surface), ModelError> {
    let Outline { fields, radius, length, axis, zero } = outline;
    let z = axis.unwrap_or(Vector3::z());
    let x = zero.unwrap_or(Vector3::x());
    if x.dot(&z).abs() > 1e-9 {
        let key = if zero.is_some() { "zero" } else { "axis" };
        let message = format!(
            "{}: the direction in which phi is zero is not normal to the axis",
            fields.path
        );
        let error = fault_at(fields, key, message);
        return Err(error.with_help("add `zero = \"y\"` or another direction normal to the axis"));
    }
    let turned = Quaternion::from_matrix(&Matrix3::from_columns(&[x, z.cross(&x), z]));
    let text = formula(radius, &fields.at("radius"), &["phi"], scope)?;
    let radius =
        Relief::cam(&text, scope.graph.tables()).map_err(|error| refused(&radius.place, error))?;
    Ok((turned, Surface::Cam { radius, length: *length }))
}

/// The solid of a body, where it is.
fn own_solid(
    fields: &Fields,
    key: &str,
    item: &Item,
    names: &Names,
    model: &Model,
) -> Result<(Marker, Surface), ModelError> {
    let body = names.body(item)?;
    let (name, owner) = &model.bodies()[body.node()];
    match owner.shapes.as_slice() {
        [(frame, shape)] => Ok((model.marker(body, *frame), shape.clone().into())),
        _ => {
            let message =
                format!("{} misses `{key}`, and `{name}` has no solid or shape", fields.path);
            let help = format!("add `{key} = {{ sphere = 0.1 }}` or another surface");
            Err(ModelError::new(fields.place, message).with_help(help))
        }
    }
}
