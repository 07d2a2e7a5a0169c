//! Coefficients of the generalized-α family: α_m, α_f, β, γ and the step constants made of them.

use crate::error::SettingsError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// The four numbers that make a member of the family.
///
/// The algorithmic acceleration obeys
/// `(1−α_m) a₊ + α_m a = (1−α_f) v̇₊ + α_f v̇` and lives at `t + α h`, `α = α_m − α_f`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "CoefficientChoice", into = "CoefficientChoice")]
pub struct Coefficients {
    /// Weight of the old algorithmic acceleration.
    pub alpha_m: f64,
    /// Weight of the old true acceleration.
    pub alpha_f: f64,
    /// Newmark's β: weight of the new acceleration in the position.
    pub beta: f64,
    /// Newmark's γ: weight of the new acceleration in the velocity.
    pub gamma: f64,
    choice: CoefficientChoice,
}

impl From<CoefficientChoice> for Coefficients {
    /// [Dymore note, sheet §1; Jay & Negrut 2009, sheet §1; Brüls et al. 2018, eq. 61]
    fn from(choice: CoefficientChoice) -> Self {
        let second_order = |alpha_m: f64, alpha_f: f64| {
            let alpha = alpha_m - alpha_f;
            let beta = (1.0 - alpha) * (1.0 - alpha) / 4.0;
            Coefficients { alpha_m, alpha_f, beta, gamma: 0.5 - alpha, choice }
        };
        match choice {
            CoefficientChoice::GeneralizedAlpha(rho) => {
                second_order((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0))
            }
            CoefficientChoice::Hht(alpha) => second_order(0.0, -alpha),
            CoefficientChoice::Newmark([beta, gamma]) => {
                Coefficients { alpha_m: 0.0, alpha_f: 0.0, beta, gamma, choice }
            }
        }
    }
}

impl From<Coefficients> for CoefficientChoice {
    fn from(coefficients: Coefficients) -> Self {
        coefficients.choice
    }
}

impl Coefficients {
    /// Chung and Hulbert's choice for a spectral radius `rho` at infinite frequency.
    pub fn generalized_alpha(rho: f64) -> Result<Self, SettingsError> {
        Coefficients::from(CoefficientChoice::GeneralizedAlpha(rho)).sound()
    }

    /// Hilber, Hughes and Taylor's α between −1/3 and 0, as in document 003.
    pub fn hht(alpha: f64) -> Result<Self, SettingsError> {
        Coefficients::from(CoefficientChoice::Hht(alpha)).sound()
    }

    /// Newmark's method; `beta = 1/4, gamma = 1/2` is the trapezoidal rule.
    pub fn newmark(beta: f64, gamma: f64) -> Result<Self, SettingsError> {
        Coefficients::from(CoefficientChoice::Newmark([beta, gamma])).sound()
    }

    /// The choice that was made.
    pub fn choice(&self) -> CoefficientChoice {
        self.choice
    }

    /// Refuses members that are not stable.
    pub(crate) fn sound(self) -> Result<Self, SettingsError> {
        let wrong = |what: String, help: &str| Err(SettingsError::new("coefficients", what, help));
        match self.choice {
            CoefficientChoice::GeneralizedAlpha(rho) if !(0.0..=1.0).contains(&rho) => wrong(
                format!("the spectral radius must lie in [0, 1], not {rho}"),
                "1 dissipates nothing, 0 most",
            ),
            CoefficientChoice::Hht(alpha) if !(-1.0 / 3.0 - 1e-12..=0.0).contains(&alpha) => wrong(
                format!("HHT's alpha must lie in [-1/3, 0], not {alpha}"),
                "-0.3 is the usual choice",
            ),
            CoefficientChoice::Newmark([beta, gamma])
                if !(gamma >= 0.5
                    && beta >= gamma / 2.0
                    && beta.is_finite()
                    && gamma.is_finite()) =>
            {
                wrong(
                    format!(
                        "Newmark's method needs gamma >= 1/2 and beta >= gamma/2, not beta = {beta}, gamma = {gamma}"
                    ),
                    "beta = 0.25, gamma = 0.5 is the trapezoidal rule",
                )
            }
            CoefficientChoice::GeneralizedAlpha(_)
            | CoefficientChoice::Hht(_)
            | CoefficientChoice::Newmark(_) => Ok(self),
        }
    }

    /// `α = α_m − α_f`: the algorithmic acceleration lives at `t + α h`.
    pub fn alpha(&self) -> f64 {
        self.alpha_m - self.alpha_f
    }

    /// The spectral radius at infinite frequency of the constrained directions,
    /// `max(|α_f/(1−α_f)|, |(1−γ)/γ|)`; constraints enforced by multipliers need it below 1.
    /// [Jay & Negrut 2009, sheet §6.2; Negrut et al. 2005, E12]
    pub fn constraint_radius(&self) -> f64 {
        let multiplier = self.alpha_f / (1.0 - self.alpha_f);
        let acceleration = (1.0 - self.gamma) / self.gamma;
        multiplier.abs().max(acceleration.abs())
    }

