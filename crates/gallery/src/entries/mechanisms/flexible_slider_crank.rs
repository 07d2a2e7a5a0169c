//! The slider crank with an elastic rod as a mechanism, against the solution of its equations. [Yen et al. 1998, sheet §4.3]

use crate::entries::doc003::support::{number, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::flexible_slider_crank::{ROD, SliderCrank, exact, floating};
use crate::study::run_system;
use rotula_dae::analysis::{ModeKind, modes};
use rotula_dae::{
    Coefficients, Energetics, Formulation, GglVariant, InitialPolicy, Output, Settings,
    StepControl, make_consistent,
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
        let row = trajectory.times.iter().position(|at| (at - time).abs() < 1e-9);
        let missing = || GalleryError::Incomplete(format!("nothing is recorded at {t}"));
        let row = row.ok_or_else(missing)?;
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

/// One second with damped vibrations: the floating frame and geometrically exact beams, extrapolated from
/// two step sizes by the order of the method.
fn at_large(findings: &mut Findings, data: &serde_json::Value) -> Result<(), GalleryError> {
    let whole = expected(data, "1")?;
    let energy = number(data, "/exact/1/E")?;
    // the deflection of the tip and the angle of its tangent depend on vibrations, their sum does not
    let chord = |q: &[f64; 5]| q[1] + (q[4] / ROD).atan();
    let known = [whole[0], whole[2], energy, chord(&whole)];
    let names = ["φ₁", "x₃", "E", "angle of the chord"];
    let mut rows = Vec::new();
    let machines = [("floating frame", floating()?, 1e-6), ("exact beams", exact(8)?, 1e-5)];
    for (what, machine, tolerance) in machines {
        let coarse = damped(&machine, 5e-4, &whole)?;
        let fine = damped(&machine, 2.5e-4, &whole)?;
        let ends = [&coarse, &fine].map(|(q, energy)| [q[0], q[2], *energy, chord(q)]);
        if machine.rod.is_some() {
            let order = ((ends[0][0] - known[0]) / (ends[1][0] - known[0])).abs().log2();
            findings.near("observed order of φ₁(1)", order, 2.0, 0.1);
        }
        for k in 0..4 {
            let value = (4.0 * ends[1][k] - ends[0][k]) / 3.0;
            // a rod of exact beams has no frame to which its chord could be referred
            if k == 3 && machine.rod.is_none() {
                continue;
            }
            let name = format!("{}(1), {what}", names[k]);
            findings.near(name.as_str(), value, known[k], tolerance);
            let digits = [value, known[k]].map(|x| format!("{x:.9}"));
            rows.push(vec![name, digits[0].clone(), digits[1].clone(), short(value - known[k])]);
        }
    }
    let columns = ["quantity", "mechanism", "reference", "difference"];
    let title = "Vibrations damped (ggl, ρ = 0.5, extrapolated from h = 5e-4 and 2.5e-4)";
    findings.table(title, &columns, rows);
    Ok(())
}

/// Quantities and energy after a second.
fn damped(
    machine: &SliderCrank,
    h: f64,
    known: &[f64; 5],
) -> Result<([f64; 5], f64), GalleryError> {
    let mut system = machine.model.assemble()?;
    let start = system.start();
    let coefficients = Coefficients::generalized_alpha(0.5)?;
    let formulation = Formulation::Ggl { variant: GglVariant::MassWeighted };
    let control = StepControl::Fixed { h };
    let settings = Settings { until: 1.0, ..Settings::new(formulation, coefficients, control) };
    let end = run_system(&mut system, &start, &settings)?.state;
    let energy = system.energy(&end.point()).unwrap_or_default();
    Ok((quantities(machine, &system, &end.q, known), energy.kinetic + energy.potential))
}
