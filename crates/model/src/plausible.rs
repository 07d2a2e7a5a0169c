//! Numbers so odd that units are probably mixed: hints, never errors.

use nalgebra::Vector3;
use rotula_elastic::Surface;
use rotula_mechanics::node::NodeKind;
use rotula_mechanics::picture::{BentBody, Sketch};
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
/// Mass over the cube of the size, in kg/m³: no matter is denser, no structure lighter.
const DENSITIES: std::ops::Range<f64> = 1e-6..23_000.0;
/// No wave travels faster than this through matter, in m/s.
const SOUND: f64 = 2e4;

/// Looks at gravity, inertias and lengths.
pub(crate) fn hints(model: &Model, sketch: &Sketch) -> Vec<String> {
    let mut hints = Vec::new();
    let gravity = model.gravity.norm();
    if gravity != 0.0 && gravity < FOREIGN && !GRAVITIES.contains(&gravity) {
        hints.push(format!("gravity is {gravity} m/s²; on Earth it is 9.81 m/s²"));
    }
    for ((name, body), reach) in model.bodies().iter().zip(reaches(model)).skip(1) {
        hints.extend(impossible(name, body));
        hints.extend(too_wide(name, body, reach));
    }
    hints.extend(millimetres(model));
    hints.extend(sketch.flexible.iter().filter_map(odd_units));
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

/// How far the joints of each body are from its centre of mass.
fn reaches(model: &Model) -> Vec<f64> {
    let mut reaches = vec![0.0_f64; model.bodies().len()];
    for marker in model.joints().iter().flat_map(|joint| [joint.pair.a, joint.pair.b]) {
        reaches[marker.node] = reaches[marker.node].max(marker.frame.position.norm());
    }
    reaches
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
    let extent = around(model.bodies().iter().map(|(_, body)| body.frame.position)).norm();
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

/// The longest side of the box around a mesh.
pub(crate) fn size(surface: &Surface) -> f64 {
    around(surface.positions.chunks_exact(3).map(Vector3::from_column_slice)).max()
}

/// The sides of the box around places.
fn around(places: impl Iterator<Item = Vector3<f64>>) -> Vector3<f64> {
    let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    for place in places {
        (low, high) = (low.inf(&place), high.sup(&place));
    }
    high - low
}

/// A flexible body that is too light, too heavy or too fast for its size.
fn odd_units(bent: &BentBody) -> Option<String> {
    let (name, shapes) = (&bent.name, &bent.laid.shapes);
    let size = size(&shapes.surface);
    if !(size > 0.0 && size.is_finite()) {
        return None;
    }
    let density = shapes.inertia.mass / size.powi(3);
    if !DENSITIES.contains(&density) {
        return Some(format!(
            "the flexible body `{name}` is {size:.4} m long and has a mass of {:.4e} kg; is its mesh in \
             millimetres and tonnes? Reduce it again with `--units mm`",
            shapes.inertia.mass
        ));
    }
    let lowest = shapes.frequencies().into_iter().reduce(f64::min)?;
    (lowest * size > SOUND).then(|| {
        format!(
            "the flexible body `{name}` is {size:.4} m long and its lowest frequency is {lowest:.4e} Hz; \
             no wave travels so fast. Is its mesh in millimetres? Reduce it again with `--units mm`"
        )
    })
}
