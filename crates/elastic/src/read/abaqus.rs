//! Abaqus and CalculiX `.inp`: keywords with parameters, and lines of data below them.
//!
//! Read are NODE, ELEMENT, NSET, ELSET, SURFACE of nodes, MATERIAL, ELASTIC, DENSITY, SOLID SECTION,
//! SHELL SECTION, BEAM SECTION, BOUNDARY, EQUATION, RIGID BODY and COUPLING, up to the first STEP.

use crate::error::{MeshError, Place};
use crate::mesh::{Material, Mesh, Support};
use crate::read::abaqus_section::{SectionRequest, beam_section, give};
use crate::read::abaqus_tie;
use crate::read::blocks::{Block, blocks};
use crate::read::fields::Field;
use nalgebra::Vector3;
use std::collections::{BTreeMap, HashMap};

/// A file while it is read.
pub(super) struct Reader {
    pub(super) mesh: Mesh,
    sections: Vec<SectionRequest>,
    pub(super) surfaces: BTreeMap<String, Vec<usize>>,
    /// Nodes of the elements that only mark faces and edges, by the numbers of these.
    pub(super) marked: HashMap<u64, Vec<usize>>,
}

pub(super) fn read(name: &str, text: &str) -> Result<Mesh, MeshError> {
    let blocks = blocks(name, text)?;
    let mut reader = Reader {
        mesh: Mesh::new(name),
        sections: Vec::new(),
        surfaces: BTreeMap::new(),
        marked: HashMap::new(),
    };
    // Nodes and sets may be used above the place where they are declared.
    for block in blocks.iter().filter(|block| block.keyword == "NODE") {
        reader.nodes(block)?;
    }
    let mut coupling = None;
    for block in &blocks {
        reader.obey(block, &mut coupling)?;
    }
    let Reader { mut mesh, sections, .. } = reader;
    give(&mut mesh, sections)?;
    Ok(mesh)
}

