//! `[bushing.NAME]`: stiffness and damping along and about all axes of two frames.

use crate::fault::refused;
use crate::fields::{Fields, numbers};
use crate::joint::{pair, refuse_itself};
use crate::places::Names;
use nalgebra::{Matrix6, Vector6};
use rotula_mechanics::Model;
use rotula_mechanics::force::Bushing;
use rotula_reading::{ModelError, Scope};

/// Reads a bushing.
pub(crate) fn bushing(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let ends = pair(fields, "between")?;
    refuse_itself(names, ends, &fields.path)?;
    let (a, b) = match fields.vector("at", scope)? {
        Some(at) => {
            let frame = rotula_lie::Frame::new(at, Default::default());
            let marker = |k: usize| Ok(model.marker_at(names.body(ends[k])?, frame));
            (marker(0)?, marker(1)?)
        }
        None => (names.marker(ends[0], model)?, names.marker(ends[1], model)?),
    };
    let mut six = |key: &str| match fields.get(key) {
        Some(item) => numbers(item, &fields.at(key), scope).map(Vector6::from_vec),
        None => Ok(Vector6::zeros()),
    };
    let (stiffness, damping) = (six("stiffness")?, six("damping")?);
    let preload = six("preload")?;
    let (stiffness, damping) =
        (Matrix6::from_diagonal(&stiffness), Matrix6::from_diagonal(&damping));
    Bushing::new(a, b, stiffness, damping)
        .and_then(|bushing| model.force(name, bushing.with_preload(preload)))
        .map_err(|error| refused(fields.place, error))
}
