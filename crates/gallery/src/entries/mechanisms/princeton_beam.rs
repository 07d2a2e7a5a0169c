//! The Princeton beam: its boundary-value problem, and the published table.

use super::static_beams::meshes;
use crate::curves::{Curve, comparison};
use crate::entries::convergence::convergence;
use crate::entries::doc003::support::{number, numbers, reference};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::cantilever;
use crate::study::larger;
use nalgebra::Vector3;
use rotula_report::Axis;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-princeton-beam",
    document: "mechanisms",
    title: "Princeton beam: a strip that bends about both axes and twists",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-princeton-beam/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let exact = numbers(&data, "/tip")?;
    let exact = Vector3::new(exact[0], exact[1], exact[2]);
    let beam = cantilever::princeton();
    convergence(findings, ("tip at 45°", "m"), &meshes([5e-5, 1e-8, 2e-10]), |elements, each| {
        Ok((beam.deflection(elements, each)?.abs() - exact).norm())
    })?;
    let angles = numbers(&data, "/angles")?;
    let mut rows = Vec::new();
    let (mut across_stiff, mut across_soft) = (Vec::new(), Vec::new());
    for k in 0..2 {
        let load = number(&data, &format!("/tables/{k}/load"))?;
        let [stiff, soft] =
            ["stiff", "soft"].map(|word| numbers(&data, &format!("/tables/{k}/{word}")));
        let (stiff, soft) = (stiff?, soft?);
        let mut worst = 0.0;
        let mut found = [Vec::new(), Vec::new()];
        for (i, degrees) in angles.iter().enumerate() {
            let u = cantilever::princeton_at(load, degrees.to_radians())?.deflection(4, 4)?;
            let off = (u.z - stiff[i]).hypot(u.y - soft[i]) / stiff[i].hypot(soft[i]);
            worst = larger(worst, off);
            found[0].push(u.z);
            found[1].push(u.y);
            let mut row = vec![load.to_string(), degrees.to_string()];
            row.extend([u.z, stiff[i], u.y, soft[i]].map(|value| format!("{value:.5}")));
            row.push(format!("{:.2} %", 100.0 * off));
            rows.push(row);
        }
        let curve = |found: &[f64], known: &[f64]| {
            Curve::new(format!("{load} N"), &angles, found).beside(&angles, known)
        };
        across_stiff.push(curve(&found[0], &stiff));
        across_soft.push(curve(&found[1], &soft));
        findings.at_most(format!("{load} N: largest relative difference"), worst, 0.015);
    }
    let columns = ["load (N)", "angle", "stiff", "published", "soft", "published", "difference"];
    findings.table("Displacement of the tip (m) beside ANSYS beams", &columns, rows);
    for (direction, curves) in [("stiff", across_stiff), ("soft", across_soft)] {
        let axes = ["angle of the load (°)", "displacement of the tip (m)"].map(Axis::linear);
        let title = format!("Tip in the {direction} direction");
        findings.figure(comparison(&title, axes, "ANSYS beams", curves));
    }
    Ok(())
}
