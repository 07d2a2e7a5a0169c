//! Formulations: the words for them in a `[solve]` section, their own options, and what each is.
//!
//! This is the one definition. The schema, the checks of keys and words, listings and sentences follow from it; a
//! formulation is added here, as a scheme, and in `formulation::build`.

use super::options::*;
use super::{Adjustment, Key};
use crate::coefficients::CoefficientChoice;
use crate::error::SettingsError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// How constraints are enforced and time is stepped. Default `bdf`; for models with beams, cables or flexible bodies, with a
/// fixed `step` or with options of the generalized-α family, `ggl`. With both, position and velocity constraints hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "formulation", rename_all = "kebab-case")]
pub enum Formulation {
    /// Constraints at position level. [Dymore note, sheet §4–5, Arnold–Brüls]
    Index3 {
        /// Scale equations and multipliers by the step size.
        #[serde(default = "yes")]
        scaling: bool,
        /// Add the augmented-Lagrangian penalty.
        #[serde(default)]
        augmented: bool,
    },
    /// Constraints at velocity level. [Brüls et al. 2018, sheet §4.2]
    Index2,
    /// Constraints at acceleration level. [Brüls et al. 2018, sheet §4.2]
    Index1,
    /// Mixed level `g̈ + 2α ġ + β² g = 0`. [Brüls et al. 2018, sheet §4.2]
    Baumgarte {
        /// α and β of `g̈ + 2α ġ + β² g = 0`, which must be given.
        #[serde(rename = "baumgarte", default = "missing", skip_serializing_if = "are_missing")]
        constants: [f64; 2],
    },
    /// Position and velocity level by a position correction. [Brüls et al. 2018, eqs. 73, 74]
    Ggl {
        /// The position correction is `U = G(qₙ)ᵀν` ("73"), or `M U = G(qₙ₊₁)ᵀν` ("74"), which does not depend on the choice
        /// of units.
        #[serde(default)]
        variant: GglVariant,
    },
    /// Position, velocity and acceleration level. [Brüls et al. 2018, eq. 70]
    Pva,
    /// Stabilised overdetermined index-2 system, holonomic and nonholonomic. [Jay & Negrut 2009, eq. 13]
    Soi2 {
        /// Is the product `M a` of the old step stored or evaluated anew.
        #[serde(default)]
        mass: MassHistory,
    },
    /// HHT-SOI2 in its compact form. [Jay & Negrut 2009, eq. 17]
    HhtSoi2,
    /// HHT index-3 with states and variables, after document 003.
    HhtI3 {
        /// As printed, or of second order in all cases.
        #[serde(default)]
        mode: HhtMode,
    },
    /// Underlying ordinary differential equation, then projection. [Yen et al. 1998, eq. 2.5]
    Projected,
    /// DAE-α: dynamics and constraints at position and velocity level. [Yen et al. 1998, eq. 3.3]
    DaeAlpha {
        /// The iteration that solves a step.
        #[serde(default)]
        iteration: DaeIteration,
        /// Level from which the multipliers come.
        #[serde(default)]
        multipliers: MultiplierSource,
    },
    /// Impacts and friction: smooth motion by generalized-α, corrections of position and velocity by
    /// backward Euler. [Brüls et al. 2018, sheet §3]
    Nonsmooth {
        /// Constraints that the smooth motion obeys: none (1), bilateral ones (2, or `pvv` for their velocity level),
        /// closed contacts as well (3 or `pva`).
        #[serde(default)]
        strategy: Strategy,
        /// An open contact has no impulse ("star"), or no correction of it ("printed").
        #[serde(default)]
        variant: NonsmoothVariant,
        /// The iteration that solves a step.
        #[serde(default)]
        iteration: NonsmoothIteration,
        /// Isolated impacts are located: the step ends at the impact, and restitution and friction act on the velocities of that
        /// instant. With `false`, and for the variant "printed", steps pass through impacts as in document 002.
        #[serde(default = "yes")]
        located: bool,
        /// The law of located impacts in which several contacts take part.
        #[serde(default)]
        impact_law: MultipleImpactLaw,
    },
    /// Moreau and Jean's θ method for impacts and friction at velocity level. [Brüls et al. 2018, sheet §2.2.3]
    ///
    /// With an activation of ½ bodies that meet with a speed `v` overlap by up to `vh`, with 1 by up to `½vh` and may stop
    /// as far before they touch; both for a restitution of zero and θ = ½.
    MoreauJean {
        /// Weight of the new forces and velocities, from 0.5 to 1.
        #[serde(default = "half")]
        theta: f64,
        /// A contact acts if its gap closes within this part of the step at the present velocity, from 0 to 1; with 1
        /// bodies that meet overlap by half as much as with 0.5.
        #[serde(default = "half")]
        activation: f64,
        /// Overlaps that are deeper than what bodies fall in a step are taken back at its end, and joints that gape with them.
        /// Without it positions are those of the method alone.
        #[serde(default)]
        project: bool,
    },
    /// Backward differentiation formulas, variable order and step. [Negrut et al. 2005, sheet §7]
    Bdf {
        /// Constraints at position level, or at position and velocity level.
        #[serde(default)]
        form: BdfForm,
        /// Highest order, 1 to 5.
        #[serde(default = "five")]
        max_order: usize,
    },
    /// Explicit Runge–Kutta method of order 8 for motions that nothing stiff acts on: accelerations and multipliers at every
    /// stage, positions and velocities projected onto the constraints after each step. [Hairer, Nørsett & Wanner 1993, DOP853]
    Explicit,
}

