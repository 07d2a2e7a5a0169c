//! Andrews' squeezing mechanism as bodies and joints.

use super::explicit_in_joints;
use crate::entries::doc003::support::{largest_difference, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::squeezer::{angles, squeezer};
use crate::study::run_system;
use crate::work_precision::method;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-squeezer",
    document: "mechanisms",
    title: "Andrews' squeezing mechanism as seven bodies with ten pins",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/mechanism-squeezer/reference.json");
const END: f64 = 0.03;

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let (q, v) = (numbers(&data, "/q")?, numbers(&data, "/v")?);
    let mut rows = Vec::new();
    // bounds on angles; the largest, β, is 15.8
    let studies = [
        ("bdf si2, 1e-12", method("bdf si2")?.tolerance(1e-12, END), 1e-9),
        ("explicit in joint coordinates, 1e-12", explicit_in_joints(1e-12, END)?, 1e-9),
        ("ggl, 1e-9", method("ggl")?.tolerance(1e-9, END), 1e-4),
        ("index3, h = 5e-6", method("index3")?.fixed(5e-6, END), 1e-4),
    ];
    for (name, settings, bound) in studies {
        let mut system = squeezer()?.assemble()?;
        let start = system.start();
        let outcome = run_system(&mut system, &start, &settings)?;
        let (found, rates) = angles(&outcome.state);
        let (angle, rate) = (largest_difference(&found, &q), largest_difference(&rates, &v));
        findings.at_most(format!("{name}: error of the angles"), angle, bound);
        // rates are some hundred times the angles
        findings.at_most(format!("{name}: error of the rates"), rate, 1e3 * bound);
        let steps = outcome.trajectory.statistics.steps;
        rows.push(vec![name.into(), steps.to_string(), short(angle), short(rate)]);
    }
    let columns = ["method", "steps", "error of the angles", "error of the rates"];
    findings.table("t = 0.03, largest absolute errors", &columns, rows);
    Ok(())
}
