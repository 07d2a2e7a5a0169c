//! Numbers so odd that units are probably mixed: hints, never errors.

use nalgebra::Vector3;
use rotula_mechanics::node::NodeKind;
use rotula_mechanics::{Body, Model};

/// The weakest and strongest gravity of the larger moons and planets, m/s², with some room.
const GRAVITIES: std::ops::Range<f64> = 1.0..30.0;
/// Gravities of this size and beyond are named with their units elsewhere.
const FOREIGN: f64 = 300.0;
/// A radius of gyration so many times the size of a body is odd.
const FAR: f64 = 20.0;
/// A model larger than this, in metres, and thinner than this, in kg/m³, is odd.
const LARGE: f64 = 50.0;
const THIN: f64 = 1e-3;

/// Looks at gravity, inertias and lengths.
pub(crate) fn hints(model: &Model) -> Vec<String> {
    let mut hints = Vec::new();
    let gravity = model.gravity.norm();
    if gravity != 0.0 && gravity < FOREIGN && !GRAVITIES.contains(&gravity) {
        hints.push(format!("gravity is {gravity} m/s²; on Earth it is 9.81 m/s²"));
    }
    for (node, (name, body)) in model.bodies().iter().enumerate().skip(1) {
        hints.extend(impossible(name, body));
        hints.extend(too_wide(name, body, size(model, node)));
    }
    hints.extend(millimetres(model));
    hints
}

/// Moments that no distribution of mass has; model files cannot give them, imported ones can.
fn impossible(name: &str, body: &Body) -> Option<String> {
    if body.kind != NodeKind::Spatial {
        return None;
    }
    let moments = body.mass.inertia.symmetric_eigenvalues();
    let largest = moments.max();
    (largest > 0.5 * moments.sum() * (1.0 + 1e-6)).then(|| {
        format!(
            "the largest principal moment of `{name}`, {largest:.4e} kg m², exceeds the sum of the \
             others; no distribution of mass has such moments"
        )
    })
}

/// How far the joints of a body are from its centre of mass, and how far its shapes reach.
fn size(model: &Model, node: usize) -> f64 {
    let joints = model.joints().iter().flat_map(|joint| [joint.pair.a, joint.pair.b]);
    let own = joints.filter(|marker| marker.node == node);
    own.map(|marker| marker.frame.position.norm()).fold(0.0, f64::max)
}

fn too_wide(name: &str, body: &Body, size: f64) -> Option<String> {
    let largest = body.mass.inertia.symmetric_eigenvalues().max();
    if body.mass.mass <= 0.0 || largest <= 0.0 || size == 0.0 || !body.shapes.is_empty() {
        return None;
    }
    let gyration = (largest / body.mass.mass).sqrt();
    (gyration > FAR * size).then(|| {
        format!(
            "the inertia of `{name}` belongs to a radius of gyration of {gyration:.3} m, but its \
             joints are within {size:.3} m of its centre; is the inertia in kg m²?"
        )
    })
}

/// A large model of hardly any mass was probably measured in millimetres.
fn millimetres(model: &Model) -> Option<String> {
    let places: Vec<Vector3<f64>> = model.bodies().iter().map(|(_, b)| b.frame.position).collect();
    let apart = |a: &Vector3<f64>| places.iter().map(|b| (a - b).norm()).fold(0.0, f64::max);
    let extent = places.iter().map(apart).fold(0.0, f64::max);
    let mass: f64 = model.bodies().iter().map(|(_, body)| body.mass.mass).sum();
    // the mass of beams is not that of their nodes
    let rigid = model.elements().is_empty();
    (rigid && extent > LARGE && mass < THIN * extent.powi(3)).then(|| {
        format!(
            "the model extends over {extent:.4} m and has a mass of {mass:.4} kg in all; are its \
             lengths in millimetres? Rotula uses metres"
        )
    })
}
