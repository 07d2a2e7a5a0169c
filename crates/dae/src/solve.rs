//! The words with which a user chooses an integrator: the `[solve]` section of a model file.
//!
//! Every key but `until` is optional. [`Solve::settings`] turns the words into [`Settings`], or says
//! which word is wrong and what would be right.

use crate::coefficients::Coefficients;
use crate::error::SettingsError;
use crate::settings::*;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

const FORMULATIONS: &[&str] = &[
    "index3",
    "index2",
    "index1",
    "baumgarte",
    "ggl",
    "pva",
    "soi2",
    "hht-soi2",
    "hht-i3",
    "projected",
    "dae-alpha",
    "bdf",
];
const VARIANTS: &[&str] = &["73", "74"];
const MASS: &[&str] = &["stored", "evaluated"];
const MODES: &[&str] = &["paper", "recommended"];
const ITERATIONS: &[&str] = &["newton", "cs", "cm", "hybrid"];
const MULTIPLIERS: &[&str] = &["acceleration", "velocity"];
const FORMS: &[&str] = &["index3", "si2"];
const INITIAL: &[&str] = &["refuse", "project", "trust"];
const START: &[&str] = &["initial", "shifted", "clean"];
const REACTIONS: &[&str] = &["raw", "recomputed"];
const ADJUSTMENTS: &[&str] = &["off", "extrapolated", "acceleration-only", "rescaled"];
const MATRICES: &[&str] = &["each-iteration", "each-step", "reuse"];
const PREDICTORS: &[&str] = &["polynomial", "taylor", "euler", "hold"];

/// The words for [`Solve::formulation`].
pub fn formulation_words() -> &'static [&'static str] {
    FORMULATIONS
}

/// How a model is to be integrated, in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Solve {
    /// How constraints are enforced. Default `ggl`: position and velocity constraints both hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = FORMULATIONS))]
    pub formulation: Option<String>,
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
    /// Bound of the local error, relative to the scale of each coordinate. Default 1e-6 if there is
    /// no `step`.
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
    /// End time; the one key that must be given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// Interval at which results are recorded, by interpolation. Default: after each step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_every: Option<f64>,
    /// Times at which results are recorded, by interpolation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_at: Option<Vec<f64>>,
    /// What to do with a start that violates the constraints. Default `refuse`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = INITIAL))]
    pub initial: Option<String>,
    /// Start value of the algorithmic acceleration. Default `initial`: the true acceleration.
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
    /// `ggl` only: the position correction is `U = G(qₙ)ᵀν` ("73") or `M U = G(qₙ₊₁)ᵀν` ("74").
    /// Default "74": its correction does not depend on the choice of units.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "word_or_number")]
    #[schemars(extend("type" = ["string", "integer"], "enum" = ["73", "74", 73, 74]))]
    pub variant: Option<String>,
    /// `soi2` only: is the product `M a` of the old step stored or evaluated anew. Default `stored`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = MASS))]
    pub mass: Option<String>,
    /// `hht-i3` only: as printed, or of second order in all cases. Default `recommended`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = MODES))]
    pub mode: Option<String>,
    /// `dae-alpha` only: the iteration that solves a step. Default `newton`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ITERATIONS))]
    pub iteration: Option<String>,
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

/// The Newton iteration; what is absent has its default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Newton {
    /// Relative accuracy of the acceleration in runs with fixed steps. Default 1e-9.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Most iterations with one matrix. Default 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<usize>,
    /// Most matrices in one attempt, beyond a recycled one. Default 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_matrices: Option<usize>,
    /// When the iteration matrix is built anew. Default `reuse`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = MATRICES))]
    pub matrix: Option<String>,
    /// First guess of a step. Default `polynomial`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = PREDICTORS))]
    pub predictor: Option<String>,
    /// Try the remaining guesses when the first fails. Default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ladder: Option<bool>,
}

impl Newton {
    fn is_default(&self) -> bool {
        *self == Newton::default()
    }

