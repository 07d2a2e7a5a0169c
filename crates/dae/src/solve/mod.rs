//! The words with which a user chooses an integrator: the `[solve]` section of a model file.
//!
//! Every key but `until` is optional, and analyses need not even that. [`Solve::settings`] turns the words into
//! [`Settings`](crate::Settings), or says which word is wrong and what would be right.

mod convert;
mod newton;
mod words;

pub use newton::Newton;

use crate::coefficients::Coefficients;
use crate::error::SettingsError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use words::*;

/// The words for [`Solve::formulation`].
pub fn formulation_words() -> &'static [&'static str] {
    FORMULATIONS
}

/// How a model is to be integrated, in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Solve {
    /// How constraints are enforced and time is stepped. Default `bdf`; for models with beams, cables or flexible bodies, with a
    /// fixed `step` or with options of the generalized-α family, `ggl`. With both, position and velocity constraints hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = FORMULATIONS))]
    pub formulation: Option<String>,
    /// Not a word of the file: whether the model has elastic parts, which decides what formulation is the default.
    #[serde(skip)]
    pub elastic: bool,
    /// Member of the generalized-α family. Default `{ generalized-alpha = 0.8 }`, and
    /// `{ hht = -0.3 }` for the formulations `hht-soi2` and `hht-i3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<CoefficientChoice>,
    /// Step size of a run with fixed steps; not together with `tolerance`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Fractions of `step`, adding up to 1, that are taken in turn instead of equal steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Vec<f64>>,
    /// Bound of the local error, relative to the scale of each coordinate. Default 1e-8 if there is
    /// no `step`; 1e-6 for `nonsmooth` and `moreau-jean`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// First step of a run with `tolerance`; chosen from the initial motion if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_step: Option<f64>,
    /// Smallest step of a run with `tolerance`. Default 1e-10 of the simulated time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_step: Option<f64>,
    /// Largest step of a run with `tolerance`. Default a fiftieth of the simulated time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_step: Option<f64>,
    /// Start time. Default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// End time; the one key that a run needs. Analyses (check, statics, modes) do without.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// Interval at which results are recorded, by interpolation. Default: after each step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_every: Option<f64>,
    /// Times at which results are recorded, by interpolation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_at: Option<Vec<f64>>,
    /// Where the run starts. `refuse` takes the start as given and refuses one that violates the constraints;
    /// `project-velocities` lets velocities follow from the constraints, `project` positions as well;
    /// `equilibrium` finds the static equilibrium near the given start and begins there at rest, or with the
    /// velocities that motions demand; `trust` asks nothing. Default `refuse`; for mechanisms without
    /// any given velocity `project-velocities`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = INITIAL))]
    pub initial: Option<String>,
    /// What to do with constraints that follow from others: `refuse` names them, `solve` leaves the
    /// repetitions out and records the least multipliers. Default `solve` for mechanisms, `refuse` for
    /// equations.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = REDUNDANT))]
    pub redundant: Option<String>,
    /// Start value of the algorithmic acceleration. Default `initial`: the true acceleration; for `index3` and the
    /// recommended mode of `hht-i3` `clean`: shifted to the place it will have, with velocities that have the small residual they
    /// will settle to, so that reactions are of second order from the first step on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = START))]
    pub start_acceleration: Option<String>,
    /// Which accelerations and multipliers are recorded. Default `raw`: those of the formulation;
    /// `recomputed` solves them anew from positions and velocities.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = REACTIONS))]
    pub reactions: Option<String>,
    /// Adjustment of the algorithmic acceleration when the step size changes. Default
    /// `extrapolated`; for `index3` and `hht-i3` `rescaled`, or `off` in the mode `paper`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ADJUSTMENTS))]
    pub adjustment: Option<String>,
    /// `index3` only: scale equations and multipliers by the step size. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaling: Option<bool>,
    /// `index3` only: add the augmented-Lagrangian penalty. Default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub augmented: Option<bool>,
    /// `baumgarte` only, and needed there: α and β of `g̈ + 2α ġ + β² g = 0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baumgarte: Option<[f64; 2]>,
    /// `ggl`: the position correction is `U = G(qₙ)ᵀν` ("73") or `M U = G(qₙ₊₁)ᵀν` ("74"). Default
    /// "74": its correction does not depend on the choice of units. `nonsmooth`: an open contact has
    /// no impulse ("star", default), or no correction of it ("printed").
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "word_or_number")]
    #[schemars(extend("type" = ["string", "integer"], "enum" = ["73", "74", 73, 74, "star", "printed"]))]
    pub variant: Option<String>,
    /// `soi2` only: is the product `M a` of the old step stored or evaluated anew. Default `stored`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = MASS))]
    pub mass: Option<String>,
    /// `hht-i3` only: as printed, or of second order in all cases. Default `recommended`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = MODES))]
    pub mode: Option<String>,
    /// The iteration that solves a step: for `dae-alpha` one of newton, cs, cm, hybrid (default
    /// `newton`), for `nonsmooth` one of auto, split, monolithic,
    /// sweeps (default `auto`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["newton", "cs", "cm", "hybrid", "auto", "split", "monolithic", "sweeps"]))]
    pub iteration: Option<String>,
    /// `nonsmooth` only: constraints that the smooth motion obeys: none (1), bilateral ones (2, or
    /// `pvv` for their velocity level), closed contacts as well (3 or `pva`). Default `pva`.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "word_or_number")]
    #[schemars(extend("type" = ["string", "integer"], "enum" = ["1", "2", "3", 1, 2, 3, "pvv", "pva"]))]
    pub strategy: Option<String>,
    /// `moreau-jean` only: weight of the new forces and velocities, from 0.5 to 1. Default 0.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theta: Option<f64>,
    /// `moreau-jean` only: a contact acts if its gap closes within this part of the step at the present
    /// velocity, from 0 to 1. Default 0.5; with 1 bodies that meet overlap by half as much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activation: Option<f64>,
    /// `dae-alpha` only: level from which the multipliers come. Default `acceleration`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = MULTIPLIERS))]
    pub multipliers: Option<String>,
    /// `bdf` only: constraints at position level, or at position and velocity level. Default `si2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = FORMS))]
    pub form: Option<String>,
    /// `bdf` only: highest order, 1 to 5. Default 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_order: Option<usize>,
    /// The Newton iteration.
    #[serde(skip_serializing_if = "Newton::is_default")]
    pub newton: Newton,
}

