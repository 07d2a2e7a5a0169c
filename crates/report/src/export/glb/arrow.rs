//! Forces: arrows that turn and grow.

use super::document::Document;
use crate::film::solid::{Solid, turned};
use crate::film::strengths::usual;
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::marker::frame_along;
use rotula_mechanics::picture::{ArrowKind, Film};
use serde_json::{Value, json};

/// Length of a usual force, as a part of the size of the mechanism.
const LENGTH: f64 = 0.25;
const SIDES: usize = 12;
/// Where the head begins, and radii of shaft and head, as parts of the length.
const NECK: f64 = 0.75;
const SHAFT: f64 = 0.02;
const HEAD: f64 = 0.06;

/// Colours of reactions and contacts, as on the page.
pub(super) const COLOURS: [[u8; 3]; 2] = [[0xd9, 0x82, 0x0b], [0xc8, 0x43, 0x4e]];

/// Adds all forces; the two materials begin with a number.
pub(super) fn arrows(
    film: &Film,
    size: f64,
    materials: usize,
    document: &mut Document,
) -> Vec<usize> {
    let Some((usual, crowd)) = usual(film) else { return Vec::new() };
    let scale = LENGTH * size / (usual * crowd);
    let shape = document.shape(&arrow());
    let mut nodes = Vec::new();
    let mut meshes = [None, None];
    let mut add = |name: &str, kind: usize, way: &Way, document: &mut Document| {
        let mesh = *meshes[kind].get_or_insert_with(|| document.mesh(&shape, materials + kind));
        nodes.push(way.node(json!({ "name": name, "mesh": mesh }), kind == 0, scale, document));
    };
    for arrow in &film.arrows {
        let kind = usize::from(arrow.kind == ArrowKind::Contact);
        let way = Way { places: arrow.places.clone(), forces: arrow.forces.clone() };
        add(&arrow.name, kind, &way, document);
    }
    // those that come and go take turns: the strongest of each time in one, the next in the next
    let times = film.contacts.times();
    let most = (0..times).map(|time| film.contacts.at(time).len()).max().unwrap_or(0);
    for k in 0..most {
        let mut way = Way { places: Vec::new(), forces: Vec::new() };
        for time in 0..times {
            let found = film.contacts.at(time).get(k);
            let before = way.places.last().copied().unwrap_or_default();
            way.places.push(found.map_or(before, |found| found.place.into()));
            way.forces.push(found.map_or(Vector3::zeros(), |found| found.force.into()));
        }
        add(&format!("contact {}", k + 1), 1, &way, document);
    }
    nodes
}

/// A force over time.
struct Way {
    places: Vec<Vector3<f64>>,
    forces: Vec<Vector3<f64>>,
}

impl Way {
    fn node(&self, node: Value, smooth: bool, scale: f64, document: &mut Document) -> usize {
        let node = document.node(node);
        let mut turn = Quaternion::identity();
        let frames: Vec<Frame> = self
            .places
            .iter()
            .zip(&self.forces)
            .map(|(place, force)| {
                if force.norm() > 0.0 {
                    turn = frame_along(*place, *force).orientation;
                }
                Frame::new(*place, turn)
            })
            .collect();
        document.carry(node, &frames, smooth);
        let sizes: Vec<Vector3<f64>> =
            self.forces.iter().map(|force| Vector3::repeat(force.norm() * scale)).collect();
        document.stretch(node, &sizes, smooth);
        node
    }
}

/// An arrow of length one along z.
fn arrow() -> Solid {
    let slope = HEAD.hypot(1.0 - NECK);
    let (out, up) = ((1.0 - NECK) / slope, HEAD / slope);
    let profile = [
        [0.0, 0.0, 0.0, -1.0],
        [SHAFT, 0.0, 0.0, -1.0],
        [SHAFT, 0.0, 1.0, 0.0],
        [SHAFT, NECK, 1.0, 0.0],
        [SHAFT, NECK, 0.0, -1.0],
        [HEAD, NECK, 0.0, -1.0],
        [HEAD, NECK, out, up],
        [0.0, 1.0, out, up],
    ];
    turned(&profile, SIDES)
}