    fn settings(&self) -> Result<NewtonSettings, SettingsError> {
        let default = NewtonSettings::default();
        let count = |name, given: Option<usize>, default| match given {
            Some(0) => Err(SettingsError::NotPositive { name, value: 0.0 }),
            other => Ok(other.unwrap_or(default)),
        };
        Ok(NewtonSettings {
            tolerance: self.tolerance.unwrap_or(default.tolerance),
            max_iterations: count("max_iterations", self.max_iterations, default.max_iterations)?,
            max_matrices: count("max_matrices", self.max_matrices, default.max_matrices)?,
            matrix: match word("matrix policy", &self.matrix, MATRICES, "reuse")? {
                "each-iteration" => MatrixPolicy::EachIteration,
                "each-step" => MatrixPolicy::EachStep,
                _ => MatrixPolicy::Reuse,
            },
            predictor: match word("predictor", &self.predictor, PREDICTORS, "polynomial")? {
                "taylor" => PredictorChoice::Taylor,
                "euler" => PredictorChoice::Euler,
                "hold" => PredictorChoice::Hold,
                _ => PredictorChoice::Polynomial,
            },
            ladder: self.ladder.unwrap_or(default.ladder),
        })
    }
}

impl Solve {
    /// The settings these words mean.
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        let name = word("formulation", &self.formulation, FORMULATIONS, "ggl")?;
        self.refuse_foreign_options(name)?;
        let until = self.until.ok_or(SettingsError::StepChoice(
            "the end time `until` is missing; write for example `until = 10.0`",
        ))?;
        let start = self.start.unwrap_or(0.0);
        if until <= start {
            return Err(SettingsError::EmptyInterval { start, until });
        }
        let mut settings =
            Settings::new(self.typed(name)?, self.member(name)?, self.control(until - start)?);
        settings.start = start;
        settings.until = until;
        settings.output = match (self.output_every, &self.output_at) {
            (Some(_), Some(_)) => {
                return Err(SettingsError::StepChoice(
                    "`output_every` and `output_at` exclude each other; keep one of them",
                ));
            }
            (Some(interval), None) => Output::Every(interval),
            (None, Some(times)) => Output::At(times.clone()),
            (None, None) => Output::EachStep,
        };
        settings.newton = self.newton.settings()?;
        settings.initial = match word("way to treat the start", &self.initial, INITIAL, "refuse")? {
            "project" => InitialPolicy::Project,
            "trust" => InitialPolicy::Trust,
            _ => InitialPolicy::Refuse,
        };
        settings.start_acceleration =
            match word("start acceleration", &self.start_acceleration, START, "initial")? {
                "shifted" => StartAcceleration::Shifted,
                "clean" => StartAcceleration::Clean,
                _ => StartAcceleration::Initial,
            };
        settings.reactions = match word("kind of reactions", &self.reactions, REACTIONS, "raw")? {
            "recomputed" => ReactionOutput::Recomputed,
            _ => ReactionOutput::Raw,
        };
        if self.adjustment.is_some() {
            settings.adjustment = match word("adjustment", &self.adjustment, ADJUSTMENTS, "off")? {
                "extrapolated" => Adjustment::Extrapolated,
                "acceleration-only" => Adjustment::AccelerationOnly,
                "rescaled" => Adjustment::Rescaled,
                _ => Adjustment::Off,
            };
        }
        settings.validate()?;
        Ok(settings)
    }

    /// The formulation with its own options.
    fn typed(&self, name: &'static str) -> Result<Formulation, SettingsError> {
        Ok(match name {
            "index3" => Formulation::Index3 {
                scaling: self.scaling.unwrap_or(true),
                augmented: self.augmented.unwrap_or(false),
            },
            "index2" => Formulation::Index2,
            "index1" => Formulation::Index1,
            "baumgarte" => {
                let [alpha, beta] = self.baumgarte.ok_or(SettingsError::StepChoice(
                    "the formulation `baumgarte` needs its two constants; \
                     write for example `baumgarte = [20, 20]`",
                ))?;
                for value in [alpha, beta] {
                    if !(value >= 0.0 && value.is_finite()) {
                        return Err(SettingsError::NotPositive { name: "baumgarte", value });
                    }
                }
                Formulation::Baumgarte { alpha, beta }
            }
            "pva" => Formulation::Pva,
            "soi2" => Formulation::Soi2 {
                mass: match word("source of the mass product", &self.mass, MASS, "stored")? {
                    "evaluated" => MassHistory::Evaluated,
                    _ => MassHistory::Stored,
                },
            },
            "hht-soi2" => Formulation::HhtSoi2,
            "hht-i3" => Formulation::HhtI3(match word("mode", &self.mode, MODES, "recommended")? {
                "paper" => HhtMode::Paper,
                _ => HhtMode::Recommended,
            }),
            "projected" => Formulation::Projected,
            "dae-alpha" => Formulation::DaeAlpha {
                iteration: match word("iteration", &self.iteration, ITERATIONS, "newton")? {
                    "cs" => DaeIteration::Cs,
                    "cm" => DaeIteration::Cm,
                    "hybrid" => DaeIteration::Hybrid,
                    _ => DaeIteration::Newton,
                },
                multipliers: match word(
                    "source of multipliers",
                    &self.multipliers,
                    MULTIPLIERS,
                    "acceleration",
                )? {
                    "velocity" => MultiplierSource::VelocityLevel,
                    _ => MultiplierSource::AccelerationLevel,
                },
            },
            "bdf" => {
                let max_order = self.max_order.unwrap_or(5);
                if !(1..=5).contains(&max_order) {
                    return Err(SettingsError::StepChoice(
                        "`max_order` must be a whole number from 1 to 5",
                    ));
                }
                let form = match word("form of bdf", &self.form, FORMS, "si2")? {
                    "index3" => BdfForm::Index3,
                    _ => BdfForm::Si2,
                };
                Formulation::Bdf { form, max_order }
            }
            _ => Formulation::Ggl(match word("variant of ggl", &self.variant, VARIANTS, "74")? {
                "73" => GglVariant::OldGradient,
                _ => GglVariant::MassWeighted,
            }),
        })
    }

    fn member(&self, formulation: &'static str) -> Result<Coefficients, SettingsError> {
        let only_hht = formulation.starts_with("hht-");
        match self.coefficients {
            Some(choice) if only_hht && !matches!(choice, CoefficientChoice::Hht(_)) => {
                Err(SettingsError::Coefficients(format!(
                    "the formulation `{formulation}` needs the coefficients of HHT; \
                     write for example `coefficients = {{ hht = -0.3 }}`"
                )))
            }
            Some(choice) => choice.coefficients(),
            None if only_hht => Coefficients::hht(-0.3),
            None => Coefficients::generalized_alpha(0.8),
        }
    }

    fn control(&self, duration: f64) -> Result<StepControl, SettingsError> {
        let wrong = |message| Err(SettingsError::StepChoice(message));
        let Some(h) = self.step else {
            if self.repeated.is_some() {
                return wrong("`repeated` divides `step`, which is missing; add `step`");
            }
            return Ok(StepControl::Tolerance(ToleranceControl {
                tolerance: self.tolerance.unwrap_or(1e-6),
                first: self.first_step,
                min: self.min_step.unwrap_or(1e-10 * duration),
                max: self.max_step.unwrap_or(duration / 50.0),
            }));
        };
        if self.tolerance.is_some() {
            return wrong("`step` and `tolerance` exclude each other; keep one of them");
        }
        if self.first_step.is_some() || self.min_step.is_some() || self.max_step.is_some() {
            return wrong(
                "`first_step`, `min_step` and `max_step` belong to runs with `tolerance`; \
                 remove them, or replace `step` by `tolerance`",
            );
        }
        Ok(match &self.repeated {
            Some(fractions) => StepControl::Repeated { h, fractions: fractions.clone() },
            None => StepControl::Fixed { h },
        })
    }

    fn refuse_foreign_options(&self, formulation: &'static str) -> Result<(), SettingsError> {
        const ALPHA: &str = "the formulations of the generalized-alpha family";
        let family = formulation != "bdf";
        let here = |owner| formulation == owner;
        let options = [
            ("scaling", self.scaling.is_some(), here("index3"), "`index3`"),
            ("augmented", self.augmented.is_some(), here("index3"), "`index3`"),
            ("baumgarte", self.baumgarte.is_some(), here("baumgarte"), "`baumgarte`"),
            ("variant", self.variant.is_some(), here("ggl"), "`ggl`"),
            ("mass", self.mass.is_some(), here("soi2"), "`soi2`"),
            ("mode", self.mode.is_some(), here("hht-i3"), "`hht-i3`"),
            ("iteration", self.iteration.is_some(), here("dae-alpha"), "`dae-alpha`"),
            ("multipliers", self.multipliers.is_some(), here("dae-alpha"), "`dae-alpha`"),
            ("form", self.form.is_some(), here("bdf"), "`bdf`"),
            ("max_order", self.max_order.is_some(), here("bdf"), "`bdf`"),
            ("coefficients", self.coefficients.is_some(), family, ALPHA),
            ("start_acceleration", self.start_acceleration.is_some(), family, ALPHA),
            ("adjustment", self.adjustment.is_some(), family, ALPHA),
        ];
        match options.into_iter().find(|&(_, given, fits, _)| given && !fits) {
            Some((option, _, _, belongs)) => {
                Err(SettingsError::ForeignOption { option, formulation, belongs })
            }
            None => Ok(()),
        }
    }
}

