//! Finite elements: stiffness, mass and stress of one element of a mesh.
//!
//! | file | content |
//! |---|---|
//! | `quadrature` | rules of integration |
//! | `interpolation` | shape functions of solids |
//! | `solid` | tetrahedra and hexahedra |
//! | `beam` | beams in space |
//! | `shell` | flat shells |

mod beam;
mod interpolation;
mod quadrature;
mod shell;
mod solid;

use crate::error::MeshError;
use crate::mesh::{Element, Family, Material, Mesh, Section};
use beam::{Beam, NoBeam};
use nalgebra::{DMatrix, Matrix3, Vector3};
use shell::Shell;
use solid::Lame;

/// Ratio of smallest and largest volume below which an element counts as flat.
const FLAT: f64 = 1e-6;

/// A point that carries mass: motions are rows that multiply the displacements of the element's
/// nodes.
pub(crate) struct MassPoint {
    pub(crate) mass: f64,
    pub(crate) position: Vector3<f64>,
    /// Displacement of the point.
    pub(crate) translation: DMatrix<f64>,
    /// Inertia of the section at the point, and its rotation; beams and shells only.
    pub(crate) spin: Option<(Matrix3<f64>, DMatrix<f64>)>,
}

fn material<'a>(mesh: &'a Mesh, element: &Element) -> Result<&'a Material, MeshError> {
    Ok(&mesh.materials[section(mesh, element)?.material()])
}

fn section<'a>(mesh: &'a Mesh, element: &Element) -> Result<&'a Section, MeshError> {
    let Some(section) = element.section else {
        let message = format!("element {} has no section, and so no material", element.label);
        let help = "give its set a section with a material";
        return Err(mesh.fault(element.place, message, help));
    };
    let section = &mesh.sections[section];
    let (needed, given) = (element.shape.family(), section.family());
    if needed != given {
        let (label, needed, given) = (element.label, needed.name(), given.name());
        let message = format!("element {label} is a {needed} with the section of a {given}");
        let help = "give each kind of elements a section of its own kind";
        return Err(mesh.fault(element.place, message, help));
    }
    Ok(section)
}

fn beam(mesh: &Mesh, element: &Element) -> Result<Beam, MeshError> {
    let Section::Beam { material, profile, toward } = section(mesh, element)? else {
        unreachable!("the section of a beam was checked");
    };
    let ends = [0, 1].map(|end| mesh.nodes[element.nodes[end]].position);
    let toward = element.toward.unwrap_or(*toward);
    let label = element.label;
    Beam::new(ends, &mesh.materials[*material], *profile, toward).map_err(|reason| match reason {
        NoBeam::NoLength => {
            let message = format!("beam {label} has no length: its nodes are at one place");
            mesh.fault(element.place, message, "move one of its nodes, or remove the element")
        }
        NoBeam::NoPlane => {
            let message = format!("the direction of the section of beam {label} is along its axis");
            mesh.fault(element.place, message, "give a direction across the axis")
        }
    })
}

fn shell(mesh: &Mesh, element: &Element) -> Result<Shell, MeshError> {
    let Section::Shell { material, thickness } = section(mesh, element)? else {
        unreachable!("the section of a shell was checked");
    };
    let label = element.label;
    if thickness.is_nan() || *thickness <= 0.0 {
        let message = format!("shell {label} has the thickness {thickness}");
        return Err(mesh.fault(element.place, message, "it must be positive"));
    }
    let corners = mesh.corners(element);
    Shell::new(&corners, &mesh.materials[*material], *thickness).ok_or_else(|| {
        let message = format!("shell {label} spans no area, or an edge folds over");
        let help = "list its nodes going round, none at the place of another";
        mesh.fault(element.place, message, help)
    })
}

/// Refuses an element without section, without length, flat, or turned inside out.
pub(crate) fn check(mesh: &Mesh, element: &Element) -> Result<(), MeshError> {
    match element.shape.family() {
        Family::Beam => return beam(mesh, element).map(|_| ()),
        Family::Shell => return shell(mesh, element).map(|_| ()),
        Family::Solid => section(mesh, element)?,
    };
    let corners = mesh.corners(element);
    let quality = solid::quality(element.shape, &corners);
    if quality > FLAT {
        return Ok(());
    }
    let label = element.label;
    let (message, help) = if solid::is_mirrored(element.shape, &corners) {
        (
            format!("element {label} is inverted: its nodes are in the order of its mirror image"),
            "exchange two of its corner nodes, or the lower and the upper face",
        )
    } else if quality < -FLAT {
        (
            format!("element {label} is inverted in a part of its volume"),
            "correct its nodes: an edge folds over, or a middle node is far from its edge's middle",
        )
    } else {
        (
            format!("element {label} has no volume somewhere: it is flat or a corner collapses"),
            "remove it or move its nodes; a wedge must be meshed with tetrahedra",
        )
    };
    Err(mesh.fault(element.place, message, help))
}

