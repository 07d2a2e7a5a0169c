//! The methods that are compared.

use rotula_dae::{
    BdfForm, Coefficients, DaeIteration, Formulation, GglVariant, HhtMode, MassHistory,
    MultiplierSource, Settings, SettingsError, StepControl, ToleranceControl,
};

/// A method of integration under a short name.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Name in tables and figures.
    pub name: &'static str,
    /// Formulation.
    pub formulation: Formulation,
    /// Member of the generalized-α family.
    pub coefficients: Coefficients,
}

impl Method {
    /// Settings with steps of one size.
    pub fn fixed(&self, h: f64, until: f64) -> Settings {
        self.settings(StepControl::Fixed { h }, until)
    }

    /// Settings with error control, and steps of up to a tenth of the interval.
    pub fn tolerance(&self, tolerance: f64, until: f64) -> Settings {
        let (min, max) = (1e-12 * until, until / 10.0);
        let control = ToleranceControl { tolerance, first: None, min, max };
        self.settings(StepControl::Tolerance(control), until)
    }

    fn settings(&self, control: StepControl, until: f64) -> Settings {
        Settings { until, ..Settings::new(self.formulation, self.coefficients, control) }
    }
}

/// All methods with error control, with their usual coefficients.
pub fn methods() -> Result<Vec<Method>, SettingsError> {
    let alpha = Coefficients::generalized_alpha(0.8)?;
    let hht = Coefficients::hht(-0.3)?;
    let bdf = |form| Formulation::Bdf { form, max_order: 5 };
    let dae_alpha = Formulation::DaeAlpha {
        iteration: DaeIteration::Newton,
        multipliers: MultiplierSource::AccelerationLevel,
    };
    let list = [
        ("index3", Formulation::Index3 { scaling: true, augmented: false }, alpha),
        ("index2", Formulation::Index2, alpha),
        ("ggl", Formulation::Ggl { variant: GglVariant::MassWeighted }, alpha),
        ("pva", Formulation::Pva, alpha),
        ("soi2", Formulation::Soi2 { mass: MassHistory::Stored }, alpha),
        ("hht-soi2", Formulation::HhtSoi2, hht),
        ("hht-i3", Formulation::HhtI3 { mode: HhtMode::Recommended }, hht),
        ("hht-i3 paper", Formulation::HhtI3 { mode: HhtMode::Paper }, hht),
        ("projected", Formulation::Projected, alpha),
        ("dae-alpha", dae_alpha, alpha),
        ("bdf index3", bdf(BdfForm::Index3), alpha),
        ("bdf si2", bdf(BdfForm::Si2), alpha),
    ];
    let method = |(name, formulation, coefficients)| Method { name, formulation, coefficients };
    Ok(list.map(method).to_vec())
}

/// The method of a name of [`methods`].
///
/// # Panics
/// If there is none.
pub fn method(name: &str) -> Result<Method, SettingsError> {
    let found = methods()?.into_iter().find(|method| method.name == name);
    Ok(found.unwrap_or_else(|| panic!("no method is called {name}")))
}
