//! A very stiff nonlinear bushing: how much energy the method removes, and how many iterations the
//! variants of Newton's method take. [Yen et al. 1998, sheet §4.2]

use super::bushing_iterations::{iterations, step_limits};
use super::frequencies::frequencies;
use super::support::{Bench, Reference, distance, toml};
use crate::curves::{Curve, comparison};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{observed_orders, run_model};
use rotula_dae::Trajectory;
use rotula_report::Axis;
use std::f64::consts::PI;

pub(super) const ENTRY: Entry = Entry {
    name: "bushing",
    document: "004",
    title: "Nonlinear bushing: damping and iterations",
    run,
};

pub(super) const MODEL: &str = include_str!("../../../../../gallery/bushing/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/bushing/reference.json");

const EPS: f64 = 1e-5;
pub(super) const SPAN: f64 = 40.0 * PI * EPS;
const RADII: [&str; 4] = ["0", "0.5", "0.75", "1"];
const STEPS: [usize; 3] = [200, 500, 1200];

/// The document's Table 1: rows N = 200, 500, 1200; for ρ = 0, 1/2, 3/4 the columns CM and index 2.
const PUBLISHED: [[&str; 3]; 3] = [
    ["0.10 / 0.15", "0.35 / 0.56", "0.76 / 0.90"],
    ["0.24 / 0.30", "0.40 / 0.65", "0.81 / 0.93"],
    ["0.30 / 0.41", "0.51 / 0.76", "0.89 / 0.96"],
];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let reference = Reference::parse(REFERENCE)?;
    let mut bench = Bench::new(MODEL);
    energies(findings, &reference, &mut bench)?;
    first_steps(findings, &reference, &mut bench)?;
    convergence(findings, &reference, &mut bench)?;
    same_roots(findings, &mut bench)?;
    findings.at_most("attempts given up by the iteration", bench.rejected as f64, 0.0);
    modes(findings)?;
    iterations(findings, &reference)?;
    step_limits(findings, &reference)?;
    Ok(())
}

fn trajectory(
    bench: &mut Bench,
    steps: usize,
    overrides: &[(&str, &str)],
) -> Result<Trajectory, GalleryError> {
    let step = toml(SPAN / steps as f64);
    let overrides = [&[("solve.step", step.as_str())], overrides].concat();
    Ok(bench.run(&overrides)?.outcome.trajectory)
}

/// `E(T)/E(0)`.
pub(super) fn energy_ratio(trajectory: &Trajectory) -> f64 {
    let energy = |i: usize| trajectory.energy.row(i)[..2].iter().sum::<f64>();
    energy(trajectory.len() - 1) / energy(0)
}

/// Table 1.
fn energies(
    findings: &mut Findings,
    reference: &Reference,
    bench: &mut Bench,
) -> Result<(), GalleryError> {
    let mut rows = vec![Vec::new(); STEPS.len()];
    let (mut curves, counts) = (Vec::new(), STEPS.map(|steps| steps as f64));
    for (row, steps) in rows.iter_mut().zip(STEPS) {
        row.push(steps.to_string());
    }
    for (column, rho) in RADII.into_iter().enumerate() {
        let mut ratios = Vec::new();
        for source in ["acceleration", "velocity"] {
            let expected = reference.numbers(&["energy_ratio", source, rho])?;
            for (steps, expected) in STEPS.into_iter().zip(expected) {
                let overrides =
                    [("solve.coefficients.generalized-alpha", rho), ("solve.multipliers", source)];
                let ratio = energy_ratio(&trajectory(bench, steps, &overrides)?);
                let what = format!("E(T)/E(0), ρ = {rho}, N = {steps}, λ from {source}");
                findings.near(what, ratio, expected, 1e-9);
                ratios.push(ratio);
            }
        }
        // CM is the first of the two published numbers
        let published: Vec<f64> = PUBLISHED
            .iter()
            .filter_map(|row| row.get(column)?.split(" / ").next()?.parse().ok())
            .collect();
        let curve = Curve::new(format!("ρ = {rho}"), &counts, &ratios[..STEPS.len()]);
        curves.push(curve.beside(&counts[..published.len()], &published));
        for (k, row) in rows.iter_mut().enumerate() {
            row.push(format!("{:.5} / {:.5}", ratios[k], ratios[k + STEPS.len()]));
            if let Some(published) = PUBLISHED[k].get(column) {
                row.push(published.to_string());
            }
        }
    }
    findings.table(
        "E(T)/E(0), λ of φ from (2.2) / from μ; published: CM / index 2",
        &["N", "ρ = 0", "published", "ρ = 1/2", "published", "ρ = 3/4", "published", "ρ = 1"],
        rows,
    );
    let axes = [Axis::log("number of steps N"), Axis::linear("energy left, E(T)/E(0)")];
    let title = "Table 1: energy left, λ of φ from (2.2)";
    findings.figure(comparison(title, axes, "published, CM", curves));
    findings.note(
        "Table 1 of the paper cannot be reproduced. (a) CM and Newton on the index-2 system \
         have the same roots, so that a converged step cannot differ; only another λ inside φ \
         separates two runs, and that gives the published ordering (CM lower), not the \
         values. (b) The published −ln(E/E₀) grows like h^0.15 to h^0.68; a second-order \
         scheme gives h^2.3 to h^2.8 for ρ ≥ 1/2. Scans over signs, start rules and measures \
         of energy found no plain reading that fits.",
    );
    Ok(())
}

