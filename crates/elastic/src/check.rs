//! Whether a mesh can be computed with: sections, shapes of elements, parts, plausible units.

use crate::element;
use crate::error::MeshError;
use crate::given;
use crate::listing::numbers;
use crate::mesh::{Material, Mesh, Section, TieKind};
use std::collections::BTreeMap;

/// Refuses a mesh that has no elements, falls apart, or has an unsound element or material.
pub fn check(mesh: &Mesh) -> Result<(), MeshError> {
    if let Some(given) = &mesh.given {
        given::check(mesh, given)?;
        return check_parts(mesh);
    }
    if mesh.elements.is_empty() {
        let help =
            "declare solids (4- or 10-node tetrahedra, 8- or 20-node hexahedra), shells or beams";
        return Err(mesh.fault(crate::Place::NOWHERE, "the mesh has no elements", help));
    }
    for material in &mesh.materials {
        check_material(mesh, material)?;
    }
    for element in &mesh.elements {
        element::check(mesh, element)?;
    }
    check_supports(mesh)?;
    check_parts(mesh)
}

/// Refuses supports of nodes that nothing uses: what they should hold is elsewhere.
fn check_supports(mesh: &Mesh) -> Result<(), MeshError> {
    let mut used = vec![false; mesh.nodes.len()];
    mesh.elements.iter().flat_map(|element| &element.nodes).for_each(|node| used[*node] = true);
    for tie in &mesh.ties {
        match &tie.kind {
            TieKind::Rigid { reference, .. } | TieKind::Mean { reference, .. } => {
                used[*reference] = true;
            }
            TieKind::Sum { .. } => {}
        }
    }
    match mesh.supports.iter().find(|support| !used[support.node]) {
        Some(support) => {
            let label = mesh.nodes[support.node].label;
            let message = format!("a support holds node {label}, which belongs to no element");
            let help =
                "hold a node of the elements, or make this one the reference of a tie (RBE2, RBE3)";
            Err(mesh.fault(support.place, message, help))
        }
        None => Ok(()),
    }
}

fn check_material(mesh: &Mesh, material: &Material) -> Result<(), MeshError> {
    let Material { name, young, poisson, density, place } = material;
    let refuse = |message: String, help: &str| Err(mesh.fault(*place, message, help));
    if !young.is_finite() || *young <= 0.0 {
        let message = format!("material {name} has Young's modulus {young}");
        return refuse(message, "it must be positive, in pascals: 2.1e11 for steel");
    }
    if !(*poisson > -1.0 && *poisson < 0.5) {
        let message = format!("material {name} has Poisson's ratio {poisson}");
        return refuse(message, "it must be above -1 and below 0.5: 0.3 for steel");
    }
    if !density.is_finite() || *density <= 0.0 {
        let message = format!("material {name} has density {density}");
        return refuse(message, "it must be positive, in kg/m³: 7850 for steel");
    }
    Ok(())
}

/// Refuses parts that nothing connects.
fn check_parts(mesh: &Mesh) -> Result<(), MeshError> {
    let mut leader: Vec<usize> = (0..mesh.nodes.len()).collect();
    fn find(leader: &mut [usize], mut node: usize) -> usize {
        while leader[node] != node {
            leader[node] = leader[leader[node]];
            node = leader[node];
        }
        node
    }
    let mut join = |nodes: &mut dyn Iterator<Item = usize>| {
        let Some(first) = nodes.next() else { return };
        for node in nodes {
            let (a, b) = (find(&mut leader, first), find(&mut leader, node));
            leader[a.max(b)] = a.min(b);
        }
    };
    for element in &mesh.elements {
        join(&mut element.nodes.iter().copied());
    }
    for tie in &mesh.ties {
        match &tie.kind {
            TieKind::Rigid { reference, followers, .. } => {
                join(&mut std::iter::once(*reference).chain(followers.iter().copied()));
            }
            TieKind::Mean { reference, followers, .. } => {
                join(&mut std::iter::once(*reference).chain(followers.iter().map(|f| f.0)));
            }
            TieKind::Sum { terms } => join(&mut terms.iter().map(|term| term.0)),
        }
    }
    if let Some(given) = &mesh.given {
        given.pairs().iter().for_each(|&(a, b)| join(&mut [a, b].into_iter()));
        let (first, others) = given.rows.split_first().expect("matrices have rows");
        let root = find(&mut leader, first.0);
        for &(node, _) in others {
            if find(&mut leader, node) != root {
                let [first, other] = [first.0, node].map(|node| &mesh.nodes[node]);
                let message = format!(
                    "the body falls into parts: the stiffness does not connect node {} with node {}",
                    other.label, first.label
                );
                let help = "reduce the parts one by one";
                return Err(mesh.fault(other.place, message, help));
            }
        }
        return Ok(());
    }
    let roots: Vec<usize> =
        mesh.elements.iter().map(|element| find(&mut leader, element.nodes[0])).collect();
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    roots.iter().for_each(|root| *sizes.entry(*root).or_default() += 1);
    if sizes.len() == 1 {
        return Ok(());
    }
    // the largest part is the rest; of equal ones the first
    let most = sizes.values().max().copied().unwrap_or_default();
    let rest = roots.iter().copied().find(|root| sizes[root] == most).unwrap_or_default();
    let loose = roots.iter().copied().find(|root| *root != rest).unwrap_or_default();
    let part = || mesh.elements.iter().zip(&roots).filter(|(_, root)| **root == loose);
    let labels: Vec<u64> = part().map(|(element, _)| element.label).collect();
    let verb = if labels.len() == 1 { "is" } else { "are" };
    let message = format!(
        "the mesh falls into {} parts: {} {verb} not tied to the rest",
        sizes.len(),
        numbers("element", labels)
    );
    let place = part().next().map_or(crate::Place::NOWHERE, |(element, _)| element.place);
    let help = "merge coincident nodes, tie the parts, or reduce them one by one";
    Err(mesh.fault(place, message, help))
}