impl Reader {
    fn obey(&mut self, block: &Block, coupling: &mut Option<Place>) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        match block.keyword.as_str() {
            "NODE" | "HEADING" | "PREPRINT" | "RESTART" | "PART" | "END PART" | "ASSEMBLY"
            | "END ASSEMBLY" | "END INSTANCE" => Ok(()),
            "INSTANCE" if block.data.is_empty() => Ok(()),
            "INSTANCE" => {
                let help = "move the nodes themselves, or export a flat input file";
                Err(self.mesh.fault(block.place, "the instance is moved, which is not read", help))
            }
            "ELEMENT" => self.elements(block),
            "NSET" => {
                let name = block.required(&file, "NSET")?.text.to_ascii_uppercase();
                let nodes = self.listed(block, |reader, field| reader.node_or_set(field))?;
                self.mesh.add_to_set(&name, &nodes);
                Ok(())
            }
            "ELSET" => {
                let name = block.required(&file, "ELSET")?.text.to_ascii_uppercase();
                let marks = self.listed(block, |reader, field| Ok(reader.nodes_of_mark(field)))?;
                let elements = self.listed(block, |reader, field| reader.element_or_set(field))?;
                // a set of marks is one of nodes
                if !marks.is_empty() {
                    self.mesh.add_to_set(&name, &marks);
                }
                self.mesh.element_sets.entry(name).or_default().extend(elements);
                Ok(())
            }
            "MATERIAL" => {
                let name = block.required(&file, "NAME")?.text.to_ascii_uppercase();
                let (young, poisson, density) = (0.0, 0.0, 0.0);
                let place = block.place;
                self.mesh.materials.push(Material { name, young, poisson, density, place });
                Ok(())
            }
            "ELASTIC" => self.elastic(block),
            "DENSITY" => {
                let line = block.first_line(&file, "the density")?;
                let value = block.field(&file, line, 0, "the density")?;
                self.material(block)?.density = value.number(&file, "the density")?;
                Ok(())
            }
            "SOLID SECTION" => {
                self.sections.push(SectionRequest::solid(&file, block)?);
                Ok(())
            }
            "BEAM SECTION" => {
                self.sections.push(beam_section(&file, block)?);
                Ok(())
            }
            "SHELL SECTION" => {
                self.sections.push(SectionRequest::shell(&file, block)?);
                Ok(())
            }
            "BOUNDARY" => self.boundary(block),
            "SURFACE" => abaqus_tie::surface(self, block),
            "EQUATION" => abaqus_tie::equation(self, block),
            "RIGID BODY" => abaqus_tie::rigid_body(self, block),
            "COUPLING" => {
                abaqus_tie::coupling(self, block)?;
                *coupling = Some(block.place);
                Ok(())
            }
            "KINEMATIC" | "DISTRIBUTING" => abaqus_tie::kind(self, block, coupling.take()),
            other => {
                let note = format!("Line {}: *{other} is not read.", block.place.line);
                self.mesh.notes.push(note);
                Ok(())
            }
        }
    }

    fn nodes(&mut self, block: &Block) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let mut added = Vec::new();
        for line in &block.data {
            let label = block.field(&file, line, 0, "the number of the node")?;
            let mut position = Vector3::zeros();
            for i in 0..3 {
                // coordinates at the end may be left out: they are zero
                if let Some(field) = line.get(i + 1).filter(|field| !field.is_blank()) {
                    position[i] = field.number(&file, "the coordinate")?;
                }
            }
            let number = label.label(&file, "the number of the node")?;
            added.push(self.mesh.add_node(number, position, label.place)?);
        }
        if let Some(set) = block.parameter("NSET") {
            let name = set.text.to_ascii_uppercase();
            self.mesh.add_to_set(&name, &added);
        }
        Ok(())
    }

    /// Nodes or elements of a set: numbers and names, or with GENERATE first, last and step.
    fn listed(
        &self,
        block: &Block,
        find: impl Fn(&Reader, Field) -> Result<Vec<usize>, MeshError>,
    ) -> Result<Vec<usize>, MeshError> {
        let file = &self.mesh.file;
        let mut found = Vec::new();
        for line in &block.data {
            if block.parameter("GENERATE").is_none() {
                for field in line.iter().filter(|field| !field.is_blank()) {
                    found.extend(find(self, *field)?);
                }
                continue;
            }
            let first = block.field(file, line, 0, "the first number")?;
            let last = block.field(file, line, 1, "the last number")?.label(file, "the last")?;
            let step = line.get(2).map_or(Ok(1), |field| field.label(file, "the step"))?;
            if step == 0 {
                return Err(first.fault(file, "the step of the numbers is zero", "write 1"));
            }
            let mut number = first.label(file, "the first number")?;
            while number <= last {
                let text = number.to_string();
                found.extend(find(self, Field { text: &text, place: first.place })?);
                number += step;
            }
        }
        Ok(found)
    }

    pub(super) fn node_or_set(&self, field: Field) -> Result<Vec<usize>, MeshError> {
        if let Ok(label) = field.text.parse() {
            return Ok(vec![self.node(field, label)?]);
        }
        let name = field.text.to_ascii_uppercase();
        // sets of instances are called INSTANCE.SET
        let short = name.rsplit('.').next().unwrap_or(&name);
        let set = self.mesh.node_sets.get(&name).or_else(|| self.mesh.node_sets.get(short));
        set.cloned().ok_or_else(|| {
            let message = format!("there is no set of nodes {name}");
            field.fault(&self.mesh.file, message, "declare it with *NSET above its use")
        })
    }

    pub(super) fn node(&self, field: Field, label: u64) -> Result<usize, MeshError> {
        self.mesh.node(label).ok_or_else(|| {
            let message = format!("node {label} does not exist");
            field.fault(&self.mesh.file, message, "declare it with *NODE, or correct the number")
        })
    }

    /// Nodes of an element that only marks a face or an edge.
    fn nodes_of_mark(&self, field: Field) -> Vec<usize> {
        let marked = field.text.parse().ok().and_then(|label: u64| self.marked.get(&label));
        marked.cloned().unwrap_or_default()
    }

    fn element_or_set(&self, field: Field) -> Result<Vec<usize>, MeshError> {
        if let Ok(label) = field.text.parse::<u64>() {
            if self.marked.contains_key(&label) {
                return Ok(Vec::new());
            }
            let found = self.mesh.element(label);
            return found.map(|index| vec![index]).ok_or_else(|| {
                let message = format!("element {label} does not exist");
                field.fault(&self.mesh.file, message, "declare it with *ELEMENT above its use")
            });
        }
        let name = field.text.to_ascii_uppercase();
        self.mesh.element_sets.get(&name).cloned().ok_or_else(|| {
            let message = format!("there is no set of elements {name}");
            field.fault(&self.mesh.file, message, "declare it with *ELSET above its use")
        })
    }

    fn material(&mut self, block: &Block) -> Result<&mut Material, MeshError> {
        let message = format!("*{} belongs to no material", block.keyword);
        let fault = self.mesh.fault(block.place, message, "write *MATERIAL, NAME=… above it");
        self.mesh.materials.last_mut().ok_or(fault)
    }

    fn elastic(&mut self, block: &Block) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        if let Some(kind) = block.parameter("TYPE")
            && !kind.text.eq_ignore_ascii_case("ISO")
            && !kind.text.eq_ignore_ascii_case("ISOTROPIC")
        {
            let message = format!("elasticity of type {} is not known", kind.text);
            return Err(kind.fault(&file, message, "materials are isotropic: give E and ν"));
        }
        let line = block.first_line(&file, "Young's modulus and Poisson's ratio")?;
        let young = block.field(&file, line, 0, "Young's modulus")?;
        let poisson = block.field(&file, line, 1, "Poisson's ratio")?;
        let young = young.number(&file, "Young's modulus")?;
        let poisson = poisson.number(&file, "Poisson's ratio")?;
        let material = self.material(block)?;
        (material.young, material.poisson) = (young, poisson);
        Ok(())
    }

    fn boundary(&mut self, block: &Block) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        for line in &block.data {
            let which = block.field(&file, line, 0, "the node or set")?;
            let nodes = self.node_or_set(which)?;
            let first = block.field(&file, line, 1, "the component")?;
            let mut components = [false; 6];
            match first.text.to_ascii_uppercase().as_str() {
                "ENCASTRE" => components = [true; 6],
                "PINNED" => components[..3].fill(true),
                "XSYMM" => components = [true, false, false, false, true, true],
                "YSYMM" => components = [false, true, false, true, false, true],
                "ZSYMM" => components = [false, false, true, true, true, false],
                _ => {
                    let from = first.label(&file, "the component")?;
                    let to = match line.get(2).filter(|field| !field.is_blank()) {
                        Some(field) => field.label(&file, "the last component")?,
                        None => from,
                    };
                    if from < 1 || to > 6 || from > to {
                        let message = format!("there are no components {from} to {to}");
                        let help = "1 to 3 are translations, 4 to 6 rotations";
                        return Err(first.fault(&file, message, help));
                    }
                    components[from as usize - 1..to as usize].fill(true);
                    if let Some(value) = line.get(3).filter(|field| !field.is_blank())
                        && value.number(&file, "the displacement")? != 0.0
                    {
                        let message = "a support that moves is not known";
                        let help = "leave the value out: supports hold components at zero";
                        return Err(value.fault(&file, message, help));
                    }
                }
            }
            let support = |node| Support { node, components, place: which.place };
            self.mesh.supports.extend(nodes.into_iter().map(support));
        }
        Ok(())
    }
}
