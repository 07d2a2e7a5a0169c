//! `[motion.NAME]`: a coordinate, or a point, follows a function of time or an input.

use crate::fault::refused;
use crate::fields::{Fields, function};
use crate::joint::{pair, refuse_itself};
use crate::joint_options::way;
use crate::offers::{ActionKind, Offer, Readings, effort, effort_unit, on_joint, power};
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::{Entry, Kinds, ModelError, Scope, doubtful_derivatives};
use nalgebra::Vector3;
use rotula_dae::Level;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::Way;
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::picture::Mark;
use rotula_mechanics::quantity::{Ends, Quantity, REACTION};
use rotula_mechanics::{Followed, GROUND, Given, JointId, Marker, Model, TimeFunction};

/// Keys that prescribe nothing themselves.
const OTHERS: [&str; 4] = ["joint", "between", "point", "within"];

/// A prescribed motion.
pub(crate) struct Read {
    /// Its effort.
    pub offer: Offer,
    /// The ends of a prescribed length, for pictures.
    pub ends: Option<[Marker; 2]>,
    /// What drives a joint, for pictures.
    pub mark: Option<(Marker, Mark)>,
    /// Why its accelerations mean little, if they do.
    pub caution: Option<String>,
}

/// What is prescribed.
struct Driven {
    coordinate: Coordinate,
    /// The ends of a length, for pictures.
    ends: Option<[Marker; 2]>,
    mark: Option<(Marker, Mark)>,
    /// Where its effort acts, and what of it is read.
    acts: Ends,
    quantities: &'static [Quantity],
}

/// Reads a motion: one of a coordinate, or one of each component of a point's place that is given.
pub(crate) fn motion(
    fields: &Fields,
    name: &str,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Vec<Read>, ModelError> {
    for other in ["joint", "between"] {
        fields.refuse_together(&[other, "point"])?;
    }
    fields.refuse_together(&["joint", "between"])?;
    if let Some(point) = fields.get("point") {
        let marker = names.marker(point, model)?;
        let mut reads = Vec::new();
        for prescribed in components(fields, name)? {
            let word = level(&prescribed.key).0;
            let name = format!("{name}.{word}");
            let driven = component(fields, word, &marker);
            reads.push(one(fields, &name, (prescribed, driven), names, model, scope)?);
        }
        return Ok(reads);
    }
    let prescribed = prescribed(fields, name)?;
    let word = level(&prescribed.key).0;
    let driven = match fields.get("joint") {
        Some(joint) => {
            let joint = names.joint(joint)?;
            let coordinate = model.coordinate(joint, word);
            Driven {
                coordinate: coordinate.map_err(|error| refused(&prescribed.place, error))?,
                ends: None,
                mark: Some(drive_mark(joint, word, model)),
                acts: on_joint(joint, model),
                quantities: &REACTION,
            }
        }
        None => {
            let [a, b] = ends(fields, prescribed, names, model)?;
            Driven {
                coordinate: Coordinate::length(&a, &b),
                ends: Some([a, b]),
                mark: None,
                acts: Ends::between(a, b),
                quantities: &REACTION[..3],
            }
        }
    };
    Ok(vec![one(fields, name, (prescribed, driven), names, model, scope)?])
}

/// The components of a point's place that are prescribed, each once.
fn components<'a>(fields: &Fields<'a>, name: &str) -> Result<Vec<&'a Entry>, ModelError> {
    let mut found: Vec<&Entry> = Vec::new();
    for entry in fields.entries().iter().filter(|entry| !OTHERS.contains(&entry.key.as_str())) {
        let word = level(&entry.key).0;
        if !["x", "y", "z"].contains(&word) {
            let message = format!("motion `{name}`: a point has no `{word}`");
            let error = ModelError::new(&entry.place, message);
            return Err(
                error.with_help("give its `x`, `y` or `z`, or name a joint with this coordinate")
            );
        }
        if let Some(other) = found.iter().find(|other| level(&other.key).0 == word) {
            let message =
                format!("motion `{name}` prescribes `{word}` twice, also by `{}`", other.key);
            return Err(ModelError::new(&entry.place, message).with_help("keep one of them"));
        }
        found.push(entry);
    }
    match found.is_empty() {
        true => Err(nothing(fields, name, "add for example `x = \"0.1*sin(t)\"`")),
        false => Ok(found),
    }
}

