//! A chain of rigid bodies with revolute joints of four directions, stretched out.

use nalgebra::Vector3;
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::{Body, GROUND, MassProperties, Model};

/// The chain with `n` links.
pub fn chain(n: usize) -> Model {
    let (length, width, mass) = (0.1, 0.02, 0.1);
    let across = mass / 12.0 * (length * length + width * width);
    let inertia = Vector3::new(mass / 12.0 * 2.0 * width * width, across, across);
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let mut last = GROUND;
    for i in 0..n {
        let at = Vector3::new((i as f64 + 0.5) * length, 0.0, 0.0);
        let link = Body::rigid(MassProperties::principal(mass, inertia)).at(at);
        let link = model.body(&format!("link {}", i + 1), link).expect("a new name");
        let angle = std::f64::consts::FRAC_PI_4 * (i % 4) as f64;
        let axis = Vector3::new(0.0, angle.cos(), angle.sin());
        let hinge = model.frame(Vector3::new(i as f64 * length, 0.0, 0.0), axis);
        let (a, b) = (model.marker_at(last, hinge), model.marker_at(link, hinge));
        model.joint(&format!("hinge {}", i + 1), &Revolute, a, b).expect("a sound joint");
        last = link;
    }
    model
}
