//! Centre lines of a cantilever with a force and a moment at its tip.

use crate::curves::{Curve, comparison};
use crate::entries::convergence::{Meshes, convergence};
use crate::entries::doc003::support::{numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::cantilever;
use crate::study::larger;
use nalgebra::Vector3;
use rotula_report::Axis;

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
    convergence(findings, ("elastica at full load", ""), &meshes, |elements, each| {
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
    let mut figures = Vec::new();
    for (kind, stiffness, bound) in kinds {
        let mut worst = 0.0;
        let mut curves = Vec::new();
        for (level, row) in LEVELS.into_iter().zip(&mut rows) {
            let off = distance(&data, kind, stiffness, level, 9, 3)?;
            worst = larger(worst, off);
            row.push(short(off));
            curves.push(centre_line(&data, kind, stiffness, level)?);
        }
        // the same scale for both kinds
        let axes = [
            Axis::linear("along the beam (lengths of the source)").between(-0.5, 6.5),
            Axis::linear("across the beam").between(-4.2, 0.5),
        ];
        figures.push(comparison(&format!("Centre lines, {kind}"), axes, "reference", curves));
        findings.at_most(format!("{kind}: largest distance of a centre line"), worst, bound);
    }
    let columns = ["load", "elastica (exact)", "with stretch (numeric)"];
    findings.table("Distance of centre lines, 9 elements of 3 nodes", &columns, rows);
    figures.into_iter().for_each(|figure| findings.figure(figure));
    Ok(())
}

/// A centre line of nine elements of three nodes, beside its nine points of the reference.
fn centre_line(
    data: &serde_json::Value,
    kind: &str,
    stiffness: [f64; 2],
    level: usize,
) -> Result<Curve, GalleryError> {
    let beam = cantilever::elastica(stiffness, level as f64 / POINTS as f64);
    let places = beam.rest(&beam.line(9, 3))?;
    let ours = [0, 1].map(|axis| places.iter().map(|[_, to]| to[axis]).collect::<Vec<f64>>());
    let mut known = [Vec::new(), Vec::new()];
    for point in 0..POINTS {
        let exact = numbers(data, &format!("/{kind}/{}/{point}", level - 1))?;
        (0..2).for_each(|axis| known[axis].push(exact[axis]));
    }
    let name = format!("{level}/9 of the load");
    Ok(Curve::new(name, &ours[0], &ours[1]).beside(&known[0], &known[1]))
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
    let mut worst = 0.0;
    for point in 0..POINTS {
        let exact = numbers(data, &format!("/{kind}/{}/{point}", level - 1))?;
        let [_, place] = places[(point + 1) * elements * (each - 1) / POINTS];
        worst = larger(worst, (place - Vector3::new(exact[0], exact[1], 0.0)).norm());
    }
    Ok(worst)
}
