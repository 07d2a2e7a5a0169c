//! Gmsh `.msh` in ASCII, versions 2.x and 4.1: nodes, elements and physical groups.
//!
//! The body is made of the elements of the highest dimension: volumes, or else triangles and
//! quadrilaterals as shells, or else lines as beams. Physical groups
//! become sets: of elements where these belong to the body, and of nodes always. The format has no
//! materials: they must be given to the mesh.

use crate::error::{MeshError, Place};
use crate::mesh::{Mesh, Shape};
use crate::read::fields::{Field, by_spaces};
use crate::read::gmsh_groups::Groups;
use nalgebra::Vector3;
use std::collections::HashMap;

/// A section of the file: from `$Name` to `$EndName`.
pub(super) struct Part<'a> {
    pub(super) place: Place,
    lines: Vec<Vec<Field<'a>>>,
    next: usize,
}

impl<'a> Part<'a> {
    /// The next line, with at least so many words.
    pub(super) fn line(
        &mut self,
        file: &str,
        words: usize,
        what: &str,
    ) -> Result<Vec<Field<'a>>, MeshError> {
        let Some(line) = self.lines.get(self.next) else {
            let message = format!("the section ends before {what}");
            return Err(MeshError::new(file, self.place, message, "the file is cut off"));
        };
        self.next += 1;
        if line.len() < words {
            let message = format!("{what} has {} of {words} words", line.len());
            return Err(line[0].fault(file, message, "complete the line"));
        }
        Ok(line.clone())
    }

    pub(super) fn has_more(&self) -> bool {
        self.next < self.lines.len()
    }
}

/// An element as the file lists it.
struct Listed<'a> {
    label: Field<'a>,
    kind: u64,
    dimension: usize,
    group: Option<u64>,
    nodes: Vec<Field<'a>>,
}

pub(super) fn read(name: &str, text: &str) -> Result<Mesh, MeshError> {
    let mut parts = parts(name, text)?;
    let version = version(name, &mut parts)?;
    let mut groups = Groups::default();
    if let Some(part) = parts.get_mut("PhysicalNames") {
        groups.read_names(name, part)?;
    }
    if let Some(part) = parts.get_mut("Entities") {
        groups.read_entities(name, part)?;
    }
    let mut mesh = Mesh::new(name);
    match version {
        2 => nodes_2(&mut mesh, part(name, &mut parts, "Nodes")?)?,
        _ => nodes_4(&mut mesh, part(name, &mut parts, "Nodes")?)?,
    }
    let list = part(name, &mut parts, "Elements")?;
    let listed = match version {
        2 => elements_2(name, list)?,
        _ => elements_4(name, list, &groups)?,
    };
    build(&mut mesh, listed, &groups)?;
    Ok(mesh)
}

fn parts<'a>(name: &str, text: &'a str) -> Result<HashMap<&'a str, Part<'a>>, MeshError> {
    let mut parts = HashMap::new();
    let mut open: Option<(&str, Part)> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let word = line.trim();
        match (word.strip_prefix('$'), &mut open) {
            (Some(end), Some((begun, _))) => {
                if end.strip_prefix("End") != Some(*begun) {
                    let message = format!("${begun} is not closed before ${end}");
                    let help = format!("write $End{begun}; was the file cut off?");
                    return Err(MeshError::new(name, Place::line(number), message, help));
                }
                parts.extend(open.take());
            }
            (Some(begun), None) => {
                let part = Part { place: Place::line(number), lines: Vec::new(), next: 0 };
                open = Some((begun, part));
            }
            (None, Some((_, part))) if !word.is_empty() => {
                part.lines.push(by_spaces(line, number));
            }
            _ => {}
        }
    }
    if let Some((begun, part)) = open {
        let message = format!("${begun} is not closed");
        let help = format!("write $End{begun}; was the file cut off?");
        return Err(MeshError::new(name, part.place, message, help));
    }
    Ok(parts)
}

fn part<'a, 'b>(
    name: &str,
    parts: &'b mut HashMap<&'a str, Part<'a>>,
    which: &str,
) -> Result<&'b mut Part<'a>, MeshError> {
    parts.get_mut(which).ok_or_else(|| {
        let message = format!("the file has no section ${which}");
        MeshError::new(name, Place::NOWHERE, message, "save the mesh again from Gmsh")
    })
}

fn version<'a>(name: &str, parts: &mut HashMap<&'a str, Part<'a>>) -> Result<u32, MeshError> {
    let line = part(name, parts, "MeshFormat")?.line(name, 3, "the format")?;
    let version = line[0].number(name, "the version")?;
    if line[1].text != "0" {
        let help = "save the mesh as ASCII (Mesh.Binary = 0)";
        return Err(line[1].fault(name, "the mesh is binary", help));
    }
    match version {
        v if (2.0..3.0).contains(&v) => Ok(2),
        v if (4.1..4.2).contains(&v) => Ok(4),
        v => {
            let message = format!("version {v} of the format is not known");
            Err(line[0].fault(name, message, "save the mesh in version 2.2 or 4.1"))
        }
    }
}

fn position(file: &str, fields: &[Field]) -> Result<Vector3<f64>, MeshError> {
    let mut position = Vector3::zeros();
    for i in 0..3 {
        position[i] = fields[i].number(file, "the coordinate")?;
    }
    Ok(position)
}

fn nodes_2(mesh: &mut Mesh, part: &mut Part) -> Result<(), MeshError> {
    let file = mesh.file.clone();
    let count = part.line(&file, 1, "the number of nodes")?[0].label(&file, "the number")?;
    for _ in 0..count {
        let line = part.line(&file, 4, "the list of nodes")?;
        let label = line[0].label(&file, "the number of the node")?;
        mesh.add_node(label, position(&file, &line[1..])?, line[0].place)?;
    }
    Ok(())
}

