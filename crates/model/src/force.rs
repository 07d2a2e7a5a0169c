//! `[force.NAME]`: a force and a moment on a body.

use crate::fault::refused;
use crate::fields::{Fields, function};
use crate::places::Names;
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::{Model, TimeFunction};
use rotula_reading::{Item, ModelError, Scope, Value};

/// Reads a load.
pub(crate) fn force(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let Some(on) = fields.get("on") else { return Ok(()) };
    if fields.get("force").is_none() && fields.get("moment").is_none() {
        let error = ModelError::new(fields.place, format!("{} has no `force` and no `moment`", fields.path));
        return Err(error.with_help("add `force = [fx, fy, fz]` or `moment = [mx, my, mz]`"));
    }
    let at = fields.vector("at", scope)?;
    let marker = names.marker_with(on, at, model)?;
    let axes = match fields.text("axes") {
        Some("body") => Axes::Marker,
        _ => Axes::World,
    };
    let mut components = |key: &str| match fields.get(key) {
        Some(item) => amplitudes(item, &fields.at(key), model, scope),
        None => Ok([Amplitude::Constant(0.0); 3]),
    };
    let load = Load::new(marker, axes, components("force")?, components("moment")?);
    model.force(name, load).map_err(|error| refused(fields.place, error))
}

fn amplitudes(
    item: &Item,
    path: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<[Amplitude; 3], ModelError> {
    let mut amplitudes = [Amplitude::Constant(0.0); 3];
    let Value::List(items) = &item.value else { return Ok(amplitudes) };
    for (item, amplitude) in items.iter().zip(&mut amplitudes) {
        *amplitude = match function(item, path, scope)? {
            TimeFunction::Constant(value) => Amplitude::Constant(value),
            function => Amplitude::Function(model.function(function).index()),
        };
    }
    Ok(amplitudes)
}
