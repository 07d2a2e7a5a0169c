//! Nastran bulk data: GRID, CTETRA, CHEXA, CTRIA3, CQUAD4, CBAR, CBEAM, MAT1, PSOLID, PSHELL, PBAR,
//! PBEAM, SPC, SPC1, MPC, RBE2 and RBE3.
//!
//! All supports and conditions of the file hold, whatever set they belong to.

use crate::error::MeshError;
use crate::mesh::{Material, Mesh, Profile, Section, Shape, Support};
use crate::read::cards::{Card, cards};
use crate::read::components;
use crate::read::nastran_tie;
use nalgebra::Vector3;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Cards that change nothing about a mesh.
const PASSED: [&str; 8] = ["PARAM", "SPCADD", "MPCADD", "EIGRL", "EIGR", "SPOINT", "LOAD", "FORCE"];

/// Elements that would be missed if they were passed over.
const UNKNOWN: [&str; 8] =
    ["CPENTA", "CPYRAM", "CTRIA6", "CQUAD8", "CROD", "CONROD", "CBUSH", "CONM2"];

/// Middle nodes of CHEXA stand below, upright, above; ours below, above, upright.
const HEXAHEDRON: [usize; 20] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15];

/// A file while it is read.
pub(super) struct Reader {
    pub(super) mesh: Mesh,
    materials: HashMap<u64, usize>,
    sections: HashMap<u64, usize>,
}

pub(super) fn read(name: &str, text: &str) -> Result<Mesh, MeshError> {
    let cards = cards(name, text)?;
    let mut reader =
        Reader { mesh: Mesh::new(name), materials: HashMap::new(), sections: HashMap::new() };
    let mut unread: BTreeMap<&str, usize> = BTreeMap::new();
    // Cards stand in any order: what others refer to is read first.
    let order: [&[&str]; 4] = [
        &["GRID", "MAT1"],
        &["PSOLID", "PSHELL", "PBAR", "PBEAM"],
        &["CTETRA", "CHEXA", "CTRIA3", "CQUAD4", "CBAR", "CBEAM"],
        &["SPC", "SPC1", "MPC", "RBE2", "RBE3"],
    ];
    for names in order {
        for card in cards.iter().filter(|card| names.contains(&card.name.as_str())) {
            reader.obey(card)?;
        }
    }
    let known: BTreeSet<&str> = order.concat().into_iter().chain(PASSED).collect();
    let solids = cards.iter().any(|card| matches!(card.name.as_str(), "CTETRA" | "CHEXA"));
    for card in cards.iter().filter(|card| !known.contains(card.name.as_str())) {
        match card.name.as_str() {
            "CTRIA6" | "CQUAD8" if solids => reader.mark(card)?,
            name if UNKNOWN.contains(&name) => {
                let message = format!("elements {name} are not known");
                let help = "mesh with CTETRA, CHEXA, CTRIA3, CQUAD4, CBAR or CBEAM";
                return Err(reader.mesh.fault(card.place, message, help));
            }
            name => *unread.entry(name).or_insert(0) += 1,
        }
    }
    for (name, count) in unread {
        reader.mesh.notes.push(format!("{count} cards {name} are not read."));
    }
    Ok(reader.mesh)
}

impl Reader {
    fn obey(&mut self, card: &Card) -> Result<(), MeshError> {
        match card.name.as_str() {
            "GRID" => self.grid(card),
            "MAT1" => self.material(card),
            "PSOLID" => self.section(card, |_, _, material| Ok(Section::Solid { material })),
            "PSHELL" => self.section(card, |file, card, material| {
                let thickness = card.number(file, 2, "thickness")?;
                Ok(Section::Shell { material, thickness })
            }),
            "PBAR" => self.section(card, bar),
            "PBEAM" => self.section(card, constant_beam),
            "CTETRA" | "CHEXA" => self.solid(card),
            "CTRIA3" | "CQUAD4" => self.shell(card),
            "CBAR" | "CBEAM" => self.beam(card),
            "SPC" | "SPC1" => self.support(card),
            "MPC" => nastran_tie::mpc(self, card),
            "RBE2" => nastran_tie::rbe2(self, card),
            "RBE3" => nastran_tie::rbe3(self, card),
            _ => unreachable!("cards are chosen by name"),
        }
    }