fn yes() -> bool {
    true
}

fn half() -> f64 {
    0.5
}

fn five() -> usize {
    5
}

/// Numbers that are refused where they are needed.
fn missing() -> [f64; 2] {
    [f64::NAN; 2]
}

fn are_missing(numbers: &[f64; 2]) -> bool {
    numbers.iter().all(|number| number.is_nan())
}

/// What decides the defaults of settings that several formulations share.
pub(super) struct Character {
    /// The usual member of the generalized-α family; none if the formulation does not belong to it.
    pub member: Option<CoefficientChoice>,
    /// What becomes of the algorithmic acceleration when the step size changes.
    pub adjustment: Adjustment,
    /// Whether bodies may hit each other.
    pub impacts: bool,
}

impl Formulation {
    /// Every formulation with its usual options; constants that must be given are not numbers.
    pub fn all() -> Vec<Formulation> {
        let words = super::key("formulation").map(Key::words).unwrap_or_default();
        let usual = |word| serde_json::from_value(json!({ "formulation": word })).ok();
        words.into_iter().filter_map(usual).collect()
    }

    /// The word for it in a `[solve]` section.
    pub fn word(&self) -> String {
        let words = serde_json::to_value(self).unwrap_or_default();
        words["formulation"].as_str().unwrap_or_default().to_owned()
    }

    /// Its options that are not as usual.
    pub fn unusual(&self) -> Map<String, Value> {
        let words = |formulation: &Formulation| match serde_json::to_value(formulation) {
            Ok(Value::Object(words)) => words,
            _ => Map::new(),
        };
        let all = Formulation::all().into_iter();
        let usual =
            all.map(|usual| words(&usual)).find(|usual| usual["formulation"] == self.word());
        let usual = usual.unwrap_or_default();
        let given = words(self).into_iter();
        given.filter(|(key, value)| usual.get(key) != Some(value)).collect()
    }

    /// Whether it has coefficients of the generalized-α family.
    pub fn is_generalized_alpha(&self) -> bool {
        self.character().member.is_some()
    }

    /// Whether it treats contacts with impacts.
    pub fn has_impacts(&self) -> bool {
        self.character().impacts
    }

