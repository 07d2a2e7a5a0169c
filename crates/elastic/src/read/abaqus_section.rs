//! Sections of `.inp` files: they may stand above their material, so they are given in the end.

use crate::error::{MeshError, Place};
use crate::mesh::{Mesh, Profile, Section};
use crate::read::blocks::Block;
use nalgebra::Vector3;

/// What a section is besides its material.
enum Kind {
    Solid,
    Shell(f64),
    Beam(Profile, Vector3<f64>),
}

/// A section as the file asks for it.
pub(super) struct SectionRequest {
    set: String,
    material: String,
    kind: Kind,
    place: Place,
}

impl SectionRequest {
    pub(super) fn solid(file: &str, block: &Block) -> Result<SectionRequest, MeshError> {
        Ok(SectionRequest {
            set: block.required(file, "ELSET")?.text.to_ascii_uppercase(),
            material: block.required(file, "MATERIAL")?.text.to_ascii_uppercase(),
            kind: Kind::Solid,
            place: block.place,
        })
    }

    pub(super) fn shell(file: &str, block: &Block) -> Result<SectionRequest, MeshError> {
        let line = block.first_line(file, "the thickness")?;
        let thickness = block.field(file, line, 0, "the thickness")?;
        let kind = Kind::Shell(thickness.number(file, "the thickness")?);
        Ok(SectionRequest { kind, ..SectionRequest::solid(file, block)? })
    }
}

pub(super) fn beam_section(file: &str, block: &Block) -> Result<SectionRequest, MeshError> {
    let kind = block.required(file, "SECTION")?;
    let line = block.first_line(file, "the sizes of the section")?;
    let size = |index: usize, what: &str| -> Result<f64, MeshError> {
        let field = block.field(file, line, index, what)?;
        let value = field.number(file, what)?;
        match value > 0.0 {
            true => Ok(value),
            false => Err(field.fault(file, format!("{what} is {value}"), "it must be positive")),
        }
    };
    let profile = match kind.text.to_ascii_uppercase().as_str() {
        "RECT" => Profile::rectangle(size(0, "the width")?, size(1, "the height")?),
        "CIRC" => Profile::circle(size(0, "the radius")?),
        "PIPE" => {
            let (radius, wall) = (size(0, "the radius")?, size(1, "the thickness")?);
            if wall >= radius {
                let message = format!("the wall of {wall} fills the pipe of radius {radius}");
                return Err(kind.fault(file, message, "use SECTION=CIRC for a full circle"));
            }
            Profile::tube(radius, radius - wall, 0.5)
        }
        other => {
            let message = format!("beam sections of kind {other} are not known");
            return Err(kind.fault(file, message, "use RECT, CIRC or PIPE"));
        }
    };
    // The first axis of the section; -z unless it is given.
    let mut toward = -Vector3::z();
    if let Some(line) = block.data.get(1) {
        for i in 0..3 {
            toward[i] =
                block.field(file, line, i, "the direction")?.number(file, "the direction")?;
        }
    }
    Ok(SectionRequest { kind: Kind::Beam(profile, toward), ..SectionRequest::solid(file, block)? })
}

/// Gives the sections to the elements of their sets.
pub(super) fn give(mesh: &mut Mesh, requests: Vec<SectionRequest>) -> Result<(), MeshError> {
    for request in requests {
        let material = mesh.materials.iter().position(|known| known.name == request.material);
        let Some(material) = material else {
            let message = format!("there is no material {}", request.material);
            let names: Vec<&str> = mesh.materials.iter().map(|known| known.name.as_str()).collect();
            let help = match names.is_empty() {
                true => "declare it with *MATERIAL".to_owned(),
                false => format!("declare it with *MATERIAL, or use one of {}", names.join(", ")),
            };
            return Err(mesh.fault(request.place, message, help));
        };
        let Some(elements) = mesh.element_sets.get(&request.set).cloned() else {
            let message = format!("there is no set of elements {}", request.set);
            let help = "declare it with *ELSET, or give *ELEMENT the parameter ELSET";
            return Err(mesh.fault(request.place, message, help));
        };
        let index = mesh.sections.len();
        mesh.sections.push(match request.kind {
            Kind::Beam(profile, toward) => Section::Beam { material, profile, toward },
            Kind::Shell(thickness) => Section::Shell { material, thickness },
            Kind::Solid => Section::Solid { material },
        });
        elements.into_iter().for_each(|element| mesh.elements[element].section = Some(index));
    }
    Ok(())
}
