//! The mechanism in motion as animated glTF, in one binary file.
//!
//! Bodies, springs, rods and forces become nodes that move, beams and cables tubes that joints carry,
//! flexible bodies sums of shapes whose amplitudes move. Joints have symbols, traced points their paths. The format
//! has no words for colours that change: where a flexible body has stresses, the colour of a point is that of
//! its largest in the whole film. Time begins with zero.

mod arrow;
mod document;
mod heat;
mod path;
mod skin;
mod symbol;
mod tube;

use crate::atomic;
use crate::error::Error;
use crate::film::solid::{cylinder, sphere};
use crate::film::surface::surface;
use crate::film::{THIN, first_parts, ranges, rigid, size};
use crate::picture::{colour, extent};
use document::{CORNERS, Document, container, turn};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::marker::frame_along;
use rotula_mechanics::picture::{Film, Form, Held, Line};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Writes a film as a binary glTF file.
pub fn write_glb(path: &Path, film: &Film) -> Result<(), Error> {
    let bytes = glb(film).ok_or_else(|| Error::Nothing { path: path.to_owned() })?;
    atomic::write(path, |file| file.write_all(&bytes))
}

fn glb(film: &Film) -> Option<Vec<u8>> {
    let size = size(&extent(&first_parts(film)?));
    let thin = THIN * size;
    let mut document = Document::default();
    let start = film.times[0];
    let times: Vec<f32> = film.times.iter().map(|t| (t - start) as f32).collect();
    document.times = document.floats(&times, "SCALAR", None);
    let (ball, bar) = (document.shape(&sphere(24)), document.shape(&cylinder(24)));
    // the materials of bodies, of both kinds of forces, and then
    let [pins, ways, painted] = [2, 3, 4].map(|k| film.bodies.len() + k);
    let ranges = ranges(film);
    let mut top = Vec::new();
    for body in 0..film.bodies.len() {
        let mut children = forms(film, body, &mut document, [&ball, &bar], thin);
        let skins = film.skins.iter().filter(|skin| skin.body == body);
        children.extend(skins.map(|skin| {
            let quantity = skin.fields.first().map(|field| field.quantity.as_str());
            let range = quantity.and_then(|own| ranges.get(own)).copied().unwrap_or_default();
            skin::skin(skin, (range, painted), &mut document)
        }));
        if children.is_empty() && film.bodies[body].part_of.is_some() {
            // the whole shows it
            continue;
        }
        let mut node = json!({ "name": film.bodies[body].name });
        if !children.is_empty() {
            node["children"] = children.into();
        }
        let node = document.node(node);
        if body > 0 {
            let count = film.times.len();
            let frames: Vec<Frame> = (0..count).map(|k| film.frames_at(k)[body]).collect();
            document.carry(node, &frames, true);
        }
        top.push(node);
    }
    lines(film, &mut document, &bar, thin, &mut top);
    top.extend(arrow::arrows(film, size, film.bodies.len(), &mut document));
    top.extend(symbol::joints(film, thin, pins, &mut document));
    top.extend(path::paths(film, ways, &mut document));
    let (tubes, joints) = tube::tubes(film, &mut document);
    top.extend(joints);
    // the format has y upwards
    let up = if film.gravity.norm() > 0.0 { -film.gravity.normalize() } else { Vector3::z() };
    let root =
        document.node(json!({ "name": "world", "rotation": turn(&upright(up)), "children": top }));
    let shades = (0..film.bodies.len()).map(|body| {
        let actor = &film.bodies[body];
        (actor.name.as_str(), colour(body, actor.colour.as_deref()), actor.opacity)
    });
    let forces = ["reaction", "contact"].into_iter().zip(arrow::COLOURS);
    let forces = forces.map(|(name, shade)| (name, shade, 1.0));
    // colours of points are multiplied with that of the material
    let others = [("joint", symbol::COLOUR), ("path", path::COLOUR), ("values", [255; 3])];
    let others = others.map(|(name, shade)| (name, shade, 1.0));
    let materials = shades.chain(forces).chain(others).map(|(name, shade, opacity)| {
        let shade = shade.map(|part| linear(f64::from(part)));
        json!({
            "name": name,
            "alphaMode": if opacity < 1.0 { "BLEND" } else { "OPAQUE" },
            "pbrMetallicRoughness": {
                "baseColorFactor": [shade[0], shade[1], shade[2], opacity],
                "metallicFactor": 0.1,
                "roughnessFactor": 0.6,
            },
        })
    });
    // carried surfaces must not be carried twice
    let scene: Vec<usize> = [root].into_iter().chain(tubes).collect();
    let mut head = json!({
        "asset": { "version": "2.0", "generator": concat!("rotula ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": scene }],
        "nodes": document.nodes,
        "meshes": document.meshes,
        "materials": materials.collect::<Vec<_>>(),
        "animations": [{ "name": "motion", "samplers": document.samplers, "channels": document.channels }],
        "accessors": document.accessors,
        "bufferViews": document.views,
        "buffers": [{ "byteLength": document.bytes.len() }],
    });
    if !document.skins.is_empty() {
        head["skins"] = document.skins.into();
    }
    Some(container(head.to_string().into_bytes(), document.bytes))
}