    pub(super) fn character(&self) -> Character {
        const ALPHA: Character = Character {
            member: Some(CoefficientChoice::GeneralizedAlpha(0.8)),
            adjustment: Adjustment::Extrapolated,
            impacts: false,
        };
        const HHT: Option<CoefficientChoice> = Some(CoefficientChoice::Hht(-0.3));
        match self {
            Formulation::Index2
            | Formulation::Index1
            | Formulation::Baumgarte { .. }
            | Formulation::Ggl { .. }
            | Formulation::Pva
            | Formulation::Soi2 { .. }
            | Formulation::Projected
            | Formulation::DaeAlpha { .. } => ALPHA,
            // Position-level constraints alone leave a velocity residual that depends on h.
            Formulation::Index3 { .. } => Character { adjustment: Adjustment::Rescaled, ..ALPHA },
            Formulation::HhtSoi2 => Character { member: HHT, ..ALPHA },
            Formulation::HhtI3 { mode } => Character {
                member: HHT,
                adjustment: match mode {
                    HhtMode::Paper => Adjustment::Off,
                    HhtMode::Recommended => Adjustment::Rescaled,
                },
                ..ALPHA
            },
            Formulation::Nonsmooth { .. } => Character { impacts: true, ..ALPHA },
            Formulation::MoreauJean { .. } => Character { member: None, impacts: true, ..ALPHA },
            Formulation::Bdf { .. } | Formulation::Explicit => Character { member: None, ..ALPHA },
        }
    }

