//! `[sensor] NAME = { word = … }`: what is read, and along which direction.

use crate::fault::refused;
use crate::fields::{Fields, signal_text};
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::keys::{Key, Kind, key};
use crate::reading::{Entry, Item, ModelError, Scope, Value, did_you_mean};
use crate::signals::markers;
use crate::table::{Direction as AlongDirection, Name, Value as _, table, words};
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::quantity::{Acting, Part, Side};
use rotula_mechanics::sensor::{
    Angles, AngularSensor, CoordinateSensor, Direction, EnergySensor, OrientationSensor,
    PointSensor, SpeedSensor,
};
use rotula_mechanics::{GROUND, Marker, Model};

pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

/// A word for what a sensor reads: what it means, its unit, and how it is made.
struct Reading {
    key: Key,
    unit: &'static str,
    reads: Reads,
}

enum Reads {
    /// A vector of the motion of a body or frame, component by component.
    Motion(fn(&mut Model, Component) -> Made),
    /// A vector that something does to a body.
    Action(Part, Actor),
    /// One number.
    Scalar(Scalar),
}

/// Who acts.
#[derive(Clone, Copy, PartialEq)]
enum Actor {
    Joint,
    Anything,
}

/// What the mechanics say.
type Made = Result<(), rotula_mechanics::ModelError>;

/// Makes a sensor that reads one number.
type Scalar =
    fn(&Fields, &Item, &str, (&Names, &mut Model), &mut Scope) -> Result<Made, ModelError>;

/// One component of a vector at a marker, along a direction of the axes of another.
struct Component<'a> {
    name: &'a str,
    marker: Marker,
    axes: Marker,
    along: Vector3<f64>,
}

impl Component<'_> {
    fn direction(&self) -> Direction {
        Direction::of(&self.axes, self.along)
    }
}

const fn motion(
    (name, unit): (&'static str, &'static str),
    about: &'static str,
    make: fn(&mut Model, Component) -> Made,
) -> Reading {
    Reading { key: key(name, Kind::Name, about), unit, reads: Reads::Motion(make) }
}

const fn scalar(
    (name, unit): (&'static str, &'static str),
    kind: Kind,
    about: &'static str,
    make: Scalar,
) -> Reading {
    Reading { key: key(name, kind, about), unit, reads: Reads::Scalar(make) }
}

const fn action(name: &'static str, part: Part, actor: Actor, about: &'static str) -> Reading {
    let unit = match part {
        Part::Force => "N",
        Part::Moment => "N m",
    };
    Reading { key: key(name, Kind::Name, about), unit, reads: Reads::Action(part, actor) }
}

words! {
    /// An energy of the whole model.
    Energy { Kinetic = "kinetic", Potential = "potential", Total = "total", Power = "power" }
}

