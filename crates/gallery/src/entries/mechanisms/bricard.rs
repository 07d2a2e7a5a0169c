//! Bricard's mechanism against its reduction to one angle.

use super::explicit_in_joints;
use crate::entries::doc003::support::short;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::bricard::{THIRD, bricard, reduced, reduced_motion, tip as tip_of_rod};
use crate::study::{largest, run_system};
use crate::work_precision::method;
use nalgebra::Vector3;
use rotula_dae::RedundantPolicy;
use rotula_dae::analysis::linearise;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-bricard",
    document: "mechanisms",
    title: "Bricard's mechanism: an overconstrained loop that moves",
    run,
};

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let gaps = (0..100).map(|k| reduced(0.0628 * f64::from(k)).gap);
    findings.at_most("closed form: gap of the loop all the way round", largest(gaps), 1e-13);
    let mut system = bricard()?.assemble()?;
    let start = system.start();
    let freedom = linearise(&mut system, &start)?.velocities;
    findings.near("degrees of freedom", freedom.cols as f64, 1.0, 0.0);
    let mut rows = Vec::new();
    // ggl is of second order; the lengths are 1 m and the rates 1/s, so its errors are of the order of
    // h². bdf allows 1e-9 in each of some hundred steps. The whole benchmark lasts ten seconds, in which
    // errors have ten times the time to grow.
    let (ggl, bdf) = (method("ggl")?, method("bdf si2")?);
    let studies = [
        ("ggl, h = 1e-3", ggl.fixed(1e-3, 1.0), 1e-5),
        ("bdf si2, 1e-9", bdf.tolerance(1e-9, 1.0), 1e-6),
        ("explicit in joint coordinates, 1e-9", explicit_in_joints(1e-9, 1.0)?, 1e-6),
        ("bdf si2, 1e-9", bdf.tolerance(1e-9, 2.0), 1e-6),
        ("ggl, h = 1e-3", ggl.fixed(1e-3, 10.0), 1e-4),
        ("bdf si2, 1e-9", bdf.tolerance(1e-9, 10.0), 1e-6),
    ];
    for (name, mut settings, bound) in studies {
        let until = settings.until;
        let tip = reference(findings, until);
        settings.redundant = RedundantPolicy::Solve;
        let mut system = bricard()?.assemble()?;
        let start = system.start();
        let outcome = run_system(&mut system, &start, &settings)?;
        let rod = system.node_frame(THIRD + 1, &outcome.state.q);
        let off = (rod.transform_point(&tip_of_rod()) - tip).norm();
        let what = format!("t = {until}, {name}");
        findings.at_most(format!("{what}: error of P3 (m)"), off, bound);
        let audit = outcome.trajectory.audit;
        // Rows left out may miss by 1e-7 of the state before rows are chosen anew, which happens where
        // all rods lie in one plane, first at 1.248 s.
        let met = if until > 2.0 { 1e-6 } else { 1e-9 };
        findings.at_most(format!("{what}: constraints"), audit.position_residual, met);
        let drift = audit.energy_defect.unwrap_or(f64::NAN);
        // forces are some tens of newtons
        findings.at_most(format!("{what}: energy drift (J)"), drift, 30.0 * bound);
        let steps = outcome.trajectory.statistics.steps.to_string();
        rows.push(vec![what, steps, short(off), short(drift), short(audit.position_residual)]);
    }
    let columns = ["run", "steps", "error of P3 (m)", "energy drift (J)", "constraint residual"];
    findings.table("Against the reduction to one angle", &columns, rows);
    Ok(())
}

/// Where P3 is at a time, of the reduction, whose own accuracy is checked.
fn reference(findings: &mut Findings, until: f64) -> Vector3<f64> {
    let steps = (until * 2000.0) as usize;
    let (psi, rate) = reduced_motion(until, steps);
    let coarse = reduced_motion(until, steps / 2).0;
    let what = format!("t = {until}: reduction");
    // of fourth order: half the step leaves a fifteenth of the difference
    findings.at_most(format!("{what}, error"), (psi - coarse).abs() / 15.0, 1e-10);
    let found = reduced(psi);
    let energy = 0.5 * found.inertia * rate * rate + found.potential - reduced(0.0).potential;
    findings.at_most(format!("{what}, energy (J)"), energy.abs(), 1e-8);
    found.tip
}
