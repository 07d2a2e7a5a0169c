//! A glTF document under construction: numbers, meshes, nodes and how they move.

use crate::film::solid::Solid;
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use serde_json::{Value, json};

// Words of the format.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const SHORT: u32 = 5123;
pub(super) const CORNERS: u32 = 34962;
const INDICES: u32 = 34963;

/// The document under construction.
#[derive(Default)]
pub(super) struct Document {
    pub bytes: Vec<u8>,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    pub meshes: Vec<Value>,
    pub nodes: Vec<Value>,
    pub samplers: Vec<Value>,
    pub channels: Vec<Value>,
    pub skins: Vec<Value>,
    /// The accessor of the times.
    pub times: usize,
}

impl Document {
    pub fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
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
    pub fn floats(&mut self, numbers: &[f32], kind: &str, target: Option<u32>) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let view = self.view(&bytes, target);
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "MAT4" => 16,
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

    pub fn vectors(&mut self, vectors: &[Vector3<f64>], target: Option<u32>) -> usize {
        let numbers: Vec<f32> =
            vectors.iter().flat_map(|v| [v.x as f32, v.y as f32, v.z as f32]).collect();
        self.floats(&numbers, "VEC3", target)
    }

    /// The attributes of a shape, to be shared by meshes of several colours.
    pub fn shape(&mut self, solid: &Solid) -> Value {
        let position = self.vectors(&solid.corners, Some(CORNERS));
        let normal = self.vectors(&solid.normals, Some(CORNERS));
        let indices = self.indices(&solid.triangles);
        json!({ "attributes": { "POSITION": position, "NORMAL": normal }, "indices": indices })
    }

    /// The corners of triangles.
    pub fn indices(&mut self, triangles: &[[usize; 3]]) -> usize {
        let bytes: Vec<u8> =
            triangles.iter().flatten().flat_map(|&k| (k as u32).to_le_bytes()).collect();
        let view = self.view(&bytes, Some(INDICES));
        let count = 3 * triangles.len();
        self.accessors.push(json!({ "bufferView": view, "componentType": UNSIGNED, "count": count, "type": "SCALAR" }));
        self.accessors.len() - 1
    }

    /// The joint that carries each corner, alone.
    pub fn carriers(&mut self, joints: &[usize]) -> [usize; 2] {
        let bytes: Vec<u8> =
            joints.iter().flat_map(|joint| u64::from(*joint as u16).to_le_bytes()).collect();
        let view = self.view(&bytes, Some(CORNERS));
        let count = joints.len();
        self.accessors.push(
            json!({ "bufferView": view, "componentType": SHORT, "count": count, "type": "VEC4" }),
        );
        let owners = self.accessors.len() - 1;
        let weights: Vec<f32> = joints.iter().flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect();
        [owners, self.floats(&weights, "VEC4", Some(CORNERS))]
    }

    pub fn mesh(&mut self, shape: &Value, material: usize) -> usize {
        let mut primitive = shape.clone();
        primitive["material"] = material.into();
        self.meshes.push(json!({ "primitives": [primitive] }));
        self.meshes.len() - 1
    }

    pub fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Moves a property of a node over time, smoothly or in jumps.
    pub fn animate(&mut self, node: usize, path: &str, output: usize, smooth: bool) {
        let blend = if smooth { "LINEAR" } else { "STEP" };
        let sampler = json!({ "input": self.times, "output": output, "interpolation": blend });
        self.samplers.push(sampler);
        let sampler = self.samplers.len() - 1;
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }

    /// Puts a node to a place for ever.
    pub fn put(&mut self, node: usize, frame: &Frame) {
        let p = frame.position;
        self.nodes[node]["translation"] = json!([p.x as f32, p.y as f32, p.z as f32]);
        self.nodes[node]["rotation"] = json!(turn(&frame.orientation));
    }

    /// Moves a node along frames, smoothly or in jumps; it begins at the first.
    pub fn carry(&mut self, node: usize, frames: &[Frame], smooth: bool) {
        let places: Vec<Vector3<f64>> = frames.iter().map(|frame| frame.position).collect();
        if let Some(first) = frames.first() {
            self.put(node, first);
        }
        let places = self.vectors(&places, None);
        self.animate(node, "translation", places, smooth);
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
        self.animate(node, "rotation", turns, smooth);
    }

    /// Stretches a node over time, smoothly or in jumps.
    pub fn stretch(&mut self, node: usize, scales: &[Vector3<f64>], smooth: bool) {
        if let Some(s) = scales.first() {
            self.nodes[node]["scale"] = json!([s.x as f32, s.y as f32, s.z as f32]);
        }
        let scales = self.vectors(scales, None);
        self.animate(node, "scale", scales, smooth);
    }
}

/// Head and numbers in one file; parts are filled up to multiples of four bytes.
pub(super) fn container(mut head: Vec<u8>, mut numbers: Vec<u8>) -> Vec<u8> {
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

/// A rotation in the order of the format.
pub(super) fn turn(quaternion: &Quaternion) -> [f32; 4] {
    let [w, x, y, z] = quaternion.to_array().map(|part| part as f32);
    [x, y, z, w]
}
