//! Flexible bodies: surfaces that are sums of shapes, whose amplitudes move. The format has the same
//! words, so that nothing is approximated.

use super::document::{CORNERS, Document};
use super::heat;
use rotula_mechanics::picture::Skin;
use serde_json::json;

/// What its colours mean, with the unit.
fn named(skin: &Skin) -> String {
    let field = skin.fields.first();
    field.map_or_else(String::new, |field| match field.unit.as_str() {
        "" => field.quantity.clone(),
        unit => format!("{}, {unit}", field.quantity),
    })
}

/// Adds the surface of a flexible body as a node in the axes of the body. Values at its points, if it has any, are shown in
/// the colours of a range, by a material for such surfaces.
pub(super) fn skin(
    skin: &Skin,
    (range, painted): ([f64; 2], usize),
    document: &mut Document,
) -> usize {
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
    let (values, limits) = (heat::largest(skin), heat::limits(range));
    let mesh = match values.is_empty() {
        true => document.mesh(&shape, skin.body),
        false => {
            let colours: Vec<f32> =
                values.iter().flat_map(|value| heat::colour(*value, limits)).collect();
            let colours = document.floats(&colours, "VEC3", Some(CORNERS));
            shape["attributes"]["COLOR_0"] = colours.into();
            let mesh = document.mesh(&shape, painted);
            document.meshes[mesh]["extras"] = json!({
                "colours": format!("{}, the largest of each point over time", named(skin)),
                "range": limits,
            });
            mesh
        }
    };
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
