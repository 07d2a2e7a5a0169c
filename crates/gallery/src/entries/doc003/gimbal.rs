//! What Euler angles cost when a motion passes near their singularity.

use super::support::short;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::rigid_body::{Orientation, about, compose};
use crate::problems::rods::{Coordinates, rod_against};
use crate::study::run_system;
use crate::work_precision::method;
use rotula_dae::Statistics;
use std::f64::consts::FRAC_PI_2;

pub(super) const ENTRY: Entry = Entry {
    name: "gimbal",
    document: "003",
    title: "HHT-I3: Euler angles near their singularity",
    run,
};

/// Exact angle of the rod at t = 2.
const ANGLE: f64 = 0.0326973425726;

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let aligned = Coordinates::Euler.of(&about(1, 0.0));
    let studies = [
        ("aligned", aligned),
        ("through the singularity", tilted(0.0)),
        ("5° beside it", tilted(5.0)),
        ("1° beside it", tilted(1.0)),
        ("0.1° beside it", tilted(0.1)),
        ("quaternion", Orientation::Quaternion),
    ];
    let mut rows = Vec::new();
    let mut costs = Vec::new();
    for (name, orientation) in studies {
        let (statistics, error) = cost(orientation)?;
        findings.at_most(format!("{name}: position error"), error, 2e-2);
        rows.push(vec![
            name.to_owned(),
            statistics.steps.to_string(),
            (statistics.rejected_by_error + statistics.rejected_by_iteration).to_string(),
            statistics.factorisations.to_string(),
            short(statistics.smallest_step),
            short(error),
        ]);
        costs.push(statistics.steps as f64);
    }
    findings.close("through the singularity: steps over aligned", costs[1] / costs[0], 1.0, 0.1);
    findings.close("0.1° beside it: steps over aligned", costs[4] / costs[0], 3.67, 0.3);
    findings.close("quaternion: steps over aligned", costs[5] / costs[0], 1.0, 0.1);
    let columns = ["orientation", "steps", "rejected", "matrices", "smallest step", "error"];
    findings.table("Rod pendulum, 2 s, tolerance 1e-5", &columns, rows);
    findings.note(
        "The sheet's cure, a new reference frame whenever |sin θ| < 0.3, is an event of a body \
         model; equations in fixed coordinates cannot do it. Quaternions need no cure.",
    );
    Ok(())
}

/// A frame in which the swing of the rod passes `degrees` beside θ = π at its lowest point.
fn tilted(degrees: f64) -> Orientation {
    let swing = compose(&about(0, FRAC_PI_2), &about(2, -FRAC_PI_2));
    let inverse = compose(&about(1, degrees.to_radians()), &swing);
    let reference = std::array::from_fn(|i| std::array::from_fn(|j| inverse[j][i]));
    Orientation::Euler { reference }
}

fn cost(orientation: Orientation) -> Result<(Statistics, f64), GalleryError> {
    let (mut system, initial) = rod_against(orientation);
    let settings = method("hht-i3")?.tolerance(1e-5, 2.0);
    let outcome = run_system(&mut system, &initial, &settings)?;
    let q = &outcome.state.q;
    let error = (q[0] - 0.5 * ANGLE.cos()).hypot(q[2] + 0.5 * ANGLE.sin());
    Ok((outcome.trajectory.statistics, error))
}
