//! `[force.NAME]`: a force and a moment on a body.

use crate::fault::refused;
use crate::fields::{Fields, signal};
use crate::places::Names;
use crate::table::{Formulas, Name, Vector, table, words};
use rotula_mechanics::Model;
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_reading::{Item, ModelError, Scope};

words! {
    /// Whose axes the components of a force are in.
    ForceAxes { World = "world", Body = "body" }
}

table! {
    /// A force and a moment on a body.
    Push {
        /// The body or frame it acts on.
        needed on: Name;
        /// Where it acts, body axes. Default the origin of the body or frame.
        optional at: Vector, "m";
        /// Its three components; formulas may use the time `t`.
        optional force: Formulas, "N";
        /// Components of a moment.
        optional moment: Formulas, "N m";
        /// Whose axes the components are in: they stay, or turn with the body. Default world.
        optional axes: ForceAxes;
    }
}

/// Reads a load.
pub(crate) fn force(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let push = Push::read(fields.clone(), scope)?;
    if push.force.is_none() && push.moment.is_none() {
        let error = ModelError::new(
            fields.place,
            format!("{} has no `force` and no `moment`", fields.path),
        );
        return Err(error.with_help("add `force = [fx, fy, fz]` or `moment = [mx, my, mz]`"));
    }
    let marker = names.marker_with(push.on, push.at, model)?;
    let axes = match push.axes.unwrap_or(ForceAxes::World) {
        ForceAxes::Body => Axes::Marker,
        ForceAxes::World => Axes::World,
    };
    let mut components = |key: &str, items: Option<&[Item]>| {
        let mut amplitudes = [Amplitude::Constant(0.0); 3];
        let items = items.unwrap_or_default().iter().zip(["x", "y", "z"]);
        for ((item, axis), amplitude) in items.zip(&mut amplitudes) {
            let variable = format!("{name}.{key}_{axis}");
            *amplitude = signal(item, &fields.at(key), &variable, model, scope)?;
        }
        Ok(amplitudes)
    };
    let (force, moment) = (components("force", push.force)?, components("moment", push.moment)?);
    let load = Load::new(marker, axes, force, moment);
    model.force(name, load).map_err(|error| refused(fields.place, error))
}
