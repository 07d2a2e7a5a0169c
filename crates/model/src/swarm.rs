//! `[swarm.NAME]`: many equal spheres that touch each other and the walls of a container.

use crate::contact::Rub;
use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::places::Names;
use crate::reading::{ModelError, Scope};
use crate::table::{Number, Points, table};
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::force::Surface;
use rotula_mechanics::shape::Shape;
use rotula_mechanics::unilateral::{ImpactLaw, Sphere, Spheres};
use rotula_mechanics::{Body, GROUND, Marker, Model};

/// Distance of neighbours at the start and how far each is shifted sideways, in radii: crooked rows do
/// not stand on top of each other for ever, and never overlap.
const SPACING: f64 = 2.25;
const SHIFT: f64 = 0.1;

table! {
    /// Many equal spheres.
    SwarmWords {
        /// How many spheres.
        optional spheres: Number;
        /// Radius of each.
        needed radius: Number, "m";
        /// Mass per volume.
        needed density: Number, "kg/m³";
        /// Where they start: two opposite corners of a box, filled in layers along z from below. The rows are a little crooked.
        optional filling: Points, "m";
        /// Their centres at the start, instead of `spheres` and `filling`.
        optional at: Points, "m";
        /// Two opposite corners of a box with a floor and four walls, open along z. Default none.
        optional container: Points, "m";
        /// Normal speed after an impact over that before it, from 0 to 1.
        needed restitution: Number;
        /// Coefficient of friction. Default none.
        optional friction: Rub<'static>;
    }
}

/// The floor of a container, and its opposite corners, for pictures.
pub(crate) type Container = ((Marker, Surface), [Vector3<f64>; 2]);

/// Reads a swarm; its spheres become the bodies NAME1, NAME2 and so on. Returns its container for pictures.
pub(crate) fn swarm(
    fields: &Fields,
    name: &str,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Option<Container>, ModelError> {
    let given = SwarmWords::read(fields.clone(), scope)?;
    let SwarmWords { radius, density, restitution, .. } = given;
    for (key, value, unit) in [("radius", radius, "m"), ("density", density, "kg/m³")] {
        if !(value > 0.0 && value.is_finite()) {
            let error = fault_at(fields, key, format!("{} is {value} {unit}", fields.at(key)));
            return Err(error.with_help("give a positive number"));
        }
    }
    let shape = Shape::Sphere { radius };
    let mass = shape.mass_properties(density).map_err(|error| refused(fields.place, error))?;
    let centres = centres(&given)?;
    model
        .take_room_for_bodies(&format!("swarm `{name}`"), centres.len())
        .map_err(|error| refused(fields.place_of("spheres"), error))?;
    let mut spheres = Vec::new();
    for (k, centre) in centres.into_iter().enumerate() {
        let body = Body::rigid(mass).drawn(Frame::identity(), shape.clone()).at(centre);
        let own = format!("{name}{}", k + 1);
        let id = model.body(&own, body).map_err(|error| refused(fields.place, error))?;
        names.add_body(&own, id);
        spheres.push(Sphere { marker: model.marker(id, Frame::identity()), radius });
    }
    let mut walls = Vec::new();
    let container = corners(fields, "container", given.container.as_deref())?;
    if let Some([low, high]) = container {
        let sides = [
            (low, Vector3::z()),
            (low, Vector3::x()),
            (low, Vector3::y()),
            (high, -Vector3::x()),
            (high, -Vector3::y()),
        ];
        walls.extend(sides.map(|(at, normal)| model.marker(GROUND, model.frame(at, normal))));
    }
    let floor = walls.first().map(|floor| (*floor, Surface::Plane)).zip(container);
    let law = ImpactLaw { restitution, friction: Rub::rigid(given.friction)? };
    Spheres::new(spheres, walls, None, law)
        .and_then(|list| model.touch_some(name, list))
        .map_err(|error| refused(fields.place, error))?;
    Ok(floor)
}

/// Where the spheres start.
fn centres(given: &SwarmWords) -> Result<Vec<Vector3<f64>>, ModelError> {
    let SwarmWords { fields, spheres: count, radius, filling, at, .. } = given;
    if let Some(at) = at {
        fields.refuse(&["spheres", "filling"], "`at` says where the spheres are")?;
        return Ok(at.iter().copied().map(Vector3::from).collect());
    }
    let filling = corners(fields, "filling", filling.as_deref())?;
    let (&Some(count), Some([low, high])) = (count, filling) else {
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
    given: Option<&[[f64; 3]]>,
) -> Result<Option<[Vector3<f64>; 2]>, ModelError> {
    let Some(given) = given else { return Ok(None) };
    let &[a, b] = given else {
        let message = format!("{} has {} corners", fields.at(key), given.len());
        let error = ModelError::new(fields.place_of(key), message);
        return Err(error.with_help("give two opposite corners, such as [[0, 0, 0], [1, 1, 1]]"));
    };
    let (a, b) = (Vector3::from(a), Vector3::from(b));
    Ok(Some([a.inf(&b), a.sup(&b)]))
}
