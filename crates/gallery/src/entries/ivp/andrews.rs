//! Andrews' squeezing mechanism at t = 0.03.

use crate::entries::doc003::support::{largest_difference, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::andrews::{END, andrews};
use crate::study::{largest, run_system};
use crate::work_precision::method;

pub(super) const ENTRY: Entry =
    Entry { name: "andrews", document: "ivp", title: "Andrews' squeezing mechanism", run };

const REFERENCE: &str = include_str!("../../../../../gallery/andrews/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let exact = ["q", "qd", "lam"].map(|key| numbers(&data, &format!("/own/{key}")));
    let [q, v, multipliers] = exact;
    let (q, v, multipliers) = (q?, v?, multipliers?);
    // The test set writes reactions on the left-hand side.
    let multipliers: Vec<f64> = multipliers.iter().map(|value| -value).collect();
    start(findings, &numbers(&data, "/y0")?)?;
    let mut rows = Vec::new();
    // (method, fixed step or tolerance, bounds relative to the largest q, v and λ)
    let tight = 1e-10;
    let studies = [
        ("index3", None, 1e-6),
        ("hht-i3", None, 1e-6),
        ("soi2", None, 1e-6),
        ("ggl", None, 1e-6),
        ("dae-alpha", None, 1e-6),
        ("bdf index3", None, 1e-8),
        ("bdf si2", None, 1e-9),
        ("hht-i3", Some(5e-6), 3.5e-5 / 15.8),
    ];
    for (name, step, bound) in studies {
        let method = method(name)?;
        let settings = match step {
            Some(h) => method.fixed(h, END),
            None => method.tolerance(if name.starts_with("bdf") { 1e-12 } else { tight }, END),
        };
        let (mut system, initial) = andrews();
        let outcome = run_system(&mut system, &initial, &settings)?;
        let state = &outcome.state;
        let errors = [(&state.q, &q), (&state.v, &v), (&state.multipliers, &multipliers)]
            .map(|(ours, exact)| largest_difference(ours, exact) / size(exact));
        let what = match step {
            Some(h) => format!("{name}, h = {h:e}"),
            None => name.to_owned(),
        };
        findings.at_most(format!("{what}: error of q"), errors[0], bound);
        // Velocities wind with the angles; multipliers follow the accelerations.
        findings.at_most(format!("{what}: error of v"), errors[1], 10.0 * bound);
        findings.at_most(format!("{what}: error of λ"), errors[2], 100.0 * bound);
        let s = outcome.trajectory.statistics;
        let cost = [s.steps, s.iterations, s.factorisations].map(|n| n.to_string());
        rows.push([vec![what], cost.to_vec(), errors.map(short).to_vec()].concat());
    }
    let columns =
        ["method", "steps", "iterations", "matrices", "error of q", "error of v", "error of λ"];
    findings.table("t = 0.03, errors relative to the largest component", &columns, rows);
    findings.note(
        "The reference is our own: two methods of index 1 agree to 1e-12, and differ from the \
         published solution by 1.4e-9 in q and 1.5e-5 in λ.",
    );
    Ok(())
}

/// Accelerations and multipliers of the published start.
fn start(findings: &mut Findings, published: &[f64]) -> Result<(), GalleryError> {
    let (mut system, mut state) = andrews();
    rotula_dae::make_consistent(&mut system, &mut state, rotula_dae::InitialPolicy::Refuse)?;
    for i in 0..2 {
        let what = format!("start: acceleration {}", i + 1);
        findings.close(what, state.vdot[i], published[14 + i], 1e-10);
        let what = format!("start: multiplier {}", i + 1);
        findings.close(what, -state.multipliers[i], published[21 + i], 1e-10);
    }
    Ok(())
}

fn size(values: &[f64]) -> f64 {
    largest(values.iter().map(|value| value.abs()))
}
