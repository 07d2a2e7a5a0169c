//! `[motion.NAME]`: a coordinate follows a function of time.

use crate::fault::refused;
use crate::fields::{Fields, function};
use crate::joint::{pair, refuse_itself};
use crate::offers::{ActionKind, Offer, Readings, effort, effort_unit, on_joint, power};
use crate::places::Names;
use rotula_dae::Level;
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::picture::Mark;
use rotula_mechanics::quantity::{Ends, REACTION};
use rotula_mechanics::{JointId, Marker, Model};
use rotula_reading::{Entry, Kinds, ModelError, Scope, doubtful_derivatives};

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

/// Reads a prescribed motion.
pub(crate) fn motion(
    fields: &Fields,
    name: &str,
    names: &mut Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Read, ModelError> {
    fields.refuse_together(&["joint", "between"])?;
    let prescribed = prescribed(fields, name)?;
    let (word, level) = level(&prescribed.key);
    let mut mark = None;
    let (coordinate, ends, acts, quantities) = match fields.get("joint") {
        Some(joint) => {
            let joint = names.joint(joint)?;
            mark = Some(drive_mark(joint, word, model));
            let coordinate = model.coordinate(joint, word);
            let acts = on_joint(joint, model);
            (
                coordinate.map_err(|error| refused(&prescribed.place, error))?,
                None,
                acts,
                &REACTION[..],
            )
        }
        None => {
            let [a, b] = ends(fields, prescribed, names, model)?;
            (Coordinate::length(&a, &b), Some([a, b]), Ends::between(a, b), &REACTION[..3])
        }
    };
    let path = fields.at(&prescribed.key);
    let (expression, _) = scope.parse(&prescribed.item, &path, Kinds::TIME).map_err(|error| {
        // a signal, not a mistake
        match scope.parse(&prescribed.item, &path, Kinds::ALL) {
            Ok(_) => error.with_help(
                "it may use parameters, the time `t`, tables and variables of time alone, for it is followed exactly, with two derivatives; to follow a signal, let a controller act: `torque` or `force` of the joint",
            ),
            Err(_) => error,
        }
    })?;
    let function = function(&prescribed.item, &path, scope)?;
    let order = match level {
        Level::Position => 2,
        Level::Velocity => 1,
        Level::Acceleration => 0,
    };
    let used = scope.graph.tables_of(expression);
    let caution =
        used.iter().find_map(|(table, points)| doubtful_derivatives(table, points, order));
    let caution = caution.map(|why| format!("motion `{name}`: {why}"));
    let driven = coordinate.clone();
    match level {
        Level::Position => model.drive(name, coordinate, function),
        Level::Velocity => model.drive_velocity(name, coordinate, function),
        Level::Acceleration => model.drive_acceleration(name, coordinate, function),
    }
    .map_err(|error| refused(fields.place, error))?;
    let mut readings = Readings::new(ActionKind::Motion, name, fields.place);
    effort(&mut readings, ("effort", effort_unit(word)), 1.0, model, scope)?;
    power(&mut readings, &driven, model, scope)?;
    readings.add_action(acts, quantities, names, model, scope)?;
    Ok(Read { offer: readings.finish(), ends, mark, caution })
}

/// The symbol of what drives a coordinate of a joint.
pub(crate) fn drive_mark(joint: JointId, word: &str, model: &Model) -> (Marker, Mark) {
    let slides = matches!(word, "displacement" | "length" | "x" | "y");
    let mark = if slides { Mark::Pusher } else { Mark::Motor };
    (model.joints()[joint.index()].pair.a, mark)
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
    let is_coordinate = |entry: &&Entry| !matches!(entry.key.as_str(), "joint" | "between");
    let mut given = fields.entries().iter().filter(is_coordinate);
    match (given.next(), given.next()) {
        (Some(entry), None) => Ok(entry),
        (Some(_), Some(second)) => {
            let message = format!("motion `{name}` prescribes two coordinates");
            let help = "write a motion of its own for each";
            Err(ModelError::new(&second.place, message).with_help(help))
        }
        (None, _) => {
            let message = format!("motion `{name}` prescribes nothing");
            let help = "add for example `angle = \"6*t\"` or `displacement = \"0.1*sin(t)\"`";
            Err(ModelError::new(fields.place, message).with_help(help))
        }
    }
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
        return Err(
            error.with_help("add `joint = \"…\"`, the joint whose coordinate is prescribed")
        );
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
