//! Where friction changes: sticking, slipping, a ball that is hit and rolls on.

use super::{March, Run, moreau_jean, nonsmooth};
use crate::curves::{Curve, convergence};
use crate::entries::doc004::support::short;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;

pub(super) const ENTRY: Entry = Entry {
    name: "contact-friction",
    document: "contact",
    title: "An oscillator that sticks, a cue ball, a rod that falls on its end",
    run,
};

const OSCILLATOR: &str = include_str!("../../../../../gallery/contact-friction/oscillator.toml");
const CUE: &str = include_str!("../../../../../gallery/contact-friction/cue.toml");
const DROP: &str = include_str!("../../../../../gallery/contact-friction/drop.toml");

const TOLERANCES: [&str; 6] = ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8"];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    oscillator(findings)?;
    cue(findings)?;
    drop(findings)
}

/// Each half turn takes 2 μ g: from 3 m it comes to rest at −(3 − 6 μ g).
fn oscillator(findings: &mut Findings) -> Result<(), GalleryError> {
    let rest = -(3.0 - 6.0 * 0.05 * 9.81);
    let mut errors = Vec::new();
    for tolerance in TOLERANCES {
        let run = super::equations(OSCILLATOR, nonsmooth("", "tolerance", tolerance))?;
        let error = (run.q.row(run.len() - 1)[0] - rest).abs();
        // errors of the steps add up along a path of 9 m
        let bound = 100.0 * tolerance.parse::<f64>().unwrap_or(f64::NAN);
        findings.at_most(format!("oscillator, tolerance {tolerance}: place of rest"), error, bound);
        let speed = run.v.row(run.len() - 1)[0].abs();
        findings.at_most(format!("oscillator, tolerance {tolerance}: speed at rest"), speed, 1e-9);
        errors.push(error);
    }
    for (k, pair) in errors.windows(2).enumerate() {
        let what =
            format!("oscillator: errors at {} over those at {}", TOLERANCES[k], TOLERANCES[k + 1]);
        findings.at_least(what, pair[0] / pair[1], 1.0);
    }
    // errors of tol^(2/3) fall by 2154 from 1e-3 to 1e-8
    let (first, last) = (errors[0], errors[errors.len() - 1]);
    findings.at_least("oscillator: errors at 1e-3 over those at 1e-8", first / last, 300.0);
    let rows = TOLERANCES.iter().zip(&errors);
    let rows = rows.map(|(tolerance, &error)| vec![tolerance.to_string(), short(error)]).collect();
    findings.table("Oscillator: error of the place of rest (m)", &["tolerance", "error"], rows);
    let numbers: Vec<f64> =
        TOLERANCES.iter().map(|text| text.parse().unwrap_or(f64::NAN)).collect();
    let axes = ["tolerance", "error of the place of rest (m)"];
    let curve = Curve::new("nonsmooth", &numbers, &errors);
    findings.figure(convergence("Oscillator on a rough table", axes, "", vec![curve]));
    let run = super::equations(OSCILLATOR, moreau_jean("", "1e-3"))?;
    let error = (run.q.row(run.len() - 1)[0] - rest).abs();
    findings.at_most("oscillator, moreau-jean, steps of 0.001: place of rest", error, 1e-2);
    Ok(())
}

/// The cue ball keeps 2/7 of its speed, the other one gets 5/7; both roll.
fn cue(findings: &mut Findings) -> Result<(), GalleryError> {
    // with moreau-jean the balls rub on the table for one step more or less: 0.2 g h
    let marches = [
        (nonsmooth("steps of 0.01", "step", "1e-2"), 1e-9),
        (nonsmooth("tolerance 1e-4", "tolerance", "1e-4"), 1e-9),
        (moreau_jean("moreau-jean, steps of 0.01", "1e-2"), 0.2 * 9.81 * 0.01),
    ];
    for (march, bound) in marches {
        let run = Run::of(CUE, march, &[])?;
        for (ball, part) in [("cue", 2.0 / 7.0), ("ball", 5.0 / 7.0)] {
            let speed = run.last(&format!("{ball}.vx"))?;
            findings.near(format!("billiard, {}: {ball}", march.name), speed, part, bound);
            let spin = 0.03 * run.last(&format!("{ball}.wy"))?;
            findings.near(format!("billiard, {}: {ball} rolls", march.name), spin, part, bound);
        }
    }
    Ok(())
}

/// With u the speed of the fall and θ the angle, P = (1 + e) m u/(1 + 3 cos² θ) without friction; with much of it the end stops.
fn drop(findings: &mut Findings) -> Result<(), GalleryError> {
    let marches: [March; 2] = [
        nonsmooth("steps of 0.01", "step", "1e-2"),
        nonsmooth("tolerance 1e-4", "tolerance", "1e-4"),
    ];
    let (u, cos) = (9.81f64.sqrt(), 0.5f64.sqrt());
    let after = 0.32 - u / 9.81;
    // rod of 1 m and 1 kg: W of its end along and across the ground
    let (arm, inverse) = (0.5 * cos, 12.0);
    let [nn, nt, tt] = [1.0 + arm * arm * inverse, arm * arm * inverse, 1.0 + arm * arm * inverse];
    let smooth = [1.5 * u / nn, 0.0];
    let determinant = nn * tt - nt * nt;
    let sticking = [1.5 * u * tt / determinant, -1.5 * u * nt / determinant];
    for (friction, [normal, along]) in [("0", smooth), ("5", sticking)] {
        for march in marches {
            let run = Run::of(DROP, march, &[("parameters.friction", friction.into())])?;
            let what = |key: &str| format!("rod on its end, μ = {friction}, {}: {key}", march.name);
            findings.near(what("vz"), run.last("rod.vz")?, normal - u - 9.81 * after, 1e-9);
            findings.near(what("|vx|"), run.last("rod.vx")?.abs(), along.abs(), 1e-9);
            let spin = arm * inverse * (normal - along.abs());
            findings.near(what("|wy|"), run.last("rod.wy")?.abs(), spin, 1e-8);
        }
    }
    Ok(())
}
