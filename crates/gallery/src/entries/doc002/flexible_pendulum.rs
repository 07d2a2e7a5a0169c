//! The beam that swings against a wall with its tip: first contact, its force and its energy. What
//! follows is chaotic and compared with the spread of many runs. [Brüls et al. 2018, sheet §6.2]

use super::contact_support::{active_rows, energy};
use crate::curves::{Curve, comparison};
use crate::entries::doc004::support::Reference;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::run_model;
use rotula_report::Axis;

pub(super) const ENTRY: Entry = Entry {
    name: "flexible-bouncing-pendulum",
    document: "002",
    title: "Bouncing flexible pendulum: first contact of a beam",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/flexible-bouncing-pendulum/model.toml");
const REFERENCE: &str =
    include_str!("../../../../../gallery/flexible-bouncing-pendulum/reference.json");
const H: f64 = 5e-6;

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let reference = Reference::parse(REFERENCE)?;
    let mut rows = Vec::new();
    let (mut gaps, mut forces) = (Vec::new(), Vec::new());
    for key in ["pva", "pvv"] {
        let trajectory = run_model(MODEL, &[("solve.strategy", key)])?.outcome.trajectory;
        let gap = |row: usize| trajectory.contacts.gap.row(row)[0];
        let times = reference.numbers(&["gap", "times"])?;
        let expected = reference.numbers(&["gap", "pva"])?;
        for (t, expected) in times.iter().zip(expected) {
            let row = (t / H).round() as usize;
            findings.near(format!("{key}: gap({t})"), gap(row), expected, 1e-8);
        }
        // every fiftieth of 70000 steps is enough for the eye, and all steps of the force
        let rows_drawn = (0..trajectory.len()).step_by(50);
        let (at, drawn): (Vec<f64>, Vec<f64>) =
            rows_drawn.map(|row| (trajectory.times[row], gap(row))).unzip();
        let known = reference.numbers(&["gap", "pva"])?;
        gaps.push(Curve::new(key, &at, &drawn).beside(&times, &known));
        let active = active_rows(&trajectory, 0);
        let (pushed, pushes): (Vec<f64>, Vec<f64>) = active
            .iter()
            .map(|&row| (trajectory.times[row], trajectory.contacts.force.row(row)[0]))
            .unzip();
        let known = reference.numbers(&["forces", key])?;
        let steps: Vec<f64> = (0..known.len()).map(|k| pushed[0] + H * k as f64).collect();
        forces.push(Curve::new(key, &pushed, &pushes).beside(&steps, &known));
        let (first, last) = (active[0], active[active.len() - 1]);
        let expected = reference.number(&["first_active"])?;
        findings.near(
            format!("{key}: first contact step"),
            trajectory.times[first],
            expected,
            1e-9,
        );
        let forces = reference.numbers(&["forces", key])?;
        let force = |row: usize| trajectory.contacts.force.row(row)[0];
        findings.close(format!("{key}: force of the first step"), force(first), forces[0], 1e-5);
        let after = reference.number(&["energy_after_first", key])?;
        let found = energy(&trajectory, first) - energy(&trajectory, 0);
        findings.near(format!("{key}: energy after the first step"), found, after, 1e-6);
        let range = reference.numbers(&["last_active_range"])?;
        let end = trajectory.times[last];
        findings.at_least(format!("{key}: end of the first contact phase"), end, range[0]);
        findings.at_most(format!("{key}: end of the first contact phase"), end, range[1]);
        let impulse: f64 = trajectory.contacts.impulse.column(0).sum();
        let range = reference.numbers(&["impulse_range"])?;
        findings.at_least(format!("{key}: impulse of the phase"), impulse, range[0] - 0.02);
        findings.at_most(format!("{key}: impulse of the phase"), impulse, range[1] + 0.02);
        let statistics = &trajectory.statistics;
        findings.at_most(
            format!("{key}: attempts given up by the iteration"),
            statistics.rejected_by_iteration as f64,
            0.0,
        );
        let mean = statistics.iterations as f64 / statistics.steps as f64;
        rows.push(vec![
            key.into(),
            format!("{:.6}", trajectory.times[first]),
            format!("{:.1}", force(first)),
            format!("{end:.6}"),
            format!("{impulse:.3}"),
            format!("{mean:.3}"),
        ]);
    }
    findings.table(
        "First contact phase, h = 5e-6, ρ = 0.8 (published: 0.327 to 0.348, read from a figure)",
        &["strategy", "first step", "its force", "last step", "impulse", "corrections per step"],
        rows,
    );
    let axes = [Axis::linear("time (s)"), Axis::linear("gap (m)")];
    findings.figure(comparison("Gap of the tip until the end of the contact", axes, "sheet", gaps));
    let begin = reference.number(&["first_active"])?;
    let axes = [
        Axis::linear("time (s)").between(begin - 2.0 * H, begin + 12.0 * H),
        Axis::log("force of a step in contact (N)").between(500.0, 5e4),
    ];
    findings.figure(comparison("Force of the first steps in contact", axes, "sheet", forces));
    findings.note(
        "Gravity and the kind of mass matrix are not printed: 10 m/s² and a consistent mass give the \
         published time of the first contact. After it the motion is chaotic; the end of the contact \
         phase and its impulse are compared with the range of 24 runs whose steps differ by up to \
         0.24 %.",
    );
    Ok(())
}