    /// The step constants c1…c9 for a step size. [Dymore note, sheet §1]
    pub fn step(&self, h: f64) -> StepConstants {
        let Coefficients { alpha_m, alpha_f, beta, gamma, .. } = *self;
        let d = 1.0 - alpha_m;
        StepConstants {
            h,
            c1: beta * alpha_f / d * h * h,
            c2: (0.5 - beta / d) * h * h,
            c3: gamma * alpha_f / d * h,
            c4: (1.0 - gamma / d) * h,
            c5: alpha_f / d,
            c6: -alpha_m / d,
            c7: gamma * (1.0 - alpha_f) / d * h,
            c8: beta * (1.0 - alpha_f) / d * h * h,
            c9: (1.0 - alpha_f) / d,
        }
    }

    /// `|1/6 − α/2 − β|`: the local error of a position is this times `h²‖a₊ − a‖`.
    /// [Dymore note, sheet §5; Negrut et al. 2005, E3]
    pub fn position_error_constant(&self) -> f64 {
        (1.0 / 6.0 - self.alpha() / 2.0 - self.beta).abs()
    }

    /// The local error of a first-order state is this times `h³ x⃛`. [Negrut et al. 2005, sheet §2.4, for any member]
    pub fn state_error_constant(&self) -> f64 {
        let (m, f, a) = (self.alpha_m, self.alpha_f, self.alpha());
        // Steady offset of the algorithmic rate from ẋ(t + αh), in units of h² x⃛.
        let offset = ((1.0 - f) - (1.0 - m) * (1.0 + a) * (1.0 + a) - m * a * a) / 2.0;
        let quadrature =
            (1.0 - self.gamma) * a * a / 2.0 + self.gamma * (1.0 + a) * (1.0 + a) / 2.0 - 1.0 / 6.0;
        (quadrature + offset).abs()
    }
}

/// The numbers c1…c9 of one step. [Dymore note, eqs. 8–13]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepConstants {
    /// Step size.
    pub h: f64,
    /// Old acceleration in the position.
    pub c1: f64,
    /// Old algorithmic acceleration in the position.
    pub c2: f64,
    /// Old acceleration in the velocity.
    pub c3: f64,
    /// Old algorithmic acceleration in the velocity.
    pub c4: f64,
    /// Old acceleration in the algorithmic acceleration.
    pub c5: f64,
    /// Old algorithmic acceleration in the new one.
    pub c6: f64,
    /// New acceleration in the velocity.
    pub c7: f64,
    /// New acceleration in the position.
    pub c8: f64,
    /// New acceleration in the algorithmic acceleration.
    pub c9: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_radius_equals_hht_one_third() {
        let a = Coefficients::generalized_alpha(0.5).unwrap();
        let b = Coefficients::hht(-1.0 / 3.0).unwrap();
        assert!((a.alpha_m - b.alpha_m).abs() < 1e-15 && (a.alpha_f - b.alpha_f).abs() < 1e-15);
        assert!((a.beta - b.beta).abs() < 1e-15 && (a.gamma - b.gamma).abs() < 1e-15);
    }

    #[test]
    fn step_constants_match_the_table_of_the_note() {
        // sheet 000, coefficients for rho = 0.2 at h = 1.
        let c = Coefficients::generalized_alpha(0.2).unwrap().step(1.0);
        let expected = [
            0.07716049382716052,
            0.03703703703703698,
            0.12962962962962965,
            0.2222222222222222,
            0.11111111111111112,
            0.3333333333333333,
        ];
        for (value, e) in [c.c1, c.c2, c.c3, c.c4, c.c5, c.c6].iter().zip(expected) {
            assert!((value - e).abs() < 1e-15, "{value} {e}");
        }
        let rho: f64 = 0.2;
        assert!((c.c8 - 1.0 / ((1.0 + rho).powi(2) * (2.0 - rho))).abs() < 1e-15);
    }

    #[test]
    fn error_constants_are_those_of_the_sheets() {
        let c = Coefficients::hht(-0.3).unwrap();
        assert!((c.position_error_constant() - (1.0 / 12.0 + 0.09 / 4.0)).abs() < 1e-15);
        assert!((c.state_error_constant() - (1.0 / 12.0 + 0.15 - 0.09)).abs() < 1e-15);
        let trapezoidal = Coefficients::newmark(0.25, 0.5).unwrap();
        assert!((trapezoidal.state_error_constant() - 1.0 / 12.0).abs() < 1e-15);
    }

    #[test]
    fn senseless_coefficients_are_refused() {
        assert!(Coefficients::generalized_alpha(2.0).is_err());
        assert!(Coefficients::generalized_alpha(f64::NAN).is_err());
        assert!(Coefficients::hht(0.1).is_err());
        assert!(Coefficients::newmark(0.1, 0.5).is_err());
    }
}
