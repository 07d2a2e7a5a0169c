//! Isotropic elastic materials.

use crate::error::{ModelError, refusal};
/// Young's modulus, shear modulus and density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus `E`.
    pub young: f64,
    /// Shear modulus `G`.
    pub shear: f64,
    /// Density `ρ`.
    pub density: f64,
}

impl Material {
    /// From `E`, Poisson's ratio `ν` and `ρ`: `G = E/(2(1 + ν))`.
    pub fn isotropic(young: f64, poisson: f64, density: f64) -> Result<Self, ModelError> {
        if !(-1.0 < poisson && poisson <= 0.5) {
            return Err(ModelError::invalid(
                "material",
                refusal!("Poisson's ratio is {poisson}"; "it lies between −1 and 0.5"),
            ));
        }
        Material::new(young, 0.5 * young / (1.0 + poisson), density)
    }

    /// From `E`, `G` and `ρ`.
    pub fn new(young: f64, shear: f64, density: f64) -> Result<Self, ModelError> {
        let positive = [("Young's modulus", young), ("the shear modulus", shear)];
        for (name, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                let what = refusal!("{name} is {value}"; "it must be positive");
                return Err(ModelError::invalid("material", what));
            }
        }
        if !(density.is_finite() && density >= 0.0) {
            let what = refusal!("the density is {density}"; "it must not be negative");
            return Err(ModelError::invalid("material", what));
        }
        Ok(Material { young, shear, density })
    }

    /// Poisson's ratio `E/(2G) − 1`.
    pub fn poisson(&self) -> f64 {
        0.5 * self.young / self.shear - 1.0
    }
}
