//! Meshes: nodes, elements, materials, sections, sets, supports and ties.

use crate::error::{MeshError, Place};
use crate::given::Given;
use nalgebra::Vector3;
use std::collections::{BTreeMap, HashMap};

pub use crate::section::{Family, Material, Profile, Section};

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its number in the file.
    pub label: u64,
    /// Where it is, in metres.
    pub position: Vector3<f64>,
    /// Where it is declared.
    pub place: Place,
}

/// Shapes of elements. Nodes are ordered as in VTK: corners first, then the middles of the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Straight beam in space with two nodes.
    Beam2,
    /// Flat shell with three nodes.
    Triangle3,
    /// Flat or slightly warped shell with four nodes.
    Quadrilateral4,
    /// Tetrahedron of linear displacement.
    Tetrahedron4,
    /// Tetrahedron of quadratic displacement.
    Tetrahedron10,
    /// Hexahedron with eight nodes and incompatible modes.
    Hexahedron8,
    /// Hexahedron with twenty nodes.
    Hexahedron20,
}

impl Shape {
    /// Number of nodes.
    pub fn nodes(self) -> usize {
        match self {
            Shape::Beam2 => 2,
            Shape::Triangle3 => 3,
            Shape::Quadrilateral4 | Shape::Tetrahedron4 => 4,
            Shape::Tetrahedron10 => 10,
            Shape::Hexahedron8 => 8,
            Shape::Hexahedron20 => 20,
        }
    }

    /// True for the elements whose nodes have rotations.
    pub fn rotates(self) -> bool {
        self.family() != Family::Solid
    }

    /// Which kind of section it needs.
    pub fn family(self) -> Family {
        match self {
            Shape::Beam2 => Family::Beam,
            Shape::Triangle3 | Shape::Quadrilateral4 => Family::Shell,
            _ => Family::Solid,
        }
    }

    /// The number of the cell in files of VTK.
    pub fn vtk(self) -> u8 {
        match self {
            Shape::Beam2 => 3,
            Shape::Triangle3 => 5,
            Shape::Quadrilateral4 => 9,
            Shape::Tetrahedron4 => 10,
            Shape::Tetrahedron10 => 24,
            Shape::Hexahedron8 => 12,
            Shape::Hexahedron20 => 25,
        }
    }
}

/// An element.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its number in the file.
    pub label: u64,
    /// Its shape.
    pub shape: Shape,
    /// Indices of its nodes.
    pub nodes: Vec<usize>,
    /// Index of its section; none while the file has not given one.
    pub section: Option<usize>,
    /// Direction of its own that lies in the plane of the local axes x and y; beams only.
    pub toward: Option<Vector3<f64>>,
    /// Where it is declared.
    pub place: Place,
}

/// Components of a node that are held: three translations, three rotations.
#[derive(Clone, Debug)]
pub struct Support {
    /// Index of the node.
    pub node: usize,
    /// Which components.
    pub components: [bool; 6],
    /// Where it is declared.
    pub place: Place,
}

/// What a tie asks for.
#[derive(Clone, Debug)]
pub enum TieKind {
    /// The followers move rigidly with the reference (RBE2, rigid body, kinematic coupling).
    Rigid {
        /// Index of the node that leads.
        reference: usize,
        /// Indices of the nodes that follow.
        followers: Vec<usize>,
        /// Components of the followers that are tied.
        components: [bool; 6],
    },
    /// The reference moves as the weighted mean of the followers (RBE3, distributing coupling).
    Mean {
        /// Index of the node that follows the mean.
        reference: usize,
        /// Components of the reference that are tied.
        components: [bool; 6],
        /// Indices of the nodes of the mean, with their weights.
        followers: Vec<(usize, f64)>,
    },
    /// A sum of components is zero (MPC, EQUATION); the first is the dependent one.
    Sum {
        /// Node, component and coefficient.
        terms: Vec<(usize, usize, f64)>,
    },
}

/// A linear condition between nodes.
#[derive(Clone, Debug)]
pub struct Tie {
    /// Its number or name in the file, for messages: `RBE2 12`.
    pub name: String,
    /// What it asks for.
    pub kind: TieKind,
    /// Where it is declared.
    pub place: Place,
}

