//! What acts on the coordinate of a joint: springs, friction, buffers, torques and forces.

use crate::fault::refused;
use crate::fields::{Fields, signal};
use rotula_mechanics::force::{
    Amplitude, Friction, Law, Linear, Motor, SoftStop, Spring, Stribeck,
};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::quantity::{Ends, Quantity};
use rotula_mechanics::{JointId, Model, Stop};
use rotula_reading::{ModelError, Place, Scope, did_you_mean};

/// Reads the options of a joint.
pub(crate) fn options(
    fields: &Fields,
    name: &str,
    joint: JointId,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    if let Some(spring) = fields.inner("spring") {
        let word = coordinate_word(&spring, joint, model)?;
        let law = linear(&spring, "free", scope)?;
        act(model, (name, "spring"), (joint, word), law, spring.place)?;
    }
    if let Some(friction) = fields.inner("friction") {
        let word = coordinate_word(&friction, joint, model)?;
        let law = dry(&friction, scope)?;
        act(model, (name, "friction"), (joint, word), law, friction.place)?;
    }
    if let Some(stop) = fields.inner("stop") {
        let word = coordinate_word(&stop, joint, model)?;
        let named = format!("stop of {name}");
        if rigid(&stop, &named, &["damping", "exponent"])? {
            let on = model.coordinate(joint, word).map_err(|error| refused(stop.place, error))?;
            hard_stop(&stop, named, on, model, scope)?;
        } else {
            let law = buffer(&stop, scope)?;
            act(model, (name, "stop"), (joint, word), law, stop.place)?;
        }
    }
    for (key, word) in [("torque", "angle"), ("force", "displacement")] {
        let Some(item) = fields.get(key) else { continue };
        let place = fields.place_of(key);
        let amplitude = signal(item, &fields.at(key), &format!("{name}.{key}"), model, scope)?;
        act(model, (name, "motor"), (joint, word), Motor::new(amplitude), place)?;
    }
    Ok(())
}

/// Options that act on a coordinate.
pub(crate) const OPTIONS: [&str; 3] = ["spring", "friction", "stop"];

fn act(
    model: &mut Model,
    (name, option): (&str, &str),
    (joint, word): (JointId, &'static str),
    law: impl Law + 'static,
    place: &Place,
) -> Result<(), ModelError> {
    let spring = on_joint(joint, word, Spring::actions_on(word), model, law);
    spring
        .and_then(|spring| model.force(&format!("{name}.{option}"), spring))
        .map_err(|error| refused(place, error))
}

/// A law on a coordinate of a joint.
pub(crate) fn on_joint(
    joint: JointId,
    word: &str,
    quantities: &'static [Quantity],
    model: &Model,
    law: impl Law + 'static,
) -> Result<Spring, rotula_mechanics::ModelError> {
    let pair = model.joints()[joint.index()].pair;
    let spring = Spring::new(model.coordinate(joint, word)?, law);
    // as the reaction of the joint is counted, so that they add up
    let ends = Ends { axes: Some(pair.a), ..Ends::between(pair.a, pair.b) };
    Ok(spring.offering(quantities, ends))
}

/// The word for the coordinate named by the key `coordinate`, or for the only one that the joint has.
pub(crate) fn coordinate_word(
    fields: &Fields,
    joint: JointId,
    model: &Model,
) -> Result<&'static str, ModelError> {
    let entry = &model.joints()[joint.index()];
    let only = match entry.coordinates.as_slice() {
        [(only, _)] => Some(*only),
        _ => None,
    };
    let Some(word) = fields.text("coordinate").or(only) else {
        let (message, help) = match entry.coordinates.is_empty() {
            true => (
                format!("{}: a {} joint has no coordinate to act on", fields.path, entry.word),
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
    model.coordinate(joint, word).map_err(|error| refused(place, error))?;
    let own = entry.coordinates.iter().find(|(own, _)| *own == word);
    Ok(own.expect("the joint has this coordinate").0)
}

/// A linear spring; `free` is the key of its value at rest.
pub(crate) fn linear(fields: &Fields, free: &str, scope: &mut Scope) -> Result<Linear, ModelError> {
    Ok(Linear {
        stiffness: fields.not_negative("stiffness", scope)?.unwrap_or(0.0),
        damping: fields.not_negative("damping", scope)?.unwrap_or(0.0),
        free: fields.number(free, scope)?.unwrap_or(0.0),
        preload: fields.number("preload", scope)?.unwrap_or(0.0),
    })
}

/// How friction depends on the speed.
pub(crate) fn stribeck(fields: &Fields, scope: &mut Scope) -> Result<Stribeck, ModelError> {
    let sliding = fields.not_negative("coefficient", scope)?.unwrap_or(0.0);
    Ok(Stribeck {
        rest: fields.not_negative("at_rest", scope)?.unwrap_or(sliding),
        sliding,
        velocity: fields.number("stribeck_velocity", scope)?.unwrap_or(0.01),
        regularisation: fields.number("creep", scope)?.unwrap_or(1e-3),
    })
}

fn dry(fields: &Fields, scope: &mut Scope) -> Result<Friction, ModelError> {
    let law = stribeck(fields, scope)?;
    let normal = Amplitude::Constant(fields.not_negative("normal", scope)?.unwrap_or(0.0));
    let radius = fields.number("radius", scope)?.unwrap_or(1.0);
    let friction = Friction::new(law, normal, radius).map_err(|e| refused(fields.place, e))?;
    Ok(friction.with_viscous(fields.not_negative("viscous", scope)?.unwrap_or(0.0)))
}

/// Whether something that touches is rigid, with a restitution, rather than soft, with a stiffness
/// and the keys `soft`.
pub(crate) fn rigid(fields: &Fields, thing: &str, soft: &[&str]) -> Result<bool, ModelError> {
    fields.refuse_together(&["restitution", "stiffness"])?;
    if fields.get("restitution").is_some() {
        fields.refuse(soft, "it is rigid")?;
        return Ok(true);
    }
    if fields.get("stiffness").is_some() {
        return Ok(false);
    }
    let message = format!("{thing} misses `stiffness` or `restitution`");
    let help = "add `stiffness = 1e5`, the stiffness k if it is soft, or `restitution = 0.5` if it is rigid";
    Err(ModelError::new(fields.place, message).with_help(help))
}

fn hard_stop(
    fields: &Fields,
    name: String,
    coordinate: Coordinate,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let lower = fields.number("from", scope)?.unwrap_or(f64::NEG_INFINITY);
    let upper = fields.number("to", scope)?.unwrap_or(f64::INFINITY);
    let restitution = fields.number("restitution", scope)?.unwrap_or_default();
    model
        .stop(Stop { name, coordinate, lower, upper, restitution })
        .map_err(|error| refused(fields.place, error))
}

fn buffer(fields: &Fields, scope: &mut Scope) -> Result<SoftStop, ModelError> {
    let from = fields.number("from", scope)?.unwrap_or(f64::NEG_INFINITY);
    let to = fields.number("to", scope)?.unwrap_or(f64::INFINITY);
    let stiffness = fields.number("stiffness", scope)?.unwrap_or_default();
    let damping = fields.number("damping", scope)?.unwrap_or(0.0);
    let exponent = fields.number("exponent", scope)?.unwrap_or(1.5);
    SoftStop::new(from, to, stiffness)
        .and_then(|stop| stop.damped(damping))
        .and_then(|stop| stop.with_exponent(exponent))
        .map_err(|error| refused(fields.place, error))
}
