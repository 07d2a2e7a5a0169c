//! `[joint.NAME]`: one word for its kind, where it is, and options.

use crate::fault::refused;
use crate::fields::Fields;
use crate::keys::{Key, Kind, key};
use crate::places::Names;
use crate::sections::LINEAR;
use nalgebra::Vector3;
use rotula_mechanics::force::{Linear, Spring};
use rotula_mechanics::joint::{Cylindrical, Fixed, Joint, Prismatic, Revolute, Spherical};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::{JointId, Marker, Model};
use rotula_reading::{Entry, Item, ModelError, Scope, Value, did_you_mean};

const BETWEEN: Key = key("between", Kind::Pair, "The two bodies it connects; with frames, `at` is not needed.");
const FRAMES: Key = key("frames", Kind::Pair, "The two frames it connects, instead of `between` and `at`.");
const AT: Key = key("at", Kind::Numbers(3), "Where it is in the world at the start.");

static POINT: [Key; 3] = [BETWEEN, FRAMES, AT];
static AXIS: [Key; 4] =
    [BETWEEN, FRAMES, AT, key("about", Kind::Direction, "Its axis, world axes at the start.")];
static SLIDE: [Key; 4] = [
    BETWEEN,
    FRAMES,
    AT,
    key("along", Kind::Direction, "The direction of sliding, world axes at the start."),
];

/// The kinds of joints.
pub(crate) static WORDS: [Key; 5] = [
    key("revolute", Kind::Table(&AXIS), "A hinge: one free `angle` about the axis."),
    key("prismatic", Kind::Table(&SLIDE), "A slide: one free `displacement` along the axis."),
    key("cylindrical", Kind::Table(&AXIS), "A free `displacement` along the axis and a free `angle` about it."),
    key("spherical", Kind::Table(&POINT), "A ball joint: all rotations are free."),
    key("fixed", Kind::Table(&POINT), "Nothing is free."),
];

/// What any joint may have besides.
pub(crate) static OPTIONS: [Key; 2] = [
    key("spring", Kind::Table(&LINEAR), "A spring and damper on its coordinate."),
    key("description", Kind::Text, "What it is."),
];

/// Reads a joint and what acts on its coordinate.
pub(crate) fn joint(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<JointId, ModelError> {
    let word = word(fields, name)?;
    let inner = fields.inner(&word.key).unwrap_or_else(|| fields.clone());
    let kind = kind(&word.key);
    let (a, b) = markers(&inner, word, names, model, scope)?;
    let joint = model.joint(name, kind.as_ref(), a, b).map_err(|e| refused(&word.place, e))?;
    if let Some(spring) = fields.inner("spring") {
        let coordinate = coordinate(&spring, joint, model)?;
        let law = linear(&spring, "free", scope)?;
        let force = Spring::new(coordinate, law);
        model.force(&format!("spring of {name}"), force).map_err(|e| refused(spring.place, e))?;
    }
    Ok(joint)
}

/// The one word that says what kind of joint it is.
fn word<'a>(fields: &Fields<'a>, name: &str) -> Result<&'a Entry, ModelError> {
    let words: Vec<&str> = WORDS.iter().map(|key| key.name).collect();
    let mut given = fields.entries().iter().filter(|entry| words.contains(&entry.key.as_str()));
    match (given.next(), given.next()) {
        (Some(word), None) => Ok(word),
        (Some(first), Some(second)) => {
            let message =
                format!("joint `{name}` is both `{}` and `{}`", first.key, second.key);
            let help = "keep one, and give the other a name of its own";
            Err(ModelError::new(&second.place, message).with_help(help))
        }
        (None, _) => {
            let message = format!("joint `{name}` does not say what kind it is");
            let help = format!("write for example `revolute = {{ … }}`; {}", did_you_mean("", words));
            Err(ModelError::new(fields.place, message).with_help(help))
        }
    }
}

fn kind(word: &str) -> Box<dyn Joint> {
    match word {
        "revolute" => Box::new(Revolute),
        "prismatic" => Box::new(Prismatic),
        "cylindrical" => Box::new(Cylindrical),
        "spherical" => Box::new(Spherical),
        _ => Box::new(Fixed),
    }
}

