//! The mechanism in motion as animated glTF, in one binary file.
//!
//! Bodies, springs and rods become nodes that move; forces and bent bodies are left out: the format
//! has no words for them. Time begins with zero.

use crate::atomic;
use crate::error::Error;
use crate::film::solid::{Solid, cylinder, sphere};
use crate::film::surface::surface;
use crate::film::{THIN, first_parts, rigid, size};
use nalgebra::Vector3;
use rotula_draw::{colour, extent};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::marker::frame_along;
use rotula_mechanics::picture::{Film, Form, Held, Line};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

// Words of the format.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const CORNERS: u32 = 34962;
const INDICES: u32 = 34963;

/// Writes a film as a binary glTF file.
pub fn write_glb(path: &Path, film: &Film) -> Result<(), Error> {
    let bytes = glb(film).ok_or_else(|| Error::Nothing { path: path.to_owned() })?;
    atomic::write(path, |file| file.write_all(&bytes))
}

/// The document under construction.
#[derive(Default)]
struct Document {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// The accessor of the times.
    times: usize,
}

impl Document {
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let mut view =
            json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    /// Numbers in tuples of one kind.
    fn floats(&mut self, numbers: &[f32], kind: &str, target: Option<u32>) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(&bytes, target);
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let bound = |start: f32, f: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..width)
                .map(|k| numbers.iter().skip(k).step_by(width).copied().fold(start, f))
                .collect()
        };
        self.accessors.push(json!({
            "bufferView": view,
            "componentType": FLOAT,
            "count": numbers.len() / width,
            "type": kind,
            "min": bound(f32::INFINITY, f32::min),
            "max": bound(f32::NEG_INFINITY, f32::max),
        }));
        self.accessors.len() - 1
    }

    fn vectors(&mut self, vectors: &[Vector3<f64>], target: Option<u32>) -> usize {
        let numbers: Vec<f32> =
            vectors.iter().flat_map(|v| [v.x as f32, v.y as f32, v.z as f32]).collect();
        self.floats(&numbers, "VEC3", target)
    }

    /// The attributes of a shape, to be shared by meshes of several colours.
    fn shape(&mut self, solid: &Solid) -> Value {
        let position = self.vectors(&solid.corners, Some(CORNERS));
        let normal = self.vectors(&solid.normals, Some(CORNERS));
        let indices: Vec<u8> =
            solid.triangles.iter().flatten().flat_map(|&k| (k as u32).to_le_bytes()).collect();
        let view = self.view(&indices, Some(INDICES));
        let count = 3 * solid.triangles.len();
        self.accessors.push(json!({ "bufferView": view, "componentType": UNSIGNED, "count": count, "type": "SCALAR" }));
        json!({
            "attributes": { "POSITION": position, "NORMAL": normal },
            "indices": self.accessors.len() - 1,
        })
    }

    fn mesh(&mut self, shape: &Value, material: usize) -> usize {
        let mut primitive = shape.clone();
        primitive["material"] = material.into();
        self.meshes.push(json!({ "primitives": [primitive] }));
        self.meshes.len() - 1
    }

    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Moves a property of a node over time.
    fn animate(&mut self, node: usize, path: &str, output: usize) {
        let sampler = json!({ "input": self.times, "output": output, "interpolation": "LINEAR" });
        self.samplers.push(sampler);
        let sampler = self.samplers.len() - 1;
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// Moves a node along frames.
    fn carry(&mut self, node: usize, frames: &[Frame]) {
        let places: Vec<Vector3<f64>> = frames.iter().map(|frame| frame.position).collect();
        let places = self.vectors(&places, None);
        self.animate(node, "translation", places);
        let mut before = Quaternion::identity();
        let turns: Vec<f32> = frames
            .iter()
            .flat_map(|frame| {
                // viewers that blend the numbers must not go the long way round
                before = frame.orientation.nearest_to(&before);
                turn(&before)
            })
            .collect();
        let turns = self.floats(&turns, "VEC4", None);
        self.animate(node, "rotation", turns);
    }
}

fn glb(film: &Film) -> Option<Vec<u8>> {
    let thin = THIN * size(&extent(&first_parts(film)?));
    let mut document = Document::default();
    let start = film.times[0];
    let times: Vec<f32> = film.times.iter().map(|t| (t - start) as f32).collect();
    document.times = document.floats(&times, "SCALAR", None);
    let (ball, bar) = (document.shape(&sphere(24)), document.shape(&cylinder(24)));
    let mut top = Vec::new();
    for body in 0..film.bodies.len() {
        let children = forms(film, body, &mut document, [&ball, &bar], thin);
        let mut node = json!({ "name": film.bodies[body].name });
        if !children.is_empty() {
            node["children"] = children.into();
        }
        let node = document.node(node);
        if body > 0 {
            let count = film.times.len();
            let frames: Vec<Frame> = (0..count).map(|k| film.frames_at(k)[body]).collect();
            document.carry(node, &frames);
        }
        top.push(node);
    }
    lines(film, &mut document, &bar, thin, &mut top);
    // the format has y upwards
    let up = if film.gravity.norm() > 0.0 { -film.gravity.normalize() } else { Vector3::z() };
    let root =
        document.node(json!({ "name": "world", "rotation": turn(&upright(up)), "children": top }));
    let materials = (0..film.bodies.len()).map(|body| {
        let shade = colour(body, film.bodies[body].colour.as_deref()).map(linear);
        json!({
            "name": film.bodies[body].name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [shade[0], shade[1], shade[2], 1.0],
                "metallicFactor": 0.1,
                "roughnessFactor": 0.6,
            },
        })
    });
    let head = json!({
        "asset": { "version": "2.0", "generator": concat!("rotula ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": [root] }],
        "nodes": document.nodes,
        "meshes": document.meshes,
        "materials": materials.collect::<Vec<_>>(),
        "animations": [{ "name": "motion", "samplers": document.samplers, "channels": document.channels }],
        "accessors": document.accessors,
        "bufferViews": document.views,
        "buffers": [{ "byteLength": document.bytes.len() }],
    });
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
            Line::Spring => ("spring", 1.4 * thin),
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
        document.carry(node, &frames);
        let scales = document.vectors(&scales, None);
        document.animate(node, "scale", scales);
        top.push(node);
    }
}

/// Head and numbers in one file; parts are filled up to multiples of four bytes.
fn container(mut head: Vec<u8>, mut numbers: Vec<u8>) -> Vec<u8> {
    head.resize(head.len().next_multiple_of(4), b' ');
    numbers.resize(numbers.len().next_multiple_of(4), 0);
    let total = 12 + 8 + head.len() + 8 + numbers.len();
    let mut out = Vec::with_capacity(total);
    let word = |out: &mut Vec<u8>, number: usize| out.extend((number as u32).to_le_bytes());
    out.extend(b"glTF");
    word(&mut out, 2);
    word(&mut out, total);
    for (kind, part) in [(b"JSON", &head), (b"BIN\0", &numbers)] {
        word(&mut out, part.len());
        out.extend(kind);
        out.extend(part);
    }
    out
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

/// A rotation in the order of the format.
fn turn(quaternion: &Quaternion) -> [f32; 4] {
    let [w, x, y, z] = quaternion.to_array().map(|part| part as f32);
    [x, y, z, w]
}

/// From the values of a screen to amounts of light.
fn linear(part: u8) -> f64 {
    (f64::from(part) / 255.0).powf(2.2)
}

fn list(v: &Vector3<f64>) -> [f64; 3] {
    [v.x, v.y, v.z]
}