static READINGS: [Reading; 16] = [
    motion(("position", "m"), "Where a body or frame is.", |model, at| {
        let sensor = CoordinateSensor::position(&at.marker, &at.axes, at.along);
        model.sensor(at.name, sensor).map(|_| ())
    }),
    motion(
        ("rotation", "rad"),
        "How a body or frame is turned against `axes`: axis times angle, which is at most π, in rad.",
        |model, at| {
            let angles = Angles::Vector(at.along);
            model.sensor(at.name, OrientationSensor::new(&at.marker, &at.axes, angles)).map(|_| ())
        },
    ),
    motion(
        ("cardan", "rad"),
        "The same by angles about x (NAME.x), then about its own y (NAME.y, within ±π/2), then about its own z (NAME.z), in rad: roll, pitch and yaw of what turns last about z.",
        |model, at| {
            let angles = Angles::Cardan(at.along.iamax());
            model.sensor(at.name, OrientationSensor::new(&at.marker, &at.axes, angles)).map(|_| ())
        },
    ),
    motion(
        ("euler", "rad"),
        "The same by angles about z (NAME.x, precession), then about its own x (NAME.y, nutation, from 0 to π), then about its own z (NAME.z, spin), in rad.",
        |model, at| {
            let angles = Angles::Euler(at.along.iamax());
            model.sensor(at.name, OrientationSensor::new(&at.marker, &at.axes, angles)).map(|_| ())
        },
    ),
    motion(("velocity", "m/s"), "Its velocity.", |model, at| {
        model.sensor(at.name, PointSensor::velocity(&at.marker, at.direction())).map(|_| ())
    }),
    motion(("acceleration", "m/s²"), "Its acceleration.", |model, at| {
        model.sensor(at.name, PointSensor::acceleration(&at.marker, at.direction())).map(|_| ())
    }),
    motion(("angular_velocity", "rad/s"), "Its angular velocity.", |model, at| {
        let ground = model.marker(GROUND, Frame::identity());
        let sensor = AngularSensor::velocity(&at.marker, &ground, at.direction());
        model.sensor(at.name, sensor).map(|_| ())
    }),
    motion(("angular_acceleration", "rad/s²"), "Its angular acceleration.", |model, at| {
        let ground = model.marker(GROUND, Frame::identity());
        let sensor = AngularSensor::acceleration(&at.marker, &ground, at.direction());
        model.sensor(at.name, sensor).map(|_| ())
    }),
    action(
        "reaction_force",
        Part::Force,
        Actor::Joint,
        "Force of a joint on its second body, or `on` its first.",
    ),
    action(
        "reaction_moment",
        Part::Moment,
        Actor::Joint,
        "Moment of a joint on its second body about its second frame, or `on` its first body about its first frame.",
    ),
    action(
        "force",
        Part::Force,
        Actor::Anything,
        "Force of a spring, bushing, soft contact, load, joint or held end of a beam or cable on its second body, or `on` its first.",
    ),
    action(
        "moment",
        Part::Moment,
        Actor::Anything,
        "Its moment about the point where it acts on that body.",
    ),
    scalar(
        ("speed", "m/s"),
        Kind::Name,
        "How fast a body or frame moves.",
        |_, item, name, (names, model), _| {
            let marker = names.marker(item, model)?;
            Ok(model.sensor(name, SpeedSensor::new(&marker)).map(|_| ()))
        },
    ),
    scalar(
        ("length", "m"),
        Kind::Pair,
        "Distance of two bodies or frames.",
        |fields, _, name, (names, model), _| {
            let [a, b] = markers(fields, "length", names, model)?;
            let sensor = CoordinateSensor::value(Coordinate::length(&a, &b));
            Ok(model.sensor(name, sensor).map(|_| ()))
        },
    ),
    scalar(
        ("energy", "J"),
        Energy::KIND,
        "An energy of the whole model; for output only.",
        |fields, _, name, (_, model), scope| {
            let energy = match Energy::read(fields, "energy", scope)? {
                Some(Energy::Kinetic) => EnergySensor::Kinetic,
                Some(Energy::Potential) => EnergySensor::Potential,
                Some(Energy::Power) => EnergySensor::Power,
                Some(Energy::Total) | None => EnergySensor::Total,
            };
            Ok(model.energy_sensor(name, energy).map(|_| ()))
        },
    ),
    scalar(
        ("formula", ""),
        Kind::Formula,
        "A formula of other sensors; for output only.",
        |fields, item, name, (_, model), scope| {
            let text = signal_text(item, &fields.at("formula"), scope)?;
            Ok(model.output(name, &text).map(|_| ()))
        },
    ),
];

words! {
    /// The body on which a force or moment is read.
    OnBody { First = "first", Second = "second" }
}

table! {
    /// How a vector is read.
    How {
        /// One component; without it all three: NAME.x, NAME.y, NAME.z.
        optional along: AlongDirection;
        /// The body on which a force or moment is read. Default the second.
        optional on: OnBody;
        /// Body or frame whose axes are used. Default those of the world.
        optional axes: Name;
    }
}

/// The keys of a sensor.
pub(crate) fn keys() -> Vec<Key> {
    READINGS.iter().map(|reading| reading.key).chain(How::KEYS.iter().copied()).collect()
}

fn reading(entries: &[Entry]) -> Option<&'static Reading> {
    let find = |entry: &Entry| READINGS.iter().find(|reading| reading.key.name == entry.key);
    entries.iter().find_map(find)
}

