//! Where a joint is: two frames, or places and directions in the world on both bodies.

use crate::fault::fault_at;
use crate::fields::Fields;
use crate::joint::{pair, refuse_itself};
use crate::joint_words::places;
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::{Entry, Item, ModelError, Scope};
use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::Place;
use rotula_mechanics::{Marker, Model};

/// How far two directions may be from normal to each other, as a cosine.
const NEARLY_NORMAL: f64 = 1e-9;

/// The two markers of a joint.
pub(crate) fn markers(
    fields: &Fields,
    word: &Entry,
    place: Place,
    names: &Names,
    model: &Model,
    scope: &mut Scope,
) -> Result<(Marker, Marker), ModelError> {
    fields.refuse_together(&["between", "frames"])?;
    let key = if fields.get("frames").is_some() { "frames" } else { "between" };
    let [first, second] = pair(fields, key)?;
    refuse_itself(names, [first, second], &format!("`{}`", word.key))?;
    if place == Place::Frames {
        return Ok((names.marker(first, model)?, names.marker(second, model)?));
    }
    let places: Vec<&str> = places(place).iter().map(|key| key.name).collect();
    let framed = "the frames say where the joint is";
    let placed = Placed::of(fields.place);
    if let Some(at) = fields.vector("at", scope)? {
        if key == "frames" {
            fields.refuse(&places, framed)?;
        }
        // the axis of the first frame is the key behind the point
        let z = match places.get(1) {
            None => Vector3::z(),
            Some(axis) => axis_of(fields, word, axis, scope)?,
        };
        let frame = model.frame(placed.point(at), z);
        let other = second_frame(fields, word, place, frame, scope)?;
        let marker = |item: &Item, frame: Frame| Ok(model.marker_at(names.body(item)?, frame));
        return Ok((marker(first, frame)?, marker(second, other)?));
    }
    let (Some(a), Some(b)) = (names.frame(first)?, names.frame(second)?) else {
        return Err(misses(word, "at", "its place in the world at the start, or name two frames"));
    };
    fields.refuse(&places, framed)?;
    // of a mirror image the axis of a hinge points where it turns the other way, that of a slide where the mirror shows it
    let against = match place {
        Place::Axis | Place::TwoAxes | Place::HingeAndBall => placed.keeps_z(),
        Place::Slide | Place::Plane => !placed.keeps_z(),
        Place::Frames | Place::Point | Place::PinInSlot => false,
    };
    if placed.mirrored() && against {
        let half_turn = Frame::new(Vector3::zeros(), Quaternion::new(0.0, 1.0, 0.0, 0.0));
        return Ok([a, b].map(|m| Marker { frame: m.frame * half_turn, ..m }).into());
    }
    Ok((a, b))
}

/// The frame of the second marker in the world; for most joints that of the first.
fn second_frame(
    fields: &Fields,
    word: &Entry,
    place: Place,
    first: Frame,
    scope: &mut Scope,
) -> Result<Frame, ModelError> {
    let about = first.orientation.rotate(&Vector3::z());
    match place {
        Place::HingeAndBall => match fields.vector("ball", scope)? {
            Some(ball) => Ok(Frame::new(Placed::of(fields.place).point(ball), first.orientation)),
            None => Err(misses(word, "ball", "the place of the ball in the world at the start")),
        },
        Place::PinInSlot => {
            let x = axis_of(fields, word, "along", scope)?;
            refuse_askew(fields, "along", &about, &x)?;
            let axes = Matrix3::from_columns(&[x, about.cross(&x), about]);
            Ok(Frame::new(first.position, Quaternion::from_matrix(&axes)))
        }
        Place::TwoAxes => {
            let second = axis_of(fields, word, "second", scope)?;
            refuse_askew(fields, "second", &about, &second)?;
            Ok(rotula_mechanics::marker::frame_along(first.position, second))
        }
        Place::Frames | Place::Point | Place::Axis | Place::Slide | Place::Plane => Ok(first),
    }
}

fn axis_of(
    fields: &Fields,
    word: &Entry,
    key: &str,
    scope: &mut Scope,
) -> Result<Vector3<f64>, ModelError> {
    let direction = fields.direction(key, scope)?.ok_or_else(|| {
        let error = ModelError::new(&word.place, format!("`{}` misses `{key}`", word.key));
        error.with_help(format!("add `{key} = \"x\"` or another direction: its axis"))
    })?;
    let placed = Placed::of(fields.place);
    Ok(match key {
        "along" | "normal" => placed.vector(direction),
        _ => placed.axial(direction),
    })
}

fn misses(word: &Entry, key: &str, what: &str) -> ModelError {
    let error = ModelError::new(&word.place, format!("`{}` misses `{key}`", word.key));
    error.with_help(format!("add `{key} = [x, y, z]`, {what}"))
}

/// Two directions must be normal to each other.
fn refuse_askew(
    fields: &Fields,
    key: &str,
    about: &Vector3<f64>,
    other: &Vector3<f64>,
) -> Result<(), ModelError> {
    if about.dot(other).abs() < NEARLY_NORMAL {
        return Ok(());
    }
    let error = fault_at(fields, key, format!("{} is not normal to `about`", fields.at(key)));
    Err(error.with_help("give two directions at a right angle"))
}
