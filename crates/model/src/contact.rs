//! `[contact.NAME]`: surfaces of two bodies that push each other apart and rub, softly or rigidly.

use crate::beam_contact::beam_contact;
use crate::fault::refused;
use crate::fields::Fields;
use crate::joint::{pair, refuse_itself};
use crate::joint_options::{rigid, stribeck};
use crate::joint_words::RUBBING;
use crate::places::Names;
use crate::solid::{CAPSULE, CYLINDER, HULL, LANDSCAPE, placed, placed_shape};
use rotula_mechanics::force::{Contact, ContactLaw, Stribeck, Surface};
use rotula_mechanics::unilateral::ImpactLaw;
use rotula_mechanics::{Marker, Model};
use rotula_reading::keys::{Key, Kind, key, needed};
use rotula_reading::{Item, ModelError, Scope};
use std::path::Path;

const WORDS: [&str; 10] =
    ["plane", "point", "sphere", "capsule", "cylinder", "box", "mesh", "hull", "heights", "bowl"];

static SURFACE: [Key; 12] = [
    key("plane", Kind::Direction, "A plane: its normal, out of what is solid."),
    key(
        "point",
        Kind::Numbers(3),
        "A point: its place, in the axes of the body or frame. It touches planes, spheres and bowls.",
    ),
    key("sphere", Kind::Number, "A sphere: its radius."),
    key("capsule", Kind::Table(&CAPSULE), "A cylinder with half spheres at its ends."),
    key("cylinder", Kind::Table(&CYLINDER), "A cylinder. Rigid contact only."),
    key("box", Kind::Numbers(3), "A box: lengths of its edges along the axes."),
    key(
        "mesh",
        Kind::Text,
        "A closed surface: an STL or OBJ file, named from the folder of the model.",
    ),
    HULL,
    LANDSCAPE,
    key(
        "bowl",
        Kind::Number,
        "A hollow sphere with another sphere in it: its radius. Rigid contact only.",
    ),
    key("scale", Kind::Number, "Metres per unit of the mesh or hull. Default 1."),
    key(
        "at",
        Kind::Numbers(3),
        "Where its middle is, in the axes of the body or frame. Default zero.",
    )
    .unit("m"),
];

pub(crate) static CONTACT: [Key; 8] = [
    needed("between", Kind::Pair, "Two bodies or frames that the surfaces are fixed to."),
    key(
        "first",
        Kind::Table(&SURFACE),
        "Surface of the first. Default the solid or shape of the body.",
    ),
    key(
        "second",
        Kind::Table(&SURFACE),
        "Surface of the second. Default the solid or shape of the body.",
    ),
    key(
        "restitution",
        Kind::Number,
        "Rigid contact: normal speed after an impact over that before it, from 0 to 1. Needs a formulation with impacts.",
    ),
    key(
        "stiffness",
        Kind::Number,
        "Soft contact: stiffness k; at each place of contact the force is k dⁿ(1 + c ḋ) at the depth d.",
    ).unit("N/mⁿ"),
    key("exponent", Kind::Number, "Exponent n. Default 1.5, as of spheres."),
    key("dissipation", Kind::Number, "Dissipation c, s/m. Default 0.").unit("s/m"),
    key(
        "friction",
        Kind::NumberOrTable(&RUBBING),
        "Coefficient of friction; in soft contact friction is smooth near rest. Default none.",
    ),
];

/// Reads a contact; returns its surfaces for pictures.
pub(crate) fn contact(
    fields: &Fields,
    name: &str,
    folder: &Path,
    names: &Names,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<[(Marker, Surface); 2], ModelError> {
    let ends = pair(fields, "between")?;
    if let Some(slot) = ends.iter().position(|end| names.beam(end).is_some()) {
        return beam_contact(fields, name, (ends, slot), folder, names, model, scope);
    }
    refuse_itself(names, ends, &fields.path)?;
    let mut side = |key: &str, item: &Item| surface(fields, key, item, folder, names, model, scope);
    let (first, second) = (side("first", ends[0])?, side("second", ends[1])?);
    if rigid(fields, &format!("contact `{name}`"), &["exponent", "dissipation"])? {
        let law = impact_law(fields, scope)?;
        model
            .collide(name, first.clone(), second.clone(), law)
            .map_err(|error| refused(fields.place, error))?;
        return Ok([first, second]);
    }
    let default = ContactLaw::default();
    let law = ContactLaw {
        stiffness: fields.number("stiffness", scope)?.unwrap_or_default(),
        exponent: fields.number("exponent", scope)?.unwrap_or(default.exponent),
        dissipation: fields.number("dissipation", scope)?.unwrap_or(default.dissipation),
        friction: match fields.inner("friction") {
            Some(inner) => Some(stribeck(&inner, scope)?),
            None => fields.number("friction", scope)?.map(|mu| Stribeck::coulomb(mu, 1e-3)),
        },
    };
    Contact::new(first.0, first.1.clone(), second.0, second.1.clone(), law)
        .and_then(|contact| model.force(name, contact))
        .map_err(|error| refused(fields.place, error))?;
    Ok([first, second])
}

/// Restitution and friction of rigid contact.
pub(crate) fn impact_law(fields: &Fields, scope: &mut Scope) -> Result<ImpactLaw, ModelError> {
    let friction = match fields.inner("friction") {
        Some(inner) => {
            let regularised = ["at_rest", "stribeck_velocity", "creep"];
            inner.refuse(&regularised, "rigid contact rubs with one coefficient")?;
            inner.number("coefficient", scope)?
        }
        None => fields.number("friction", scope)?,
    };
    let restitution = fields.number("restitution", scope)?.unwrap_or_default();
    Ok(ImpactLaw { restitution, friction: friction.unwrap_or_default() })
}

/// The surface of one side, in the frame of a marker.
pub(crate) fn surface(
    fields: &Fields,
    key: &str,
    item: &Item,
    folder: &Path,
    names: &Names,
    model: &Model,
    scope: &mut Scope,
) -> Result<(Marker, Surface), ModelError> {
    let Some(inner) = fields.inner(key) else {
        return own_solid(fields, key, item, names, model);
    };
    let (frame, surface) = match inner.direction("plane", scope)? {
        Some(normal) => {
            inner.refuse_together(&WORDS)?;
            (placed(inner.vector("at", scope)?.unwrap_or_default(), Some(normal)), Surface::Plane)
        }
        None if inner.get("point").is_some() => {
            inner.refuse_together(&WORDS)?;
            inner.refuse_together(&["point", "at"])?;
            (placed(inner.vector("point", scope)?.unwrap_or_default(), None), Surface::Point)
        }
        None if inner.get("bowl").is_some() => {
            inner.refuse_together(&WORDS)?;
            let radius = inner.number("bowl", scope)?.unwrap_or_default();
            (placed(inner.vector("at", scope)?.unwrap_or_default(), None), Surface::Bowl { radius })
        }
        None => {
            let (frame, shape) = placed_shape(&inner, folder, scope, &WORDS)?;
            (frame, shape.into())
        }
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
