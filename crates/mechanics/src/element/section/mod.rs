//! Cross-sections of beams: stiffness, mass and damping per length, 6 × 6 each.
//!
//! Rows and columns are stretch, shear along y and z, twist, bending about y and z, in the axes of the
//! section: x along the beam, through the point where its node sits.

mod material;
mod profile;

pub use material::Material;
pub use profile::{Profile, Properties};

use crate::error::{ModelError, Refusal, refusal};
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_lie::{Frame, so3::skew};

/// Stiffness, mass and damping of a section.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// From strains to section forces.
    pub stiffness: Matrix6<f64>,
    /// From the twist of a section to its momentum per length.
    pub mass: Matrix6<f64>,
    /// From rates of strain to section forces.
    pub damping: Matrix6<f64>,
}

impl Section {
    /// A section from its matrices.
    pub fn new(stiffness: Matrix6<f64>, mass: Matrix6<f64>) -> Self {
        Section { stiffness, mass, damping: Matrix6::zeros() }
    }

    /// A section without couplings: `EA, GA_y, GA_z, GJ, EI_y, EI_z`; mass per length and moments
    /// of inertia per length about the axes.
    pub fn diagonal(stiffness: [f64; 6], mass: f64, inertia: Vector3<f64>) -> Self {
        let mass = Vector6::new(mass, mass, mass, inertia.x, inertia.y, inertia.z);
        Section::new(
            Matrix6::from_diagonal(&Vector6::from(stiffness)),
            Matrix6::from_diagonal(&mass),
        )
    }

    /// A profile of one material.
    ///
    /// ```
    /// use rotula_mechanics::element::section::{Material, Profile, Section};
    ///
    /// let steel = Material::isotropic(210e9, 0.3, 7850.0)?;
    /// let section = Section::of(&Profile::Circle { radius: 0.01 }, &steel)?;
    /// assert!((section.stiffness[(4, 4)] / 1649.34 - 1.0).abs() < 1e-5);
    /// # Ok::<(), rotula_mechanics::ModelError>(())
    /// ```
    pub fn of(profile: &Profile, material: &Material) -> Result<Self, ModelError> {
        let Properties { area, second, torsion, shear } = profile.properties(material.poisson())?;
        let Material { young, shear: g, density } = *material;
        let stiffness = [
            young * area,
            shear[0] * g * area,
            shear[1] * g * area,
            g * torsion,
            young * second[0],
            young * second[1],
        ];
        let polar = second[0] + second[1];
        let inertia = Vector3::new(polar, second[0], second[1]) * density;
        Ok(Section::diagonal(stiffness, density * area, inertia))
    }

    /// Adds damping in proportion to the stiffness: `C = β K`, with `β` in seconds.
    pub fn damped(mut self, beta: f64) -> Self {
        self.damping = self.stiffness * beta;
        self
    }

    /// The same section seen from another point of it: `frame` is where the present reference sits as
    /// seen from the new one, moved and turned within the section.
    pub fn offset(&self, frame: &Frame) -> Self {
        // twists and strains of the old reference are Ad(frame⁻¹) times those of the new one
        let adjoint = frame.inverse().adjoint();
        let moved = |m: &Matrix6<f64>| adjoint.tr_mul(&(m * adjoint));
        Section {
            stiffness: moved(&self.stiffness),
            mass: moved(&self.mass),
            damping: moved(&self.damping),
        }
    }

    /// Mass per length times the place of the centre of mass.
    pub fn first_moment(&self) -> Vector3<f64> {
        // the coupling block is −m c~
        let m = &self.mass;
        Vector3::new(m[(1, 5)] - m[(2, 4)], m[(2, 3)] - m[(0, 5)], m[(0, 4)] - m[(1, 3)]) * 0.5
    }