/// Lets a word that looks like a number stand without quotes.
fn word_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(i64),
        Word(String),
    }
    let given = Option::<Either>::deserialize(deserializer)?;
    Ok(given.map(|given| match given {
        Either::Number(number) => number.to_string(),
        Either::Word(word) => word,
    }))
}

/// The allowed word that was given, or the default.
fn word(
    what: &'static str,
    given: &Option<String>,
    allowed: &'static [&'static str],
    default: &'static str,
) -> Result<&'static str, SettingsError> {
    let Some(given) = given else { return Ok(default) };
    allowed.iter().copied().find(|word| word == given).ok_or_else(|| {
        let mut list = allowed.join(", ");
        if let Some(near) = nearest(given, allowed) {
            list.push_str(&format!(" (did you mean `{near}`?)"));
        }
        SettingsError::UnknownWord { what, value: given.clone(), allowed: list }
    })
}

/// The allowed word with the fewest edits, if at most a third of the letters differ.
fn nearest(given: &str, allowed: &[&'static str]) -> Option<&'static str> {
    let given = given.to_lowercase().replace([' ', '_'], "-");
    let letters: Vec<char> = given.chars().collect();
    allowed
        .iter()
        .map(|&word| (edits(&letters, &word.chars().collect::<Vec<_>>()), word))
        .filter(|&(edits, _)| edits <= letters.len().div_ceil(3))
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, word)| word)
}

