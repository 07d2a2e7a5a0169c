//! What acts on the coordinate of a joint: springs, friction, buffers, torques and forces.

use crate::fault::refused;
use crate::fields::{Fields, signal};
use crate::motion::drive_mark;
use crate::reading::keys::{Key, Kind, join};
use crate::reading::{ModelError, Place, Scope, did_you_mean};
use crate::spring::line;
use crate::table::{Formula, NotNegative, Number, Text, Value, table, words};
use rotula_mechanics::force::{
    Amplitude, Friction, Law, Linear, Motor, Smoothing, SoftStop, Spring, Stribeck,
};
use rotula_mechanics::joint::Way;
use rotula_mechanics::picture::{Line, Mark, Sprung};
use rotula_mechanics::quantity::{Ends, Quantity};
use rotula_mechanics::{JointId, Marker, Model, Stop};

table! {
    /// A linear spring and damper on a coordinate.
    LinearSpring {
        /// Force per length, or moment per angle.
        usual stiffness: NotNegative = 0.0, "N/m, N m/rad";
        /// Force per speed.
        usual damping: NotNegative = 0.0, "N s/m, N m s/rad";
        /// The value at which the spring is at rest.
        usual free: Number = 0.0, "m, rad";
        /// Force at rest that tends to lengthen.
        usual preload: Number = 0.0, "N, N m";
    }
    besides {
        /// Which coordinate of the joint, if it has several.
        optional coordinate: Text;
    }
}

table! {
    /// Friction of surfaces whose normal force is known otherwise.
    Rubbing {
        /// Coefficient of friction when sliding.
        needed coefficient: NotNegative;
        /// Coefficient at rest. Default that when sliding.
        optional at_rest: NotNegative;
        /// How soon friction falls from one to the other.
        usual stribeck_velocity: Number = 0.01, "m/s, rad/s";
        /// Regularisation velocity, much below the speeds of interest.
        usual creep: Number = 1e-3, "m/s, rad/s";
        /// How friction passes through rest, with v the speed and c the creep: v/√(v² + c²), or tanh(v/c), which comes to full friction sooner. Default root.
        optional smoothing: SmoothingWord;
    }
}

words! {
    /// How friction passes through rest.
    SmoothingWord { Root = "root", Tanh = "tanh" }
}

impl Rubbing<'_> {
    /// How friction depends on the speed.
    pub(crate) fn law(&self) -> Stribeck {
        Stribeck {
            rest: self.at_rest.unwrap_or(self.coefficient),
            sliding: self.coefficient,
            velocity: self.stribeck_velocity,
            regularisation: self.creep,
            smoothing: match self.smoothing {
                Some(SmoothingWord::Tanh) => Smoothing::Tanh,
                Some(SmoothingWord::Root) | None => Smoothing::Root,
            },
        }
    }
}

table! {
    /// What dry friction on a coordinate needs besides.
    Surfaces {
        /// Normal force between the sliding surfaces.
        needed normal: NotNegative, "N";
        /// Radius at which the surfaces of a rotating joint slide.
        usual radius: Number = 1.0, "m";
        /// Force per rate, besides.
        usual viscous: NotNegative = 0.0, "N s/m, N m s/rad";
    }
    besides {
        /// Which coordinate of the joint, if it has several.
        optional coordinate: Text;
    }
}

/// Dry friction on a coordinate.
pub(crate) enum DryFriction {}

impl<'a> Value<'a> for DryFriction {
    const KIND: Kind = {
        const KEYS: &[Key] =
            &join::<{ Rubbing::KEYS.len() + Surfaces::KEYS.len() }>(Rubbing::KEYS, Surfaces::KEYS);
        Kind::Table(KEYS)
    };
    type Read = (Rubbing<'a>, Surfaces<'a>);

    fn read(
        fields: &Fields<'a>,
        key: &str,
        scope: &mut Scope,
    ) -> Result<Option<Self::Read>, ModelError> {
        let Some(inner) = fields.inner(key) else { return Ok(None) };
        Ok(Some((Rubbing::read(inner.clone(), scope)?, Surfaces::read(inner, scope)?)))
    }
}

