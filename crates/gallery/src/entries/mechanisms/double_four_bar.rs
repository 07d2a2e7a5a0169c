//! Two parallelograms in a row pass their flat positions.

use crate::entries::doc003::support::short;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::four_bars::four_bars;
use crate::mechanisms::runge_kutta;
use crate::study::{larger, run_system};
use crate::work_precision::method;
use rotula_dae::{Coordinates, Settings};
use std::f64::consts::{FRAC_PI_2, PI};

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-double-four-bar",
    document: "mechanisms",
    title: "Double four-bar mechanism through its singular positions",
    run,
};

/// All links have unit mass and length: three cranks with 1/3 each, two couplers with 1 each.
const INERTIA: f64 = 3.0;
/// Three centres at 1/2, two at 1.
const WEIGHT: f64 = 3.5 * 9.81;

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let mut rows = Vec::new();
    let studies = [
        ("index3, h = 1e-3", method("index3")?.fixed(1e-3, 10.0), 1e-3),
        ("ggl, h = 1e-3", method("ggl")?.fixed(1e-3, 10.0), 1e-3),
        ("ggl, h = 2.5e-4", method("ggl")?.fixed(2.5e-4, 10.0), 2.5e-4),
    ];
    let joints = Settings { coordinates: Coordinates::Joint, ..studies[1].1.clone() };
    let studies = studies.into_iter().chain([("ggl in joint coordinates, h = 1e-3", joints, 1e-3)]);
    let acceleration = |angle: f64, _: f64| -WEIGHT / INERTIA * angle.cos();
    let (exact, _) = runge_kutta(acceleration, (FRAC_PI_2, -1.0), 10.0, 20000);
    // the first after a quarter of a turn, then every half
    let passed = ((FRAC_PI_2 - exact) / PI + 0.5).floor();
    findings.at_least("singular positions passed", passed, 5.0);
    for (name, settings, h) in studies {
        // the methods are of second order; the energy is some hundred joules
        let scale = (h / 1e-3_f64).powi(2);
        let mut system = four_bars()?.assemble()?;
        let start = system.start();
        let outcome = run_system(&mut system, &start, &settings)?;
        let path = &outcome.trajectory;
        // cranks and couplers, at all times
        let mut skew = 0.0;
        for i in 0..path.len() {
            let q = path.q.row(i);
            let cranks = [5, 8].map(|k| (q[k] - q[2]).abs());
            let couplers = [11, 14].map(|k| q[k].abs());
            skew = cranks.into_iter().chain(couplers).fold(skew, larger);
        }
        let off = (outcome.state.q[2] - exact).abs();
        let drift = path.audit.energy_defect.unwrap_or(f64::NAN);
        findings.at_most(format!("{name}: cranks not parallel"), skew, 1e-7);
        findings.at_most(format!("{name}: error of the angle"), off, 1e-4 * scale);
        findings.at_most(format!("{name}: energy drift (J)"), drift, 2e-3 * scale);
        findings.at_most(format!("{name}: constraints"), path.audit.position_residual, 1e-8);
        rows.push(vec![name.into(), short(off), short(drift), short(skew)]);
    }
    let columns = ["method", "error of the angle", "energy drift (J)", "cranks not parallel"];
    findings.table("t = 10 s, against the pendulum", &columns, rows);
    Ok(())
}
