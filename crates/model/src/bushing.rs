//! `[bushing.NAME]`: stiffness and damping along and about all axes of two frames.

use crate::fault::refused;
use crate::fields::Fields;
use crate::joint::refuse_itself;
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::{ModelError, Scope};
use crate::table::{Numbers, Pair, Vector, table};
use nalgebra::{Matrix6, Vector6};
use rotula_mechanics::force::Bushing;
use rotula_mechanics::{Marker, Model};

table! {
    /// An elastic mount.
    Mount {
        /// Two frames or bodies; the axes are those of the first.
        needed between: Pair;
        /// Where it is in the world at the start, with world axes, instead of frames.
        optional at: Vector, "m";
        /// Along x, y, z and about x, y, z.
        needed stiffness: Numbers<6>, "N/m, N m/rad";
        /// Along x, y, z and about x, y, z. Default none.
        optional damping: Numbers<6>, "N s/m, N m s/rad";
        /// Force and moment on the second body at rest. Default none.
        optional preload: Numbers<6>, "N, N m";
    }
}

/// Reads a bushing; returns where it is, for pictures.
pub(crate) fn bushing(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Marker, ModelError> {
    let mount = Mount::read(fields.clone(), scope)?;
    let ends = mount.between;
    let placed = Placed::of(fields.place);
    refuse_itself(names, ends, &fields.path)?;
    let (a, b) = match mount.at {
        Some(at) => {
            let frame = placed.frame(rotula_lie::Frame::new(at, Default::default()));
            let marker = |k: usize| Ok(model.marker_at(names.body(ends[k])?, frame));
            (marker(0)?, marker(1)?)
        }
        None => (names.marker(ends[0], model)?, names.marker(ends[1], model)?),
    };
    let diagonal = |six: [f64; 6]| Matrix6::from_diagonal(&Vector6::from(six));
    let damping = diagonal(mount.damping.unwrap_or_default());
    let [fx, fy, fz, mx, my, mz] = mount.preload.unwrap_or_default();
    let own = placed.own_axes();
    let (force, moment) = (own.vector([fx, fy, fz].into()), own.axial([mx, my, mz].into()));
    let preload = Vector6::from_iterator(force.iter().chain(&moment).copied());
    Bushing::new(a, b, diagonal(mount.stiffness), damping)
        .map(|bushing| bushing.with_preload(preload))
        .and_then(|bushing| model.force(name, bushing))
        .map_err(|error| refused(fields.place, error))?;
    Ok(a)
}