/// Start and early steps, coordinate by coordinate.
fn first_steps(
    findings: &mut Findings,
    reference: &Reference,
    bench: &mut Bench,
) -> Result<(), GalleryError> {
    for rho in ["0", "0.5", "0.75"] {
        let run = trajectory(bench, 200, &[("solve.coefficients.generalized-alpha", rho)])?;
        for step in ["1", "2", "10", "200"] {
            let index: usize = step.parse().unwrap_or(usize::MAX);
            let path = ["steps_N_200", rho, step];
            let q = reference.numbers(&[&path[..], &["q"]].concat())?;
            let v = reference.numbers(&[&path[..], &["eps_v"]].concat())?;
            let scaled: Vec<f64> = run.v.row(index).iter().map(|v| EPS * v).collect();
            let what = |name| format!("deviation of {name}, ρ = {rho}, N = 200, step {step}");
            findings.at_most(what("q"), distance(run.q.row(index), &q), 1e-9);
            findings.at_most(what("εv"), distance(&scaled, &v), 1e-9);
        }
        if rho == "0.5" {
            let e2 = EPS * EPS;
            let energy: f64 = e2 * run.energy.row(0)[..2].iter().sum::<f64>();
            findings.near("ε²E(0)", energy, reference.number(&["E0_eps2"])?, 1e-12);
            let phi: Vec<f64> = run.vdot.row(0).iter().map(|a| e2 * a).collect();
            let expected = reference.numbers(&["phi0_eps2"])?;
            findings.at_most("deviation of ε²φ(0)", distance(&phi, &expected), 1e-12);
            // the document's reaction is −Gᵀλ
            let lambda = -e2 * run.multipliers.row(0)[0];
            findings.near("ε²λ(0)", lambda, reference.number(&["lambda0_eps2"])?, 1e-12);
        }
    }
    Ok(())
}

/// Second order against the exact motion.
fn convergence(
    findings: &mut Findings,
    reference: &Reference,
    bench: &mut Bench,
) -> Result<(), GalleryError> {
    let exact = |key| reference.number(&["exact", key]);
    let exact = [exact("psi")?, exact("theta")?, exact("eps_psidot")?, exact("eps_thetadot")?];
    let counts = [4800, 9600, 19200];
    let mut errors = Vec::new();
    for steps in counts {
        let run = trajectory(bench, steps, &[])?;
        let (q, v) = (run.last_q(), run.last_v());
        let rate = q[0] * v[1] - q[1] * v[0];
        let values = [q[1].atan2(q[0]), q[2], EPS * rate, EPS * v[2]];
        errors.push(distance(&values, &exact));
    }
    let sizes = counts.map(|steps| SPAN / steps as f64);
    let order = observed_orders(&sizes, &errors)[1];
    findings.near("order against the exact motion, ρ = 1/2", order, 2.0, 0.1);
    Ok(())
}

/// All iterations have the same roots.
fn same_roots(findings: &mut Findings, bench: &mut Bench) -> Result<(), GalleryError> {
    let mut ratio = |iteration| {
        // converged as far as rounding allows: CM converges only linearly
        let overrides = [("solve.iteration", iteration), ("solve.newton.tolerance", "1e-15")];
        Ok::<_, GalleryError>(energy_ratio(&trajectory(bench, 200, &overrides)?))
    };
    let newton = ratio("newton")?;
    for iteration in ["cm", "cs", "hybrid"] {
        let what = format!("E(T)/E(0) of {iteration} against newton, ρ = 1/2, N = 200");
        findings.near(what, ratio(iteration)?, newton, 6e-13);
    }
    Ok(())
}

/// The two modes of the linearised motion about (1, 0, 0).
fn modes(findings: &mut Findings) -> Result<(), GalleryError> {
    let run = run_model(MODEL, &[("solve.until", "1e-5")])?;
    let (mut system, mut state) = (run.system, run.model.initial_state());
    state.q.copy_from_slice(&[1.0, 0.0, 0.0]);
    let found = frequencies(&mut system, &state, &[0])?;
    for (frequency, expected) in found.into_iter().zip([0.2805, 1.1275]) {
        // the sheet gives four decimals
        findings.near("frequency of a linear mode, times ε", EPS * frequency, expected, 5.1e-5);
    }
    Ok(())
}
