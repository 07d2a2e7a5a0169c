//! The largest steps of the flexible slider crank that converge: Table 2. [Yen et al. 1998, sheet §3.3]

use super::flexible_slider_crank::MODEL;
use super::rule::{Rule, Velocity};
use super::step_limits::fewest_steps;
use super::support::{Reference, toml};
use crate::entry::GalleryError;
use crate::findings::Findings;

const YOUNG: f64 = 0.2e12;
const TOLERANCES: [f64; 3] = [1e-5, 1e-7, 1e-9];
const MOST: [usize; 3] = [3, 4, 10];
/// Spacing of the tried 1/h.
const SPACING: usize = 10;

/// 1/h₀ for steel (A), checked to the spacing of the grid, and for a soft rod (B), printed.
pub(super) fn step_limits(
    findings: &mut Findings,
    reference: &Reference,
) -> Result<(), GalleryError> {
    let soft = YOUNG * reference.number(&["stiffness_factor_B"])?;
    let mut table = vec![
        vec!["published, CM".into(), String::new(), "100 / 250 / 400".into()],
        vec!["published, index 2".into(), String::new(), "175 / 500 / 800".into()],
    ];
    for (variant, young, finest) in [("A", YOUNG, 1000), ("B", soft, 600)] {
        for iteration in ["cm", "newton"] {
            let limits = limits(iteration, young, finest)?;
            for ((velocity, most), ours) in rules().into_iter().zip(limits.chunks(3)) {
                let weight = if velocity == Velocity::Scaled { "scaled" } else { "unscaled" };
                let key = format!("{most}, {weight}");
                let expected = reference.numbers(&["step_limits", variant, &key, iteration])?;
                let what = format!("{variant}, {iteration}, at most {most}, {weight} dv");
                if variant == "A" {
                    for ((ours, expected), tolerance) in ours.iter().zip(&expected).zip(TOLERANCES)
                    {
                        let what = format!("1/h₀ of {what}, tolerance {tolerance:e}");
                        findings.near(what, number(*ours), *expected, SPACING as f64);
                    }
                }
                let print = |values: &[f64], none: &str| {
                    let text = |value: &f64| match *value < 0.0 {
                        true => none.to_string(),
                        false => value.to_string(),
                    };
                    values.iter().map(text).collect::<Vec<_>>().join(" / ")
                };
                let ours: Vec<f64> = ours.iter().copied().map(number).collect();
                let beyond = format!("over {finest}");
                table.push(vec![what, print(&ours, &beyond), print(&expected, "none")]);
            }
        }
    }
    findings.table(
        "1/h₀ of the largest step, ρ = 3/4, tolerance 1e-5 / 1e-7 / 1e-9",
        &["rule", "Rotula", "reference"],
        table,
    );
    findings.note(
        "1/h is tried in steps of 10, up to 1000 for A and up to 600 for B; the reference goes \
         further, and none is none on its grid. A is checked to one spacing, since the first \
         guess differs (Rotula holds φ constant in the formulas of the scheme, the reference takes q + hv + h²a/2, \
         v + ha). The soft rod B feels the first guess more; its rows are printed.",
    );
    findings.note(
        "Table 2 of the paper looks like a limit of about three iterations together with a \
         stricter norm for the index-2 run, not like a limit of convergence: with ten \
         iterations allowed, both converge at 1/30. This is plausible, not proven.",
    );
    Ok(())
}

fn number(limit: Option<usize>) -> f64 {
    limit.map_or(-1.0, |count| count as f64)
}

fn rules() -> Vec<(Velocity, usize)> {
    let weights = [Velocity::Scaled, Velocity::Unscaled];
    MOST.into_iter().flat_map(|most| weights.map(|velocity| (velocity, most))).collect()
}

/// Limits by all rules, tolerance by tolerance.
fn limits(iteration: &str, young: f64, finest: usize) -> Result<Vec<Option<usize>>, GalleryError> {
    let young = toml(young);
    let options = [
        ("parameters.E", young.as_str()),
        ("solve.coefficients.generalized-alpha", "0.75"),
        ("solve.iteration", iteration),
        ("solve.newton.predictor", "taylor"),
        ("solve.newton.ladder", "false"),
        ("solve.newton.matrix", "each-iteration"),
        ("solve.newton.tolerance", "1e-13"),
        ("solve.newton.max_iterations", "20"),
    ];
    let rules: Vec<Rule> = rules()
        .into_iter()
        .flat_map(|(velocity, most)| {
            TOLERANCES.map(|tolerance| Rule { tolerance, velocity, most, rate: None })
        })
        .collect();
    let counts = (1..=finest / SPACING).map(|k| k * SPACING);
    fewest_steps(MODEL, &options, (1.0, counts), &rules)
}
