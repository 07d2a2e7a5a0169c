//! Meshes of boxes and beams, made by the tests.

// each test file uses its part
#![allow(dead_code)]

use nalgebra::Vector3;
use rotula_elastic::mesh::{Material, Profile, Section, Shape, Support, Tie, TieKind};
use rotula_elastic::{Mesh, Place};
use std::collections::HashMap;

pub const YOUNG: f64 = 2.1e11;
pub const POISSON: f64 = 0.3;
pub const DENSITY: f64 = 7850.0;

pub const SOLIDS: [Shape; 4] =
    [Shape::Tetrahedron4, Shape::Tetrahedron10, Shape::Hexahedron8, Shape::Hexahedron20];

/// Edges with a node in the middle, in the order of these nodes.
pub const TETRAHEDRON: [(usize, usize); 6] = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)];
/// Edges with a node in the middle, in the order of these nodes.
pub const HEXAHEDRON: [(usize, usize); 12] = [
    (0, 1),
    (1, 2),
    (2, 3),
    (3, 0),
    (4, 5),
    (5, 6),
    (6, 7),
    (7, 4),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
];

pub fn steel() -> Material {
    let name = "steel".to_owned();
    Material { name, young: YOUNG, poisson: POISSON, density: DENSITY, place: Place::NOWHERE }
}

/// A box with one corner at the origin, of equal cells.
pub fn solid_box(shape: Shape, size: [f64; 3], cells: [usize; 3]) -> Mesh {
    let mut builder = Builder { mesh: Mesh::new(""), known: HashMap::new(), size, cells };
    let quadratic = matches!(shape, Shape::Tetrahedron10 | Shape::Hexahedron20);
    let mut label = 0;
    for z in 0..cells[2] {
        for y in 0..cells[1] {
            for x in 0..cells[0] {
                // positions count half cells, so that middles of edges have one too
                let corner =
                    |dx: usize, dy: usize, dz: usize| [2 * (x + dx), 2 * (y + dy), 2 * (z + dz)];
                let corners = [
                    corner(0, 0, 0),
                    corner(1, 0, 0),
                    corner(1, 1, 0),
                    corner(0, 1, 0),
                    corner(0, 0, 1),
                    corner(1, 0, 1),
                    corner(1, 1, 1),
                    corner(0, 1, 1),
                ];
                let pieces: Vec<Vec<[usize; 3]>> = match shape {
                    Shape::Hexahedron8 | Shape::Hexahedron20 => vec![corners.to_vec()],
                    _ => TETRAHEDRA.map(|piece| piece.map(|k| corners[k]).to_vec()).to_vec(),
                };
                for piece in pieces {
                    label += 1;
                    builder.element(label, shape, piece, quadratic);
                }
            }
        }
    }
    let mut mesh = builder.mesh;
    mesh.materials.push(steel());
    mesh.give_section(Section::Solid { material: 0 });
    mesh
}

/// The six tetrahedra around a diagonal of the cube: neighbours match.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];

struct Builder {
    mesh: Mesh,
    known: HashMap<[usize; 3], u64>,
    size: [f64; 3],
    cells: [usize; 3],
}

impl Builder {
    fn node(&mut self, at: [usize; 3]) -> u64 {
        if let Some(label) = self.known.get(&at) {
            return *label;
        }
        let label = self.known.len() as u64 + 1;
        let position =
            Vector3::from_fn(|i, _| self.size[i] * at[i] as f64 / (2 * self.cells[i]) as f64);
        self.mesh.add_node(label, position, Place::NOWHERE).unwrap();
        self.known.insert(at, label);
        label
    }

    fn element(&mut self, label: u64, shape: Shape, corners: Vec<[usize; 3]>, quadratic: bool) {
        let mut labels: Vec<u64> = corners.iter().map(|at| self.node(*at)).collect();
        if quadratic {
            let edges: &[(usize, usize)] = match shape {
                Shape::Tetrahedron10 => &TETRAHEDRON,
                _ => &HEXAHEDRON,
            };
            for (a, b) in edges {
                let middle = std::array::from_fn(|i| (corners[*a][i] + corners[*b][i]) / 2);
                labels.push(self.node(middle));
            }
        }
        self.mesh.add_element(label, shape, &labels, Place::NOWHERE).unwrap();
    }
}

/// A straight beam along x.
pub fn beam(length: f64, elements: usize, profile: Profile) -> Mesh {
    let mut mesh = Mesh::new("");
    for i in 0..=elements {
        let position = Vector3::new(length * i as f64 / elements as f64, 0.0, 0.0);
        mesh.add_node(i as u64 + 1, position, Place::NOWHERE).unwrap();
    }
    for i in 1..=elements as u64 {
        mesh.add_element(i, Shape::Beam2, &[i, i + 1], Place::NOWHERE).unwrap();
    }
    mesh.materials.push(steel());
    mesh.give_section(Section::Beam { material: 0, profile, toward: Vector3::y() });
    mesh
}

/// Nodes whose coordinate `axis` has a value.
pub fn plane(mesh: &Mesh, axis: usize, value: f64) -> Vec<usize> {
    let on = |node: &usize| (mesh.nodes[*node].position[axis] - value).abs() < 1e-9;
    (0..mesh.nodes.len()).filter(on).collect()
}

/// Holds components of nodes.
pub fn hold(mesh: &mut Mesh, nodes: &[usize], components: [bool; 6]) {
    let support = |&node: &usize| Support { node, components, place: Place::NOWHERE };
    mesh.supports.extend(nodes.iter().map(support));
}

/// A new node at the middle of a face, tied to it rigidly or as its mean.
pub fn frame_on(mesh: &mut Mesh, nodes: &[usize], rigid: bool) -> usize {
    let centre: Vector3<f64> = nodes.iter().map(|&node| mesh.nodes[node].position).sum();
    let label = mesh.unused_label();
    let reference = mesh.add_node(label, centre / nodes.len() as f64, Place::NOWHERE).unwrap();
    let components = [true; 6];
    let kind = match rigid {
        true => TieKind::Rigid { reference, followers: nodes.to_vec(), components },
        false => {
            let followers = nodes.iter().map(|&node| (node, 1.0)).collect();
            TieKind::Mean { reference, components, followers }
        }
    };
    mesh.ties.push(Tie { name: format!("tie {label}"), kind, place: Place::NOWHERE });
    reference
}
