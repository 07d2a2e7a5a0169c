//! Ties of `.inp` files: surfaces of nodes, equations, rigid bodies, couplings.

use crate::error::{MeshError, Place};
use crate::mesh::{Tie, TieKind};
use crate::read::abaqus::Reader;
use crate::read::blocks::Block;
use crate::read::fields::Field;

pub(super) fn surface(reader: &mut Reader, block: &Block) -> Result<(), MeshError> {
    let file = reader.mesh.file.clone();
    let name = block.required(&file, "NAME")?.text.to_ascii_uppercase();
    if !block.parameter("TYPE").is_some_and(|kind| kind.text.eq_ignore_ascii_case("NODE")) {
        // faces of elements serve contact and pressure, which a reduction does not need
        let line = block.place.line;
        reader.mesh.notes.push(format!("Line {line}: surface {name} of faces is not read."));
        return Ok(());
    }
    let mut nodes = Vec::new();
    for line in &block.data {
        nodes.extend(reader.node_or_set(block.field(&file, line, 0, "the node or set")?)?);
    }
    reader.surfaces.insert(name, nodes);
    Ok(())
}

pub(super) fn equation(reader: &mut Reader, block: &Block) -> Result<(), MeshError> {
    let file = reader.mesh.file.clone();
    let mut lines = block.data.iter();
    while let Some(line) = lines.next() {
        let count_field = block.field(&file, line, 0, "the number of terms")?;
        let count = count_field.label(&file, "the number of terms")? as usize;
        let mut fields: Vec<Field> = Vec::new();
        while fields.len() < 3 * count {
            let Some(line) = lines.next() else {
                let message = format!("the equation has fewer than {count} terms");
                let help = "write node, component and coefficient of each term";
                return Err(count_field.fault(&file, message, help));
            };
            fields.extend(line);
        }
        let mut terms = Vec::new();
        for triple in fields.chunks(3).take(count) {
            let component = triple[1].label(&file, "the component")?;
            if !(1..=6).contains(&component) {
                let message = format!("there is no component {component}");
                let help = "1 to 3 are translations, 4 to 6 rotations";
                return Err(triple[1].fault(&file, message, help));
            }
            let coefficient = triple[2].number(&file, "the coefficient")?;
            for node in reader.node_or_set(triple[0])? {
                terms.push((node, component as usize - 1, coefficient));
            }
        }
        let name = format!("the equation of line {}", count_field.place.line);
        reader.mesh.ties.push(Tie { name, kind: TieKind::Sum { terms }, place: count_field.place });
    }
    Ok(())
}

pub(super) fn rigid_body(reader: &mut Reader, block: &Block) -> Result<(), MeshError> {
    let file = reader.mesh.file.clone();
    let reference = reference(reader, block)?;
    let mut components = [true; 6];
    let set = match block.parameter("NSET").or_else(|| block.parameter("TIE NSET")) {
        Some(set) => set,
        None => match block.parameter("PIN NSET") {
            Some(set) => {
                components[3..].fill(false);
                set
            }
            None => {
                let help = "write *RIGID BODY, NSET=…, REF NODE=…";
                let message = "*RIGID BODY names no set of nodes";
                return Err(MeshError::new(&file, block.place, message, help));
            }
        },
    };
    let mut followers = reader.node_or_set(set)?;
    followers.retain(|node| *node != reference);
    let kind = TieKind::Rigid { reference, followers, components };
    let name = format!("the rigid body of line {}", block.place.line);
    reader.mesh.ties.push(Tie { name, kind, place: block.place });
    Ok(())
}

fn reference(reader: &Reader, block: &Block) -> Result<usize, MeshError> {
    let field = block.required(&reader.mesh.file, "REF NODE")?;
    let nodes = reader.node_or_set(field)?;
    match nodes[..] {
        [only] => Ok(only),
        _ => {
            let message = format!("the reference {} is not one node", field.text);
            Err(field.fault(&reader.mesh.file, message, "name one node"))
        }
    }
}

/// A coupling is rigid until the keyword below it says which kind it is.
pub(super) fn coupling(reader: &mut Reader, block: &Block) -> Result<(), MeshError> {
    let file = reader.mesh.file.clone();
    let reference = reference(reader, block)?;
    let surface = block.required(&file, "SURFACE")?;
    let name = surface.text.to_ascii_uppercase();
    let known = reader.surfaces.get(&name).or_else(|| reader.mesh.node_sets.get(&name)).cloned();
    let Some(mut followers) = known else {
        let message = format!("there is no surface of nodes {name}");
        let help = "declare it above with *SURFACE, TYPE=NODE, NAME=…";
        return Err(surface.fault(&file, message, help));
    };
    followers.sort_unstable();
    followers.dedup();
    followers.retain(|node| *node != reference);
    let kind = TieKind::Rigid { reference, followers, components: [true; 6] };
    let name = format!("the coupling of line {}", block.place.line);
    reader.mesh.ties.push(Tie { name, kind, place: block.place });
    Ok(())
}

/// `*KINEMATIC` or `*DISTRIBUTING` below a coupling.
pub(super) fn kind(
    reader: &mut Reader,
    block: &Block,
    coupling: Option<Place>,
) -> Result<(), MeshError> {
    let file = reader.mesh.file.clone();
    if coupling.is_none() {
        let message = format!("*{} belongs to no coupling", block.keyword);
        let help = "write *COUPLING, REF NODE=…, SURFACE=… above it";
        return Err(MeshError::new(&file, block.place, message, help));
    }
    let mut components = [block.data.is_empty(); 6];
    for line in &block.data {
        let first = block.field(&file, line, 0, "the first component")?;
        let from = first.label(&file, "the first component")?;
        let to = line.get(1).map_or(Ok(from), |field| field.label(&file, "the last component"))?;
        if from < 1 || to > 6 || from > to {
            let message = format!("there are no components {from} to {to}");
            return Err(first.fault(&file, message, "1 to 3 are translations, 4 to 6 rotations"));
        }
        components[from as usize - 1..to as usize].fill(true);
    }
    let tie = reader.mesh.ties.last_mut().expect("a coupling was read");
    let TieKind::Rigid { reference, followers, components: tied } = &mut tie.kind else {
        unreachable!("couplings are rigid at first");
    };
    if block.keyword == "KINEMATIC" {
        *tied = components;
    } else {
        let followers = followers.iter().map(|node| (*node, 1.0)).collect();
        tie.kind = TieKind::Mean { reference: *reference, components, followers };
    }
    Ok(())
}
