//! Nastran bulk data: GRID, CTETRA, CHEXA, CTRIA3, CQUAD4, CBAR, CBEAM, MAT1, PSOLID, PSHELL, PBAR,
//! PBEAM, SPC, SPC1, MPC, RBE2 and RBE3.
//!
//! All supports and conditions of the file hold, whatever set they belong to.

use crate::error::MeshError;
use crate::mesh::{Material, Mesh, Profile, Section, Support};
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

/// A file while it is read.
pub(super) struct Reader {
    pub(super) mesh: Mesh,
    materials: HashMap<u64, usize>,
    pub(super) sections: HashMap<u64, usize>,
}

pub(super) fn read(name: &str, text: &str) -> Result<Mesh, MeshError> {
    let cards = cards(name, text)?;
    let mut reader =
        Reader { mesh: Mesh::new(name), materials: HashMap::new(), sections: HashMap::new() };
    let mut unread: BTreeMap<&str, usize> = BTreeMap::new();
    // Cards stand in any order: what others refer to is read first.
    let order: [&[&str]; 5] = [
        &["GRID", "MAT1"],
        &["PSOLID", "PSHELL", "PBAR", "PBEAM"],
        &["CTETRA", "CHEXA", "CBAR", "CBEAM"],
        &["CTRIA3", "CQUAD4"],
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
    for nodes in reader.mesh.node_sets.values_mut() {
        nodes.sort_unstable();
        nodes.dedup();
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
        radius: None,
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
        radius: None,
    };
    Ok(Section::Beam { material, profile, toward: Vector3::zeros() })
}