fn nodes_4(mesh: &mut Mesh, part: &mut Part) -> Result<(), MeshError> {
    let file = mesh.file.clone();
    let blocks = part.line(&file, 4, "the numbers of nodes")?[0].label(&file, "the number")?;
    for _ in 0..blocks {
        let head = part.line(&file, 4, "the head of a block of nodes")?;
        let count = head[3].label(&file, "the number of nodes")?;
        let labels: Vec<Field> = (0..count)
            .map(|_| Ok(part.line(&file, 1, "the numbers of the nodes")?[0]))
            .collect::<Result<_, MeshError>>()?;
        for field in labels {
            let line = part.line(&file, 3, "the coordinates of the nodes")?;
            let label = field.label(&file, "the number of the node")?;
            mesh.add_node(label, position(&file, &line)?, field.place)?;
        }
    }
    Ok(())
}

fn elements_2<'a>(file: &str, part: &mut Part<'a>) -> Result<Vec<Listed<'a>>, MeshError> {
    let count = part.line(file, 1, "the number of elements")?[0].label(file, "the number")?;
    let mut listed = Vec::new();
    for _ in 0..count {
        let line = part.line(file, 4, "the list of elements")?;
        let kind = line[1].label(file, "the type of the element")?;
        let tags = line[2].label(file, "the number of tags")? as usize;
        if line.len() < 3 + tags {
            let help = "complete the line";
            return Err(line[0].fault(file, "the element has fewer tags than it says", help));
        }
        let group = match tags {
            0 => None,
            _ => Some(line[3].label(file, "the physical group")?).filter(|group| *group > 0),
        };
        let nodes = line[3 + tags..].to_vec();
        listed.push(Listed { label: line[0], kind, dimension: dimension(kind), group, nodes });
    }
    Ok(listed)
}

fn elements_4<'a>(
    file: &str,
    part: &mut Part<'a>,
    groups: &Groups,
) -> Result<Vec<Listed<'a>>, MeshError> {
    let blocks = part.line(file, 4, "the numbers of elements")?[0].label(file, "the number")?;
    let mut listed = Vec::new();
    for _ in 0..blocks {
        let head = part.line(file, 4, "the head of a block of elements")?;
        let dimension = head[0].label(file, "the dimension")? as usize;
        let entity = head[1].text.parse::<i64>().unwrap_or(0);
        let kind = head[2].label(file, "the type of the elements")?;
        for _ in 0..head[3].label(file, "the number of elements")? {
            let line = part.line(file, 2, "the list of elements")?;
            let group = groups.of_entity(dimension, entity);
            let nodes = line[1..].to_vec();
            listed.push(Listed { label: line[0], kind, dimension, group, nodes });
        }
    }
    Ok(listed)
}

/// Dimension of a type of elements: points, lines, faces, volumes.
fn dimension(kind: u64) -> usize {
    match kind {
        15 => 0,
        1 | 8 | 26..=28 => 1,
        2 | 3 | 9 | 10 | 16 | 20..=25 => 2,
        _ => 3,
    }
}

/// The shape of a type, and for each of our nodes its position in the line of the file.
fn shape(kind: u64) -> Option<(Shape, &'static [usize])> {
    match kind {
        1 => Some((Shape::Beam2, &[0, 1])),
        2 => Some((Shape::Triangle3, &[0, 1, 2])),
        3 => Some((Shape::Quadrilateral4, &[0, 1, 2, 3])),
        4 => Some((Shape::Tetrahedron4, &[0, 1, 2, 3])),
        5 => Some((Shape::Hexahedron8, &[0, 1, 2, 3, 4, 5, 6, 7])),
        11 => Some((Shape::Tetrahedron10, &[0, 1, 2, 3, 4, 5, 6, 7, 9, 8])),
        17 => Some((
            Shape::Hexahedron20,
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15],
        )),
        _ => None,
    }
}

fn build(mesh: &mut Mesh, listed: Vec<Listed>, groups: &Groups) -> Result<(), MeshError> {
    let file = mesh.file.clone();
    let highest = listed.iter().map(|element| element.dimension).max().unwrap_or(0);
    for element in listed {
        let labels: Vec<u64> = element
            .nodes
            .iter()
            .map(|node| node.label(&file, "the number of the node"))
            .collect::<Result<_, _>>()?;
        let name = element.group.map(|group| groups.name(element.dimension, group));
        if element.dimension == highest && highest > 0 {
            let label = element.label.label(&file, "the number of the element")?;
            let Some((shape, order)) = shape(element.kind) else {
                let message = format!("element {label} is of type {}, not known", element.kind);
                let help =
                    "mesh with tetrahedra (4 or 10 nodes), hexahedra (8 or 20) or linear shells";
                return Err(element.label.fault(&file, message, help));
            };
            let ordered = match labels.len() == order.len() {
                true => order.iter().map(|&k| labels[k]).collect(),
                false => labels.clone(),
            };
            let index = mesh.add_element(label, shape, &ordered, element.label.place)?;
            if let Some(name) = &name {
                mesh.element_sets.entry(name.clone()).or_default().push(index);
            }
        }
        if let Some(name) = name {
            // many elements share a group: sets are put in order once, below
            for label in labels {
                let Some(node) = mesh.node(label) else {
                    let message = format!("group {name} uses node {label}, which does not exist");
                    let help = "save the mesh again from Gmsh";
                    return Err(element.label.fault(&file, message, help));
                };
                mesh.node_sets.entry(name.clone()).or_default().push(node);
            }
        }
    }
    for nodes in mesh.node_sets.values_mut() {
        nodes.sort_unstable();
        nodes.dedup();
    }
    Ok(())
}
