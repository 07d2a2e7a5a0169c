//! `[clearance.NAME]`: a pin in a hole or a ball in a socket that is a little wider.

use crate::fault::refused;
use crate::fields::Fields;
use crate::joint::refuse_itself;
use crate::placed::Placed;
use crate::places::Names;
use crate::reading::{ModelError, Scope};
use crate::table::{Direction, Number, Pair, Vector, table};
use nalgebra::Vector3;
use rotula_mechanics::Model;
use rotula_mechanics::unilateral::{Clearance, Hole, ImpactLaw};

table! {
    /// A pin in a hole, or a ball in a socket.
    Gap {
        /// The body with the hole and the body with the pin; or frames.
        needed between: Pair;
        /// Where both centres are in the world at the start. Not with frames.
        optional at: Vector, "m";
        /// The axis of a round hole, world axes at the start, or its frame's. Without it, a ball in a socket.
        optional about: Direction;
        /// Radius of the hole minus that of the pin.
        needed size: Number, "m";
        /// Radius of the pin, upon which friction acts.
        usual radius: Number = 0.0, "m";
        /// Speed after an impact over that before it, from 0 to 1.
        needed restitution: Number;
        /// Coefficient of friction.
        usual friction: Number = 0.0;
    }
}

/// Reads a clearance.
pub(crate) fn clearance(
    fields: &Fields,
    name: &str,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let Gap { between: ends, at, about, size, radius, restitution, friction, .. } =
        Gap::read(fields.clone(), scope)?;
    let placed = Placed::of(fields.place);
    let (at, about) = (at.map(|at| placed.point(at)), about.map(|about| placed.vector(about)));
    refuse_itself(names, ends, &fields.path)?;
    let frame = |at| model.frame(at, about.unwrap_or(Vector3::z()));
    let [a, b] = match at {
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
    let made = Clearance { hole, size, radius, law: ImpactLaw { restitution, friction } };
    model.clearance(name, a, b, made).map_err(|error| refused(fields.place, error))
}
