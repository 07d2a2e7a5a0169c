//! Seven ways to enforce the constraints of one pendulum: what each keeps, and what it loses when the
//! run starts with an acceleration that violates them. [Brüls et al. 2018, sheet §5]

use crate::curves::{Curve, comparison, convergence};
use crate::entries::doc004::support::{Bench, Reference, largest, short, toml};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{error, observed_orders};
use rotula_dae::Trajectory;
use rotula_report::Axis;

pub(super) const ENTRY: Entry = Entry {
    name: "pendulum-levels",
    document: "002",
    title: "Pendulum with constraints at position, velocity and acceleration level",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/pendulum-levels/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/pendulum-levels/reference.json");

/// A formulation, and the levels (position, velocity, acceleration) it keeps to rounding.
struct Form {
    key: &'static str,
    title: &'static str,
    overrides: &'static [(&'static str, &'static str)],
    exact: [bool; 3],
}

const FORMS: [Form; 7] = [
    Form {
        key: "P",
        title: "P (index3)",
        overrides: &[("solve.formulation", "index3")],
        exact: [true, false, false],
    },
    Form {
        key: "V",
        title: "V (index2)",
        overrides: &[("solve.formulation", "index2")],
        exact: [false, true, false],
    },
    Form {
        key: "PV73",
        title: "PV (ggl 73)",
        overrides: &[("solve.formulation", "ggl"), ("solve.variant", "73")],
        exact: [true, true, false],
    },
    Form {
        key: "PV74",
        title: "PV (ggl 74)",
        overrides: &[("solve.formulation", "ggl"), ("solve.variant", "74")],
        exact: [true, true, false],
    },
    Form {
        key: "PVA",
        title: "PVA (pva)",
        overrides: &[("solve.formulation", "pva")],
        exact: [true, true, true],
    },
    Form {
        key: "A",
        title: "A (index1)",
        overrides: &[("solve.formulation", "index1")],
        exact: [false, false, true],
    },
    Form {
        key: "B",
        title: "Baumgarte 20, 20",
        overrides: &[("solve.formulation", "baumgarte"), ("solve.baumgarte", "[20, 20]")],
        exact: [false, false, false],
    },
];

/// The start of §5.3: the model gives no accelerations and multipliers, so that they are zero.
const ZERO_START: (&str, &str) = ("solve.initial", "trust");

const LEVELS: [&str; 3] = ["max_g", "max_gdot", "max_gddot"];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let reference = Reference::parse(REFERENCE)?;
    let mut bench = Bench::new(MODEL);
    levels(findings, &reference, &mut bench)?;
    orders(findings, &reference, &mut bench)?;
    findings.at_most("attempts given up by the iteration", bench.rejected as f64, 0.0);
    findings.note(
        "The paper shows curves only (Figs. 2, 3); its horizon is not printed, 2 s are used \
         here. Every statement it makes about them holds, with one exception: the oscillation \
         of the acceleration constraint in V and PV is not O(h²) with the start a₀ = v̇₀ that \
         the paper uses but O(h); it is O(h²) with a₀ = v̇((αm − αf)h).",
    );
    Ok(())
}

/// Residuals at the three levels, with both starts, and regressions of the motion.
fn levels(
    findings: &mut Findings,
    reference: &Reference,
    bench: &mut Bench,
) -> Result<(), GalleryError> {
    let (mut rows, mut levels) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
    let lambda0 = reference.numbers(&["lambda0"])?;
    for form in &FORMS {
        let key = form.key;
        let consistent = bench.run(form.overrides)?.outcome.trajectory;
        let disturbed = bench.run(&[form.overrides, &[ZERO_START]].concat())?.outcome.trajectory;
        let start = error(consistent.multipliers.row(0), &lambda0);
        findings.at_most(format!("{key}: start, error of λ"), start, 1e-8);
        let residuals = [0, 1, 2].map(|level| residual(&consistent, level, 0.0));
        for level in 0..3 {
            let what = format!("{key}: {}", LEVELS[level]);
            if form.exact[level] {
                let bound = if level == 2 && key == "PVA" { 1e-11 } else { 1e-12 };
                findings.at_most(what, residuals[level], bound);
            } else {
                let expected = reference.number(&["consistent", key, LEVELS[level]])?;
                findings.near(what, residuals[level], expected, 1e-8);
            }
        }
        let late = residual(&consistent, 2, 1.0);
        if let Ok(expected) = reference.number(&["consistent", key, "late_gddot"]) {
            // known to two digits
            let unit = 0.1 * 10f64.powf(expected.log10().floor());
            findings.near(format!("{key}: max_gddot after 1 s"), late, expected, 0.5 * unit);
        }
        let first = first_acceleration_residual(&disturbed);
        if form.exact[2] {
            findings.at_most(format!("{key}: first g̈ from v̇₀ = 0"), first.abs(), 1e-11);
        } else {
            // the largest of the whole run, and the residual is known to be negative
            let expected = -reference.number(&["zero_start", key, "max_gddot"])?;
            findings.near(format!("{key}: first g̈ from v̇₀ = 0"), first, expected, 1e-8);
        }
        for (start, trajectory) in [("consistent", &consistent), ("zero_start", &disturbed)] {
            regressions(findings, reference, [start, key], trajectory)?;
        }
        for (level, curves) in levels.iter_mut().enumerate() {
            if !form.exact[level] {
                let sizes: Vec<f64> = consistent.residuals.column(level).map(f64::abs).collect();
                curves.push(Curve::new(form.title, &consistent.times, &sizes));
            }
        }
        rows.push(vec![
            form.title.into(),
            short(residuals[0]),
            short(residuals[1]),
            short(residuals[2]),
            short(late),
            format!("{first:.3e}"),
            format!("{:.10}", consistent.last_q()[2]),
        ]);
    }
    findings.table(
        "Largest constraint residuals, h = 2e-3, ρ = 0.9, 2 s (exact θ(2) = 19.4522070202)",
        &["form", "|g|", "|ġ|", "|g̈|", "|g̈|, t > 1", "first g̈ from v̇₀ = a₀ = 0", "θ(2)"],
        rows,
    );
    let names = ["position |g| (m)", "velocity |ġ| (m/s)", "acceleration |g̈| (m/s²)"];
    for (what, curves) in names.into_iter().zip(levels) {
        // forms that keep a level to rounding are not drawn
        let axes = [Axis::linear("time (s)"), Axis::log(what).between(1e-8, 1e1)];
        let title = format!("Residual of {what}, consistent start");
        findings.figure(comparison(&title, axes, "", curves));
    }
    Ok(())
}