    fn grid(&mut self, card: &Card) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let label = card.label(&file, 0, "number")?;
        for (index, what) in [(1, "position"), (5, "displacement")] {
            let system = card.word(index);
            if !matches!(system.text, "" | "0") {
                let message = format!("node {label} has its {what} in system {}", system.text);
                let help = "coordinate systems are not known: write the node in the basic one";
                return Err(system.fault(&file, message, help));
            }
        }
        let mut position = Vector3::zeros();
        for i in 0..3 {
            position[i] = card.optional(&file, 2 + i, "coordinate")?;
        }
        let node = self.mesh.add_node(label, position, card.place)?;
        let held = card.word(6);
        if !held.is_blank() {
            let components = components(&file, &held)?;
            self.mesh.supports.push(Support { node, components, place: held.place });
        }
        Ok(())
    }

    fn material(&mut self, card: &Card) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let label = card.label(&file, 0, "number")?;
        let young = card.number(&file, 1, "Young's modulus")?;
        let poisson = match (card.field(3), card.field(2)) {
            (Some(_), _) => card.number(&file, 3, "Poisson's ratio")?,
            (None, Some(_)) => young / (2.0 * card.number(&file, 2, "shear modulus")?) - 1.0,
            (None, None) => {
                let message = format!("MAT1 {label} has neither shear modulus nor Poisson's ratio");
                return Err(self.mesh.fault(card.place, message, "give one of them"));
            }
        };
        let density = card.optional(&file, 4, "density")?;
        self.materials.insert(label, self.mesh.materials.len());
        let name = label.to_string();
        self.mesh.materials.push(Material { name, young, poisson, density, place: card.place });
        Ok(())
    }

    fn section(
        &mut self,
        card: &Card,
        make: impl Fn(&str, &Card, usize) -> Result<Section, MeshError>,
    ) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let label = card.label(&file, 0, "number")?;
        let number = card.label(&file, 1, "material")?;
        let Some(material) = self.materials.get(&number).copied() else {
            let message =
                format!("{} {label} uses material {number}, which does not exist", card.name);
            let help = "declare it with MAT1, or correct the number";
            return Err(self.mesh.fault(card.place, message, help));
        };
        self.sections.insert(label, self.mesh.sections.len());
        self.mesh.sections.push(make(&file, card, material)?);
        Ok(())
    }

    /// Faces without a property of shells: mesh generators mark parts of a surface with them. The
    /// nodes of property 3 become the set P3.
    fn mark(&mut self, card: &Card) -> Result<(), MeshError> {
        let number = card.label(&self.mesh.file, 1, "property")?;
        let mut nodes = self.nodes(card, 2)?;
        let set = self.mesh.node_sets.entry(format!("P{number}")).or_default();
        nodes.append(set);
        nodes.sort_unstable();
        nodes.dedup();
        *set = nodes;
        Ok(())
    }

    /// The section of an element; none if the file has no properties at all.
    fn section_of(&self, card: &Card, label: u64) -> Result<Option<usize>, MeshError> {
        if self.sections.is_empty() {
            return Ok(None);
        }
        let number = card.label(&self.mesh.file, 1, "property")?;
        self.sections.get(&number).copied().map(Some).ok_or_else(|| {
            let message = format!("element {label} uses property {number}, which does not exist");
            let help = "declare it with PSOLID, PSHELL, PBAR or PBEAM, or correct the number";
            self.mesh.fault(card.place, message, help)
        })
    }

    fn solid(&mut self, card: &Card) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let label = card.label(&file, 0, "number")?;
        let section = self.section_of(card, label)?;
        let (linear, quadratic) = match card.name.as_str() {
            "CTETRA" => (Shape::Tetrahedron4, Shape::Tetrahedron10),
            _ => (Shape::Hexahedron8, Shape::Hexahedron20),
        };
        let shape = if card.len() <= 2 + linear.nodes() { linear } else { quadratic };
        let mut labels = Vec::with_capacity(shape.nodes());
        for k in 0..shape.nodes() {
            labels.push(card.label(&file, 2 + k, "node")?);
        }
        if shape == Shape::Hexahedron20 {
            labels = HEXAHEDRON.map(|k| labels[k]).to_vec();
        }
        let element = self.mesh.add_element(label, shape, &labels, card.place)?;
        self.mesh.elements[element].section = section;
        Ok(())
    }

    /// A shell; without a property of shells a face that marks a part of a solid's surface.
    fn shell(&mut self, card: &Card) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let property = card.label(&file, 1, "property")?;
        let solids = self.mesh.elements.iter().any(|element| !element.shape.rotates());
        if solids && !self.sections.contains_key(&property) {
            return self.mark(card);
        }
        let label = card.label(&file, 0, "number")?;
        let section = self.section_of(card, label)?;
        let shape = if card.name == "CTRIA3" { Shape::Triangle3 } else { Shape::Quadrilateral4 };
        let mut labels = Vec::with_capacity(shape.nodes());
        for k in 0..shape.nodes() {
            labels.push(card.label(&file, 2 + k, "node")?);
        }
        if let Some(offset) = card.field(3 + shape.nodes()) {
            let message = format!("shell {label} has an offset from its nodes");
            return Err(offset.fault(&file, message, "move the nodes to the middle surface"));
        }
        let element = self.mesh.add_element(label, shape, &labels, card.place)?;
        self.mesh.elements[element].section = section;
        Ok(())
    }

    fn beam(&mut self, card: &Card) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let label = card.label(&file, 0, "number")?;
        let section = self.section_of(card, label)?;
        let labels = [card.label(&file, 2, "node")?, card.label(&file, 3, "node")?];
        let element = self.mesh.add_element(label, Shape::Beam2, &labels, card.place)?;
        // A direction is three numbers; one whole number is a node to point at.
        let first = card.word(4);
        let points_at_node = !first.text.contains('.') && card.field(5).is_none();
        let toward = if points_at_node {
            let number = card.label(&file, 4, "orientation")?;
            let Some(node) = self.mesh.node(number) else {
                let message =
                    format!("element {label} points at node {number}, which does not exist");
                return Err(first.fault(&file, message, "declare the node or give a direction"));
            };
            self.mesh.nodes[node].position - self.mesh.corners(&self.mesh.elements[element])[0]
        } else {
            let mut toward = Vector3::zeros();
            for i in 0..3 {
                toward[i] = card.optional(&file, 4 + i, "orientation")?;
            }
            toward
        };
        if card.len() > 8 {
            let message = format!("element {label} has offsets or released ends");
            let help = "these are not known: connect the nodes themselves";
            return Err(self.mesh.fault(card.place, message, help));
        }
        let element = &mut self.mesh.elements[element];
        element.section = section;
        element.toward = Some(toward);
        Ok(())
    }

    pub(super) fn node(&self, card: &Card, index: usize) -> Result<usize, MeshError> {
        let label = card.label(&self.mesh.file, index, "node")?;
        self.mesh.node(label).ok_or_else(|| {
            let message = format!("{} uses node {label}, which does not exist", card.name);
            let help = "declare it with GRID, or correct the number";
            card.word(index).fault(&self.mesh.file, message, help)
        })
    }

    /// Nodes from a field to the end of the card, with `a THRU b` as all between that exist.
    pub(super) fn nodes(&self, card: &Card, from: usize) -> Result<Vec<usize>, MeshError> {
        let mut nodes = Vec::new();
        let mut index = from;
        while index < card.len() {
            if card.field(index).is_none() {
                index += 1;
                continue;
            }
            if card.word(index + 1).text.eq_ignore_ascii_case("THRU") {
                let first = card.label(&self.mesh.file, index, "node")?;
                let last = card.label(&self.mesh.file, index + 2, "node")?;
                nodes.extend((first..=last).filter_map(|label| self.mesh.node(label)));
                index += 3;
            } else {
                nodes.push(self.node(card, index)?);
                index += 1;
            }
        }
        Ok(nodes)
    }

    fn support(&mut self, card: &Card) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let place = card.place;
        if card.name == "SPC1" {
            let components = components(&file, &card.word(1))?;
            let support = |node| Support { node, components, place };
            let nodes = self.nodes(card, 2)?;
            self.mesh.supports.extend(nodes.into_iter().map(support));
            return Ok(());
        }
        for start in [1, 4] {
            if start > 1 && card.field(start).is_none() {
                continue;
            }
            let node = self.node(card, start)?;
            let components = components(&file, &card.word(start + 1))?;
            if card.optional(&file, start + 2, "displacement")? != 0.0 {
                let message = "a support that moves is not known";
                let help = "leave the value out: supports hold components at zero";
                return Err(card.word(start + 2).fault(&file, message, help));
            }
            self.mesh.supports.push(Support { node, components, place });
        }
        Ok(())
    }
}