/// The names of the curves of a sensor, and their unit; empty where it is not known.
pub(crate) fn units(entry: &Entry) -> (Vec<String>, &'static str) {
    let names = match is_vector(entry) {
        true => AXES.iter().map(|axis| format!("{}.{axis}", entry.key)).collect(),
        false => vec![entry.key.clone()],
    };
    let Value::Table(table) = &entry.item.value else { return (names, "") };
    let power = table.get("energy").and_then(|item| item.text()) == Some("power");
    let unit = reading(&table.entries).map_or("", |reading| reading.unit);
    (names, if power { "W" } else { unit })
}

/// Whether a sensor has three components.
pub(crate) fn is_vector(entry: &Entry) -> bool {
    let Value::Table(table) = &entry.item.value else { return false };
    let vector = match reading(&table.entries).map(|reading| &reading.reads) {
        Some(Reads::Motion(_) | Reads::Action(..)) => true,
        Some(Reads::Scalar(_)) | None => false,
    };
    vector && table.get("along").is_none()
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
    let words: Vec<&str> = READINGS.iter().map(|reading| reading.key.name).collect();
    fields.refuse_together(&words)?;
    let Some(reading) = reading(fields.entries()) else {
        let message = format!("sensor `{name}` does not say what it reads");
        let error = ModelError::new(fields.place, message);
        return Err(error.with_help(did_you_mean("", words)));
    };
    let word = reading.key.name;
    let Some(item) = fields.get(word) else { return Ok(()) };
    match reading.reads {
        Reads::Scalar(make) => {
            fields.refuse(&["along", "axes", "on"], &format!("`{word}` is one number"))?;
            let made = make(fields, item, name, (names, model), scope)?;
            return made.map_err(|error| refused(fields.place, error));
        }
        Reads::Motion(_) => {
            fields.refuse(&["on"], &format!("`{word}` is no force on a body"))?;
            if matches!(word, "cardan" | "euler") {
                fields.refuse(&["along"], "angles about turning axes have no components")?;
            }
        }
        Reads::Action(..) => {}
    }
    let how = How::read(fields.clone(), scope)?;
    let axes = match how.axes {
        Some(item) => names.marker(item, model)?,
        None => model.marker(GROUND, Frame::identity()),
    };
    let unit = |k: usize| Vector3::from_fn(|i, _| if i == k { 1.0 } else { 0.0 });
    let turns = matches!(reading.reads, Reads::Action(Part::Moment, _))
        || word.starts_with("angular")
        || word == "rotation";
    let placed = match how.axes {
        Some(item) => Placed::in_axes_of(fields.place, item.text().unwrap_or_default()),
        None => Placed::of(fields.place),
    };
    let along = how.along.map(|along| match turns {
        true => placed.axial(along),
        false => placed.vector(along),
    });
    let components = match along {
        Some(along) => vec![(name.to_owned(), along)],
        None => (0..3).map(|k| (format!("{name}.{}", AXES[k]), unit(k))).collect(),
    };
    for (name, along) in &components {
        let added = match reading.reads {
            Reads::Scalar(_) => Ok(()),
            Reads::Motion(make) => {
                let marker = names.marker(item, model)?;
                make(model, Component { name, marker, axes, along: *along })
            }
            Reads::Action(part, actor) => {
                let (acting, two) = match actor {
                    Actor::Joint => names.joint(item).map(|_| (Acting::Joint, true))?,
                    Actor::Anything => names.acting(item)?,
                };
                let side = match how.on {
                    Some(OnBody::First) => Side::First,
                    Some(OnBody::Second) | None => Side::Second,
                };
                let thing = item.text().unwrap_or_default();
                if side == Side::First && !two {
                    let message = format!("`{thing}` acts on one body only");
                    let error = ModelError::new(&item.place, message);
                    return Err(error.with_help("leave `on` out"));
                }
                let direction = Direction::of(&axes, *along);
                model.action_sensor(name, (acting, thing), (side, part), direction).map(|_| ())
            }
        };
        added.map_err(|error| refused(&item.place, error))?;
    }
    Ok(())
}
