//! Flexible bodies, as they deform.

use super::{Field, Form, Outline, Part, Shapes, Sketch, Skin, Tube};
use crate::element::LaidFlexible;
use nalgebra::Vector3;
use rotula_elastic::Surface;
use rotula_lie::Frame;
use std::collections::HashMap;
use std::sync::Arc;

/// Faces of the cells of VTK by their corners; lines have none.
const TETRAHEDRON: &[&[usize]] = &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]];
const HEXAHEDRON: &[&[usize]] =
    &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]];
const TRIANGLE: &[&[usize]] = &[&[0, 1, 2]];
const QUADRILATERAL: &[&[usize]] = &[&[0, 1, 2, 3]];

/// Radius of lines in an animation as a share of their length.
const SLENDER: f64 = 0.01;

/// A flexible body to be drawn and recorded.
#[derive(Clone, Debug)]
pub struct BentBody {
    /// Its name.
    pub name: String,
    /// Where it is in the model, and its shapes.
    pub laid: Arc<LaidFlexible>,
    /// Nodes of its mesh whose stress is recorded, by their place in the list.
    pub watched: Vec<usize>,
}

impl BentBody {
    /// Its amplitudes, where the nodes have the given frames.
    pub fn amplitudes(&self, frame: &impl Fn(usize) -> Frame) -> Vec<f64> {
        self.laid.amplitudes(frame)
    }

    /// The frame of its mesh.
    pub fn frame(&self, frame: &impl Fn(usize) -> Frame) -> Frame {
        let centre = Frame::new(-self.laid.shapes.inertia.centre(), Default::default());
        frame(self.laid.body.node()) * centre
    }

    /// Places of all nodes of its mesh in the world.
    pub fn points(&self, frame: &impl Fn(usize) -> Frame) -> Vec<Vector3<f64>> {
        let surface = &self.laid.shapes.surface;
        let moved = surface.displacement(&self.amplitudes(frame));
        let place = self.frame(frame);
        let at = |values: &[f64], node: usize| {
            Vector3::from_column_slice(&values[3 * node..3 * node + 3])
        };
        (0..surface.nodes())
            .map(|node| place.transform_point(&(at(&surface.positions, node) + at(&moved, node))))
            .collect()
    }
}

/// Faces that belong to one cell alone, and lines, by the nodes of the mesh.
pub fn skin(surface: &Surface) -> (Vec<Vec<usize>>, Vec<[usize; 2]>) {
    let mut faces: HashMap<Vec<usize>, (usize, Vec<usize>)> = HashMap::new();
    let mut lines = Vec::new();
    let mut begin = 0;
    for (cell, &end) in surface.cells.iter().zip(&surface.ends) {
        let nodes = &surface.connectivity[begin..end];
        begin = end;
        let sides: &[&[usize]] = match cell {
            3 => {
                lines.push([nodes[0], nodes[1]]);
                continue;
            }
            5 => TRIANGLE,
            9 => QUADRILATERAL,
            10 | 24 => TETRAHEDRON,
            _ => HEXAHEDRON,
        };
        for side in sides {
            let corners: Vec<usize> = side.iter().map(|corner| nodes[*corner]).collect();
            let mut key = corners.clone();
            key.sort_unstable();
            let next = faces.len();
            match faces.remove(&key) {
                // two cells share it: it is inside
                Some(_) => {}
                None => {
                    faces.insert(key, (next, corners));
                }
            }
        }
    }
    let mut outer: Vec<(usize, Vec<usize>)> = faces.into_values().collect();
    outer.sort();
    (outer.into_iter().map(|(_, corners)| corners).collect(), lines)
}

impl Sketch {
    /// Whether a node belongs to a flexible body: it is drawn with it.
    pub fn is_of_flexible(&self, node: usize) -> bool {
        let mut frames = self.flexible.iter().map(|body| body.laid.body.node());
        frames.any(|frame| frame == node) || self.flexible_of_node(node).is_some()
    }

    /// The floating frame of the flexible body of which a node is an interface or has amplitudes.
    pub fn flexible_of_node(&self, node: usize) -> Option<usize> {
        let has = |body: &&BentBody| {
            let mut interfaces = body.laid.interfaces.iter().map(|(_, id)| id.node());
            interfaces.any(|own| own == node) || body.laid.amplitudes.contains(&node)
        };
        self.flexible.iter().find(has).map(|body| body.laid.body.node())
    }

    /// Draws the deformed skins and lines of flexible bodies.
    pub(super) fn draw_flexible(&self, frame: &impl Fn(usize) -> Frame, parts: &mut Vec<Part>) {
        for bent in &self.flexible {
            let body = bent.laid.body.node();
            let points = bent.points(frame);
            let (faces, lines) = skin(&bent.laid.shapes.surface);
            for face in faces {
                let corners = face.iter().map(|node| points[*node]).collect();
                parts.push(Part { body, form: Form::Face { corners, sharp: false } });
            }
            for bar in straight_bars(&lines, &points) {
                parts.push(Part { body, form: Form::Bar(bar) });
            }
            let middle = frame(body).position;
            parts.push(Part { body, form: Form::Name(middle, bent.name.clone()) });
        }
    }
}

