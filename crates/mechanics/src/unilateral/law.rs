//! What happens where rigid surfaces meet.

use crate::error::{ModelError, refusal};
/// Newton's law of restitution and Coulomb's law of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImpactLaw {
    /// Normal speed after an impact over that before it, from 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction; 0 for smooth surfaces.
    pub friction: f64,
}

impl ImpactLaw {
    /// Without friction.
    pub fn smooth(restitution: f64) -> Self {
        ImpactLaw { restitution, friction: 0.0 }
    }

    pub(crate) fn validate(&self) -> Result<(), ModelError> {
        let ImpactLaw { restitution, friction } = *self;
        if !(0.0..=1.0).contains(&restitution) {
            let what = refusal!("its restitution is {restitution}"; "give a number from 0 to 1");
            return Err(ModelError::invalid("contact", what));
        }
        if !(friction >= 0.0 && friction.is_finite()) {
            let what = refusal!("its friction is {friction}"; "give 0 or a positive number");
            return Err(ModelError::invalid("contact", what));
        }
        Ok(())
    }
}