fn bar(file: &str, card: &Card, material: usize) -> Result<Section, MeshError> {
    let profile = Profile {
        area: card.number(file, 2, "area")?,
        // the first plane is that of x and y: bending about z
        inertia_z: card.number(file, 3, "moment I1")?,
        inertia_y: card.number(file, 4, "moment I2")?,
        torsion: card.number(file, 5, "torsion constant")?,
        shear_y: card.optional(file, 16, "shear factor")?,
        shear_z: card.optional(file, 17, "shear factor")?,
    };
    Ok(Section::Beam { material, profile, toward: Vector3::zeros() })
}

fn constant_beam(file: &str, card: &Card, material: usize) -> Result<Section, MeshError> {
    if card.len() > 16 {
        let message = "PBEAM changes along the beam, or has shear factors";
        let help = "only a constant section is read, from the first line: use PBAR";
        return Err(MeshError::new(file, card.place, message, help));
    }
    let profile = Profile {
        area: card.number(file, 2, "area")?,
        inertia_z: card.number(file, 3, "moment I1")?,
        inertia_y: card.number(file, 4, "moment I2")?,
        torsion: card.number(file, 6, "torsion constant")?,
        // Nastran's default for this card: the whole area carries shear
        shear_y: 1.0,
        shear_z: 1.0,
    };
    Ok(Section::Beam { material, profile, toward: Vector3::zeros() })
}
