//! `[force.NAME]`: a force and a moment on a body.

use crate::fault::refused;
use crate::fields::{Fields, signal};
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::{Item, Kinds, ModelError, Scope};
use crate::table::{Formulas, Name, Vector, table, words};
use rotula_mechanics::Model;
use rotula_mechanics::force::{Amplitude, Axes, Load};

words! {
    /// Whose axes the components of a force are in.
    ForceAxes { World = "world", Body = "body" }
}

table! {
    /// A force and a moment on a body.
    Push {
        /// The body or frame it acts on.
        needed on: Name;
        /// Where it acts, in the axes of the body or frame. Default its origin.
        optional at: Vector, "m";
        /// Its three components; formulas may use the time `t`.
        optional force: Formulas, "N";
        /// Components of a moment.
        optional moment: Formulas, "N m";
        /// Whose axes the components are in: they stay, or turn with the body or frame. Default world.
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
    let own = Placed::in_axes_of(fields.place, push.on.text().unwrap_or_default());
    let marker = names.marker_with(push.on, push.at.map(|at| own.point(at)), model)?;
    let axes = match push.axes.unwrap_or(ForceAxes::World) {
        ForceAxes::Body => Axes::Marker,
        ForceAxes::World => Axes::World,
    };
    let placed = match axes {
        Axes::Marker => own,
        _ => Placed::of(fields.place),
    };
    let mut components = |key: &str, items: Option<&[Item]>| {
        let mut amplitudes = [Amplitude::Constant(0.0); 3];
        let Some(items) = items else { return Ok(amplitudes) };
        let turned = (!placed.stays()).then(|| placed.matrix(key == "moment"));
        for (k, amplitude) in amplitudes.iter_mut().enumerate() {
            let variable = format!("{name}.{key}_{}", ["x", "y", "z"][k]);
            let weights = turned.map(|matrix| [0, 1, 2].map(|j| matrix[(k, j)]));
            *amplitude = component(items, (k, weights), &fields.at(key), &variable, model, scope)?;
        }
        Ok(amplitudes)
    };
    let (force, moment) = (components("force", push.force)?, components("moment", push.moment)?);
    let load = Load::new(marker, axes, force, moment);
    model.force(name, load).map_err(|error| refused(fields.place, error))
}

/// One component of a vector of formulas: as given, or their sum with the weights by which a copy of a part is turned.
fn component(
    items: &[Item],
    (k, weights): (usize, Option<[f64; 3]>),
    path: &str,
    name: &str,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Amplitude, ModelError> {
    let Some(weights) = weights else { return signal(&items[k], path, name, model, scope) };
    let mut sum = scope.graph.constant(0.0);
    for (item, weight) in items.iter().zip(weights) {
        let allowed = Kinds::TIME | Kinds::STATE | Kinds::VARIABLE;
        let (expression, _) = scope.parse(item, path, allowed)?;
        let weight = scope.graph.constant(weight);
        let part = scope.graph.mul(weight, expression);
        sum = scope.graph.add(sum, part);
    }
    let text = scope.graph.display(sum);
    model.amplitude(name, &text).map_err(|error| refused(&items[k].place, error))
}
