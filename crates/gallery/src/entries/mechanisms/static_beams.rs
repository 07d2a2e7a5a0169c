//! Cantilevers of beam elements with two, three and four nodes.

use crate::entries::doc003::support::{numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::cantilever::{self, Cantilever};
use nalgebra::Vector3;
use rotula_dae::analysis::{Relaxation, statics};

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-static-beams",
    document: "mechanisms",
    title: "Static beams against published and exact solutions",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-static-beams/reference.json");

/// Nodes of an element, numbers of elements, expected order.
const MESHES: [(usize, [usize; 2], f64); 3] =
    [(2, [16, 32], 2.0), (3, [8, 16], 4.0), (4, [4, 8], 6.0)];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    for elements in [4, 8, 16] {
        let tip = deflection(&cantilever::roll_up(), elements, 2)? + Vector3::x();
        findings.at_most(format!("roll-up, {elements} elements"), tip.norm(), 1e-10);
    }
    let beams = [
        ("composite", cantilever::composite(), [5e-4, 1e-7, 1e-9]),
        ("twisted", cantilever::twisted(), [5e-3, 5e-5, 1e-6]),
        ("princeton", cantilever::princeton(), [5e-5, 1e-8, 2e-10]),
    ];
    let mut rows = Vec::new();
    for (name, beam, bounds) in beams {
        let exact = numbers(&data, &format!("/{name}/tip"))?;
        let exact = Vector3::new(exact[0], exact[1], exact[2]);
        for ((each, counts, expected), bound) in MESHES.into_iter().zip(bounds) {
            let mut errors = [0.0; 2];
            for (error, elements) in errors.iter_mut().zip(counts) {
                *error = (deflection(&beam, elements, each)?.abs() - exact).norm();
            }
            let order = (errors[0] / errors[1]).log2();
            let what = format!("{name}, {each} nodes");
            findings.at_most(format!("{what}: error of the tip"), errors[1], bound);
            findings.near(format!("{what}: observed order"), order, expected, 0.3);
            let elements = counts[1].to_string();
            rows.push(vec![what, elements, short(errors[1]), format!("{order:.2}")]);
        }
    }
    findings.table("Errors of the tip", &["beam", "elements", "error", "order"], rows);
    Ok(())
}

/// Displacement of the tip in equilibrium.
fn deflection(
    beam: &Cantilever,
    elements: usize,
    each: usize,
) -> Result<Vector3<f64>, GalleryError> {
    let (model, tip) = beam.model(elements, each)?;
    let mut system = model.assemble()?;
    let start = system.start();
    let rest = statics(&mut system, &start, Relaxation::Never)?;
    let place = |q: &[f64]| system.node_frame(tip, q).position;
    Ok(place(&rest.state.q) - place(&start.q))
}
