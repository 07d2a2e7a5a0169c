//! `[sensor] NAME = { word = … }`: what is read, and along which direction.

use crate::fault::refused;
use crate::fields::{Fields, signal_text};
use crate::places::Names;
use crate::signals::markers;
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::quantity::{Acting, Part, Side};
use rotula_mechanics::sensor::{
    AngularSensor, CoordinateSensor, Direction, EnergySensor, PointSensor, SpeedSensor,
};
use rotula_mechanics::{GROUND, Marker, Model};
use rotula_reading::keys::{Key, Kind, key};
use rotula_reading::{Entry, Item, ModelError, Scope, Value, did_you_mean};

pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];
/// Readings with three components.
const VECTORS: [&str; 9] = [
    "position",
    "velocity",
    "acceleration",
    "angular_velocity",
    "angular_acceleration",
    "reaction_force",
    "reaction_moment",
    "force",
    "moment",
];
/// Those that something does to a body.
const ACTIONS: [&str; 4] = ["reaction_force", "reaction_moment", "force", "moment"];
const SCALARS: [&str; 4] = ["speed", "length", "energy", "formula"];

pub(crate) static SENSOR: [Key; 16] = [
    key("position", Kind::Name, "Where a body or frame is."),
    key("velocity", Kind::Name, "Its velocity."),
    key("acceleration", Kind::Name, "Its acceleration."),
    key("angular_velocity", Kind::Name, "Its angular velocity."),
    key("angular_acceleration", Kind::Name, "Its angular acceleration."),
    key("reaction_force", Kind::Name, "Force of a joint on its second body, or `on` its first."),
    key(
        "reaction_moment",
        Kind::Name,
        "Moment of a joint on its second body about its second frame, or `on` its first body about its first frame.",
    ),
    key(
        "force",
        Kind::Name,
        "Force of a spring, bushing, soft contact, load, joint or held end of a beam or cable on its second body, or `on` its first.",
    ),
    key("moment", Kind::Name, "Its moment about the point where it acts on that body."),
    key("speed", Kind::Name, "How fast a body or frame moves."),
    key("length", Kind::Pair, "Distance of two bodies or frames."),
    key(
        "energy",
        Kind::Word(&["kinetic", "potential", "total", "power"]),
        "An energy of the whole model; for output only.",
    ),
    key("formula", Kind::Formula, "A formula of other sensors; for output only."),
    key("along", Kind::Direction, "One component; without it all three: NAME.x, NAME.y, NAME.z."),
    key(
        "on",
        Kind::Word(&["first", "second"]),
        "The body on which a force or moment is read. Default the second.",
    ),
    key("axes", Kind::Name, "Body or frame whose axes are used. Default those of the world."),
];

fn word(entries: &[Entry]) -> Option<&str> {
    let words = || VECTORS.iter().chain(&SCALARS);
    entries.iter().map(|entry| entry.key.as_str()).find(|key| words().any(|word| word == key))
}

/// Whether a sensor has three components.
pub(crate) fn is_vector(entry: &Entry) -> bool {
    let Value::Table(table) = &entry.item.value else { return false };
    word(&table.entries).is_some_and(|word| VECTORS.contains(&word)) && table.get("along").is_none()
}

/// Whether formulas may not use it.
pub(crate) fn is_for_output(entry: &Entry) -> bool {
    let Value::Table(table) = &entry.item.value else { return false };
    table.get("energy").is_some() || table.get("formula").is_some()
}

/// Reads a sensor into the model.
pub(crate) fn sensor(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let words: Vec<&str> = VECTORS.iter().chain(&SCALARS).copied().collect();
    fields.refuse_together(&words)?;
    let Some(word) = word(fields.entries()) else {
        let message = format!("sensor `{name}` does not say what it reads");
        let error = ModelError::new(fields.place, message);
        return Err(error.with_help(did_you_mean("", words)));
    };
    let Some(item) = fields.get(word) else { return Ok(()) };
    if SCALARS.contains(&word) {
        fields.refuse(&["along", "axes", "on"], &format!("`{word}` is one number"))?;
        return scalar(fields, (word, item), name, names, model, scope);
    }
    if !ACTIONS.contains(&word) {
        fields.refuse(&["on"], &format!("`{word}` is no force on a body"))?;
    }
    let side = match fields.text("on") {
        Some("first") => Side::First,
        _ => Side::Second,
    };
    let axes = match fields.get("axes") {
        Some(item) => names.marker(item, model)?,
        None => model.marker(GROUND, Frame::identity()),
    };
    match fields.direction("along", scope)? {
        Some(along) => component((word, side), item, name, (&axes, along), names, model),
        None => {
            for (k, axis) in AXES.iter().enumerate() {
                let mut along = Vector3::zeros();
                along[k] = 1.0;
                let name = format!("{name}.{axis}");
                component((word, side), item, &name, (&axes, along), names, model)?;
            }
            Ok(())
        }
    }
}

fn scalar(
    fields: &Fields,
    (word, item): (&str, &Item),
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let added = match word {
        "speed" => {
            let marker = names.marker(item, model)?;
            model.sensor(name, SpeedSensor::new(&marker))
        }
        "length" => {
            let [a, b] = markers(fields, "length", names, model)?;
            model.sensor(name, CoordinateSensor::value(Coordinate::length(&a, &b)))
        }
        "energy" => {
            let energy = match item.text() {
                Some("kinetic") => EnergySensor::Kinetic,
                Some("potential") => EnergySensor::Potential,
                Some("power") => EnergySensor::Power,
                _ => EnergySensor::Total,
            };
            model.energy_sensor(name, energy)
        }
        _ => {
            let text = signal_text(item, &fields.at("formula"), scope)?;
            model.output(name, &text)
        }
    };
    added.map(|_| ()).map_err(|error| refused(fields.place, error))
}

/// One component of a vector, along a direction of a marker.
fn component(
    (word, side): (&str, Side),
    item: &Item,
    name: &str,
    (axes, along): (&Marker, Vector3<f64>),
    names: &Names,
    model: &mut Model,
) -> Result<(), ModelError> {
    let direction = Direction::of(axes, along);
    let ground = model.marker(GROUND, Frame::identity());
    if ACTIONS.contains(&word) {
        let part = if word.ends_with("force") { Part::Force } else { Part::Moment };
        let (acting, two) = match word.starts_with("reaction") {
            true => names.joint(item).map(|_| (Acting::Joint, true))?,
            false => names.acting(item)?,
        };
        let thing = item.text().unwrap_or_default();
        if side == Side::First && !two {
            let message = format!("`{thing}` acts on one body only");
            return Err(ModelError::new(&item.place, message).with_help("leave `on` out"));
        }
        let added = model.action_sensor(name, (acting, thing), (side, part), direction);
        return added.map(|_| ()).map_err(|error| refused(&item.place, error));
    }
    let marker = names.marker(item, model)?;
    let added = match word {
        "position" => model.sensor(name, CoordinateSensor::position(&marker, axes, along)),
        "velocity" => model.sensor(name, PointSensor::velocity(&marker, direction)),
        "acceleration" => model.sensor(name, PointSensor::acceleration(&marker, direction)),
        "angular_velocity" => {
            model.sensor(name, AngularSensor::velocity(&marker, &ground, direction))
        }
        _ => model.sensor(name, AngularSensor::acceleration(&marker, &ground, direction)),
    };
    added.map(|_| ()).map_err(|error| refused(&item.place, error))
}
