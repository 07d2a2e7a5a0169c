//! Planar slider cranks: one that swings freely, one under a constant torque.

use super::explicit_in_joints;
use crate::entries::doc003::support::{number, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::slider_crank::{Planar, planar};
use crate::study::run_system;
use crate::work_precision::method;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-planar-slider-crank",
    document: "mechanisms",
    title: "Planar slider crank of three bodies",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-planar-slider-crank/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let mut rows = Vec::new();
    free(findings, &data, &mut rows)?;
    under_torque(findings, &data, &mut rows)?;
    findings.table("Crank angle", &["run", "angle", "reference", "difference"], rows);
    Ok(())
}

/// Ten seconds under gravity, against a reference in one coordinate.
fn free(
    findings: &mut Findings,
    data: &serde_json::Value,
    rows: &mut Vec<Vec<String>>,
) -> Result<(), GalleryError> {
    let given = Planar {
        lengths: [0.2, 0.5],
        masses: [1.0, 2.0, 1.0],
        gravity: 9.81,
        torque: 0.0,
        angle: std::f64::consts::FRAC_PI_4,
        rate: 8.0,
    };
    let read = |key: &str| number(data, &format!("/free/{key}"));
    let (angle, place, speed) = (read("phi")?, read("x3")?, read("x3_t")?);
    // The crank turns 17 times; an error of its energy shows in its angle.
    let studies = [
        ("bdf si2, 1e-12", method("bdf si2")?.tolerance(1e-12, 10.0), 1e-6),
        ("ggl, h = 5e-4", method("ggl")?.fixed(5e-4, 10.0), 1e-2),
        ("ggl, h = 2.5e-4", method("ggl")?.fixed(2.5e-4, 10.0), 2.5e-3),
        ("explicit in joint coordinates, 1e-12", explicit_in_joints(1e-12, 10.0)?, 1e-6),
    ];
    let mut errors = Vec::new();
    for (name, settings, bound) in studies {
        let mut system = planar(&given)?.assemble()?;
        let start = system.start();
        let state = run_system(&mut system, &start, &settings)?.state;
        let off = (state.q[2] - angle).abs();
        findings.at_most(format!("free, {name}: error of the crank angle"), off, bound);
        errors.push(off);
        let off_x = (state.q[6] - place).abs();
        findings.at_most(format!("free, {name}: error of the slider"), off_x, bound);
        let off_v = (state.v[6] - speed).abs();
        findings.at_most(format!("free, {name}: error of its speed"), off_v, 20.0 * bound);
        let digits = |x: f64| format!("{x:.9}");
        rows.push(vec![format!("free, {name}"), digits(state.q[2]), digits(angle), short(off)]);
    }
    findings.near("free, ggl: observed order", (errors[1] / errors[2]).log2(), 2.0, 0.05);
    Ok(())
}

/// A constant torque from rest, against a published run with tolerances of 1e-6.
fn under_torque(
    findings: &mut Findings,
    data: &serde_json::Value,
    rows: &mut Vec<Vec<String>>,
) -> Result<(), GalleryError> {
    let given = Planar {
        lengths: [0.1, 0.3],
        masses: [0.2, 0.2, 0.4],
        gravity: 0.0,
        torque: 0.1,
        angle: 0.0,
        rate: 0.0,
    };
    for i in 0..3 {
        let read = |key: &str| number(data, &format!("/torque/{i}/{key}"));
        let (until, angle, rate) = (read("t")?, read("theta")?, read("theta_t")?);
        // The published run allows a local error of 1e-6, relative to the angle, in every step. The
        // rate changes by as much as itself within a radian.
        let allowed = 1e-6 * angle * read("steps")?;
        let settings = method("bdf si2")?.tolerance(1e-10, until);
        let mut system = planar(&given)?.assemble()?;
        let start = system.start();
        let state = run_system(&mut system, &start, &settings)?.state;
        let off = (state.q[2] - angle).abs();
        let what = format!("torque, t = {until}");
        findings.at_most(format!("{what}: difference of the crank angle"), off, allowed);
        let off_rate = (state.v[2] - rate).abs() / rate;
        findings.at_most(format!("{what}: relative difference of its rate"), off_rate, allowed);
        let digits = |x: f64| format!("{x:.6}");
        rows.push(vec![what, digits(state.q[2]), digits(angle), short(off)]);
    }
    Ok(())
}