/// Stiffness and consistent mass of an element of a checked mesh.
pub(crate) fn matrices(
    mesh: &Mesh,
    element: &Element,
) -> Result<(DMatrix<f64>, DMatrix<f64>), MeshError> {
    match element.shape.family() {
        Family::Beam => {
            let beam = beam(mesh, element)?;
            return Ok((beam.stiffness(), beam.mass()));
        }
        Family::Shell => {
            let mut mass = DMatrix::zeros(6 * element.nodes.len(), 6 * element.nodes.len());
            for point in mass_points(mesh, element)? {
                mass += point.translation.tr_mul(&point.translation) * point.mass;
                if let Some((inertia, rotation)) = &point.spin {
                    mass += rotation.tr_mul(&(inertia * rotation));
                }
            }
            return Ok((shell(mesh, element)?.stiffness(), mass));
        }
        Family::Solid => {}
    }
    let material = material(mesh, element)?;
    let corners = mesh.corners(element);
    let stiffness = solid::stiffness(element.shape, &corners, Lame::of(material));
    Ok((stiffness, solid::mass(element.shape, &corners, material.density)))
}

/// The points that carry the mass of an element: their kinetic energy is that of the consistent
/// mass.
pub(crate) fn mass_points(mesh: &Mesh, element: &Element) -> Result<Vec<MassPoint>, MeshError> {
    let corners = mesh.corners(element);
    if element.shape.family() == Family::Shell {
        return shell_points(mesh, element, &corners);
    }
    if element.shape.family() == Family::Beam {
        let points = beam(mesh, element)?.mass_points();
        let whole = |rows: nalgebra::SMatrix<f64, 3, 12>| {
            DMatrix::from_column_slice(3, 12, rows.as_slice())
        };
        let point = |point: beam::BeamMass| MassPoint {
            mass: point.mass,
            position: corners[0] * (1.0 - point.at) + corners[1] * point.at,
            translation: whole(point.translation),
            spin: Some((point.inertia, whole(point.rotation))),
        };
        return Ok(points.into_iter().map(point).collect());
    }
    let density = material(mesh, element)?.density;
    let points = solid::mass_points(element.shape, &corners, density);
    let count = corners.len();
    let point = |point: solid::SolidMass| {
        let mut translation = DMatrix::zeros(3, 3 * count);
        let mut position = Vector3::zeros();
        for (a, corner) in corners.iter().enumerate() {
            position += corner * point.values[a];
            for i in 0..3 {
                translation[(i, 3 * a + i)] = point.values[a];
            }
        }
        MassPoint { mass: point.mass, position, translation, spin: None }
    };
    Ok(points.into_iter().map(point).collect())
}

fn shell_points(
    mesh: &Mesh,
    element: &Element,
    corners: &[Vector3<f64>],
) -> Result<Vec<MassPoint>, MeshError> {
    let points = shell(mesh, element)?.mass_points(material(mesh, element)?.density);
    let point = |point: shell::ShellMass| {
        let mut translation = DMatrix::zeros(3, 6 * corners.len());
        let mut rotation = DMatrix::zeros(3, 6 * corners.len());
        let mut position = Vector3::zeros();
        for (a, corner) in corners.iter().enumerate() {
            position += corner * point.values[a];
            for i in 0..3 {
                translation[(i, 6 * a + i)] = point.values[a];
                rotation[(i, 6 * a + 3 + i)] = point.values[a];
            }
        }
        let spin = Some((point.inertia, rotation));
        MassPoint { mass: point.mass, position, translation, spin }
    };
    Ok(points.into_iter().map(point).collect())
}

/// Stress at the nodes of a solid element or, on the side of its normal, of a shell (six rows per node: xx, yy, zz, xy, yz, zx) for unit
/// displacements of its nodes. None for a beam.
pub(crate) fn nodal_stress(
    mesh: &Mesh,
    element: &Element,
) -> Result<Option<DMatrix<f64>>, MeshError> {
    match element.shape.family() {
        Family::Beam => return Ok(None),
        Family::Shell => return Ok(Some(shell(mesh, element)?.nodal_stress())),
        Family::Solid => {}
    }
    let lame = Lame::of(material(mesh, element)?);
    Ok(Some(solid::nodal_stress(element.shape, &mesh.corners(element), lame)))
}

#[cfg(test)]
mod tests;

/// A beam with a round section: area, second moment of area, outer radius and peak of shear, and section forces at both
/// ends by the components of its nodes.
pub(crate) struct RoundSection {
    pub(crate) sizes: [f64; 4],
    pub(crate) forces: DMatrix<f64>,
}

/// The section of a beam, if it is round.
pub(crate) fn round_section(
    mesh: &Mesh,
    element: &Element,
) -> Result<Option<RoundSection>, MeshError> {
    let beam = beam(mesh, element)?;
    Ok(beam.round_sizes().map(|sizes| RoundSection { sizes, forces: beam.section_forces() }))
}
