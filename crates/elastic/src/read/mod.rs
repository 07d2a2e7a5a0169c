//! Reading meshes: one file per format.
//!
//! | file | format |
//! |---|---|
//! | `gmsh` | Gmsh `.msh`, versions 2 and 4.1, ASCII |
//! | `abaqus` | Abaqus and CalculiX `.inp` |
//! | `nastran` | Nastran `.bdf`: small, large and free fields |
//! | `matrix_market` | stiffness and mass as Matrix Market files |
//! | `node_table` | which nodes and components the rows of such matrices are of |
//! | `fields`, `blocks`, `cards` | pieces of lines and groups of lines, with their places |

mod abaqus;
mod abaqus_element;
mod abaqus_section;
mod abaqus_tie;
mod blocks;
mod cards;
mod fields;
mod gmsh;
mod gmsh_groups;
mod matrix_market;
mod nastran;
mod nastran_element;
mod nastran_tie;
mod node_table;

use crate::error::{MeshError, Place};
use crate::mesh::Mesh;
use std::path::Path;

pub use matrix_market::{read_matrices, read_matrices_text};
pub use node_table::{read_given, read_given_text};

/// A format of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Gmsh.
    Gmsh,
    /// Abaqus or CalculiX.
    Abaqus,
    /// Nastran.
    Nastran,
}

impl Format {
    /// The format that the end of a file's name speaks of.
    pub fn of(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "msh" => Some(Format::Gmsh),
            "inp" => Some(Format::Abaqus),
            "bdf" | "dat" | "nas" => Some(Format::Nastran),
            _ => None,
        }
    }
}

/// Reads a mesh; the end of the file's name says in which format it is.
pub fn read_mesh(path: &Path) -> Result<Mesh, MeshError> {
    let name = path.display().to_string();
    let Some(format) = Format::of(path) else {
        let message = "the name does not end in that of a mesh";
        let help = "give a Gmsh (.msh), Abaqus or CalculiX (.inp) or Nastran (.bdf) file, or a stiffness \
                    in Matrix Market's format (.mtx) with its mass and nodes";
        return Err(MeshError::new(&name, Place::NOWHERE, message, help));
    };
    read_mesh_text(&name, &read_text(path)?, format)
}

/// Reads a mesh from a text; errors call it `name`.
pub fn read_mesh_text(name: &str, text: &str, format: Format) -> Result<Mesh, MeshError> {
    match format {
        Format::Gmsh => gmsh::read(name, text),
        Format::Abaqus => abaqus::read(name, text),
        Format::Nastran => nastran::read(name, text),
    }
}

fn read_text(path: &Path) -> Result<String, MeshError> {
    rotula_files::read_to_string(path).map_err(|error| {
        let message = format!("the file cannot be read: {error}");
        let help = "check its name and that it is a text; binary meshes must be saved as ASCII";
        MeshError::new(&path.display().to_string(), Place::NOWHERE, message, help)
    })
}

/// Which components a word such as `123456` names.
fn components(file: &str, field: &fields::Field) -> Result<[bool; 6], MeshError> {
    let mut components = [false; 6];
    for digit in field.text.chars() {
        match digit.to_digit(10) {
            Some(i @ 1..=6) => components[i as usize - 1] = true,
            Some(0) if field.text == "0" => {}
            _ => {
                let message = format!("`{}` names no components of a node", field.text);
                let help = "write digits of 1 to 6: 123 are translations, 456 rotations";
                return Err(field.fault(file, message, help));
            }
        }
    }
    Ok(components)
}
