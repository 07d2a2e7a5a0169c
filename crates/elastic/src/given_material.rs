//! A material for elements to which their mesh gives none.

use crate::error::Place;
use crate::mesh::{Element, Family, Material, Mesh, Section};

/// Why a mesh cannot be given a material, or needs one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialFault {
    /// Every element has one.
    NotNeeded,
    /// Shells have no thickness.
    NoThickness,
    /// Elements have none, and none is given.
    Missing,
}

/// Gives elements without a section Young's modulus, Poisson's ratio and density, and shells among them a thickness.
pub fn give_material(
    mesh: &mut Mesh,
    material: Option<[f64; 3]>,
    thickness: Option<f64>,
) -> Result<(), MaterialFault> {
    let without = mesh.elements.iter().any(|element| element.section.is_none());
    match material {
        Some([young, poisson, density]) if without => {
            let material = mesh.materials.len();
            let name = "given".to_owned();
            mesh.materials.push(Material { name, young, poisson, density, place: Place::NOWHERE });
            mesh.give_section(Section::Solid { material });
            let shell = |element: &Element| {
                element.section.is_none() && element.shape.family() == Family::Shell
            };
            match thickness {
                Some(thickness) => mesh.give_section(Section::Shell { material, thickness }),
                None if mesh.elements.iter().any(shell) => return Err(MaterialFault::NoThickness),
                None => {}
            }
            Ok(())
        }
        Some(_) => Err(MaterialFault::NotNeeded),
        None if without && mesh.materials.is_empty() => Err(MaterialFault::Missing),
        None => Ok(()),
    }
}