/// What is fixed to a body, as nodes.
fn forms(
    film: &Film,
    body: usize,
    document: &mut Document,
    [ball, bar]: [&Value; 2],
    thin: f64,
) -> Vec<usize> {
    let mut nodes = Vec::new();
    let faces = surface(rigid(film, body));
    if !faces.corners.is_empty() {
        let position = document.vectors(&faces.corners, Some(CORNERS));
        let normal = document.vectors(&faces.normals, Some(CORNERS));
        let shape = json!({ "attributes": { "POSITION": position, "NORMAL": normal } });
        let mesh = document.mesh(&shape, body);
        nodes.push(document.node(json!({ "mesh": mesh })));
    }
    let mut meshes = [None, None];
    for form in rigid(film, body) {
        let (which, place) = match form {
            Form::Ball { centre, radius } => {
                (0, json!({ "translation": list(centre), "scale": [radius, radius, radius] }))
            }
            Form::Mass(at) => {
                let radius = 2.4 * thin;
                (0, json!({ "translation": list(at), "scale": [radius, radius, radius] }))
            }
            Form::Bar([a, b]) if a != b => {
                let frame = frame_along(*a, b - a);
                (
                    1,
                    json!({
                        "translation": list(a),
                        "rotation": turn(&frame.orientation),
                        "scale": [thin, thin, (b - a).norm()],
                    }),
                )
            }
            _ => continue,
        };
        let mesh = *meshes[which].get_or_insert_with(|| document.mesh([ball, bar][which], body));
        let mut node = place;
        node["mesh"] = mesh.into();
        nodes.push(document.node(node));
    }
    nodes
}

/// Springs and rods: cylinders that stretch.
fn lines(film: &Film, document: &mut Document, bar: &Value, thin: f64, top: &mut Vec<usize>) {
    for piece in &film.pieces {
        let Held::Between([a, b], line) = &piece.held else { continue };
        let (name, radius) = match line {
            Line::Spring | Line::SpringDamper => ("spring", 1.4 * thin),
            Line::Damper => ("damper", 1.4 * thin),
            Line::Rod => ("rod", 0.6 * thin),
        };
        let mesh = document.mesh(bar, 0);
        let node = document.node(json!({ "name": name, "mesh": mesh }));
        let (mut frames, mut scales) = (Vec::new(), Vec::new());
        for k in 0..film.times.len() {
            let all = film.frames_at(k);
            let [from, to] = [a, b].map(|end| (all[end.node] * end.frame).position);
            let length = (to - from).norm();
            frames.push(match length > 0.0 {
                true => frame_along(from, to - from),
                false => Frame::new(from, Quaternion::identity()),
            });
            scales.push(Vector3::new(radius, radius, length));
        }
        document.carry(node, &frames, true);
        document.stretch(node, &scales, true);
        top.push(node);
    }
}

/// The rotation that turns a direction to y.
fn upright(up: Vector3<f64>) -> Quaternion {
    let axis = up.cross(&Vector3::y());
    match axis.norm() > 1e-9 {
        true => {
            Quaternion::exp(&(axis.normalize() * up.dot(&Vector3::y()).clamp(-1.0, 1.0).acos()))
        }
        false if up.y > 0.0 => Quaternion::identity(),
        false => Quaternion::exp(&(Vector3::x() * std::f64::consts::PI)),
    }
}

/// From the values of a screen to amounts of light.
fn linear(part: f64) -> f64 {
    (part / 255.0).powf(2.2)
}

fn list(v: &Vector3<f64>) -> [f64; 3] {
    [v.x, v.y, v.z]
}
