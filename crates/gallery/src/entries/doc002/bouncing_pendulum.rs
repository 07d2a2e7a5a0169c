//! The rigid pendulum that bounces at a wall: impact steps, accumulation, rest. [Brüls et al. 2018, sheet §6.1]

use super::contact_support::closed_from;
use crate::curves::{Curve, comparison};
use crate::entries::doc004::support::{Bench, Reference, distance, largest, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::smallest;
use rotula_dae::Trajectory;
use rotula_report::Axis;

pub(super) const ENTRY: Entry = Entry {
    name: "bouncing-pendulum",
    document: "002",
    title: "Bouncing rigid pendulum: every variant of the nonsmooth method",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/bouncing-pendulum/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/bouncing-pendulum/reference.json");

const RADII: [(&str, &str); 2] =
    [("0.9", "{ generalized-alpha = 0.9 }"), ("1.0", "{ generalized-alpha = 1.0 }")];

/// Key in the reference and what chooses the variant.
const VARIANTS: [(&str, &[(&str, &str)]); 5] = [
    ("printed", &[("solve.variant", "printed")]),
    ("star", &[]),
    ("pvv", &[("solve.strategy", "pvv")]),
    ("bilateral", &[("solve.strategy", "2")]),
    ("free", &[("solve.strategy", "1")]),
];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let reference = Reference::parse(REFERENCE)?;
    let mut bench = Bench::new(MODEL);
    let mut rows = Vec::new();
    let (mut angles, mut rates) = (Vec::new(), Vec::new());
    for (key, overrides) in VARIANTS {
        for (rho, coefficients) in RADII {
            let all = [overrides, &[("solve.coefficients", coefficients)]].concat();
            let trajectory = bench.run(&all)?.outcome.trajectory;
            let name = format!("{key}_{rho}");
            rows.push(compare(findings, &reference, &name, &trajectory)?);
            at_rest(findings, key, &trajectory);
            // the others lie upon these or have no force that acts on the acceleration
            if rho == "0.9" && ["printed", "star", "pvv"].contains(&key) {
                let times = reference.numbers(&["runs", &name, "times"])?;
                let drawn =
                    [(&trajectory.q, "theta", &mut angles), (&trajectory.v, "omega", &mut rates)];
                for (table, quantity, curves) in drawn {
                    let ours: Vec<f64> = table.column(2).collect();
                    let theirs = reference.numbers(&["runs", &name, quantity])?;
                    curves.push(Curve::new(key, &trajectory.times, &ours).beside(&times, &theirs));
                }
            }
        }
    }
    for theta in ["0.5", "1.0"] {
        rows.push(moreau_jean(findings, &reference, &mut bench, theta)?);
    }
    let exact = reference.numbers(&["impacts_exact"])?;
    let mut last = vec!["exact".to_owned()];
    last.extend(exact.iter().map(|t| format!("{t:.4}")));
    last.push(format!("{:.4}", reference.number(&["accumulation"])?));
    rows.push(last);
    findings.table(
        "End of the step of each impact, and of the step from which the pendulum stays at the wall",
        &["run", "1", "2", "3", "4", "5", "6", "closed from"],
        rows,
    );
    for (title, what, curves) in [
        ("Angle of the pendulum, ρ = 0.9, h = 1e-3", "θ (rad)", angles),
        ("Angular velocity, ρ = 0.9, h = 1e-3", "ω (rad/s)", rates),
    ] {
        let axes = [Axis::linear("time (s)"), Axis::linear(what)];
        findings.figure(comparison(title, axes, "sheet", curves));
    }
    findings.at_most("attempts given up by the iteration", bench.rejected as f64, 0.0);
    findings.note(
        "The coefficient of restitution 0.8 and the direction of gravity are not printed; they follow \
         from the axes of Figs. 5 to 8. The printed form keeps pushing after a contact has opened and \
         so comes to rest later than the exact motion; the default form comes to rest earlier.",
    );
    Ok(())
}

fn compare(
    findings: &mut Findings,
    reference: &Reference,
    name: &str,
    trajectory: &Trajectory,
) -> Result<Vec<String>, GalleryError> {
    let find = |key: &str| reference.numbers(&["runs", name, key]);
    let row = impacts(findings, name, &find("impacts")?, trajectory);
    let closed = closed_from(trajectory, 0);
    let expected = reference.number(&["runs", name, "closed_from"])?;
    findings.near(format!("{name}: closed from"), closed, expected, 1.5e-3);
    let times = find("times")?;
    let steps: Vec<usize> = times.iter().map(|t| (t / 1e-3).round() as usize).collect();
    let theta: Vec<f64> = steps.iter().map(|&i| trajectory.q.row(i)[2]).collect();
    let omega: Vec<f64> = steps.iter().map(|&i| trajectory.v.row(i)[2]).collect();
    let deviation = distance(&theta, &find("theta")?);
    findings.at_most(format!("{name}: deviation of θ at five times"), deviation, 1e-7);
    let deviation = distance(&omega, &find("omega")?);
    findings.at_most(format!("{name}: deviation of ω at five times"), deviation, 1e-6);
    findings.at_most(format!("{name}: |g|"), trajectory.audit.position_residual, 1e-11);
    findings.at_most(format!("{name}: |ġ|"), trajectory.audit.velocity_residual, 1e-11);
    let least = smallest(trajectory.contacts.gap.column(0));
    findings.at_least(format!("{name}: gap"), least, -1e-11);
    let gddot = reference.number(&["runs", name, "gddot"])?;
    match gddot < 1e-9 {
        true => {
            let found = trajectory.audit.acceleration_residual;
            findings.at_most(format!("{name}: |g̈| of the bilateral rows"), found, 1e-9);
        }
        false => {
            let found = trajectory.audit.acceleration_residual;
            findings.close(format!("{name}: |g̈| of the bilateral rows"), found, gddot, 1e-6);
        }
    }
    let lambda: Vec<f64> =
        (351..357).map(|i| trajectory.contacts.smooth_reactions.row(i)[0]).collect();
    let deviation = distance(&lambda, &find("lambda1")?);
    findings.at_most(format!("{name}: smooth λ1 around the first impact"), deviation, 1e-5);
    Ok(row.into_iter().chain([format!("{closed:.3}")]).collect())
}

/// Checks the first impact steps; the row of the table.
fn impacts(
    findings: &mut Findings,
    name: &str,
    expected: &[f64],
    trajectory: &Trajectory,
) -> Vec<String> {
    let found: Vec<f64> = trajectory.contacts.impacts.iter().map(|impact| impact.t).collect();
    for (k, &t) in expected.iter().take(6).enumerate() {
        let value = found.get(k).copied().unwrap_or(f64::NAN);
        findings.near(format!("{name}: impact {}", k + 1), value, t, 1e-9);
    }
    let shown = found.iter().take(6).map(|t| format!("{t:.3}"));
    std::iter::once(name.to_owned()).chain(shown).collect()
}

/// Forces and energy when the pendulum has come to rest. [sheet 002 §4]
fn at_rest(findings: &mut Findings, name: &str, trajectory: &Trajectory) {
    let last = trajectory.len() - 1;
    let contacts = &trajectory.contacts;
    let total = [trajectory.last_multipliers(), contacts.force.row(last)].concat();
    let deviation = distance(&total, &[-10.0, -10.0, 10.0]);
    findings.at_most(format!("{name}: total reactions at rest, deviation"), deviation, 1e-6);
    let energy = trajectory.energy.row(last);
    findings.near(format!("{name}: energy at rest"), energy[0] + energy[1], -50f64.sqrt(), 1e-9);
    let smooth = [contacts.smooth_reactions.row(last), contacts.smooth.row(last)].concat();
    let expected = match name {
        "printed" | "star" => [-10.0, -10.0, 10.0],
        "free" => [0.0; 3],
        // At ρ = 1 the smooth reactions of pvv never settle.
        "bilateral" => [-50.0 / 11.0, -60.0 / 11.0, 0.0],
        _ => return,
    };
    let deviation = distance(&smooth, &expected);
    findings.at_most(format!("{name}: smooth reactions at rest, deviation"), deviation, 1e-6);
}

fn moreau_jean(
    findings: &mut Findings,
    reference: &Reference,
    bench: &mut Bench,
    theta: &str,
) -> Result<Vec<String>, GalleryError> {
    // The options of `nonsmooth` and the coefficients do not apply here.
    let text = MODEL
        .replace("strategy = \"pva\"\n", "")
        .replace("located = false\n", "")
        .replace("coefficients = { generalized-alpha = 0.9 }\n", "");
    let overrides = [("solve.formulation", "moreau-jean"), ("solve.theta", theta)];
    let converged = [("solve.newton.tolerance", "1e-12")];
    let run = crate::study::run_model(&text, &[&overrides[..], &converged].concat())?;
    let trajectory = run.outcome.trajectory;
    bench.rejected += trajectory.statistics.rejected_by_iteration;
    let name = format!("moreau_jean_{theta}");
    let find = |key: &str| reference.number(&["runs", &name, key]);
    let expected = reference.numbers(&["runs", &name, "impacts"])?;
    let row = impacts(findings, &name, &expected, &trajectory);
    let drift = trajectory.audit.position_residual;
    findings.close(
        format!("{name}: drift of the bilateral constraints"),
        drift,
        find("drift")?,
        1e-6,
    );
    let least = smallest(trajectory.contacts.gap.column(0));
    findings.close(format!("{name}: deepest penetration"), least, find("least_gap")?, 1e-6);
    let last = trajectory.len() - 1;
    let forces = [trajectory.last_multipliers(), trajectory.contacts.force.row(last)].concat();
    let expected = reference.numbers(&["runs", &name, "forces"])?;
    let deviation = largest([distance(&forces, &expected)]);
    findings.at_most(
        format!("{name}: forces at rest, deviation {}", short(deviation)),
        deviation,
        1e-6,
    );
    let flights = trajectory.contacts.impulse.column(0).collect::<Vec<_>>();
    let open = flights.iter().rposition(|&impulse| impulse == 0.0).unwrap_or(0);
    let closed = trajectory.times[(open + 1).min(last)];
    findings.near(format!("{name}: closed from"), closed, find("closed_from")?, 1.5e-3);
    Ok(row.into_iter().chain([format!("{closed:.3}")]).collect())
}
