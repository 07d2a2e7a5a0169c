//! Elements of Nastran, and faces that only mark parts of a surface.

use crate::error::MeshError;
use crate::mesh::Shape;
use crate::read::cards::Card;
use crate::read::nastran::Reader;
use nalgebra::Vector3;

/// Middle nodes of CHEXA stand below, upright, above; ours below, above, upright.
const HEXAHEDRON: [usize; 20] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15];

impl Reader {
    /// Faces without a property of shells: mesh generators mark parts of a surface with them. The
    /// nodes of property 3 become the set P3.
    pub(super) fn mark(&mut self, card: &Card) -> Result<(), MeshError> {
        let number = card.label(&self.mesh.file, 1, "property")?;
        let nodes = self.nodes(card, 2)?;
        // sets are put in order when all cards are read
        self.mesh.node_sets.entry(format!("P{number}")).or_default().extend(nodes);
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

    pub(super) fn solid(&mut self, card: &Card) -> Result<(), MeshError> {
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
    pub(super) fn shell(&mut self, card: &Card) -> Result<(), MeshError> {
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

    pub(super) fn beam(&mut self, card: &Card) -> Result<(), MeshError> {
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
}