table! {
    /// Stops at bounds of a coordinate.
    Bounds {
        /// Least value before the stop is met. Default none.
        optional from: Number, "m, rad";
        /// Greatest value before the stop is met. Default none.
        optional to: Number, "m, rad";
        /// A hard stop: speed after an impact over that before it, from 0 to 1. Needs a formulation with impacts.
        optional restitution: Number;
        /// A soft stop: stiffness k of its buffers, with the force k dⁿ(1 + c ḋ) at the depth d.
        optional stiffness: Number, "N/mⁿ, N m/radⁿ";
        /// Damping c.
        usual damping: Number = 0.0, "s/m, s/rad";
        /// Exponent n.
        usual exponent: Number = 1.5;
    }
    besides {
        /// Which coordinate of the joint, if it has several.
        optional coordinate: Text;
    }
}

table! {
    /// What any joint may have besides its kind.
    Options {
        /// A spring and damper on its coordinate.
        optional spring: LinearSpring<'static>;
        /// Dry friction on its coordinate.
        optional friction: DryFriction;
        /// Stops at bounds of its coordinate, hard with `restitution` or soft with `stiffness`.
        optional stop: Bounds<'static>;
        /// A moment that turns the second body against the first, on `angle`.
        optional torque: Formula, "N m";
        /// A force that pushes the second body along the axis, on `displacement`.
        optional force: Formula, "N";
    }
    besides {
        /// What it is.
        optional description: Text;
    }
}

/// What of the options of a joint is drawn.
#[derive(Default)]
pub(crate) struct Drawn {
    /// What drives it.
    pub mark: Option<(Marker, Mark)>,
    /// The spring on its coordinate.
    pub spring: Option<(Sprung, Line)>,
}

/// Reads the options of a joint.
pub(crate) fn options(
    fields: &Fields,
    name: &str,
    joint: JointId,
    model: &mut Model,
    scope: &mut Scope,
) -> Result<Drawn, ModelError> {
    let mut drawn = Drawn::default();
    let given = Options::read(fields.clone(), scope)?;
    if let Some(LinearSpring { fields, stiffness, damping, free, preload }) = given.spring {
        let word = coordinate_word(&fields, joint, model)?;
        let law = Linear { stiffness, damping, free, preload };
        act(model, (name, "spring"), (joint, word), law, fields.place)?;
        let sprung = Sprung::Joint(way(joint, word, model));
        drawn.spring = Some((sprung, line(stiffness, damping)));
    }
    if let Some((rubbing, Surfaces { fields, normal, radius, viscous })) = given.friction {
        let word = coordinate_word(&fields, joint, model)?;
        let law = Friction::new(rubbing.law(), Amplitude::Constant(normal), radius)
            .map_err(|error| refused(fields.place, error))?;
        act(model, (name, "friction"), (joint, word), law.with_viscous(viscous), fields.place)?;
    }
    if let Some(stop) = given.stop {
        let word = coordinate_word(&stop.fields, joint, model)?;
        let (place, named) = (stop.fields.place, format!("stop of {name}"));
        let [lower, upper] =
            [stop.from.unwrap_or(f64::NEG_INFINITY), stop.to.unwrap_or(f64::INFINITY)];
        let touch = (stop.restitution, stop.stiffness);
        match rigidity(&stop.fields, touch, &named, &["damping", "exponent"])? {
            Rigidity::Hard { restitution } => {
                let coordinate =
                    model.coordinate(joint, word).map_err(|error| refused(place, error))?;
                model
                    .stop(Stop { name: named, coordinate, lower, upper, restitution })
                    .map_err(|error| refused(place, error))?;
            }
            Rigidity::Soft { stiffness } => {
                let law = SoftStop::new(lower, upper, stiffness)
                    .and_then(|law| law.damped(stop.damping))
                    .and_then(|law| law.with_exponent(stop.exponent))
                    .map_err(|error| refused(place, error))?;
                act(model, (name, "stop"), (joint, word), law, place)?;
            }
        }
    }
    let motors = [("torque", given.torque, "angle"), ("force", given.force, "displacement")];
    for (key, item, word) in motors {
        let Some(item) = item else { continue };
        let place = fields.place_of(key);
        let amplitude = signal(item, &fields.at(key), &format!("{name}.{key}"), model, scope)?;
        act(model, (name, "motor"), (joint, word), Motor::new(amplitude), place)?;
        drawn.mark = Some(drive_mark(joint, word, model));
    }
    Ok(drawn)
}

