//! `[coupling.NAME]`: gears, racks and other couplings of joint coordinates.

use crate::fault::refused;
use crate::fields::Fields;
use crate::joint::pair;
use crate::places::Names;
use rotula_mechanics::Model;
use rotula_reading::{ModelError, Scope};

/// Reads a coupling.
pub(crate) fn coupling(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    fields.refuse_together(&["gear", "rack"])?;
    let (inner, words, key) = if let Some(inner) = fields.inner("gear") {
        (inner, ["angle", "angle"], "ratio")
    } else if let Some(inner) = fields.inner("rack") {
        (inner, ["angle", "displacement"], "radius")
    } else {
        let message = format!("coupling `{name}` does not say what kind it is");
        let help =
            "write `gear = { joints = […], ratio = … }` or `rack = { joints = […], radius = … }`";
        return Err(ModelError::new(fields.place, message).with_help(help));
    };
    let items = pair(&inner, "joints")?;
    let mut coordinates = Vec::new();
    for (item, word) in items.into_iter().zip(words) {
        let joint = names.joint(item)?;
        coordinates.push(model.coordinate(joint, word).map_err(|e| refused(&item.place, e))?);
    }
    let factor = inner.number(key, scope)?.unwrap_or_default();
    let (first, second) = (coordinates[0].clone(), &coordinates[1]);
    match key {
        "ratio" => model.gear(name, first, second, factor),
        _ => model.rack_and_pinion(name, first, second, factor),
    }
    .map_err(|error| refused(inner.place, error))
}
