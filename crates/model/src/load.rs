//! `[load.NAME]`: a load on a flexible body and its shapes.

use crate::fault::fault_at;
use crate::fields::{Fields, numbers};
use nalgebra::{DVector, Vector6};
use rotula_elastic::{BodyLoad, FlexibleBody};
use rotula_mechanics::Model;
use rotula_mechanics::element::ShapeLoad;
use rotula_mechanics::force::Amplitude;
use rotula_reading::{ModelError, Scope, did_you_mean};

/// Reads a load on a body.
pub(crate) fn load(
    fields: &Fields,
    body: &FlexibleBody,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<ShapeLoad, ModelError> {
    const KINDS: [&str; 4] = ["force", "pressure", "spread", "shapes"];
    fields.refuse_together(&KINDS)?;
    fields.refuse_together(&["nodes", "set"])?;
    let BodyLoad { force, moment, shapes } = match kind(fields, body, scope)? {
        Some(load) => load,
        None => {
            let error = ModelError::new(fields.place, format!("{} has no load", fields.path));
            return Err(error.with_help("add `force`, `pressure`, `spread` or `shapes`"));
        }
    };
    let factor = match fields.function("factor", scope)? {
        Some(function) => Amplitude::Function(model.function(function).index()),
        None => Amplitude::Constant(1.0),
    };
    let wrench = Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z);
    Ok(ShapeLoad { wrench, shapes, factor })
}

fn kind(
    fields: &Fields,
    body: &FlexibleBody,
    scope: &mut Scope,
) -> Result<Option<BodyLoad>, ModelError> {
    if let Some(force) = fields.vector("force", scope)? {
        let nodes = nodes(fields, body, scope)?;
        let share = force / nodes.len() as f64;
        return Ok(Some(body.nodal_load(nodes.into_iter().map(|node| (node, share)))));
    }
    if let Some(pressure) = fields.number("pressure", scope)? {
        let nodes = nodes(fields, body, scope)?;
        return body.pressure_load(&nodes, pressure).map(Some).ok_or_else(|| {
            let message = format!("{}: no face has all its nodes among these", fields.path);
            let help = "name a set, or all nodes, of a part of the surface of solids or shells";
            fault_at(fields, "pressure", message).with_help(help)
        });
    }
    fields.refuse(&["nodes", "set"], "only a `force` and a `pressure` act at nodes")?;
    if let Some(force) = fields.vector("spread", scope)? {
        return Ok(Some(body.spread_load(force)));
    }
    let Some(item) = fields.get("shapes") else { return Ok(None) };
    let forces = numbers(item, &fields.at("shapes"), scope)?;
    if forces.len() != body.shapes() {
        let message = format!("{} has {} forces", fields.at("shapes"), forces.len());
        let help = format!("give one for each of the {} shapes", body.shapes());
        return Err(ModelError::new(&item.place, message).with_help(help));
    }
    Ok(Some(body.shape_load(DVector::from_vec(forces))))
}

/// Indices of the nodes where a load acts.
fn nodes(
    fields: &Fields,
    body: &FlexibleBody,
    scope: &mut Scope,
) -> Result<Vec<usize>, ModelError> {
    if let Some(item) = fields.get("nodes") {
        return node_places(fields, "nodes", body, numbers(item, &fields.at("nodes"), scope)?);
    }
    let sets = &body.surface.sets;
    let known = || sets.keys().map(String::as_str).collect::<Vec<_>>();
    let Some(name) = fields.text("set") else {
        let message = format!("{} acts nowhere", fields.path);
        let help = match sets.is_empty() {
            true => "add `nodes = [17, 18]`; the body has no sets".to_owned(),
            false => format!("add `nodes = [17, 18]`, or `set`, one of {}", known().join(", ")),
        };
        return Err(ModelError::new(fields.place, message).with_help(help));
    };
    let found = sets.iter().find(|(set, _)| set.eq_ignore_ascii_case(name));
    match found {
        Some((_, nodes)) if !nodes.is_empty() => Ok(nodes.clone()),
        _ => {
            let message = format!("{}: the body has no set `{name}`", fields.at("set"));
            let help = match sets.is_empty() {
                true => "its file has no sets: give `nodes`, or reduce the mesh again".to_owned(),
                false => did_you_mean(name, known()),
            };
            Err(fault_at(fields, "set", message).with_help(help))
        }
    }
}

/// Places, in the list of nodes, of those with some numbers.
pub(crate) fn node_places(
    fields: &Fields,
    key: &str,
    body: &FlexibleBody,
    numbers: Vec<f64>,
) -> Result<Vec<usize>, ModelError> {
    let labels = &body.surface.labels;
    let place = |value: f64| {
        let found = labels.iter().position(|label| *label as f64 == value);
        found.ok_or_else(|| {
            let message = format!("{}: the mesh has no node {value}", fields.at(key));
            let known: Vec<String> = labels.iter().map(u64::to_string).collect();
            let known = known.iter().map(String::as_str).collect();
            fault_at(fields, key, message).with_help(did_you_mean(&value.to_string(), known))
        })
    };
    numbers.into_iter().map(place).collect()
}

/// The fault of a load whose body is no flexible one.
pub(crate) fn nowhere(fields: &Fields, known: Vec<&str>) -> ModelError {
    let name = fields.text("on").unwrap_or_default();
    let message = format!("{}: there is no flexible body `{name}`", fields.at("on"));
    let help = match known.is_empty() {
        true => "a `[load]` acts on a `[flexible]` body; on others use a `[force]`".to_owned(),
        false => did_you_mean(name, known),
    };
    fault_at(fields, "on", message).with_help(help)
}