/// Levenshtein's distance.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let replaced = diagonal + usize::from(a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until_one() -> Solve {
        Solve { until: Some(1.0), ..Solve::default() }
    }

    #[test]
    fn every_formulation_word_is_understood() {
        for &word in formulation_words() {
            let baumgarte = (word == "baumgarte").then_some([20.0, 20.0]);
            let solve = Solve { formulation: Some(word.into()), baumgarte, ..until_one() };
            solve.settings().unwrap_or_else(|error| panic!("{word}: {error}"));
        }
    }

    #[test]
    fn steps_follow_from_what_is_given() {
        let settings = until_one().settings().unwrap();
        let StepControl::Tolerance(control) = settings.control else { panic!() };
        assert_eq!((control.tolerance, control.min, control.max), (1e-6, 1e-10, 0.02));
        let fixed = Solve { step: Some(0.1), ..until_one() };
        assert_eq!(fixed.settings().unwrap().control, StepControl::Fixed { h: 0.1 });
        let repeated = Solve { repeated: Some(vec![0.25, 0.75]), ..fixed };
        let control = repeated.settings().unwrap().control;
        assert_eq!(control, StepControl::Repeated { h: 0.1, fractions: vec![0.25, 0.75] });
    }

    #[test]
    fn wrong_words_and_combinations_are_named() {
        let text = |value: &str| Some(value.to_owned());
        let table = [
            (Solve { formulation: text("gll"), ..until_one() }, "did you mean `ggl`?"),
            (Solve { formulation: text("HHT_I3"), ..until_one() }, "did you mean `hht-i3`?"),
            (Solve { form: text("si2"), ..until_one() }, "`form` does not apply"),
            (Solve { step: Some(0.1), tolerance: Some(0.1), ..until_one() }, "exclude each other"),
            (Solve { step: Some(-0.1), ..until_one() }, "step must be a positive number"),
            (
                Solve { step: Some(0.1), max_step: Some(0.1), ..until_one() },
                "runs with `tolerance`",
            ),
            (Solve { until: Some(-1.0), ..until_one() }, "must lie after the start"),
            (Solve::default(), "`until` is missing"),
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
