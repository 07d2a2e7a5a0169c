//! What Euler angles cost when a motion passes near their singularity, and how a new reference frame
//! avoids it. [Negrut et al. 2005, sheet §3.4]

use super::pendulum_exact::flow;
use super::support::{number, reference, short};
use super::tumbling::tumbling;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::re_reference::simulate_re_referenced;
use crate::problems::rigid_body::{Matrix, Orientation, about, compose, turn_between};
use crate::problems::rods::{Coordinates, rod_against};
use crate::study::{larger, run_watched};
use crate::work_precision::method;
use rotula_dae::{State, Statistics, StepRecord};
use serde_json::Value;
use std::f64::consts::FRAC_PI_2;

pub(super) const ENTRY: Entry = Entry {
    name: "gimbal",
    document: "003",
    title: "HHT-I3: Euler angles near their singularity, and new reference frames",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/gimbal/reference.json");

/// Caption, orientation, whether reference frames are changed, number of the case in the reference.
type Study = (&'static str, Orientation, bool, usize);

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let studies: [Study; 8] = [
        ("aligned", Coordinates::Euler.of(&about(1, 0.0)), false, 0),
        ("through the singularity", tilted(0.0), false, 1),
        ("through it, new reference", tilted(0.0), true, 2),
        ("5° beside it", tilted(5.0), false, 6),
        ("1° beside it", tilted(1.0), false, 4),
        ("0.1° beside it", tilted(0.1), false, 5),
        ("0.1° beside it, new reference", tilted(0.1), true, 7),
        ("quaternion", Orientation::Quaternion, false, 3),
    ];
    let mut rows = Vec::new();
    let mut costs = Vec::new();
    for study in studies {
        let cost = cost(study.1, study.2)?;
        rows.push(row(&data, study, &cost)?);
        costs.push(cost);
    }
    let columns = [
        "orientation",
        "steps/rejected/iterations/matrices",
        "sheet",
        "smallest step",
        "sheet",
        "new frames",
        "largest error of attitude",
    ];
    findings.table("Rod pendulum, 2 s, tolerance 1e-5", &columns, rows);
    compare(findings, &data, &studies, &costs)?;
    tumbling(findings)
}

/// Costs relative to those of aligned angles, as the sheet has them, and the same motion.
fn compare(
    findings: &mut Findings,
    data: &Value,
    studies: &[Study],
    costs: &[Cost],
) -> Result<(), GalleryError> {
    let relative = |k: usize| costs[k].statistics.steps as f64 / costs[0].statistics.steps as f64;
    for (k, &(name, _, _, case)) in studies.iter().enumerate().skip(1) {
        let theirs =
            number(data, &format!("/cases/{case}/steps"))? / number(data, "/cases/0/steps")?;
        // Only the price of the singularity itself depends on how quickly steps may shrink and grow
        // beside it, which the sheet does not say.
        let slack = if theirs > 1.5 { 0.25 } else { 0.05 };
        findings.close(format!("{name}: steps over aligned"), relative(k), theirs, slack);
        // the same tolerance, with steps that differ by some percent where the singularity is not felt
        let limit = 1.1 * costs[0].attitude;
        findings.at_most(format!("{name}: largest error of attitude"), costs[k].attitude, limit);
    }
    for (k, &(name, _, renewed, case)) in studies.iter().enumerate() {
        if renewed {
            let theirs = number(data, &format!("/cases/{case}/reref"))?;
            findings.near(format!("{name}: new frames"), costs[k].changes as f64, theirs, 0.0);
        }
    }
    let [with, without] = [6, 5].map(|k| costs[k].statistics.iterations as f64);
    findings.at_most("0.1° beside it: iterations with over without", with / without, 0.5);
    findings.note(
        "The prototype of the sheet needs 170 steps for the aligned angles, not the 150 of its own \
         table over tolerances, so that its settings here are not those given there; steps are \
         compared relative to the aligned run.",
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

/// What a run cost, and its largest error of attitude.
struct Cost {
    statistics: Statistics,
    changes: usize,
    attitude: f64,
}

fn cost(orientation: Orientation, renewed: bool) -> Result<Cost, GalleryError> {
    let (mut system, initial) = rod_against(orientation);
    let settings = method("hht-i3")?.tolerance(1e-5, 2.0);
    let mut attitude = 0.0;
    let mut compare = |rotation: Matrix<f64>, t: f64| {
        attitude = larger(attitude, turn_between(&rotation, &exact_rotation(t)));
    };
    if renewed {
        let end =
            simulate_re_referenced(&mut system, &initial, &settings, &mut |system, state| {
                compare(system.bodies()[0].rotation(&state.q), state.t);
            })?;
        return Ok(Cost { statistics: end.statistics, changes: end.changes, attitude });
    }
    let body = system.equations().bodies()[0];
    let mut watch = |state: &State, _: &StepRecord| {
        compare(body.rotation(&state.q), state.t);
        true
    };
    let statistics =
        run_watched(&mut system, &initial, &settings, &mut watch)?.trajectory.statistics;
    Ok(Cost { statistics, changes: 0, attitude })
}

/// The rod turns about y like a plane pendulum with 3/2 of the gravity, released horizontal at rest.
fn exact_rotation(t: f64) -> Matrix<f64> {
    let (from_vertical, _) = flow((-FRAC_PI_2, 0.0), t * 1.5f64.sqrt());
    about(1, from_vertical + FRAC_PI_2)
}

fn row(data: &Value, (name, .., case): Study, cost: &Cost) -> Result<Vec<String>, GalleryError> {
    let s = cost.statistics;
    let theirs = |key: &str| number(data, &format!("/cases/{case}/{key}"));
    let rejected = s.rejected_by_error + s.rejected_by_iteration;
    Ok(vec![
        name.to_owned(),
        format!("{}/{rejected}/{}/{}", s.steps, s.iterations, s.factorisations),
        format!("{}/{}/{}/{}", theirs("steps")?, theirs("rej")?, theirs("newton")?, theirs("jac")?),
        short(s.smallest_step),
        short(theirs("hmin")?),
        cost.changes.to_string(),
        short(cost.attitude),
    ])
}