    /// Says what no section can have.
    pub(crate) fn validate(&self) -> Result<(), ModelError> {
        let invalid = |what: Refusal| Err(ModelError::invalid("section", what));
        let parts =
            [("stiffness", &self.stiffness), ("mass", &self.mass), ("damping", &self.damping)];
        for (name, matrix) in parts {
            if matrix.iter().any(|x| !x.is_finite()) {
                return invalid(format!("its {name} has entries that are not finite").into());
            }
            if (matrix - matrix.transpose()).amax() > 1e-9 * matrix.amax() {
                return invalid(refusal!("its {name} is not symmetric"; "check the entries"));
            }
        }
        for k in 0..6 {
            if self.stiffness[(k, k)] <= 0.0 {
                let names = ["EA", "GA_y", "GA_z", "GJ", "EI_y", "EI_z"];
                let value = self.stiffness[(k, k)];
                return invalid(refusal!("{} is {value}", names[k]; "it must be positive"));
            }
        }
        let scale = Vector6::from_fn(|k, _| 1.0 / self.stiffness[(k, k)].sqrt());
        let scaled = Matrix6::from_diagonal(&scale);
        let least = (scaled * self.stiffness * scaled).symmetric_eigenvalues().min();
        if least < 1e-12 {
            return invalid(
                "its stiffness is not positive definite: some strain would cost no energy".into(),
            );
        }
        let linear: Matrix3<f64> = self.mass.fixed_view::<3, 3>(0, 0).into();
        let coupling: Matrix3<f64> = self.mass.fixed_view::<3, 3>(0, 3).into();
        let mass = linear[(0, 0)];
        let plain = (linear - Matrix3::identity() * mass).amax() <= 1e-9 * mass.abs()
            && (coupling + skew(&self.first_moment())).amax() <= 1e-9 * self.mass.amax();
        if !plain {
            return invalid(
                "its mass is not that of a section: the first block is the mass per length times \
                 the identity, the coupling block is −m c~ with the centre of mass c"
                    .into(),
            );
        }
        if self.mass.symmetric_eigenvalues().min() < -1e-9 * self.mass.amax() {
            return invalid("its mass has a negative principal value".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> Section {
        Section::diagonal([5.0, 3.0, 2.0, 1.0, 4.0, 6.0], 2.0, Vector3::new(0.5, 0.2, 0.3))
    }

    #[test]
    fn offsets_keep_energies() {
        let section = plain();
        let frame = Frame::new(
            Vector3::new(0.0, 0.3, -0.2),
            rotula_lie::Quaternion::exp(&Vector3::new(0.7, 0.0, 0.0)),
        );
        let moved = section.offset(&frame);
        moved.validate().unwrap();
        // bending about y with the reference at z = −0.2 below: stretch of the old axis
        let strain = Vector6::new(0.1, 0.2, -0.1, 0.3, 0.5, -0.4);
        let old = frame.inverse().adjoint() * strain;
        let energy = |s: &Section, e: &Vector6<f64>| e.dot(&(s.stiffness * e));
        assert!((energy(&moved, &strain) - energy(&section, &old)).abs() < 1e-14);
        // the centre of mass, which was the reference, sits where the frame is
        let centre = moved.first_moment() / moved.mass[(0, 0)];
        assert!((centre - frame.position).norm() < 1e-14, "{centre:?}");
    }

    #[test]
    fn impossible_sections_are_refused() {
        let error = |change: &dyn Fn(&mut Section)| {
            let mut section = plain();
            change(&mut section);
            section.validate().unwrap_err().to_string()
        };
        assert!(error(&|s| s.stiffness[(3, 3)] = 0.0).contains("GJ is 0"));
        assert!(error(&|s| s.stiffness[(0, 1)] = 1.0).contains("not symmetric"));
        assert!(error(&|s| s.mass[(1, 1)] = 5.0).contains("the first block"));
        let indefinite = |s: &mut Section| {
            (s.stiffness[(0, 1)], s.stiffness[(1, 0)]) = (9.0, 9.0);
        };
        assert!(error(&indefinite).contains("not positive definite"));
        assert!(error(&|s| s.damping[(2, 2)] = f64::NAN).contains("damping"));
    }
}