/// Member of the generalized-α family, by its usual parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CoefficientChoice {
    /// Spectral radius at infinite frequency: 1 dissipates nothing, 0 most.
    GeneralizedAlpha(f64),
    /// α of Hilber, Hughes and Taylor, from −1/3 to 0.
    Hht(f64),
    /// β and γ of Newmark; `[0.25, 0.5]` is the trapezoidal rule.
    Newmark([f64; 2]),
}

impl CoefficientChoice {
    /// The numbers behind the choice.
    pub fn coefficients(&self) -> Result<Coefficients, SettingsError> {
        match *self {
            CoefficientChoice::GeneralizedAlpha(rho) => Coefficients::generalized_alpha(rho),
            CoefficientChoice::Hht(alpha) => Coefficients::hht(alpha),
            CoefficientChoice::Newmark([beta, gamma]) => Coefficients::newmark(beta, gamma),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::*;

    fn until_one() -> Solve {
        Solve { until: Some(1.0), ..Solve::default() }
    }

    #[test]
    fn every_formulation_word_is_understood() {
        for &word in formulation_words() {
            let baumgarte = (word == "baumgarte").then_some([20.0, 20.0]);
            let solve = Solve { formulation: Some(word.into()), baumgarte, ..until_one() };
            let settings = solve.settings().unwrap_or_else(|error| panic!("{word}: {error}"));
            assert_eq!(settings.formulation.word(), word);
        }
    }

    #[test]
    fn steps_follow_from_what_is_given() {
        let settings = until_one().settings().unwrap();
        let StepControl::Tolerance(control) = settings.control else { panic!() };
        assert_eq!((control.tolerance, control.min, control.max), (1e-8, 1e-10, 0.02));
        let fixed = Solve { step: Some(0.1), ..until_one() };
        assert_eq!(fixed.settings().unwrap().control, StepControl::Fixed { h: 0.1 });
        let repeated = Solve { repeated: Some(vec![0.25, 0.75]), ..fixed };
        let control = repeated.settings().unwrap().control;
        assert_eq!(control, StepControl::Repeated { h: 0.1, fractions: vec![0.25, 0.75] });
    }

    #[test]
    fn the_default_formulation_suits_the_model() {
        let word = |solve: Solve| solve.settings().unwrap().formulation.word();
        assert_eq!(word(until_one()), "bdf");
        assert_eq!(word(Solve { elastic: true, ..until_one() }), "ggl");
        assert_eq!(word(Solve { step: Some(0.1), ..until_one() }), "ggl");
        let coefficients = Some(CoefficientChoice::GeneralizedAlpha(0.9));
        assert_eq!(word(Solve { coefficients, ..until_one() }), "ggl");
        let nonsmooth = Solve { formulation: Some("nonsmooth".into()), ..until_one() };
        let StepControl::Tolerance(control) = nonsmooth.settings().unwrap().control else {
            panic!()
        };
        assert_eq!(control.tolerance, 1e-6);
    }

    #[test]
    fn wrong_words_and_combinations_are_named() {
        let text = |value: &str| Some(value.to_owned());
        let table = [
            (Solve { formulation: text("gll"), ..until_one() }, "did you mean `ggl`?"),
            (Solve { formulation: text("HHT_I3"), ..until_one() }, "did you mean `hht-i3`?"),
            (
                Solve { formulation: text("ggl"), form: text("si2"), ..until_one() },
                "`form` does not apply",
            ),
            (Solve { step: Some(0.1), tolerance: Some(0.1), ..until_one() }, "exclude each other"),
            (Solve { step: Some(-0.1), ..until_one() }, "step must be a positive number"),
            (
                Solve { step: Some(0.1), max_step: Some(0.1), ..until_one() },
                "runs with `tolerance`",
            ),
            (Solve { until: Some(-1.0), ..until_one() }, "must lie after the start"),
            (Solve::default(), "write `until = 10.0`"),
            (Solve { formulation: text("baumgarte"), ..until_one() }, "needs its two constants"),
            (
                Solve {
                    formulation: text("hht-i3"),
                    coefficients: Some(CoefficientChoice::GeneralizedAlpha(0.8)),
                    ..until_one()
                },
                "needs the coefficients of HHT",
            ),
            (
                Solve {
                    coefficients: Some(CoefficientChoice::GeneralizedAlpha(2.0)),
                    ..until_one()
                },
                "spectral radius",
            ),
        ];
        for (solve, phrase) in table {
            let error = solve.settings().unwrap_err().to_string();
            assert!(error.contains(phrase), "{error} does not say {phrase}");
        }
    }
}
