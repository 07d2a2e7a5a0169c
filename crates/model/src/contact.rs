//! `[contact.NAME]`: surfaces of two bodies that push each other apart and rub, softly or rigidly.

use crate::beam_contact::beam_contact;
use crate::contact_surface::{Side, surface};
use crate::fault::{fault_at, refused};
use crate::fields::Fields;
use crate::joint::refuse_itself;
use crate::joint_options::{Rigidity, Rubbing, rigidity};
use crate::places::Names;
use crate::reading::keys::Kind;
use crate::reading::{Item, ModelError, Scope};
use crate::table::{Inner, Number, Pair, Value, table};
use rotula_mechanics::force::{Contact, ContactLaw, Stribeck, Surface};
use rotula_mechanics::unilateral::ImpactLaw;
use rotula_mechanics::{Marker, Model};
use std::path::Path;

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
        /// Soft contact: arm of the rolling resistance, a moment of this arm times the normal force against rolling. Some µm for steel on steel, 0.01 times the radius for rubber.
        usual rolling_resistance: Number = 0.0, "m";
        /// Soft contact: arm of the resistance against spinning about the normal, 2/3 μa for a round spot of contact of radius a.
        usual spinning_resistance: Number = 0.0, "m";
        /// Coefficient of friction; in soft contact friction is smooth near rest. Default none.
        optional friction: Rub<'static>;
    }
}

impl Touch<'_> {
    /// Whether it is rigid.
    pub(crate) fn rigidity(&self, name: &str) -> Result<Rigidity, ModelError> {
        let given = (self.restitution, self.stiffness);
        let depth_missing = self.fields.get("damping_depth").is_none();
        if self.stiffness.is_some() && self.damping > 0.0 && depth_missing {
            let message = format!("{} needs `damping_depth`", self.fields.at("damping"));
            let help = "add `damping_depth = …`, from which depth on it is full, such as a tenth of the depth expected";
            return Err(fault_at(&self.fields, "damping", message).with_help(help));
        }
        rigidity(
            &self.fields,
            given,
            &format!("contact `{name}`"),
            &[
                "exponent",
                "dissipation",
                "damping",
                "damping_depth",
                "guide",
                "rolling_resistance",
                "spinning_resistance",
            ],
        )
    }

    /// The law of soft contact with a stiffness.
    pub(crate) fn soft_law(&mut self, stiffness: f64) -> ContactLaw {
        let friction = self.friction.take().map(|friction| match friction {
            Rub::Law(rubbing) => rubbing.law(),
            Rub::Coefficient(coefficient) => Stribeck::coulomb(coefficient, 1e-3),
        });
        ContactLaw {
            stiffness,
            exponent: self.exponent,
            dissipation: self.dissipation,
            damping: self.damping,
            damping_depth: self.damping_depth,
            guide: self.guide,
            rolling: self.rolling_resistance,
            spinning: self.spinning_resistance,
            friction,
            ..ContactLaw::default()
        }
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
    let mut touch = Touch::read(fields.clone(), scope)?;
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
            let law = touch.soft_law(stiffness);
            Contact::new(first.0, first.1.clone(), second.0, second.1.clone(), law)
                .and_then(|contact| model.force(name, contact))
                .map_err(|error| refused(fields.place, error))?;
        }
    }
    Ok([first, second])
}
