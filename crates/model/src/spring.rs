//! `[spring.NAME]`: a spring and damper between two points, or on a joint.

use crate::fault::refused;
use crate::fields::{Fields, numbers, signal_text};
use crate::joint::{pair, refuse_itself};
use crate::joint_options::{coordinate, linear};
use crate::places::Names;
use rotula_formula::names_in;
use rotula_mechanics::force::{Curve, Formula, Interpolation, Over, Spring, Table};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::{Marker, Model};
use rotula_reading::{Item, Kinds, ModelError, Scope, Value};

/// Reads a spring; returns its ends for pictures, unless it sits on a joint.
pub(crate) fn spring(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Option<[Marker; 2]>, ModelError> {
    fields.refuse_together(&["between", "joint"])?;
    let (coordinate, ends) = match fields.get("joint") {
        Some(joint) => (coordinate(fields, names.joint(joint)?, model)?, None),
        None => {
            fields.refuse(&["coordinate"], "it is between two points")?;
            let ends = pair(fields, "between")?;
            refuse_itself(names, ends, &fields.path)?;
            let [a, b] = [names.marker(ends[0], model)?, names.marker(ends[1], model)?];
            (Coordinate::length(&a, &b), Some([a, b]))
        }
    };
    let act = |model: &mut Model, spring: Spring| {
        let added = model.force(name, spring);
        added.map(|()| ends).map_err(|error| refused(fields.place, error))
    };
    if let Some(item) = fields.get("law") {
        fields.refuse(&LINEAR, "the law says what the force is")?;
        fields.refuse_together(&["law", "table"])?;
        let law = formula(item, &fields.at("law"), model, scope)?;
        return act(model, Spring::new(coordinate, law));
    }
    if let Some(item) = fields.get("table") {
        fields.refuse(&LINEAR, "the table says what the force is")?;
        return act(model, Spring::new(coordinate, table(item, &fields.at("table"), scope)?));
    }
    let law = linear(fields, "free_length", scope)?;
    if law.stiffness > 0.0 && fields.get("free_length").is_none() {
        let message = format!("{} misses `free_length`", fields.path);
        let help =
            "add `free_length = …`, the length, angle or displacement at which it is at rest";
        return Err(ModelError::new(fields.place, message).with_help(help));
    }
    if law.stiffness == 0.0 && law.damping == 0.0 && law.preload == 0.0 {
        let error = ModelError::new(fields.place, format!("{} does nothing", fields.path));
        return Err(error.with_help("add `stiffness`, `damping` or `preload`"));
    }
    act(model, Spring::new(coordinate, law))
}

const LINEAR: [&str; 4] = ["stiffness", "damping", "free_length", "preload"];

/// A formula of `value`, `rate`, time and signals.
fn formula(
    item: &Item,
    path: &str,
    model: &mut Model,
    scope: &Scope,
) -> Result<Formula, ModelError> {
    let mut own = scope.clone();
    own.declare("value", Kinds::TIME);
    own.declare("rate", Kinds::TIME);
    let text = signal_text(item, path, &mut own)?;
    let wrong = |error| refused(&item.place, error);
    let mut named = Vec::new();
    for (name, _) in names_in(&text).unwrap_or_default() {
        let own = ["value", "rate", "t"].contains(&name.as_str());
        if !own && named.iter().all(|(known, _)| *known != name) && scope.knows(&name) {
            let signal = model.signal(&name).map_err(wrong)?;
            named.push((name, signal));
        }
    }
    let named: Vec<_> = named.iter().map(|(name, signal)| (name.as_str(), *signal)).collect();
    Formula::new(&text, &named).map_err(wrong)
}

fn table(item: &Item, path: &str, scope: &mut Scope) -> Result<Table, ModelError> {
    let mut points = Vec::new();
    if let Value::List(items) = &item.value {
        for item in items {
            let pair = numbers(item, path, scope)?;
            points.push((pair[0], pair[1]));
        }
    }
    let curve = Curve::new(&points, Interpolation::Linear).map_err(|e| refused(&item.place, e))?;
    Ok(Table { curve, over: Over::Value })
}
