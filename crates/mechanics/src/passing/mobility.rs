//! How a force moves a body on which nothing else acts.

use crate::node::Motion;
use nalgebra::{Matrix3, Vector3};

/// What the inertia of a body lets a force do; nothing for the ground.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mobility {
    inverse_mass: f64,
    inverse_moments: Matrix3<f64>,
}

impl Mobility {
    /// That of a body; one without rotational inertia moves as a point does.
    pub(crate) fn new(mass: f64, moments: &Matrix3<f64>) -> Self {
        let inverse_mass = if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let inverse = moments.try_inverse().filter(|inverse| inverse.iter().all(|x| x.is_finite()));
        Mobility { inverse_mass, inverse_moments: inverse.unwrap_or_default() }
    }

    /// How much the point of a body at a place accelerates along a direction, by a force of one along it.
    pub(crate) fn along(&self, motion: &Motion, place: &Vector3<f64>, way: &Vector3<f64>) -> f64 {
        let arm = motion.into_body(&(place - motion.position));
        let moment = arm.cross(&motion.into_body(way));
        self.inverse_mass + moment.dot(&(self.inverse_moments * moment))
    }
}
