//! The variants of SOI2 that document 001 leaves open, by an independent program: it reproduces the
//! sheet's numbers and agrees with the production code where both apply. [Jay & Negrut 2009, sheet §6]

#[path = "soi2_variants/problems.rs"]
mod problems;
#[path = "soi2_variants/scheme.rs"]
mod scheme;

use problems::{PROBLEM_15, Problem, S1};
use rotula_gallery::larger;
use scheme::{Arrived, Variant, integrate};
use serde::Deserialize;

const REFERENCE: &str = include_str!("soi2_variants/reference.json");
const S1_MODEL: &str = include_str!("../../../gallery/s1/model.toml");

#[derive(Deserialize)]
struct Sheet {
    tables: Vec<Table>,
}

#[derive(Deserialize)]
struct Table {
    problem: String,
    title: String,
    variant: String,
    alternating: bool,
    rows: Vec<[f64; 6]>,
}

fn tables() -> Vec<Table> {
    serde_json::from_str::<Sheet>(REFERENCE).unwrap().tables
}

/// Equal steps, or `h/3` and `2h/3` in turn.
fn steps(until: f64, h: f64, alternating: bool) -> Vec<f64> {
    let count = (until / h).round() as usize;
    let pattern = if alternating { vec![h / 3.0, 2.0 * h / 3.0] } else { vec![h] };
    pattern.iter().copied().cycle().take(count * pattern.len()).collect()
}

fn run(table: &Table, h: f64) -> (&'static Problem, Arrived) {
    let problem = if table.problem == "15" { &PROBLEM_15 } else { &S1 };
    let variant = match table.variant.as_str() {
        "without-psi-tilde" => Variant::WithoutPsiTilde,
        "z-tilde" => Variant::ZTilde,
        _ => Variant::AsPrinted,
    };
    (problem, integrate(problem, variant, 0.2, &steps(problem.until, h, table.alternating)))
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

fn errors(problem: &Problem, arrived: &Arrived) -> [f64; 5] {
    let exact = (problem.exact)(arrived.t);
    [
        distance(&arrived.y, &exact.y),
        distance(&arrived.z, &exact.z),
        distance(&arrived.a, &(problem.exact)(arrived.a_time).a),
        (arrived.lambda - exact.lambda).abs(),
        (arrived.psi - exact.psi).abs(),
    ]
}

#[test]
fn the_sheet_is_reproduced() {
    for table in tables() {
        let mut worst = 0.0;
        for row in &table.rows {
            let (problem, arrived) = run(&table, row[0]);
            for (ours, theirs) in errors(problem, &arrived).into_iter().zip(&row[1..]) {
                worst = larger(worst, (ours - theirs).abs() / theirs);
            }
        }
        println!("{} {}: {worst:.1e}", table.problem, table.title);
        assert!(worst < 1e-7, "{} {}: {worst:e}", table.problem, table.title);
    }
}

/// What happens when ψ̃ is left out, or z̃ used: second order stays, the constants change little.
#[test]
fn variants_are_of_second_order() {
    for table in tables() {
        let [.., coarse, fine] = &table.rows[..] else { panic!("at least two rows") };
        let error = |row: &[f64; 6]| {
            let (problem, arrived) = run(&table, row[0]);
            errors(problem, &arrived)
        };
        let (coarse, fine) = (error(coarse), error(fine));
        for k in 0..5 {
            let order = (coarse[k] / fine[k]).log2();
            assert!((1.8..2.2).contains(&order), "{} {}: {order}", table.problem, table.title);
        }
    }
}

/// The production code, the same steps, the same numbers.
#[test]
fn the_production_code_agrees() {
    for (alternating, options) in [
        (false, vec![]),
        (true, vec![("solve.repeated", "[0.3333333333333333, 0.6666666666666667]")]),
    ] {
        let mut options = options;
        options.extend([
            ("solve.step", "0.05"),
            ("solve.newton.matrix", "each-iteration"),
            ("solve.newton.tolerance", "1e-13"),
            ("solve.newton.max_iterations", "20"),
        ]);
        let production = rotula_gallery::run_model(S1_MODEL, &options).unwrap().outcome.state;
        let reference = integrate(&S1, Variant::AsPrinted, 0.2, &steps(2.0, 0.05, alternating));
        for (name, ours, theirs) in [
            ("y", &production.q, &reference.y),
            ("z", &production.v, &reference.z),
            ("a", &production.a, &reference.a),
            ("λ, ψ", &production.multipliers, &vec![reference.lambda, reference.psi]),
        ] {
            let apart = distance(ours, theirs);
            println!("{name}, alternating {alternating}: {apart:.1e}");
            assert!(apart < 1e-10, "{name}, alternating {alternating}: {apart:e}");
        }
    }
}
