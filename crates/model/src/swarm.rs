//! `[swarm.NAME]`: many equal spheres that touch each other and the walls of a container.

use crate::contact::impact_law;
use crate::fault::{fault_at, refused};
use crate::fields::{Fields, vector};
use crate::joint_words::RUBBING;
use crate::places::Names;
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::force::Surface;
use rotula_mechanics::shape::Shape;
use rotula_mechanics::unilateral::{Sphere, Spheres};
use rotula_mechanics::{Body, GROUND, Marker, Model};
use rotula_reading::keys::{Key, Kind, key, needed};
use rotula_reading::{ModelError, Scope, Value};

/// Distance of neighbours at the start and how far each is shifted sideways, in radii: crooked rows do
/// not stand on top of each other for ever, and never overlap.
const SPACING: f64 = 2.25;
const SHIFT: f64 = 0.1;

pub(crate) static SWARM: [Key; 8] = [
    key("spheres", Kind::Number, "How many spheres."),
    needed("radius", Kind::Number, "Radius of each.").unit("m"),
    needed("density", Kind::Number, "Mass per volume, kg/m³.").unit("kg/m³"),
    key(
        "filling",
        Kind::Points(3),
        "Where they start: two opposite corners of a box, filled in layers along z from below. The rows are a little crooked.",
    ).unit("m"),
    key("at", Kind::Points(3), "Their centres at the start, instead of `spheres` and `filling`.").unit("m"),
    key(
        "container",
        Kind::Points(3),
        "Two opposite corners of a box with a floor and four walls, open along z. Default none.",
    ),
    needed(
        "restitution",
        Kind::Number,
        "Normal speed after an impact over that before it, from 0 to 1.",
    ),
    key("friction", Kind::NumberOrTable(&RUBBING), "Coefficient of friction. Default none."),
];

/// Reads a swarm; its spheres become the bodies NAME1, NAME2 and so on. Returns the floor for pictures.
pub(crate) fn swarm(
    fields: &Fields,
    name: &str,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Option<(Marker, Surface)>, ModelError> {
    let radius = fields.number("radius", scope)?.unwrap_or_default();
    let density = fields.number("density", scope)?.unwrap_or_default();
    for (key, value, unit) in [("radius", radius, "m"), ("density", density, "kg/m³")] {
        if !(value > 0.0 && value.is_finite()) {
            let error = fault_at(fields, key, format!("{} is {value} {unit}", fields.at(key)));
            return Err(error.with_help("give a positive number"));
        }
    }
    let shape = Shape::Sphere { radius };
    let mass = shape.mass_properties(density).map_err(|error| refused(fields.place, error))?;
    let mut spheres = Vec::new();
    for (k, centre) in centres(fields, radius, scope)?.into_iter().enumerate() {
        let body = Body::rigid(mass).drawn(Frame::identity(), shape.clone()).at(centre);
        let own = format!("{name}{}", k + 1);
        let id = model.body(&own, body).map_err(|error| refused(fields.place, error))?;
        names.add_body(&own, id);
        spheres.push(Sphere { marker: model.marker(id, Frame::identity()), radius });
    }
    let mut walls = Vec::new();
    if let Some([low, high]) = corners(fields, "container", scope)? {
        let sides = [
            (low, Vector3::z()),
            (low, Vector3::x()),
            (low, Vector3::y()),
            (high, -Vector3::x()),
            (high, -Vector3::y()),
        ];
        walls.extend(sides.map(|(at, normal)| model.marker(GROUND, model.frame(at, normal))));
    }
    let floor = walls.first().map(|floor| (*floor, Surface::Plane));
    Spheres::new(spheres, walls, None, impact_law(fields, scope)?)
        .and_then(|list| model.touch_some(name, list))
        .map_err(|error| refused(fields.place, error))?;
    Ok(floor)
}

/// Where the spheres start.
fn centres(
    fields: &Fields,
    radius: f64,
    scope: &mut Scope,
) -> Result<Vec<Vector3<f64>>, ModelError> {
    if fields.get("at").is_some() {
        fields.refuse(&["spheres", "filling"], "`at` says where the spheres are")?;
        return points(fields, "at", scope);
    }
    let count = fields.number("spheres", scope)?;
    let (Some(count), Some([low, high])) = (count, corners(fields, "filling", scope)?) else {
        let missing = if count.is_none() { "spheres" } else { "filling" };
        let error = ModelError::new(fields.place, format!("{} misses `{missing}`", fields.path));
        return Err(
            error.with_help("add `spheres = 100` and `filling = [[0, 0, 0], [1, 1, 1]]`, or `at`")
        );
    };
    if !(count >= 1.0 && count.fract() == 0.0 && count <= 1e6) {
        let error = fault_at(fields, "spheres", format!("{} is {count}", fields.at("spheres")));
        return Err(error.with_help("give a whole number from 1 to 1000000"));
    }
    let step = SPACING * radius;
    let room = (high - low).map(|length| (length / step * (1.0 + 1e-9)).floor().max(0.0));
    if room.product() < count {
        let message = format!(
            "{} has room for {} spheres of radius {radius}, not for {count}",
            fields.at("filling"),
            room.product()
        );
        let error = ModelError::new(fields.place_of("filling"), message);
        return Err(error.with_help("make it larger, or take fewer or smaller spheres"));
    }
    let (columns, rows) = (room.x as usize, room.y as usize);
    let centre = |k: usize| {
        let cell = [k % columns, k / columns % rows, k / columns / rows];
        let even = Vector3::from_iterator(cell.iter().map(|&i| step * (i as f64 + 0.5)));
        // the same in every run, without a pattern to the eye
        let shift = Vector3::new((12.9898 * k as f64).sin(), (78.233 * k as f64).sin(), 0.0);
        low + even + shift * (SHIFT * radius)
    };
    Ok((0..count as usize).map(centre).collect())
}

/// Two opposite corners, sorted.
fn corners(
    fields: &Fields,
    key: &str,
    scope: &mut Scope,
) -> Result<Option<[Vector3<f64>; 2]>, ModelError> {
    if fields.get(key).is_none() {
        return Ok(None);
    }
    let given = points(fields, key, scope)?;
    let &[a, b] = given.as_slice() else {
        let message = format!("{} has {} corners", fields.at(key), given.len());
        let error = ModelError::new(fields.place_of(key), message);
        return Err(error.with_help("give two opposite corners, such as [[0, 0, 0], [1, 1, 1]]"));
    };
    Ok(Some([a.inf(&b), a.sup(&b)]))
}

fn points(fields: &Fields, key: &str, scope: &mut Scope) -> Result<Vec<Vector3<f64>>, ModelError> {
    match fields.get(key).map(|item| &item.value) {
        Some(Value::List(items)) => {
            items.iter().map(|item| vector(item, &fields.at(key), scope)).collect()
        }
        _ => Ok(Vec::new()),
    }
}