fn regressions(
    findings: &mut Findings,
    reference: &Reference,
    [start, key]: [&str; 2],
    trajectory: &Trajectory,
) -> Result<(), GalleryError> {
    let quarter = (trajectory.len() - 1) / 4;
    let theta = [trajectory.q.row(quarter)[2], trajectory.last_q()[2], trajectory.last_v()[2]];
    for (name, value) in ["theta_t05", "theta_t2", "omega_t2"].into_iter().zip(theta) {
        let expected = reference.number(&[start, key, name])?;
        findings.near(format!("{key}, {start}: {name}"), value, expected, 1e-8);
    }
    let expected = reference.numbers(&[start, key, "lam_t2"])?;
    let deviation = error(trajectory.last_multipliers(), &expected);
    // reactions are about 100 N: the same eight digits
    findings.at_most(format!("{key}, {start}: deviation of λ(2)"), deviation, 1e-6);
    Ok(())
}

/// Largest residual at a level over all steps that end after `from`.
fn residual(trajectory: &Trajectory, level: usize, from: f64) -> f64 {
    let column = trajectory.residuals.column(level).zip(&trajectory.times);
    largest(column.filter(|&(_, &t)| t > from).map(|(residual, _)| residual))
}

/// `g̈` of the first constraint, with its sign, at the end of the first step.
fn first_acceleration_residual(trajectory: &Trajectory) -> f64 {
    let (theta, omega) = (trajectory.q.row(1)[2], trajectory.v.row(1)[2]);
    let vdot = trajectory.vdot.row(1);
    vdot[0] + theta.sin() * vdot[2] + theta.cos() * omega * omega
}

/// Orders in θ, ω and λ at t = 0.5.
fn orders(
    findings: &mut Findings,
    reference: &Reference,
    bench: &mut Bench,
) -> Result<(), GalleryError> {
    let steps = reference.numbers(&["h"])?;
    let theta = reference.numbers(&["exact", "theta"])?[0];
    let omega = reference.numbers(&["exact", "omega"])?[0];
    let lambda = &reference.rows(&["exact", "lambda"])?[0];
    let (mut rows, mut drawn) = (Vec::new(), [Vec::new(), Vec::new()]);
    for form in &FORMS {
        let mut row = vec![form.title.to_string()];
        for (start, expected) in [("consistent", 2.0), ("zero_start", 1.0)] {
            let mut errors = [Vec::new(), Vec::new(), Vec::new()];
            for &h in &steps {
                let step = toml(h);
                let mut overrides = form.overrides.to_vec();
                overrides.extend([("solve.step", step.as_str()), ("solve.until", "0.5")]);
                if start == "zero_start" {
                    overrides.push(ZERO_START);
                }
                let trajectory = bench.run(&overrides)?.outcome.trajectory;
                errors[0].push((trajectory.last_q()[2] - theta).abs());
                errors[1].push((trajectory.last_v()[2] - omega).abs());
                errors[2].push(error(trajectory.last_multipliers(), lambda));
            }
            let known = reference.numbers(&["error_theta", form.key, start])?;
            drawn[usize::from(start == "zero_start")]
                .push(Curve::new(form.title, &steps, &errors[0]).beside(&steps, &known));
            let deviation = largest(errors[0].iter().zip(&known).map(|(a, b)| a - b));
            let what = format!("{}, {start}: deviation of the errors of θ(0.5)", form.key);
            findings.at_most(what, deviation, 1e-8);
            for (name, errors) in ["θ", "ω", "λ"].into_iter().zip(&errors) {
                let order = observed_orders(&steps, errors)[steps.len() - 2];
                let what = format!("{}, {start}: order in {name}", form.key);
                findings.near(what, order, expected, 0.1);
                row.push(format!("{order:.3}"));
            }
        }
        rows.push(row);
    }
    findings.table(
        "Observed orders at t = 0.5, h = 5e-4 to 2.5e-4",
        &["form", "θ", "ω", "λ", "θ from v̇₀ = a₀ = 0", "ω from 0", "λ from 0"],
        rows,
    );
    let titles = ["Error of θ(0.5), consistent start", "Error of θ(0.5) from v̇₀ = a₀ = 0"];
    for (title, curves) in titles.into_iter().zip(drawn) {
        let axes = ["step size (s)", "error (rad)"];
        findings.figure(convergence(title, axes, "sheet", curves));
    }
    Ok(())
}