/// Bars along lines between nodes; lines that follow each other straight on are one bar.
fn straight_bars(lines: &[[usize; 2]], points: &[Vector3<f64>]) -> Vec<[Vector3<f64>; 2]> {
    // the sine of an angle that is not seen
    const STRAIGHT: f64 = 1e-3;
    let mut bars: Vec<[Vector3<f64>; 2]> = Vec::new();
    let mut last = None;
    for &[a, b] in lines {
        let (from, to) = (points[a], points[b]);
        let goes_on = |bar: &[Vector3<f64>; 2]| {
            let (before, now) = (bar[1] - bar[0], to - from);
            before.dot(&now) > 0.0
                && before.cross(&now).norm() < STRAIGHT * before.norm() * now.norm()
        };
        match bars.last_mut() {
            Some(bar) if last == Some(a) && goes_on(bar) => bar[1] = to,
            _ => bars.push([from, to]),
        }
        last = Some(b);
    }
    bars
}

/// What of a flexible body is seen in an animation.
#[derive(Clone, Debug)]
pub struct Covering<'a> {
    bent: &'a BentBody,
    /// Nodes of the skin, and its triangles by their places in this list.
    nodes: Vec<usize>,
    triangles: Vec<[usize; 3]>,
    /// Lines, as nodes one after the other.
    chains: Vec<Vec<usize>>,
    stressed: bool,
}

impl BentBody {
    /// What is seen of it.
    pub fn covering(&self) -> Covering<'_> {
        let surface = &self.laid.shapes.surface;
        let (faces, lines) = skin(surface);
        let mut places = HashMap::new();
        let mut nodes = Vec::new();
        let mut triangles = Vec::new();
        for face in &faces {
            let corners: Vec<usize> = face
                .iter()
                .map(|node| {
                    *places.entry(*node).or_insert_with(|| {
                        nodes.push(*node);
                        nodes.len() - 1
                    })
                })
                .collect();
            triangles.extend((2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]));
        }
        let mut chains: Vec<Vec<usize>> = Vec::new();
        for [a, b] in lines {
            match chains.last_mut() {
                Some(chain) if chain.last() == Some(&a) => chain.push(b),
                _ => chains.push(vec![a, b]),
            }
        }
        let stressed = surface.has_stress();
        Covering { bent: self, nodes, triangles, chains, stressed }
    }
}

impl Covering<'_> {
    /// Its lines, without points so far.
    pub fn tubes(&self, frame: &impl Fn(usize) -> Frame) -> Vec<Tube> {
        let points = self.bent.points(frame);
        let length = |chain: &Vec<usize>| -> f64 {
            chain.windows(2).map(|pair| (points[pair[1]] - points[pair[0]]).norm()).sum()
        };
        // all lines of a body are equally thick
        let longest = self.chains.iter().map(length).fold(0.0, f64::max);
        let tube = |chain: &Vec<usize>| Tube {
            body: self.bent.laid.body.node(),
            outline: Outline::Round(SLENDER * longest),
            count: chain.len(),
            points: Vec::new(),
            across: Vec::new(),
            fields: Vec::new(),
        };
        self.chains.iter().map(tube).collect()
    }

    /// Its skin, without points so far; none if it has lines only.
    pub fn skin(&self) -> Option<Skin> {
        (!self.triangles.is_empty()).then(|| Skin {
            body: self.bent.laid.body.node(),
            triangles: self.triangles.clone(),
            count: self.nodes.len(),
            points: Vec::new(),
            fields: self
                .stressed
                .then(|| Field::new("von Mises stress", "Pa"))
                .into_iter()
                .collect(),
            shapes: self.shapes(),
        })
    }

    /// The shapes of its skin, without amplitudes so far.
    fn shapes(&self) -> Shapes {
        let (surface, reduced) = (&self.bent.laid.shapes.surface, &self.bent.laid.shapes);
        let at = |numbers: &[f64]| -> Vec<Vector3<f64>> {
            let point = |node: &usize| Vector3::from_column_slice(&numbers[3 * node..3 * node + 3]);
            self.nodes.iter().map(point).collect()
        };
        let count = reduced.shapes();
        let shape = |k: usize| {
            let alone: Vec<f64> = (0..count).map(|i| f64::from(u8::from(i == k))).collect();
            at(&surface.displacement(&alone))
        };
        Shapes {
            origin: -reduced.inertia.centre(),
            rest: at(&surface.positions),
            moves: (0..count).map(shape).collect(),
            amplitudes: Vec::new(),
        }
    }

    /// Adds the points of lines and skin at a time, with the stress there.
    pub fn bend(
        &self,
        frame: &impl Fn(usize) -> Frame,
        tubes: &mut [Tube],
        skin: Option<&mut Skin>,
    ) {
        let points = self.bent.points(frame);
        for (chain, tube) in self.chains.iter().zip(tubes) {
            tube.points.extend(chain.iter().map(|node| points[*node]));
        }
        let Some(skin) = skin else { return };
        skin.shapes.amplitudes.push(self.bent.amplitudes(frame));
        skin.points.extend(self.nodes.iter().map(|node| points[*node]));
        if let Some(field) = skin.fields.first_mut() {
            let surface = &self.bent.laid.shapes.surface;
            let stress = surface.von_mises(&self.bent.amplitudes(frame));
            field.values.extend(self.nodes.iter().map(|node| stress[*node]));
        }
    }
}
