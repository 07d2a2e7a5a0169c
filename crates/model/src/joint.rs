//! `[joint.NAME]`: one word for its kind, and where it is.

use crate::curve::curve;
use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::joint_markers::markers;
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::{Entry, Item, ModelError, Scope, did_you_mean};
use rotula_mechanics::joint::{Given, Joint, KINDS, Kind, Need};
use rotula_mechanics::{JointId, Marker, Model};

/// Reads a joint, without its options.
pub(crate) fn joint(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<JointId, ModelError> {
    let (word, kind) = word(fields, name)?;
    let inner = fields.inner(&word.key).unwrap_or_else(|| fields.clone());
    if Placed::of(fields.place).mirrored() && UNMIRRORED.contains(&kind.word) {
        let message = format!("a {} joint has no mirror image here", kind.word);
        let help =
            "write the part out for the other side, or make it of joints that turn or slide only";
        return Err(ModelError::new(&word.place, message).with_help(help));
    }
    let (a, b) = markers(&inner, word, kind.place, names, model, scope)?;
    let made = make(kind, &inner, (&a, &b), model, scope)?;
    model.joint(name, made.as_ref(), a, b).map_err(|error| refused(&word.place, error))
}

/// Joints that turn and slide along one axis, or whose curves and wheels have a hand.
const UNMIRRORED: [&str; 5] = ["cylindrical", "screw", "point-on-curve", "knife-edge", "rolling"];

/// The one word that says what kind of joint it is.
fn word<'a>(fields: &Fields<'a>, name: &str) -> Result<(&'a Entry, &'static Kind), ModelError> {
    let kind = |entry: &'a Entry| Some((entry, KINDS.iter().find(|kind| kind.word == entry.key)?));
    let mut given = fields.entries().iter().filter_map(kind);
    match (given.next(), given.next()) {
        (Some(word), None) => Ok(word),
        (Some((first, _)), Some((second, _))) => {
            let message = format!("joint `{name}` is both `{}` and `{}`", first.key, second.key);
            let help = "keep one, and give the other a name of its own";
            Err(ModelError::new(&second.place, message).with_help(help))
        }
        (None, _) => {
            let words = KINDS.iter().map(|kind| kind.word).collect();
            let message = format!("joint `{name}` does not say what kind it is");
            let help =
                format!("write `revolute = {{ … }}` or another; {}", did_you_mean("", words));
            Err(ModelError::new(fields.place, message).with_help(help))
        }
    }
}

fn make(
    kind: &Kind,
    fields: &Fields,
    (a, b): (&Marker, &Marker),
    model: &Model,
    scope: &mut Scope,
) -> Result<Box<dyn Joint>, ModelError> {
    let mut given = Vec::new();
    for need in kind.needs {
        given.push(match need {
            Need::Number { name, .. } => Given::Number(fields.needed_number(name, scope)?),
            Need::Length { .. } => Given::Number(length(fields, (a, b), model, scope)?),
            Need::Curve => Given::Curve(Box::new(curve(fields, scope)?)),
        });
    }
    Ok((kind.make)(given).expect("it takes what it says it needs"))
}

/// The length of a rod: given, or the distance at the start.
fn length(
    fields: &Fields,
    (a, b): (&Marker, &Marker),
    model: &Model,
    scope: &mut Scope,
) -> Result<f64, ModelError> {
    let place = |m: &Marker| (model.bodies()[m.node].1.node_frame() * m.frame).position;
    let length = match fields.number("length", scope)? {
        Some(length) => length,
        None => (place(b) - place(a)).norm(),
    };
    if length > 0.0 {
        return Ok(length);
    }
    let error = fault_at(fields, "length", format!("{} keeps a distance of {length}", fields.path));
    Err(error.with_help("it must be positive; for no distance use `spherical`"))
}

/// The two names of a key.
pub(crate) fn pair<'a>(fields: &Fields<'a>, key: &str) -> Result<[&'a Item; 2], ModelError> {
    fields.pair(key).ok_or_else(|| pair_missing(fields, key))
}

/// The fault that two names are not there.
pub(crate) fn pair_missing(fields: &Fields, key: &str) -> ModelError {
    let error = ModelError::new(fields.place, format!("{} misses `{key}`", fields.path));
    error.with_help(format!("add `{key} = [\"ground\", \"…\"]`, two bodies or frames"))
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
