//! `[spring.NAME]`: a spring and damper between two points, or on a joint.

use crate::fault::refused;
use crate::fields::Fields;
use crate::joint::{pair, refuse_itself};
use crate::joint_options::{coordinate, linear};
use crate::places::Names;
use rotula_mechanics::Model;
use rotula_mechanics::force::Spring;
use rotula_mechanics::measure::Coordinate;
use rotula_reading::{ModelError, Scope};

/// Reads a spring.
pub(crate) fn spring(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    fields.refuse_together(&["between", "joint"])?;
    let coordinate = match fields.get("joint") {
        Some(joint) => coordinate(fields, names.joint(joint)?, model)?,
        None => {
            fields.refuse(&["coordinate"], "it is between two points")?;
            let ends = pair(fields, "between")?;
            refuse_itself(names, ends, &fields.path)?;
            Coordinate::length(&names.marker(ends[0], model)?, &names.marker(ends[1], model)?)
        }
    };
    let law = linear(fields, "free_length", scope)?;
    if law.stiffness > 0.0 && fields.get("free_length").is_none() {
        let message = format!("{} misses `free_length`", fields.path);
        let help = "add `free_length = …`, the length, angle or displacement at which it is at rest";
        return Err(ModelError::new(fields.place, message).with_help(help));
    }
    if law.stiffness == 0.0 && law.damping == 0.0 && law.preload == 0.0 {
        let error = ModelError::new(fields.place, format!("{} does nothing", fields.path));
        return Err(error.with_help("add `stiffness`, `damping` or `preload`"));
    }
    model.force(name, Spring::new(coordinate, law)).map_err(|error| refused(fields.place, error))
}
