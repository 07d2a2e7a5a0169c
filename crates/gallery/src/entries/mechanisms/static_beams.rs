//! Cantilevers of beam elements with two, three and four nodes.

use crate::entries::convergence::{Meshes, convergence};
use crate::entries::doc003::support::{numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::cantilever;
use nalgebra::Vector3;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-static-beams",
    document: "mechanisms",
    title: "Static beams against published and exact solutions",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-static-beams/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let mut rows = Vec::new();
    for elements in [3, 4, 8, 16] {
        let tip = cantilever::roll_up().deflection(elements, 2)? + Vector3::x();
        findings.at_most(format!("roll-up, {elements} elements"), tip.norm(), 1e-10);
        rows.push(vec![elements.to_string(), short(tip.norm())]);
    }
    findings.table("Roll-up: distance of the tip from the root", &["elements", "error"], rows);
    let beams = [
        ("composite", "in", cantilever::composite(), [5e-4, 1e-7, 1e-9]),
        ("twisted", "m", cantilever::twisted(), [5e-3, 5e-5, 1e-6]),
    ];
    for (name, unit, beam, bounds) in beams {
        let exact = numbers(&data, &format!("/{name}/tip"))?;
        let exact = Vector3::new(exact[0], exact[1], exact[2]);
        convergence(findings, (name, unit), &meshes(bounds), |elements, each| {
            Ok((beam.deflection(elements, each)?.abs() - exact).norm())
        })?;
    }
    Ok(())
}

/// Elements of two, three and four nodes, with bounds of the finest errors.
pub(super) fn meshes([two, three, four]: [f64; 3]) -> [Meshes; 3] {
    [
        Meshes { each: 2, counts: &[8, 16, 32], order: (2.0, 0.3), bound: two },
        Meshes { each: 3, counts: &[4, 8, 16], order: (4.0, 0.3), bound: three },
        Meshes { each: 4, counts: &[2, 4, 8], order: (6.0, 0.3), bound: four },
    ]
}
