//! From words to settings.

use super::words::*;
use super::{CoefficientChoice, Solve};
use crate::coefficients::Coefficients;
use crate::error::SettingsError;
use crate::settings::*;

impl Solve {
    /// The settings for analyses, which need no end: where none is given, it is a second after the start.
    pub fn analysis_settings(&self) -> Result<Settings, SettingsError> {
        let until = self.until.unwrap_or(self.start.unwrap_or(0.0) + 1.0);
        Solve { until: Some(until), ..self.clone() }.settings()
    }

    /// The settings these words mean.
    pub fn settings(&self) -> Result<Settings, SettingsError> {
        let name =
            word("formulation", &self.formulation, FORMULATIONS, self.default_formulation())?;
        self.refuse_foreign_options(name)?;
        let until = self.until.ok_or(SettingsError::StepChoice(
            "the model does not say how long it is to be run; write `until = 10.0`, for example, under `[solve]`",
        ))?;
        let start = self.start.unwrap_or(0.0);
        if until <= start {
            return Err(SettingsError::EmptyInterval { start, until });
        }
        let control = self.control(name, (start, until))?;
        let mut settings = Settings::new(self.typed(name)?, self.member(name)?, control);
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
            "project-velocities" => InitialPolicy::ProjectVelocities,
            "equilibrium" => InitialPolicy::Equilibrium,
            "trust" => InitialPolicy::Trust,
            _ => InitialPolicy::Refuse,
        };
        settings.redundant =
            match word("way to treat redundancy", &self.redundant, REDUNDANT, "refuse")? {
                "solve" => RedundantPolicy::Solve,
                _ => RedundantPolicy::Refuse,
            };
        if self.start_acceleration.is_some() {
            let found = word("start acceleration", &self.start_acceleration, START, "initial")?;
            settings.start_acceleration = match found {
                "shifted" => StartAcceleration::Shifted,
                "clean" => StartAcceleration::Clean,
                _ => StartAcceleration::Initial,
            };
        }
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

    /// By measurement (`benches/defaults.py`): `bdf` is right to three digits, and its reactions to two, on
    /// every smooth model with a reference. Where elastic parts vibrate faster than anybody resolves, its higher
    /// orders are unstable; and it has neither fixed steps nor the options of the generalized-α family.
    fn default_formulation(&self) -> &'static str {
        let family = self.step.is_some()
            || self.coefficients.is_some()
            || self.variant.is_some()
            || self.adjustment.is_some()
            || self.start_acceleration.is_some();
        if family || self.elastic { "ggl" } else { "bdf" }
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
            "nonsmooth" => Formulation::Nonsmooth {
                strategy: match word("strategy", &self.strategy, STRATEGIES, "pva")? {
                    "1" => Strategy::Free,
                    "2" => Strategy::Bilateral,
                    "pvv" => Strategy::Pvv,
                    _ => Strategy::Pva,
                },
                variant: match word(
                    "variant of nonsmooth",
                    &self.variant,
                    NONSMOOTH_VARIANTS,
                    "star",
                )? {
                    "printed" => NonsmoothVariant::Printed,
                    _ => NonsmoothVariant::Star,
                },
                iteration: match word(
                    "iteration of nonsmooth",
                    &self.iteration,
                    NONSMOOTH_ITERATIONS,
                    "auto",
                )? {
                    "split" => NonsmoothIteration::Split,
                    "monolithic" => NonsmoothIteration::Monolithic,
                    "sweeps" => NonsmoothIteration::Sweeps,
                    _ => NonsmoothIteration::Auto,
                },
            },
            "moreau-jean" => {
                let theta = self.theta.unwrap_or(0.5);
                if !(0.5..=1.0).contains(&theta) {
                    return Err(SettingsError::Theta { value: theta });
                }
                let activation = self.activation.unwrap_or(0.5);
                if !(0.0..=1.0).contains(&activation) {
                    return Err(SettingsError::Activation { value: activation });
                }
                Formulation::MoreauJean { theta, activation }
            }
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

    fn control(
        &self,
        formulation: &str,
        (start, until): (f64, f64),
    ) -> Result<StepControl, SettingsError> {
        let duration = until - start;
        let wrong = |message| Err(SettingsError::StepChoice(message));
        let Some(h) = self.step else {
            if self.repeated.is_some() {
                return wrong("`repeated` divides `step`, which is missing; add `step`");
            }
            let max = self.max_step.unwrap_or(duration / 50.0);
            // the default gives way to a small largest step
            let min = self.min_step.unwrap_or((1e-10 * duration).min(max));
            return Ok(StepControl::Tolerance(ToleranceControl {
                tolerance: self.tolerance.unwrap_or(match formulation {
                    // Impacts are of first order: a smaller bound of the motion between them gains nothing.
                    "nonsmooth" | "moreau-jean" => 1e-6,
                    _ => 1e-8,
                }),
                first: self.first_step,
                min,
                max,
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
        let family = !matches!(formulation, "bdf" | "moreau-jean");
        let here = |owner| formulation == owner;
        let options = [
            ("scaling", self.scaling.is_some(), here("index3"), "`index3`"),
            ("augmented", self.augmented.is_some(), here("index3"), "`index3`"),
            ("baumgarte", self.baumgarte.is_some(), here("baumgarte"), "`baumgarte`"),
            (
                "variant",
                self.variant.is_some(),
                here("ggl") || here("nonsmooth"),
                "`ggl` and `nonsmooth`",
            ),
            ("strategy", self.strategy.is_some(), here("nonsmooth"), "`nonsmooth`"),
            ("theta", self.theta.is_some(), here("moreau-jean"), "`moreau-jean`"),
            ("activation", self.activation.is_some(), here("moreau-jean"), "`moreau-jean`"),
            ("mass", self.mass.is_some(), here("soi2"), "`soi2`"),
            ("mode", self.mode.is_some(), here("hht-i3"), "`hht-i3`"),
            (
                "iteration",
                self.iteration.is_some(),
                here("dae-alpha") || here("nonsmooth"),
                "`dae-alpha` and `nonsmooth`",
            ),
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
