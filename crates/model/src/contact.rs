//! `[contact.NAME]`: surfaces of two bodies that push each other apart and rub, softly or rigidly.

use crate::beam_contact::beam_contact;
use crate::fault::refused;
use crate::fields::Fields;
use crate::joint::refuse_itself;
use crate::joint_options::{Rigidity, Rubbing, rigidity};
use crate::placed::Placed;
use crate::places::Names;
use crate::solid::{SCALE, SHAPE_KEYS, placed, placed_shape};
use crate::table::{Inner, Keys, Number, Pair, Value, table};
use rotula_mechanics::force::{Contact, ContactLaw, Stribeck, Surface};
use rotula_mechanics::unilateral::ImpactLaw;
use rotula_mechanics::{Marker, Model};
use rotula_reading::keys::{Key, Kind, join, key};
use rotula_reading::{Item, ModelError, Scope};
use std::path::Path;

const PLANE: Key = key("plane", Kind::Direction, "A plane: its normal, out of what is solid.");
const POINT: Key = key(
    "point",
    Kind::Numbers(3),
    "A point: its place, in the axes of the body or frame. It touches planes, spheres and bowls, and softly capsules and cylinders.",
)
.unit("m");
const BOWL: Key = key(
    "bowl",
    Kind::Number,
    "A hollow sphere with another sphere in it: its radius. Rigid contact only.",
)
.unit("m");
const AT: Key = key(
    "at",
    Kind::Numbers(3),
    "Where its middle is, in the axes of the body or frame. Default zero.",
)
.unit("m");

/// The words for surfaces, of which one is given.
static WORDS: [Key; SHAPE_KEYS.len() + 3] = join(&SHAPE_KEYS, &[PLANE, POINT, BOWL]);
/// The surface of one side.
pub(crate) enum Side {}

impl Keys for Side {
    const KEYS: &'static [Key] =
        &join::<{ SHAPE_KEYS.len() + 5 }>(&SHAPE_KEYS, &[PLANE, POINT, BOWL, SCALE, AT]);
}

/// Friction: its coefficient, or how it depends on the speed.
pub(crate) enum Rub<'a> {
    /// The coefficient alone.
    Coefficient(f64),
    /// More than that.
    Law(Rubbing<'a>),
}

impl<'a> Value<'a> for Rub<'static> {
    const KIND: Kind = Kind::NumberOrTable(Rubbing::KEYS);
    type Read = Rub<'a>;

    fn read(
        fields: &Fields<'a>,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<Rub<'a>>, ModelError> {
        match fields.inner(key) {
            Some(inner) => Ok(Some(Rub::Law(Rubbing::read(inner, scope)?))),
            None => Ok(fields.number(key, scope)?.map(Rub::Coefficient)),
        }
    }
}

impl Rub<'_> {
    /// The coefficient of rigid contact, which has no other.
    pub(crate) fn rigid(given: Option<Rub>) -> Result<f64, ModelError> {
        match given {
            None => Ok(0.0),
            Some(Rub::Coefficient(coefficient)) => Ok(coefficient),
            Some(Rub::Law(rubbing)) => {
                let regularised = ["at_rest", "stribeck_velocity", "creep", "smoothing"];
                rubbing.fields.refuse(&regularised, "rigid contact rubs with one coefficient")?;
                Ok(rubbing.coefficient)
            }
        }
    }
}

table! {
    /// Two surfaces that touch.
    Touch {
        /// Two bodies or frames that the surfaces are fixed to.
        needed between: Pair;
        /// Surface of the first. Default the solid or shape of the body.
        optional first: Inner<Side>;
        /// Surface of the second. Default the solid or shape of the body.
        optional second: Inner<Side>;
        /// Rigid contact: normal speed after an impact over that before it, from 0 to 1. Needs a formulation with impacts.
        optional restitution: Number;
        /// Soft contact: stiffness k; at each place of contact the force is k dⁿ(1 + c ḋ) + b ḋ at the depth d.
        optional stiffness: Number, "N/mⁿ";
        /// Exponent n; that of spheres is 1.5.
        usual exponent: Number = 1.5;
        /// Dissipation c.
        usual dissipation: Number = 0.0, "s/m";
        /// Damping b, which grows smoothly from none at the surface to this at `damping_depth`, as that of IMPACT in Adams.
        usual damping: Number = 0.0, "N s/m";
        /// Depth from which damping is full.
        usual damping_depth: Number = 0.0, "m";
        /// Grooves or flanges of a pulley: while a point or sphere presses on a cylinder or capsule, a force of this stiffness leads it to the middle along the axis.
        usual guide: Number = 0.0, "N/m";
        /// Coefficient of friction; in soft contact friction is smooth near rest. Default none.
        optional friction: Rub<'static>;
    }
}

