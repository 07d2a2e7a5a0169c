//! Flexible bodies: surfaces that are sums of shapes, whose amplitudes move. The format has the same
//! words, so that nothing is approximated.

use super::document::{CORNERS, Document};
use rotula_mechanics::picture::Skin;
use serde_json::json;

/// Adds the surface of a flexible body as a node in the axes of the body.
pub(super) fn skin(skin: &Skin, document: &mut Document) -> usize {
    let shapes = &skin.shapes;
    let position = document.vectors(&shapes.rest, Some(CORNERS));
    let targets: Vec<_> = shapes
        .moves
        .iter()
        .map(|moves| json!({ "POSITION": document.vectors(moves, Some(CORNERS)) }))
        .collect();
    let indices = document.indices(&skin.triangles);
    // without normals, viewers find those of the deformed faces
    let mut shape = json!({ "attributes": { "POSITION": position }, "indices": indices });
    if !targets.is_empty() {
        shape["targets"] = targets.into();
    }
    let mesh = document.mesh(&shape, skin.body);
    let origin = shapes.origin;
    let node = document.node(json!({
        "name": "surface",
        "mesh": mesh,
        "translation": [origin.x, origin.y, origin.z],
    }));
    if let Some(first) = shapes.amplitudes.first().filter(|first| !first.is_empty()) {
        document.meshes[mesh]["weights"] = first.clone().into();
        let weights: Vec<f32> =
            shapes.amplitudes.iter().flatten().map(|amplitude| *amplitude as f32).collect();
        let output = document.floats(&weights, "SCALAR", None);
        document.animate(node, "weights", output, true);
    }
    node
}