/// Where a coordinate of a joint goes.
pub(crate) fn way(joint: JointId, word: &str, model: &Model) -> Way {
    model.joints()[joint.index()].way(word).expect("the joint has this coordinate")
}

/// Options that act on a coordinate.
pub(crate) const OPTIONS: [&str; 3] = ["spring", "friction", "stop"];

fn act(
    model: &mut Model,
    (name, option): (&str, &str),
    (joint, word): (JointId, &'static str),
    law: impl Law + 'static,
    place: &Place,
) -> Result<(), ModelError> {
    let spring = on_joint(joint, word, Spring::actions_on(word), model, law);
    spring
        .and_then(|spring| model.force(&format!("{name}.{option}"), spring))
        .map_err(|error| refused(place, error))
}

/// A law on a coordinate of a joint.
pub(crate) fn on_joint(
    joint: JointId,
    word: &str,
    quantities: &'static [Quantity],
    model: &Model,
    law: impl Law + 'static,
) -> Result<Spring, rotula_mechanics::ModelError> {
    let pair = model.joints()[joint.index()].pair;
    let spring = Spring::new(model.coordinate(joint, word)?, law);
    // as the reaction of the joint is counted, so that they add up
    let ends = Ends { axes: Some(pair.a), ..Ends::between(pair.a, pair.b) };
    Ok(spring.offering(quantities, ends))
}

/// The word for the coordinate named by the key `coordinate`, or for the only one that the joint has.
pub(crate) fn coordinate_word(
    fields: &Fields,
    joint: JointId,
    model: &Model,
) -> Result<&'static str, ModelError> {
    let entry = &model.joints()[joint.index()];
    let only = match entry.coordinates.as_slice() {
        [(only, _)] => Some(*only),
        _ => None,
    };
    let Some(word) = fields.text("coordinate").or(only) else {
        let (message, help) = match entry.coordinates.is_empty() {
            true => (
                format!("{}: a {} joint has no coordinate to act on", fields.path, entry.word),
                "name a joint with a free angle or displacement".to_owned(),
            ),
            false => {
                let words = entry.coordinates.iter().map(|(word, _)| *word).collect();
                (
                    format!("{}: joint `{}` has several coordinates", fields.path, entry.name),
                    format!("add `coordinate = \"…\"`; {}", did_you_mean("", words)),
                )
            }
        };
        return Err(ModelError::new(fields.place, message).with_help(help));
    };
    let place = fields.get("coordinate").map_or(fields.place, |item| &item.place);
    model.coordinate(joint, word).map_err(|error| refused(place, error))?;
    let own = entry.coordinates.iter().find(|(own, _)| *own == word);
    Ok(own.expect("the joint has this coordinate").0)
}

/// How two things push each other apart when they touch.
pub(crate) enum Rigidity {
    /// By impacts.
    Hard {
        /// Speed after an impact over that before it.
        restitution: f64,
    },
    /// By a force that grows with the depth.
    Soft {
        /// Its stiffness.
        stiffness: f64,
    },
}

/// Whether something that touches is rigid, with a restitution, rather than soft, with a stiffness
/// and the keys `soft`.
pub(crate) fn rigidity(
    fields: &Fields,
    (restitution, stiffness): (Option<f64>, Option<f64>),
    thing: &str,
    soft: &[&str],
) -> Result<Rigidity, ModelError> {
    fields.refuse_together(&["restitution", "stiffness"])?;
    match (restitution, stiffness) {
        (Some(restitution), _) => {
            fields.refuse(soft, "it is rigid")?;
            Ok(Rigidity::Hard { restitution })
        }
        (None, Some(stiffness)) => Ok(Rigidity::Soft { stiffness }),
        (None, None) => {
            let message = format!("{thing} misses `stiffness` or `restitution`");
            let help = "add `stiffness = 1e5`, the stiffness k if it is soft, or `restitution = 0.5` if it is rigid";
            Err(ModelError::new(fields.place, message).with_help(help))
        }
    }
}
