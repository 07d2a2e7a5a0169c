//! Mass, centre of mass and inertia.

use crate::error::{Refusal, refusal};
use nalgebra::{Matrix3, Vector3};
use rotula_lie::Frame;

/// Mass, centre of mass and inertia of a body, in the body's own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass.
    pub mass: f64,
    /// Centre of mass.
    pub centre: Vector3<f64>,
    /// Inertia about the centre of mass, in the axes of the body.
    pub inertia: Matrix3<f64>,
}

impl MassProperties {
    /// Centre of mass in the origin, principal moments along the axes.
    pub fn principal(mass: f64, moments: Vector3<f64>) -> Self {
        MassProperties { mass, centre: Vector3::zeros(), inertia: Matrix3::from_diagonal(&moments) }
    }

    /// With an inertia about the centre of mass.
    pub fn new(mass: f64, centre: Vector3<f64>, inertia: Matrix3<f64>) -> Self {
        MassProperties { mass, centre, inertia }
    }

    /// With an inertia about the origin of a frame of the body and along its axes. With `c` the way
    /// from that origin to the centre, `J = R J_o Rᵀ − m (c·c I − c cᵀ)`.
    pub fn about(mass: f64, centre: Vector3<f64>, inertia: Matrix3<f64>, frame: &Frame) -> Self {
        let rotation = frame.orientation.to_matrix();
        let turned = rotation * inertia * rotation.transpose();
        let shift = steiner(mass, &(centre - frame.position));
        MassProperties { mass, centre, inertia: turned - shift }
    }

    /// The properties as seen from another frame: `frame` is where the present one sits in it.
    pub fn moved(&self, frame: &Frame) -> Self {
        let rotation = frame.orientation.to_matrix();
        MassProperties {
            mass: self.mass,
            centre: frame.transform_point(&self.centre),
            inertia: rotation * self.inertia * rotation.transpose(),
        }
    }

    /// Two bodies welded together.
    pub fn plus(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return *self;
        }
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let part = |p: &Self| p.inertia + steiner(p.mass, &(p.centre - centre));
        MassProperties { mass, centre, inertia: part(self) + part(other) }
    }

    /// Says what no body can have.
    pub(crate) fn validate(&self) -> Result<(), Refusal> {
        let finite = self.mass.is_finite()
            && self.centre.iter().chain(self.inertia.iter()).all(|x| x.is_finite());
        if !finite {
            return Err("mass, centre of mass and inertia must be finite numbers".into());
        }
        if self.mass < 0.0 {
            return Err(format!("a mass of {} kg is negative", self.mass).into());
        }
        if (self.inertia - self.inertia.transpose()).amax() > 1e-9 * self.inertia.amax() {
            return Err("the inertia matrix is not symmetric".into());
        }
        let principal = self.inertia.symmetric_eigenvalues();
        let (largest, smallest) = (principal.amax(), principal.min());
        if smallest < -1e-9 * largest {
            return Err(refusal!(
                "the inertia has a negative principal moment, {smallest:.4e} kg m²";
                "was it given about another point than stated?"
            ));
        }
        Ok(())
    }
}

/// Inertia of a point mass at `c`.
fn steiner(mass: f64, c: &Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::identity() * c.norm_squared() - c * c.transpose()) * mass
}

#[cfg(test)]
mod tests {
    use super::*;
    use rotula_lie::Quaternion;

    fn body() -> MassProperties {
        let inertia = Matrix3::new(2.0, 0.1, -0.2, 0.1, 3.0, 0.3, -0.2, 0.3, 2.5);
        MassProperties::new(1.7, Vector3::new(0.3, -0.4, 0.5), inertia)
    }

    #[test]
    fn inertia_about_any_frame_comes_back() {
        let body = body();
        let frame = Frame::new(
            Vector3::new(0.7, 0.1, -0.9),
            Quaternion::exp(&Vector3::new(0.3, -1.0, 0.4)),
        );
        let rotation = frame.orientation.to_matrix();
        let about = rotation.transpose()
            * (body.inertia + steiner(body.mass, &(body.centre - frame.position)))
            * rotation;
        let back = MassProperties::about(body.mass, body.centre, about, &frame);
        assert!((back.inertia - body.inertia).amax() < 1e-14);
    }

    #[test]
    fn welding_keeps_the_kinetic_energy_of_rotation() {
        let (a, b) = (
            body(),
            body().moved(&Frame::new(Vector3::new(1.0, 2.0, 3.0), Quaternion::exp(&Vector3::x()))),
        );
        let whole = a.plus(&b);
        let omega = Vector3::new(0.4, 1.0, -0.7);
        let energy = |p: &MassProperties, about: &Vector3<f64>| {
            let v = omega.cross(&(p.centre - about));
            0.5 * p.mass * v.norm_squared() + 0.5 * omega.dot(&(p.inertia * omega))
        };
        let about = Vector3::new(-0.3, 0.2, 0.1);
        let parts = energy(&a, &about) + energy(&b, &about);
        assert!((energy(&whole, &about) - parts).abs() < 1e-13 * parts);
    }

    #[test]
    fn impossible_inertia_is_refused() {
        let bad = MassProperties::principal(1.0, Vector3::new(1.0, -1.0, 1.0));
        assert!(bad.validate().unwrap_err().what.contains("negative principal moment"));
        let bad = MassProperties::principal(-1.0, Vector3::zeros());
        assert!(bad.validate().unwrap_err().what.contains("negative"));
    }
}