/// The two markers of a joint: two frames, or one place in the world on both bodies.
fn markers(
    fields: &Fields,
    word: &Entry,
    names: &Names,
    model: &Model,
    scope: &mut Scope,
) -> Result<(Marker, Marker), ModelError> {
    fields.refuse_together(&["between", "frames"])?;
    let key = if fields.get("frames").is_some() { "frames" } else { "between" };
    let [first, second] = pair(fields, key)?;
    refuse_itself(names, [first, second], &format!("joint word `{}`", word.key))?;
    let axis = match fields.direction("about", scope)? {
        Some(axis) => Some(axis),
        None => fields.direction("along", scope)?,
    };
    if let Some(at) = fields.vector("at", scope)? {
        if key == "frames" {
            fields.refuse(&["at", "about", "along"], "the frames say where the joint is")?;
        }
        let axis = match (axis, needed_axis(word)) {
            (Some(axis), _) => axis,
            (None, None) => Vector3::z(),
            (None, Some(key)) => return Err(misses(word, key)),
        };
        let frame = model.frame(at, axis);
        let marker = |item: &Item| Ok(model.marker_at(names.body(item)?, frame));
        return Ok((marker(first)?, marker(second)?));
    }
    let (Some(a), Some(b)) = (names.frame(first)?, names.frame(second)?) else {
        let error = ModelError::new(&word.place, format!("`{}` misses `at`", word.key));
        return Err(error.with_help("add `at = [x, y, z]`, its place in the world at the start, or name two frames"));
    };
    fields.refuse(&["about", "along"], "the frames say where the axis is")?;
    Ok((a, b))
}

/// The key of the axis that a kind of joint must have.
fn needed_axis(word: &Entry) -> Option<&'static str> {
    let Kind::Table(keys) = WORDS.iter().find(|key| key.name == word.key)?.kind else { return None };
    keys.iter().map(|key| key.name).find(|name| matches!(*name, "about" | "along"))
}

fn misses(word: &Entry, key: &str) -> ModelError {
    let error = ModelError::new(&word.place, format!("`{}` misses `{key}`", word.key));
    error.with_help(format!("add `{key} = \"x\"` or another direction: its axis"))
}

/// The two names of a key.
pub(crate) fn pair<'a>(fields: &Fields<'a>, key: &str) -> Result<[&'a Item; 2], ModelError> {
    if let Some(Item { value: Value::List(items), .. }) = fields.get(key)
        && let [first, second] = items.as_slice()
    {
        return Ok([first, second]);
    }
    let error = ModelError::new(fields.place, format!("{} misses `{key}`", fields.path));
    Err(error.with_help(format!("add `{key} = [\"ground\", \"…\"]`, the two bodies or frames")))
}

/// A body cannot be connected with itself.
pub(crate) fn refuse_itself(
    names: &Names,
    [first, second]: [&Item; 2],
    what: &str,
) -> Result<(), ModelError> {
    if names.body(first)? != names.body(second)? {
        return Ok(());
    }
    let message = format!("{what} connects a body with itself");
    Err(ModelError::new(&second.place, message).with_help("name two different bodies"))
}

/// The coordinate named by the key `coordinate`, or the only one that the joint has.
pub(crate) fn coordinate(
    fields: &Fields,
    joint: JointId,
    model: &Model,
) -> Result<Coordinate, ModelError> {
    let entry = model.joint_entry(joint);
    let only = match entry.coordinates.as_slice() {
        [(only, _)] => Some(*only),
        _ => None,
    };
    let given = fields.text("coordinate");
    let Some(word) = given.or(only) else {
        let (message, help) = match entry.coordinates.is_empty() {
            true => (
                format!("{}: a {} joint has no coordinate that could be driven or sprung", fields.path, entry.word),
                "name a joint with a free angle or displacement".to_owned(),
            ),
            false => {
                let words = entry.coordinates.iter().map(|(word, _)| *word).collect();
                (
                    format!("{}: joint `{}` has several coordinates", fields.path, entry.name),
                    format!("add `coordinate = \"…\"`; {}", did_you_mean("", words)),
                )
            }
        };
        return Err(ModelError::new(fields.place, message).with_help(help));
    };
    let place = fields.get("coordinate").map_or(fields.place, |item| &item.place);
    model.coordinate(joint, word).map_err(|error| refused(place, error))
}

/// A linear spring; `free` is the key of its value at rest.
pub(crate) fn linear(
    fields: &Fields,
    free: &str,
    scope: &mut Scope,
) -> Result<Linear, ModelError> {
    Ok(Linear {
        stiffness: fields.not_negative("stiffness", scope)?.unwrap_or(0.0),
        damping: fields.not_negative("damping", scope)?.unwrap_or(0.0),
        free: fields.number(free, scope)?.unwrap_or(0.0),
        preload: fields.number("preload", scope)?.unwrap_or(0.0),
    })
}
