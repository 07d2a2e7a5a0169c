//! Centre lines of a cantilever with a force and a moment at its tip.

use crate::entries::convergence::{Meshes, convergence};
use crate::entries::doc003::support::{numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::cantilever;
use nalgebra::Vector3;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-elastica",
    document: "mechanisms",
    title: "Centre lines of a cantilever: Euler's elastica, and one that stretches",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/mechanism-elastica/reference.json");
/// Points of a centre line, and parts of the load.
const POINTS: usize = 9;
/// Ninths of the load that are compared.
const LEVELS: [usize; 4] = [2, 4, 6, 9];
/// A stiffness that stands for an infinite one.
const RIGID: f64 = 2e5;

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let meshes = [Meshes { each: 2, counts: &[9, 18, 36], order: (2.0, 0.2), bound: 2e-3 }];
    convergence(findings, "elastica at full load", &meshes, |elements, each| {
        distance(&data, "inextensible", [RIGID, RIGID], POINTS, elements, each)
    })?;
    let kinds = [
        ("inextensible", [RIGID, RIGID], 5e-5),
        // this reference is numeric: that of the inextensible beam by the same program is 5.1e-3 away from the
        // closed form
        ("extensible", [5.0, RIGID], 6e-3),
    ];
    let mut rows: Vec<Vec<String>> =
        LEVELS.iter().map(|level| vec![format!("{level}/9")]).collect();
    for (kind, stiffness, bound) in kinds {
        let mut worst = 0.0_f64;
        for (level, row) in LEVELS.into_iter().zip(&mut rows) {
            let off = distance(&data, kind, stiffness, level, 9, 3)?;
            worst = worst.max(off);
            row.push(short(off));
        }
        findings.at_most(format!("{kind}: largest distance of a centre line"), worst, bound);
    }
    let columns = ["load", "elastica (exact)", "with stretch (numeric)"];
    findings.table("Distance of centre lines, 9 elements of 3 nodes", &columns, rows);
    Ok(())
}

/// The largest distance of nine points of the centre line from the reference.
fn distance(
    data: &serde_json::Value,
    kind: &str,
    stiffness: [f64; 2],
    level: usize,
    elements: usize,
    each: usize,
) -> Result<f64, GalleryError> {
    let beam = cantilever::elastica(stiffness, level as f64 / POINTS as f64);
    let places = beam.rest(&beam.line(elements, each))?;
    let mut worst = 0.0_f64;
    for point in 0..POINTS {
        let exact = numbers(data, &format!("/{kind}/{}/{point}", level - 1))?;
        let [_, place] = places[(point + 1) * elements * (each - 1) / POINTS];
        worst = worst.max((place - Vector3::new(exact[0], exact[1], 0.0)).norm());
    }
    Ok(worst)
}
