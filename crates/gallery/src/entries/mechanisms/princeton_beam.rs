//! The Princeton beam: its boundary-value problem, and the published table.

use super::static_beams::meshes;
use crate::entries::convergence::convergence;
use crate::entries::doc003::support::{number, numbers, reference};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::cantilever;
use nalgebra::Vector3;

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
    convergence(findings, "tip at 45°", &meshes([5e-5, 1e-8, 2e-10]), |elements, each| {
        Ok((beam.deflection(elements, each)?.abs() - exact).norm())
    })?;
    let angles = numbers(&data, "/angles")?;
    let mut rows = Vec::new();
    for k in 0..2 {
        let load = number(&data, &format!("/tables/{k}/load"))?;
        let [stiff, soft] =
            ["stiff", "soft"].map(|word| numbers(&data, &format!("/tables/{k}/{word}")));
        let (stiff, soft) = (stiff?, soft?);
        let mut worst = 0.0_f64;
        for (i, degrees) in angles.iter().enumerate() {
            let u = cantilever::princeton_at(load, degrees.to_radians())?.deflection(4, 4)?;
            let off = (u.z - stiff[i]).hypot(u.y - soft[i]) / stiff[i].hypot(soft[i]);
            worst = worst.max(off);
            let mut row = vec![load.to_string(), degrees.to_string()];
            row.extend([u.z, stiff[i], u.y, soft[i]].map(|value| format!("{value:.5}")));
            row.push(format!("{:.2} %", 100.0 * off));
            rows.push(row);
        }
        findings.at_most(format!("{load} N: largest relative difference"), worst, 0.015);
    }
    let columns = ["load (N)", "angle", "stiff", "published", "soft", "published", "difference"];
    findings.table("Displacement of the tip (m) beside ANSYS beams", &columns, rows);
    Ok(())
}
