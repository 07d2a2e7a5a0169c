//! Heavy top: a rigid body on a ball joint, as in Brüls, Cardona and Arnold (2012).

use super::connect;
use nalgebra::Vector3;
use rotula_lie::Retraction;
use rotula_mechanics::joint::Spherical;
use rotula_mechanics::{Body, GROUND, MassProperties, Model, ModelError};

/// The top with its tip in the origin and its centre at (0, 1, 0).
pub fn heavy_top(retraction: Retraction) -> Result<Model, ModelError> {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    model.retraction = retraction;
    let spin = Vector3::new(0.0, 150.0, -4.61538);
    let centre = Vector3::y();
    let mass = MassProperties::principal(15.0, Vector3::new(0.234375, 0.46875, 0.234375));
    let top = Body::rigid(mass).at(centre).moving(spin.cross(&centre), spin);
    let top = model.body("top", top)?;
    connect(&mut model, "tip", &Spherical, [GROUND, top], (Vector3::zeros(), Vector3::z()))?;
    Ok(model)
}
