//! A composite cantilever under a sudden load, beside a series of BeamDyn.

use crate::curves::{Curve, comparison};
use crate::entries::doc003::support::{number, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::cantilever;
use crate::study::{largest, norm, run_system};
use nalgebra::Vector3;
use rotula_dae::{Coefficients, Formulation, Settings, StepControl};
use rotula_mechanics::element::Section;
use rotula_report::Axis;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-composite-beam",
    document: "mechanisms",
    title: "Composite beam under a sudden load, beside BeamDyn",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-composite-beam/reference.json");
const STEP: f64 = 5e-3;
/// The height through which passes are counted (in), about the static displacement.
const HEIGHT: f64 = 1.18;

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let (times, tip) = (numbers(&data, "/times")?, numbers(&data, "/tip")?);
    let (known_peak, known_period) = (number(&data, "/peak")?, number(&data, "/period")?);
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    let turning = Vector3::new(1.4433e-2, 0.4097e-2, 1.0336e-2);
    for (name, inertia) in [("with rotary inertia", turning), ("without", Vector3::repeat(1e-6))] {
        let found = sudden_load(inertia)?;
        let peak = largest(found.iter().copied());
        let period = period(&found);
        findings.close(format!("{name}: peak (in)"), peak, known_peak, 0.01);
        findings.close(format!("{name}: period (s)"), period, known_period, 0.01);
        let off: Vec<f64> = times
            .iter()
            .zip(&tip)
            .map(|(t, known)| (found[(t / STEP).round() as usize] - known) / known_peak)
            .collect();
        let mean = norm(&off) / (off.len() as f64).sqrt();
        let most = largest(off.iter().map(|off| off.abs()));
        if name == "without" {
            findings.at_most("without: mean difference over the peak", mean, 0.01);
        }
        rows.push(vec![
            name.into(),
            format!("{peak:.4}"),
            format!("{period:.5}"),
            short(mean),
            short(most),
        ]);
        let own: Vec<f64> = (0..found.len()).map(|k| STEP * k as f64).collect();
        curves.push(Curve::new(name, &own, &found));
    }
    let known = ["BeamDyn".into(), format!("{known_peak:.4}"), known_period.to_string()];
    rows.push([known.to_vec(), vec![String::new(); 2]].concat());
    let columns =
        ["section", "peak (in)", "period (s)", "mean difference over the peak", "largest"];
    findings.table("Tip along the load, 4 elements of 4 nodes, 2 s", &columns, rows);
    if let Some(last) = curves.pop() {
        curves.push(last.beside(&times, &tip));
    }
    let axes = ["time (s)", "displacement of the tip (in)"].map(Axis::linear);
    findings.figure(comparison("Tip under a sudden load", axes, "BeamDyn", curves));
    Ok(())
}

/// Displacements of the tip along the load after every step.
fn sudden_load(inertia: Vector3<f64>) -> Result<Vec<f64>, GalleryError> {
    let mut beam = cantilever::composite();
    beam.section.mass = Section::diagonal([1.0; 6], 8.538e-2, inertia).mass;
    let (model, nodes) = beam.model(&beam.line(4, 4))?;
    let mut system = model.assemble()?;
    let start = system.start();
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let coefficients = Coefficients::generalized_alpha(0.0)?;
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: STEP });
    settings.until = 2.0;
    let trajectory = run_system(&mut system, &start, &settings)?.trajectory;
    let tip = nodes[nodes.len() - 1].node;
    let height = |k: usize| system.node_frame(tip, trajectory.q.row(k)).position.z;
    Ok((0..trajectory.len()).map(height).collect())
}

/// Mean time between upward passes.
fn period(series: &[f64]) -> f64 {
    let upward = |w: &&[f64]| w[0] < HEIGHT && w[1] >= HEIGHT;
    let passes: Vec<f64> = series
        .windows(2)
        .enumerate()
        .filter(|(_, w)| upward(w))
        .map(|(k, w)| STEP * (k as f64 + (HEIGHT - w[0]) / (w[1] - w[0])))
        .collect();
    match passes[..] {
        [first, .., last] => (last - first) / (passes.len() - 1) as f64,
        _ => f64::NAN,
    }
}
