//! `[clearance.NAME]`: a pin in a hole or a ball in a socket that is a little wider.

use crate::contact::impact_law;
use crate::fault::refused;
use crate::fields::Fields;
use crate::joint::{pair, refuse_itself};
use crate::places::Names;
use nalgebra::Vector3;
use rotula_mechanics::Model;
use rotula_mechanics::unilateral::{Clearance, Hole};
use rotula_reading::keys::{Key, Kind, key, needed};
use rotula_reading::{ModelError, Scope};

pub(crate) static CLEARANCE: [Key; 7] = [
    needed("between", Kind::Pair, "The body with the hole and the body with the pin; or frames."),
    key(
        "at",
        Kind::Numbers(3),
        "Where both centres are in the world at the start. Not with frames.",
    )
    .unit("m"),
    key(
        "about",
        Kind::Direction,
        "The axis of a round hole, world axes at the start, or its frame's. Without it, a ball in a socket.",
    ),
    needed("size", Kind::Number, "Radius of the hole minus that of the pin.").unit("m"),
    key("radius", Kind::Number, "Radius of the pin, upon which friction acts. Default 0.")
        .unit("m"),
    needed("restitution", Kind::Number, "Speed after an impact over that before it, from 0 to 1."),
    key("friction", Kind::Number, "Coefficient of friction. Default 0."),
];

/// Reads a clearance.
pub(crate) fn clearance(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let ends = pair(fields, "between")?;
    refuse_itself(names, ends, &fields.path)?;
    let about = fields.direction("about", scope)?;
    let frame = |at| model.frame(at, about.unwrap_or(Vector3::z()));
    let [a, b] = match fields.vector("at", scope)? {
        Some(at) => {
            let world = frame(at);
            [
                model.marker_at(names.body(ends[0])?, world),
                model.marker_at(names.body(ends[1])?, world),
            ]
        }
        None => {
            let mut hole = names.marker(ends[0], model)?;
            if let Some(about) = about {
                // the axis is given in the world at the start
                let node = model.bodies()[hole.node].1.node_frame();
                let local = node.orientation.rotate_back(&about);
                hole.frame = model.frame(hole.frame.position, local);
            }
            [hole, names.marker(ends[1], model)?]
        }
    };
    let hole = if about.is_some() { Hole::Round } else { Hole::Socket };
    let size = fields.number("size", scope)?.unwrap_or_default();
    let radius = fields.number("radius", scope)?.unwrap_or_default();
    let made = Clearance { hole, size, radius, law: impact_law(fields, scope)? };
    model.clearance(name, a, b, made).map_err(|error| refused(fields.place, error))
}