impl Touch<'_> {
    /// Whether it is rigid.
    pub(crate) fn rigidity(&self, name: &str) -> Result<Rigidity, ModelError> {
        let given = (self.restitution, self.stiffness);
        rigidity(
            &self.fields,
            given,
            &format!("contact `{name}`"),
            &["exponent", "dissipation", "damping", "damping_depth", "guide"],
        )
    }
}

/// Reads a contact; returns its surfaces for pictures.
pub(crate) fn contact(
    fields: &Fields,
    name: &str,
    folder: &Path,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<[(Marker, Surface); 2], ModelError> {
    let touch = Touch::read(fields.clone(), scope)?;
    let ends = touch.between;
    if let Some(slot) = ends.iter().position(|end| names.beam(end).is_some()) {
        return beam_contact(touch, name, slot, folder, names, model, scope);
    }
    refuse_itself(names, ends, &fields.path)?;
    let mut side = |key: &str, given: &Option<Fields>, item: &Item| {
        surface(fields, (key, given), item, folder, names, model, scope)
    };
    let first = side("first", &touch.first, ends[0])?;
    let second = side("second", &touch.second, ends[1])?;
    match touch.rigidity(name)? {
        Rigidity::Hard { restitution } => {
            let law = ImpactLaw { restitution, friction: Rub::rigid(touch.friction)? };
            model
                .collide(name, first.clone(), second.clone(), law)
                .map_err(|error| refused(fields.place, error))?;
        }
        Rigidity::Soft { stiffness } => {
            let friction = touch.friction.map(|friction| match friction {
                Rub::Law(rubbing) => rubbing.law(),
                Rub::Coefficient(coefficient) => Stribeck::coulomb(coefficient, 1e-3),
            });
            let Touch { exponent, dissipation, damping, damping_depth, guide, .. } = touch;
            let law = ContactLaw {
                stiffness,
                exponent,
                dissipation,
                damping,
                damping_depth,
                guide,
                friction,
            };
            Contact::new(first.0, first.1.clone(), second.0, second.1.clone(), law)
                .and_then(|contact| model.force(name, contact))
                .map_err(|error| refused(fields.place, error))?;
        }
    }
    Ok([first, second])
}

/// The surface of one side, in the frame of a marker.
pub(crate) fn surface(
    fields: &Fields,
    (key, given): (&str, &Option<Fields>),
    item: &Item,
    folder: &Path,
    names: &Names,
    model: &Model,
    scope: &mut Scope,
) -> Result<(Marker, Surface), ModelError> {
    let Some(inner) = given else {
        return own_solid(fields, key, item, names, model);
    };
    let words: Vec<&str> = WORDS.iter().map(|key| key.name).collect();
    inner.refuse_together(&words)?;
    let axes = Placed::in_axes_of(inner.place, item.text().unwrap_or_default());
    let at = |scope: &mut Scope| Ok(inner.vector("at", scope)?.unwrap_or_default());
    let (frame, surface) = if let Some(normal) = inner.direction(PLANE.name, scope)? {
        (placed(axes.point(at(scope)?), Some(axes.vector(normal))), Surface::Plane)
    } else if let Some(place) = inner.vector(POINT.name, scope)? {
        inner.refuse_together(&[POINT.name, AT.name])?;
        (placed(axes.point(place), None), Surface::Point)
    } else if let Some(radius) = inner.number(BOWL.name, scope)? {
        (placed(axes.point(at(scope)?), None), Surface::Bowl { radius })
    } else {
        let (frame, shape) = placed_shape(inner, folder, scope, &WORDS)?;
        (axes.frame(frame), shape.into())
    };
    let marker = names.marker(item, model)?;
    Ok((Marker { frame: marker.frame * frame, ..marker }, surface))
}

/// The solid of a body, where it is.
fn own_solid(
    fields: &Fields,
    key: &str,
    item: &Item,
    names: &Names,
    model: &Model,
) -> Result<(Marker, Surface), ModelError> {
    let body = names.body(item)?;
    let (name, owner) = &model.bodies()[body.node()];
    match owner.shapes.as_slice() {
        [(frame, shape)] => Ok((model.marker(body, *frame), shape.clone().into())),
        _ => {
            let message =
                format!("{} misses `{key}`, and `{name}` has no solid or shape", fields.path);
            let help = format!("add `{key} = {{ sphere = 0.1 }}` or another surface");
            Err(ModelError::new(fields.place, message).with_help(help))
        }
    }
}