/// A system of units that a mesh may be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Metre, kilogram, second, pascal.
    Si,
    /// Millimetre, tonne, second, megapascal.
    Millimetres,
}

impl Units {
    /// Metres per unit of length, pascals per unit of stress, kg/m³ per unit of density.
    fn factors(self) -> (f64, f64, f64) {
        match self {
            Units::Si => (1.0, 1.0, 1.0),
            Units::Millimetres => (1e-3, 1e6, 1e12),
        }
    }
}

/// Converts a mesh to SI units.
pub fn convert(mesh: &mut Mesh, units: Units) {
    let (length, stress, density) = units.factors();
    mesh.nodes.iter_mut().for_each(|node| node.position *= length);
    if let Some(given) = &mut mesh.given {
        given.convert(length, stress);
    }
    for material in &mut mesh.materials {
        material.young *= stress;
        material.density *= density;
    }
    for section in &mut mesh.sections {
        match section {
            Section::Beam { profile, .. } => {
                profile.area *= length.powi(2);
                profile.inertia_y *= length.powi(4);
                profile.inertia_z *= length.powi(4);
                profile.torsion *= length.powi(4);
            }
            Section::Shell { thickness, .. } => *thickness *= length,
            Section::Solid { .. } => {}
        }
    }
    for tie in &mut mesh.ties {
        if let TieKind::Sum { terms } = &mut tie.kind {
            // rotations have no unit of length: u = c θ needs c in metres
            let turns = |term: &(usize, usize, f64)| term.1 >= 3;
            terms.iter_mut().filter(|term| turns(term)).for_each(|term| term.2 *= length);
        }
    }
}

/// Refuses materials that no known matter has, in SI units.
///
/// Solids weigh 10 to 25 000 kg/m³, have moduli of 10⁵ to 2·10¹² Pa, and sound runs through them at
/// 20 m/s (soft rubber) to 20 km/s (diamond).
pub fn check_units(mesh: &Mesh) -> Result<(), MeshError> {
    if let Some(given) = &mesh.given {
        return given::check_units(mesh, given);
    }
    for material in &mesh.materials {
        check_material(mesh, material)?;
        if is_plausible(material.young, material.density) {
            continue;
        }
        let Material { name, young, density, place, .. } = material;
        let message = format!(
            "material {name} with modulus {young:e} and density {density:e} is no matter in \
             pascals and kg/m³"
        );
        let (_, stress, weight) = Units::Millimetres.factors();
        let help = if is_plausible(young * stress, density * weight) {
            "it is in megapascals and t/mm³: say that the mesh is in millimetres (`--units mm`)"
        } else if is_plausible(young * stress, *density) {
            "the modulus looks like megapascals and the density like kg/m³: use one system of units"
        } else if is_plausible(*young, density * weight) {
            "the modulus looks like pascals and the density like t/mm³: use one system of units"
        } else {
            "steel has modulus 2.1e11 Pa and density 7850 kg/m³"
        };
        return Err(mesh.fault(*place, message, help));
    }
    Ok(())
}

fn is_plausible(young: f64, density: f64) -> bool {
    let sound = (young / density).sqrt();
    (1e5..=2e12).contains(&young)
        && (10.0..=25e3).contains(&density)
        && (20.0..=2e4).contains(&sound)
}