    /// Refuses options that make no sense.
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let within = |key: &str, [least, most]: [f64; 2], value: f64, help: &str| match (least
            ..=most)
            .contains(&value)
        {
            true => Ok(()),
            false => {
                let what = format!("{key} must lie in [{least}, {most}], not {value}");
                Err(SettingsError::new(key, what, help))
            }
        };
        match *self {
            Formulation::Baumgarte { constants } => {
                let help = "write for example `baumgarte = [20, 20]`";
                if constants.iter().any(|value| value.is_nan()) {
                    let what = "the formulation `baumgarte` needs its two constants";
                    return Err(SettingsError::new("formulation", what, help));
                }
                if let Some(value) = constants.iter().find(|v| !(**v >= 0.0 && v.is_finite())) {
                    let what = format!("baumgarte must not be negative, but is {value}");
                    return Err(SettingsError::new("baumgarte", what, help));
                }
            }
            Formulation::MoreauJean { theta, activation, project: _ } => {
                within("theta", [0.5, 1.0], theta, "0.5 dissipates nothing, 1 most")?;
                let help = "0.5 is usual, 1 makes overlaps smaller";
                within("activation", [0.0, 1.0], activation, help)?;
            }
            Formulation::Bdf { form: _, max_order } => {
                let help = "write a whole number from 1 to 5";
                within("max_order", [1.0, 5.0], max_order as f64, help)?;
            }
            Formulation::Index3 { scaling: _, augmented: _ }
            | Formulation::Index2
            | Formulation::Index1
            | Formulation::Ggl { variant: _ }
            | Formulation::Pva
            | Formulation::Soi2 { mass: _ }
            | Formulation::HhtSoi2
            | Formulation::HhtI3 { mode: _ }
            | Formulation::Projected
            | Formulation::Explicit
            | Formulation::DaeAlpha { iteration: _, multipliers: _ }
            | Formulation::Nonsmooth {
                strategy: _,
                variant: _,
                iteration: _,
                located: _,
                impact_law: _,
            } => {}
        }
        Ok(())
    }

    /// What it does, for sentences such as "It was integrated with …".
    pub fn phrase(&self) -> String {
        match *self {
            Formulation::Index3 { scaling, augmented } => {
                let scaled = if scaling { ", scaled" } else { "" };
                let penalty = if augmented { ", with an augmented Lagrangian" } else { "" };
                format!("the constraints at position level (index 3{scaled}{penalty})")
            }
            Formulation::Index2 => "the constraints at velocity level (index 2)".into(),
            Formulation::Index1 => "the constraints at acceleration level (index 1)".into(),
            Formulation::Baumgarte { constants: [alpha, beta] } => {
                format!("Baumgarte's stabilisation of the constraints (α = {alpha}, β = {beta})")
            }
            Formulation::Ggl { variant } => format!(
                "the constraints at position and velocity level (Gear–Gupta–Leimkuhler, {})",
                match variant {
                    GglVariant::OldGradient => "old gradient",
                    GglVariant::MassWeighted => "mass-weighted",
                }
            ),
            Formulation::Pva => {
                "the constraints at position, velocity and acceleration level".into()
            }
            Formulation::Soi2 { mass } => format!(
                "the stabilised overdetermined index-2 formulation{}",
                match mass {
                    MassHistory::Stored => "",
                    MassHistory::Evaluated => " (mass evaluated anew)",
                }
            ),
            Formulation::HhtSoi2 => {
                "the stabilised overdetermined index-2 formulation in its compact HHT form".into()
            }
            Formulation::HhtI3 { mode } => format!(
                "the HHT-I3 formulation ({} mode)",
                match mode {
                    HhtMode::Paper => "published",
                    HhtMode::Recommended => "recommended",
                }
            ),
            Formulation::Projected => {
                "the underlying differential equation and projection to the constraints".into()
            }
            Formulation::DaeAlpha { iteration, multipliers } => format!(
                "the DAE-α formulation ({}{})",
                match iteration {
                    DaeIteration::Newton => "Newton iteration",
                    DaeIteration::Cs => "coordinate splitting",
                    DaeIteration::Cm => "modified coordinate splitting",
                    DaeIteration::Hybrid => {
                        "modified coordinate splitting with curvature near the end"
                    }
                },
                match multipliers {
                    MultiplierSource::AccelerationLevel => "",
                    MultiplierSource::VelocityLevel => ", multipliers of the velocity level",
                }
            ),
            Formulation::Nonsmooth { strategy, variant, iteration, located, impact_law } => {
                format!(
                    "the nonsmooth generalized-α method ({}{}{}{}{})",
                    match strategy {
                        Strategy::Free => "free smooth motion",
                        Strategy::Bilateral => "smooth motion along the bilateral constraints",
                        Strategy::Pvv => "smooth motion along the bilateral velocity constraints",
                        Strategy::Pva => "smooth motion along constraints and closed contacts",
                    },
                    match variant {
                        NonsmoothVariant::Star => "",
                        NonsmoothVariant::Printed => ", as printed",
                    },
                    match iteration {
                        NonsmoothIteration::Auto => "",
                        NonsmoothIteration::Split => ", sub-problems in turn",
                        NonsmoothIteration::Monolithic => ", all equations together",
                        NonsmoothIteration::Sweeps => ", from Gauss–Seidel sweeps",
                    },
                    match (variant, located) {
                        (NonsmoothVariant::Star, false) => ", stepping through impacts",
                        _ => "",
                    },
                    match impact_law {
                        MultipleImpactLaw::Moreau => "",
                        MultipleImpactLaw::Poisson => ", impacts by Poisson's law",
                        MultipleImpactLaw::Reflections => ", impacts by reflections",
                        MultipleImpactLaw::Sequential => ", impacts one after the other",
                    }
                )
            }
            Formulation::MoreauJean { theta, activation: _, project } => {
                let ending = if project { ", overlaps taken back" } else { "" };
                format!("Moreau and Jean's time stepping (θ = {theta}{ending})")
            }
            Formulation::Bdf { form, max_order } => format!(
                "backward differentiation formulas ({}) up to order {max_order}",
                match form {
                    BdfForm::Index3 => "constraints at position level",
                    BdfForm::Si2 => "constraints at position and velocity level",
                }
            ),
            Formulation::Explicit => "the explicit Runge–Kutta method of order 8 (DOP853)".into(),
        }
    }
}
