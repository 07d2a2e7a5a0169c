//! The slider crank with a flexible connecting rod at t = 0.1.

use crate::entries::doc003::support::{largest_difference, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::simeon_crank::{END, simeon_crank};
use crate::study::run_system;
use crate::work_precision::method;
use rotula_dae::InitialPolicy;

pub(super) const ENTRY: Entry = Entry {
    name: "simeon-crank",
    document: "ivp",
    title: "Slider crank with a flexible connecting rod",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/simeon-crank/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    start(findings, &numbers(&data, "/y0")?)?;
    let end = numbers(&data, "/y_end")?;
    let mut rows = Vec::new();
    let studies = [("ggl", 1e-6), ("index3", 1e-6), ("bdf si2", 1e-6)];
    for (name, step) in studies {
        let method = method(name)?;
        let mut settings = method.fixed(step, END);
        if name.starts_with("bdf") {
            settings = method.tolerance(1e-9, END);
        }
        settings.initial = InitialPolicy::Project;
        settings.output = rotula_dae::Output::Every(END / 10.0);
        let (mut system, initial) = simeon_crank();
        let outcome = run_system(&mut system, &initial, &settings)?;
        let state = &outcome.state;
        let rigid = largest_difference(&state.q[..3], &end[..3]);
        let elastic = largest_difference(&state.q[3..], &end[3..7]);
        findings.at_most(format!("{name}: error of angles and slider"), rigid, 1e-5);
        findings.at_most(format!("{name}: error of elastic coordinates"), elastic, 1e-6);
        let s = outcome.trajectory.statistics;
        let cost = [s.steps, s.iterations, s.factorisations].map(|n| n.to_string());
        rows.push(
            [vec![name.to_owned()], cost.to_vec(), vec![short(rigid), short(elastic)]].concat(),
        );
    }
    let columns = ["method", "steps", "iterations", "matrices", "error of p", "error of q"];
    findings.table("t = 0.1", &columns, rows);
    Ok(())
}

/// Accelerations and multipliers of the published start.
fn start(findings: &mut Findings, published: &[f64]) -> Result<(), GalleryError> {
    let (mut system, mut state) = simeon_crank();
    rotula_dae::make_consistent(&mut system, &mut state, InitialPolicy::Project)?;
    let names = ["phi1", "phi2", "x3", "bend1", "bend2", "stretch_mid", "stretch_end"];
    for (i, name) in names.into_iter().enumerate() {
        let (ours, theirs) = (state.vdot[i], published[14 + i]);
        // The published positions have nine digits; stiff directions magnify the rest.
        findings.near(format!("start: acceleration of {name}"), ours, theirs, 1e-6 * 5062.0);
    }
    for i in 0..3 {
        let ours = -state.multipliers[i];
        findings.near(format!("start: multiplier {}", i + 1), ours, published[21 + i], 1e-4);
    }
    Ok(())
}