/// A component of the place of a point, in the axes of the world or of the copy that it belongs to.
fn component(fields: &Fields, word: &str, marker: &Marker) -> Driven {
    let placed = Placed::of(fields.place);
    let axis = match word {
        "x" => Vector3::x(),
        "y" => Vector3::y(),
        _ => Vector3::z(),
    };
    let origin = Frame::new(placed.point(Vector3::zeros()), Quaternion::identity());
    let origin = Marker { node: GROUND.node(), frame: origin };
    Driven {
        coordinate: Coordinate::along(&origin, marker, placed.vector(axis)),
        ends: None,
        mark: None,
        acts: Ends::between(origin, *marker),
        quantities: &REACTION[..3],
    }
}

/// Reads what one coordinate follows.
fn one(
    fields: &Fields,
    name: &str,
    (prescribed, driven): (&Entry, Driven),
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Read, ModelError> {
    let Driven { coordinate, ends, mark, acts, quantities } = driven;
    let (word, level) = level(&prescribed.key);
    let path = fields.at(&prescribed.key);
    let mut readings = Readings::new(ActionKind::Motion, name, fields.place);
    let driven = coordinate.clone();
    let caution = match followed(fields, prescribed, (&coordinate, level), (names, model), scope)? {
        Some(function) => {
            model
                .drive(name, coordinate, function)
                .map_err(|error| refused(fields.place, error))?;
            None
        }
        None => of_time(name, (prescribed, &path), (coordinate, level), model, scope)?,
    };
    effort(&mut readings, ("effort", effort_unit(word)), 1.0, model, scope)?;
    power(&mut readings, &driven, model, scope)?;
    readings.add_action(acts, quantities, names, model, scope)?;
    Ok(Read { offer: readings.finish(), ends, mark, caution })
}

/// The way to what an input is set to, if the motion follows one.
fn followed(
    fields: &Fields,
    prescribed: &Entry,
    (coordinate, level): (&Coordinate, Level),
    (names, model): (&Names, &Model),
    scope: &mut Scope,
) -> Result<Option<TimeFunction>, ModelError> {
    // what is wrong with the formula is said where it is read as one of time
    let formula = scope.parse(&prescribed.item, &fields.at(&prescribed.key), Kinds::ALL);
    let symbol = formula.ok().and_then(|(formula, _)| scope.graph.name(formula));
    let Some((name, value)) = symbol.and_then(|name| Some((name.to_owned(), names.input(name)?)))
    else {
        fields.refuse(&["within"], "it follows no [input]")?;
        return Ok(None);
    };
    let Some(within) = fields.positive("within", scope)? else {
        let message = format!("{} follows the input `{name}`, which jumps", fields.path);
        let error = ModelError::new(&prescribed.place, message);
        return Err(error.with_help("add `within = 0.1`, the time in which a new value is reached"));
    };
    let given = match level {
        Level::Position => Given::Position,
        Level::Velocity => Given::Velocity,
        Level::Acceleration => {
            let message =
                format!("{}: an input gives a position or a velocity", fields.at(&prescribed.key));
            let error = ModelError::new(&prescribed.place, message);
            return Err(error.with_help("prescribe the velocity; its acceleration follows"));
        }
    };
    let at = model.at_start(coordinate)[0];
    Ok(Some(TimeFunction::Followed(Box::new(Followed::new(&name, given, value, at, within)))))
}

/// Lets a coordinate follow a formula of time; says why its accelerations mean little, if they do.
fn of_time(
    name: &str,
    (prescribed, path): (&Entry, &str),
    (coordinate, level): (Coordinate, Level),
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Option<String>, ModelError> {
    let (expression, _) = scope.parse(&prescribed.item, path, Kinds::TIME).map_err(|error| {
        // a signal, not a mistake
        match scope.parse(&prescribed.item, path, Kinds::ALL) {
            Ok(_) => error.with_help(
                "it may use parameters, the time `t`, tables and variables of time alone, for it is followed exactly, with two derivatives; an [input] stands alone, with `within`; to follow another signal, let a controller act: `torque` or `force` of the joint",
            ),
            Err(_) => error,
        }
    })?;
    let function = function(&prescribed.item, path, scope)?;
    let order = match level {
        Level::Position => 2,
        Level::Velocity => 1,
        Level::Acceleration => 0,
    };
    let used = scope.graph.tables_of(expression);
    let caution =
        used.iter().find_map(|(table, points)| doubtful_derivatives(table, points, order));
    let caution = caution.map(|why| format!("motion `{name}`: {why}"));
    match level {
        Level::Position => model.drive(name, coordinate, function),
        Level::Velocity => model.drive_velocity(name, coordinate, function),
        Level::Acceleration => model.drive_acceleration(name, coordinate, function),
    }
    .map_err(|error| refused(&prescribed.place, error))?;
    Ok(caution)
}

/// The symbol of what drives a coordinate of a joint.
pub(crate) fn drive_mark(joint: JointId, word: &str, model: &Model) -> (Marker, Mark) {
    let way = way(joint, word, model);
    let mark = match way {
        Way::Slides { .. } => Mark::Pusher,
        Way::Turns(_) => Mark::Motor,
    };
    (way.axis(), mark)
}

/// `angle_velocity` prescribes the velocity of `angle`.
fn level(key: &str) -> (&str, Level) {
    if let Some(word) = key.strip_suffix("_velocity") {
        (word, Level::Velocity)
    } else if let Some(word) = key.strip_suffix("_acceleration") {
        (word, Level::Acceleration)
    } else {
        (key, Level::Position)
    }
}

/// The one key that says what is prescribed.
fn prescribed<'a>(fields: &Fields<'a>, name: &str) -> Result<&'a Entry, ModelError> {
    let is_coordinate = |entry: &&Entry| !OTHERS.contains(&entry.key.as_str());
    let mut given = fields.entries().iter().filter(is_coordinate);
    match (given.next(), given.next()) {
        (Some(entry), None) => Ok(entry),
        (Some(_), Some(second)) => {
            let message = format!("motion `{name}` prescribes two coordinates");
            let help = "write a motion of its own for each";
            Err(ModelError::new(&second.place, message).with_help(help))
        }
        (None, _) => {
            let help = "add for example `angle = \"6*t\"` or `displacement = \"0.1*sin(t)\"`";
            Err(nothing(fields, name, help))
        }
    }
}

fn nothing(fields: &Fields, name: &str, help: &str) -> ModelError {
    let message = format!("motion `{name}` prescribes nothing");
    ModelError::new(fields.place, message).with_help(help)
}

/// Two frames or bodies whose distance is prescribed.
fn ends(
    fields: &Fields,
    prescribed: &Entry,
    names: &Names,
    model: &Model,
) -> Result<[Marker; 2], ModelError> {
    if fields.get("between").is_none() {
        let error = ModelError::new(fields.place, format!("{} misses `joint`", fields.path));
        return Err(error.with_help(
            "add `joint = \"…\"`, the joint whose coordinate is prescribed, or `point = \"…\"`, a frame whose place is",
        ));
    }
    let ends = pair(fields, "between")?;
    refuse_itself(names, ends, &fields.path)?;
    if level(&prescribed.key).0 != "length" {
        let message = format!(
            "between two frames only their `length` can be prescribed, not `{}`",
            prescribed.key
        );
        let error = ModelError::new(&prescribed.place, message);
        return Err(error.with_help("write `length = …`, or name a joint with this coordinate"));
    }
    Ok([names.marker(ends[0], model)?, names.marker(ends[1], model)?])
}
