//! `[force.NAME]`: a force and a moment on a body.

use crate::fault::refused;
use crate::fields::{Fields, signal};
use crate::places::Names;
use rotula_mechanics::Model;
use rotula_mechanics::force::{Amplitude, Axes, Load};
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
        let error = ModelError::new(
            fields.place,
            format!("{} has no `force` and no `moment`", fields.path),
        );
        return Err(error.with_help("add `force = [fx, fy, fz]` or `moment = [mx, my, mz]`"));
    }
    let at = fields.vector("at", scope)?;
    let marker = names.marker_with(on, at, model)?;
    let axes = match fields.text("axes") {
        Some("body") => Axes::Marker,
        _ => Axes::World,
    };
    let mut components = |key: &str| match fields.get(key) {
        Some(Item { value: Value::List(items), .. }) => {
            let mut amplitudes = [Amplitude::Constant(0.0); 3];
            for ((item, axis), amplitude) in items.iter().zip(["x", "y", "z"]).zip(&mut amplitudes)
            {
                let variable = format!("{name}.{key}_{axis}");
                *amplitude = signal(item, &fields.at(key), &variable, model, scope)?;
            }
            Ok(amplitudes)
        }
        _ => Ok([Amplitude::Constant(0.0); 3]),
    };
    let load = Load::new(marker, axes, components("force")?, components("moment")?);
    model.force(name, load).map_err(|error| refused(fields.place, error))
}