/// A mesh as read from a file or made by a program. Everything is in SI units.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The file, as the user calls it; empty if there is none.
    pub file: String,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Elements.
    pub elements: Vec<Element>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Sections.
    pub sections: Vec<Section>,
    /// Named sets of node indices.
    pub node_sets: BTreeMap<String, Vec<usize>>,
    /// Named sets of element indices.
    pub element_sets: BTreeMap<String, Vec<usize>>,
    /// Supports.
    pub supports: Vec<Support>,
    /// Ties.
    pub ties: Vec<Tie>,
    /// Stiffness and mass that come from a file instead of elements.
    pub given: Option<Given>,
    /// What was read but is treated in a way of its own, in sentences.
    pub notes: Vec<String>,
    numbers: HashMap<u64, usize>,
    element_numbers: HashMap<u64, usize>,
}

impl Mesh {
    /// An empty mesh of a file.
    pub fn new(file: &str) -> Mesh {
        Mesh { file: file.to_owned(), ..Mesh::default() }
    }

    /// Adds a node.
    pub fn add_node(
        &mut self,
        label: u64,
        position: Vector3<f64>,
        place: Place,
    ) -> Result<usize, MeshError> {
        if let Some(&first) = self.numbers.get(&label) {
            let message = format!("node {label} is declared twice");
            let help = match self.nodes[first].place.line {
                0 => "give it another number".to_owned(),
                line => format!("the first is in line {line}; remove one or renumber it"),
            };
            return Err(self.fault(place, message, help));
        }
        if position.iter().any(|x| !x.is_finite()) {
            let message = format!("node {label} has a coordinate that is not a finite number");
            return Err(self.fault(place, message, "correct the coordinate"));
        }
        self.numbers.insert(label, self.nodes.len());
        self.nodes.push(Node { label, position, place });
        Ok(self.nodes.len() - 1)
    }

    /// Index of the node with a number.
    pub fn node(&self, label: u64) -> Option<usize> {
        self.numbers.get(&label).copied()
    }

    /// A number that no node has yet.
    pub fn unused_label(&self) -> u64 {
        self.nodes.iter().map(|node| node.label).max().unwrap_or(0) + 1
    }

    /// Index of the element with a number.
    pub fn element(&self, label: u64) -> Option<usize> {
        self.element_numbers.get(&label).copied()
    }

    /// Adds an element with the numbers of its nodes, in the order of [`Shape`].
    pub fn add_element(
        &mut self,
        label: u64,
        shape: Shape,
        labels: &[u64],
        place: Place,
    ) -> Result<usize, MeshError> {
        if labels.len() != shape.nodes() {
            let message = format!(
                "element {label} has {} nodes where its type has {}",
                labels.len(),
                shape.nodes()
            );
            return Err(self.fault(place, message, "give as many nodes as the type has"));
        }
        if let Some(first) = self.element(label) {
            let message = format!("element {label} is declared twice");
            let help = match self.elements[first].place.line {
                0 => "give it another number".to_owned(),
                line => format!("the first is in line {line}; remove one or renumber it"),
            };
            return Err(self.fault(place, message, help));
        }
        let mut nodes = Vec::with_capacity(labels.len());
        for number in labels {
            let Some(node) = self.node(*number) else {
                let message = format!("element {label} uses node {number}, which does not exist");
                let help = "declare the node, or correct its number in the element";
                return Err(self.fault(place, message, help));
            };
            if nodes.contains(&node) {
                let message = format!("element {label} uses node {number} twice");
                return Err(self.fault(
                    place,
                    message,
                    "each node of an element is a different one",
                ));
            }
            nodes.push(node);
        }
        self.element_numbers.insert(label, self.elements.len());
        self.elements.push(Element { label, shape, nodes, section: None, toward: None, place });
        Ok(self.elements.len() - 1)
    }

    /// Gives a section to the elements that have none and fit it.
    pub fn give_section(&mut self, section: Section) {
        let family = section.family();
        let index = self.sections.len();
        self.sections.push(section);
        for element in &mut self.elements {
            if element.section.is_none() && element.shape.family() == family {
                element.section = Some(index);
            }
        }
    }

    /// Adds nodes to a set, each once.
    pub fn add_to_set(&mut self, name: &str, nodes: &[usize]) {
        let set = self.node_sets.entry(name.to_owned()).or_default();
        set.extend(nodes);
        set.sort_unstable();
        set.dedup();
    }

    /// Positions of the nodes of an element.
    pub fn corners(&self, element: &Element) -> Vec<Vector3<f64>> {
        element.nodes.iter().map(|&node| self.nodes[node].position).collect()
    }

    /// A fault at a place of this mesh's file.
    pub fn fault(
        &self,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> MeshError {
        MeshError::new(&self.file, place, message, help)
    }
}
