//! Paths of points, as lines that stand still.

use super::document::{CORNERS, Document};
use nalgebra::Vector3;
use rotula_mechanics::picture::Film;
use serde_json::json;

/// The colour of paths.
pub(super) const COLOUR: [u8; 3] = [0x5b, 0x61, 0x68];
/// A word of the format: each point is joined to the next.
const STRIP: u32 = 3;

/// Adds the paths of all points that are traced; one instant makes no path.
pub(super) fn paths(film: &Film, material: usize, document: &mut Document) -> Vec<usize> {
    if film.times.len() < 2 {
        return Vec::new();
    }
    let mut path = |(name, marker): &(String, rotula_mechanics::Marker)| {
        let place = |k: usize| (film.frames_at(k)[marker.node] * marker.frame).position;
        let points: Vec<Vector3<f64>> = (0..film.times.len()).map(place).collect();
        let position = document.vectors(&points, Some(CORNERS));
        let shape = json!({ "attributes": { "POSITION": position }, "mode": STRIP });
        let mesh = document.mesh(&shape, material);
        document.node(json!({ "name": format!("path of {name}"), "mesh": mesh }))
    };
    film.traced.iter().map(&mut path).collect()
}
