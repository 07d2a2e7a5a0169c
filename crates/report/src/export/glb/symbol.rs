//! Joints: a pin for those that turn about an axis, a block for those that slide, a ball for others, as on the page.

use super::document::Document;
use crate::film::solid::{cylinder, sphere};
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::Marker;
use rotula_mechanics::joint::Symbol;
use rotula_mechanics::marker::frame_along;
use rotula_mechanics::picture::{Film, Held};
use serde_json::json;

/// The colour of joints.
pub(super) const COLOUR: [u8; 3] = [0x22, 0x27, 0x2b];

/// What stands for a joint: which of the shapes ball, pin and block, its radius and its length, both as multiples of
/// the radius of a bar. A block is a cylinder of four sides.
fn symbol(symbol: Symbol) -> Option<(usize, f64, f64)> {
    match symbol {
        Symbol::Pin => Some((1, 1.8, 7.0)),
        Symbol::Guide | Symbol::Plate => Some((2, 2.6, 5.0)),
        Symbol::Ball | Symbol::Weld => Some((0, 1.9, 1.9)),
        Symbol::Wheel | Symbol::Rod | Symbol::Unseen => None,
    }
}

/// Adds the joints of a film in a material; `thin` is the radius of a bar.
pub(super) fn joints(
    film: &Film,
    thin: f64,
    material: usize,
    document: &mut Document,
) -> Vec<usize> {
    let mut meshes = [None; 3];
    let mut nodes = Vec::new();
    for piece in &film.pieces {
        let Held::Joint { name, at, axis, symbol: kind, .. } = &piece.held else { continue };
        let Some((which, radius, length)) = symbol(*kind) else { continue };
        let mesh = *meshes[which].get_or_insert_with(|| {
            let solid = match which {
                0 => sphere(16),
                1 => cylinder(16),
                _ => cylinder(4),
            };
            let shape = document.shape(&solid);
            document.mesh(&shape, material)
        });
        let (radius, length) = (radius * thin, length * thin);
        let node = document.node(json!({
            "name": format!("joint {name}"),
            "mesh": mesh,
            "scale": [radius, radius, length],
        }));
        // a ball is about its middle, the others begin with their foot
        let foot = if which == 0 { 0.0 } else { 0.5 * length };
        let place = |frames: &[Frame]| placed(frames, [at, axis], foot);
        let still = [at, axis].iter().all(|marker| marker.node == 0);
        let count = if still { 1 } else { film.times.len() };
        let frames: Vec<Frame> = (0..count).map(|k| place(film.frames_at(k))).collect();
        match still {
            true => document.put(node, &frames[0]),
            false => document.carry(node, &frames, true),
        }
        nodes.push(node);
    }
    nodes
}

/// The origin of a marker, moved back along the z axis of another.
fn placed(frames: &[Frame], [at, axis]: [&Marker; 2], back: f64) -> Frame {
    let origin = (frames[at.node] * at.frame).position;
    let along = (frames[axis.node] * axis.frame).orientation.rotate(&Vector3::z());
    frame_along(origin - along * back, along)
}
