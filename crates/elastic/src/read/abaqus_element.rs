//! Elements of `.inp` files, and elements that only mark faces and edges.

use crate::error::MeshError;
use crate::mesh::Shape;
use crate::read::abaqus::Reader;
use crate::read::blocks::Block;
use crate::read::fields::Field;

/// Beginnings of the types of elements that mark faces and edges.
const MARKS: [&str; 3] = ["CPS", "CPE", "T3D"];

impl Reader {
    pub(super) fn elements(&mut self, block: &Block) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let kind = block.required(&file, "TYPE")?;
        let word = kind.text.to_ascii_uppercase();
        let shape = match word.as_str() {
            "C3D4" => Shape::Tetrahedron4,
            "C3D10" | "C3D10M" | "C3D10I" => Shape::Tetrahedron10,
            "C3D8" | "C3D8I" | "C3D8R" => Shape::Hexahedron8,
            "C3D20" | "C3D20R" => Shape::Hexahedron20,
            "B31" => Shape::Beam2,
            "S3" | "S3R" => Shape::Triangle3,
            "S4" | "S4R" => Shape::Quadrilateral4,
            _ if MARKS.iter().any(|mark| word.starts_with(mark)) => {
                return self.marks(block, &word);
            }
            _ => {
                let message = format!("elements of type {word} are not known");
                let help = "mesh with C3D4, C3D10, C3D8, C3D20, S3, S4 or B31";
                return Err(kind.fault(&file, message, help));
            }
        };
        if matches!(word.as_str(), "C3D8" | "C3D8R" | "C3D20R" | "C3D10M" | "C3D10I") {
            let ours = match shape {
                Shape::Hexahedron8 => "hexahedra with incompatible modes",
                Shape::Hexahedron20 => "fully integrated hexahedra",
                _ => "tetrahedra of quadratic displacement",
            };
            self.mesh.notes.push(format!("Elements {word} are computed as {ours}."));
        }
        let mut added = Vec::new();
        let mut lines = block.data.iter();
        while let Some(line) = lines.next() {
            let label = block.field(&file, line, 0, "the number of the element")?;
            let number = label.label(&file, "the number of the element")?;
            let mut fields: Vec<Field> = line[1..].to_vec();
            // long elements go on in the next line
            while fields.len() < shape.nodes()
                && let Some(next) = lines.clone().next()
                && shape.nodes() > 8
            {
                fields.extend(next);
                lines.next();
            }
            let labels: Vec<u64> = fields
                .iter()
                .map(|field| field.label(&file, "the number of the node"))
                .collect::<Result<_, _>>()?;
            added.push(self.mesh.add_element(number, shape, &labels, label.place)?);
        }
        if block.data.is_empty() {
            let help = "list the elements below it";
            return Err(self.mesh.fault(block.place, "*ELEMENT has no line of data", help));
        }
        if let Some(set) = block.parameter("ELSET") {
            let name = set.text.to_ascii_uppercase();
            self.mesh.element_sets.entry(name).or_default().extend(added);
        }
        Ok(())
    }

    /// Elements of a plane or a line, with which mesh generators mark faces and edges of a solid:
    /// their set becomes one of nodes.
    fn marks(&mut self, block: &Block, word: &str) -> Result<(), MeshError> {
        let file = self.mesh.file.clone();
        let set = block.required(&file, "ELSET")?.text.to_ascii_uppercase();
        let mut nodes: Vec<usize> = Vec::new();
        for line in &block.data {
            let label = block.field(&file, line, 0, "the number of the element")?;
            let mut own = Vec::new();
            for field in line.iter().skip(1) {
                own.push(self.node(*field, field.label(&file, "the number of the node")?)?);
            }
            nodes.extend(&own);
            self.marked.insert(label.label(&file, "the number of the element")?, own);
        }
        self.mesh.notes.push(format!("Elements {word} of {set} are read as a set of nodes."));
        self.mesh.add_to_set(&set, &nodes);
        Ok(())
    }
}
