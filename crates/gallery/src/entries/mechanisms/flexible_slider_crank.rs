//! The slider crank with an elastic rod as a mechanism, against the solution of its equations. [004 §4.3]

use crate::entries::doc003::support::{number, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::flexible_slider_crank::{ROD, SliderCrank, exact, floating};
use crate::study::run_system;
use rotula_dae::analysis::{ModeKind, modes};
use rotula_dae::{
    Coefficients, Formulation, GglVariant, InitialPolicy, Output, Settings, StepControl, System,
    make_consistent,
};
use rotula_mechanics::Assembly;
use std::f64::consts::TAU;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-flexible-slider-crank",
    document: "mechanisms",
    title: "Slider crank with an elastic rod on a floating frame",
    run,
};

/// The same as for the equations of document 004.
const REFERENCE: &str = include_str!("../../../../../gallery/flexible-slider-crank/reference.json");
const NAMES: [&str; 5] = ["φ₁", "φ₂", "x₃", "middle", "tip"];
/// Where these are among the coordinates of the reference.
const PLACES: [usize; 5] = [0, 1, 2, 5, 9];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    vibrations(findings, &data)?;
    resolved(findings, &data)?;
    at_large(findings, &data)?;
    Ok(())
}

fn expected(data: &serde_json::Value, t: &str) -> Result<[f64; 5], GalleryError> {
    let all = numbers(data, &format!("/exact/{t}/q"))?;
    Ok(PLACES.map(|place| all[place]))
}

/// The angle nearest to another that differs by whole turns.
fn near(angle: f64, other: f64) -> f64 {
    angle + ((other - angle) / TAU).round() * TAU
}

/// Angle of the crank, of the rod, place of the slider, deflections of middle and tip.
fn quantities(machine: &SliderCrank, system: &Assembly, q: &[f64], exact: &[f64; 5]) -> [f64; 5] {
    let frame = |node: usize| system.node_frame(node, q);
    let turn = |node: usize| frame(node).orientation.log().z;
    let crank = near(turn(machine.crank.node()), exact[0]);
    let slider = frame(machine.slider.node()).position.x;
    let Some(rod) = &machine.rod else { return [crank, f64::NAN, slider, f64::NAN, f64::NAN] };
    let displacement = rod.shapes.surface.displacement(&rod.amplitudes(frame));
    // points lie at equal distances along the rod
    let along_y = |point: usize| displacement[3 * point + 1];
    let last = displacement.len() / 3 - 1;
    [crank, near(turn(rod.body.node()), exact[1]), slider, along_y(last / 2), along_y(last)]
}

/// Frequencies at the start, which the sheet rounds to whole numbers.
fn vibrations(findings: &mut Findings, data: &serde_json::Value) -> Result<(), GalleryError> {
    let mut system = floating()?.model.assemble()?;
    let mut state = system.start();
    make_consistent(&mut system, &mut state, InitialPolicy::Refuse)?;
    let all = modes(&mut system, &state)?.modes;
    let vibrate = all.iter().filter(|mode| mode.kind == ModeKind::Oscillation);
    let mut found: Vec<f64> = vibrate.map(|mode| mode.frequency * TAU).collect();
    found.sort_by(f64::total_cmp);
    let known = numbers(data, "/frequencies")?;
    findings.near("number of frequencies", found.len() as f64, known.len() as f64, 0.0);
    for (k, (found, known)) in found.iter().zip(&known).enumerate() {
        findings.near(format!("frequency {}, rad/s", k + 1), *found, *known, 0.5);
    }
    Ok(())
}

/// All vibrations followed for a tenth of a second.
fn resolved(findings: &mut Findings, data: &serde_json::Value) -> Result<(), GalleryError> {
    let machine = floating()?;
    let mut system = machine.model.assemble()?;
    let start = system.start();
    let mut settings = crate::work_precision::method("bdf si2")?.tolerance(1e-8, 0.1);
    settings.output = Output::At(vec![0.05, 0.1]);
    let trajectory = run_system(&mut system, &start, &settings)?.trajectory;
    let mut rows = Vec::new();
    for t in ["0.05", "0.1"] {
        let exact = expected(data, t)?;
        let time: f64 = t.parse().unwrap_or(f64::NAN);
        let row = trajectory.times.iter().position(|at| (at - time).abs() < 1e-9).unwrap_or(0);
        let found = quantities(&machine, &system, trajectory.q.row(row), &exact);
        for k in 0..5 {
            // deflections are of the order of 1e-6
            let tolerance = if k < 3 { 1e-7 } else { 1e-8 };
            findings.near(format!("{}({t}), bdf", NAMES[k]), found[k], exact[k], tolerance);
            let digits = [found[k], exact[k]].map(|x| format!("{x:.9e}"));
            let difference = short(found[k] - exact[k]);
            rows.push(vec![
                format!("{}({t})", NAMES[k]),
                digits[0].clone(),
                digits[1].clone(),
                difference,
            ]);
        }
    }
    let columns = ["quantity", "mechanism", "reference", "difference"];
    findings.table("All vibrations resolved (bdf, tolerance 1e-8)", &columns, rows);
    Ok(())
}

/// One second with damped vibrations: the floating frame and geometrically exact beams.
fn at_large(findings: &mut Findings, data: &serde_json::Value) -> Result<(), GalleryError> {
    let exact_end = expected(data, "1")?;
    let energy_end = number(data, "/exact/1/E")?;
    let mut rows = Vec::new();
    let machines = [("floating frame", floating()?), ("exact beams", exact(8)?)];
    for (what, machine) in machines {
        let mut system = machine.model.assemble()?;
        let start = system.start();
        let coefficients = Coefficients::generalized_alpha(0.5)?;
        let formulation = Formulation::Ggl(GglVariant::MassWeighted);
        let control = StepControl::Fixed { h: 2e-4 };
        let settings = Settings { until: 1.0, ..Settings::new(formulation, coefficients, control) };
        let end = run_system(&mut system, &start, &settings)?.state;
        let found = quantities(&machine, &system, &end.q, &exact_end);
        let energy = system.energy(&end.point()).unwrap_or_default();
        let energy = energy.kinetic + energy.potential;
        let mut tell = |name: &str, value: f64, known: f64, tolerance: f64| {
            findings.near(format!("{name}(1), {what}"), value, known, tolerance);
            let digits = [value, known].map(|x| format!("{x:.9}"));
            let difference = short(value - known);
            rows.push(vec![
                format!("{name}(1), {what}"),
                digits[0].clone(),
                digits[1].clone(),
                difference,
            ]);
        };
        // exact beams stretch and shear besides
        let tolerance = if machine.rod.is_some() { 1e-6 } else { 1e-4 };
        tell(NAMES[0], found[0], exact_end[0], tolerance);
        tell(NAMES[2], found[2], exact_end[2], tolerance);
        tell("E", energy, energy_end, 1e-6);
        if machine.rod.is_some() {
            // the deflection of the tip and the angle of its tangent depend on vibrations, their sum does not
            let chord = |q: &[f64; 5]| q[1] + (q[4] / ROD).atan();
            tell("angle of the chord", chord(&found), chord(&exact_end), 1e-6);
        }
    }
    let columns = ["quantity", "mechanism", "reference", "difference"];
    findings.table("Vibrations damped (ggl, ρ = 0.5, h = 2e-4)", &columns, rows);
    Ok(())
}
