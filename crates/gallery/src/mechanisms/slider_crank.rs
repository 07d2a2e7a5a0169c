//! Slider cranks in the plane and in space.

use super::{bar, connect, pin};
use nalgebra::{Matrix3, Vector3};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::joint::{Prismatic, Revolute, Spherical};
use rotula_mechanics::{Body, GROUND, MassProperties, Model, ModelError};

/// A planar slider crank with uniform bars.
#[derive(Clone, Copy, Debug)]
pub struct Planar {
    /// Lengths of crank and rod.
    pub lengths: [f64; 2],
    /// Masses of crank, rod and slider.
    pub masses: [f64; 3],
    /// Gravity along −y.
    pub gravity: f64,
    /// Torque on the crank.
    pub torque: f64,
    /// Crank angle at the start.
    pub angle: f64,
    /// Its rate.
    pub rate: f64,
}

/// Bodies in this order: crank, rod, slider.
pub fn planar(given: &Planar) -> Result<Model, ModelError> {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -given.gravity, 0.0);
    let [crank, rod] = given.lengths;
    let origin = Vector3::zeros();
    let knee = Vector3::new(given.angle.cos(), given.angle.sin(), 0.0) * crank;
    let knee_velocity = Vector3::new(0.0, 0.0, given.rate).cross(&knee);
    let end = Vector3::new(knee.x + (rod * rod - knee.y * knee.y).sqrt(), 0.0, 0.0);
    let along = end - knee;
    // the rod keeps its length
    let end_velocity = Vector3::new(along.dot(&knee_velocity) / along.x, 0.0, 0.0);
    let [m1, m2, m3] = given.masses;
    let crank = model.body("crank", bar(m1, [origin, knee], [origin, knee_velocity]))?;
    let rod = model.body("rod", bar(m2, [knee, end], [knee_velocity, end_velocity]))?;
    // it does not turn, so its inertia is of no account
    let slider = Body::planar(m3, 1e-3).at(end).moving(end_velocity, origin);
    let slider = model.body("slider", slider)?;
    pin(&mut model, "main bearing", [GROUND, crank], origin)?;
    pin(&mut model, "crank pin", [crank, rod], knee)?;
    pin(&mut model, "piston pin", [rod, slider], end)?;
    connect(&mut model, "guide", &Prismatic, [GROUND, slider], (end, Vector3::x()))?;
    let zero = Amplitude::Constant(0.0);
    let marker = model.marker(crank, Frame::identity());
    let moment = [zero, zero, Amplitude::Constant(given.torque)];
    model.force("torque", Load::new(marker, Axes::World, [zero; 3], moment))?;
    Ok(model)
}

/// The spatial slider crank: a rod with a ball at either end between a crank that turns about an axis
/// along x and a slider on the x axis. Bodies in this order: crank, rod, slider.
pub fn spatial() -> Result<Model, ModelError> {
    let (crank, rod, rate) = (0.08_f64, 0.3_f64, 6.0_f64);
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let axis = Vector3::new(0.0, 0.1, 0.12);
    let spin = Vector3::new(rate, 0.0, 0.0);
    let arm = Vector3::new(0.0, 0.0, crank);
    let (knee, knee_velocity) = (axis + arm, spin.cross(&arm));
    let reach = rod * rod - knee.y * knee.y - knee.z * knee.z;
    let end = Vector3::new(reach.sqrt(), 0.0, 0.0);
    let along = end - knee;
    let end_velocity = Vector3::new(along.dot(&knee_velocity) / along.x, 0.0, 0.0);
    let wheel = MassProperties::principal(0.12, Vector3::repeat(1e-4));
    let wheel = Body::rigid(wheel).at(axis).moving(Vector3::zeros(), spin);
    let wheel = model.body("crank", wheel)?;
    let (mass, thickness) = (0.5, 0.02);
    let across = mass * rod * rod / 12.0;
    let moments = Vector3::new(mass * thickness * thickness / 8.0, across, across);
    let x = along / rod;
    let y = x.cross(&Vector3::z()).normalize();
    let turn = Quaternion::from_matrix(&Matrix3::from_columns(&[x, y, x.cross(&y)]));
    let link = Body::rigid(MassProperties::principal(mass, moments))
        .at_frame(Frame::new((knee + end) * 0.5, turn))
        .moving(
            (knee_velocity + end_velocity) * 0.5,
            // without spin about its own axis
            along.cross(&(end_velocity - knee_velocity)) / (rod * rod),
        );
    let link = model.body("rod", link)?;
    let block = Body::rigid(MassProperties::principal(2.0, Vector3::repeat(1e-3)));
    let slider = model.body("slider", block.at(end).moving(end_velocity, Vector3::zeros()))?;
    let (x, z) = (Vector3::x(), Vector3::z());
    connect(&mut model, "main bearing", &Revolute, [GROUND, wheel], (axis, x))?;
    connect(&mut model, "crank pin", &Spherical, [wheel, link], (knee, z))?;
    connect(&mut model, "piston pin", &Spherical, [link, slider], (end, z))?;
    connect(&mut model, "guide", &Prismatic, [GROUND, slider], (end, x))?;
    Ok(model)
}
