//! `rotula sweep`: grids, lists, hypercubes and tables, failures, going on, bad input.

mod common;

use common::Place;
use common::table::Table;

const OSCILLATOR: &str = r#"
title = "Oscillator"
[parameters]
m = 1.0
k = 1.0
[coordinates]
x = { at = 1, velocity = 0 }
[mass]
x = "m"
[force]
x = "-k*x"
[output]
position = "x"
[solve]
formulation = "index3"
step = 0.01
until = 1.0
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("oscillator.toml", OSCILLATOR);
    place
}

#[test]
fn a_grid_gives_a_row_per_combination() {
    let place = place();
    let said = place.rotula(&[
        "sweep",
        "oscillator.toml",
        "--over",
        "parameters.k=1:4:4",
        "--over",
        "parameters.m=1,2",
        "-o",
        "out",
    ]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("8 runs"), "{}", said.stdout);
    let table = Table::read(&place, "out/sweep.csv");
    assert_eq!(table.texts("parameters.m"), ["1", "2", "1", "2", "1", "2", "1", "2"]);
    for (row, last) in table.numbers("position.last").into_iter().enumerate() {
        // x = cos(√(k/m) t)
        let (k, m) = (1.0 + (row / 2) as f64, 1.0 + (row % 2) as f64);
        let exact = f64::sqrt(k / m).cos();
        assert!((last - exact).abs() < 1e-3, "row {row}: {last} instead of {exact}");
    }
    assert!(place.read("out/sweep.html").contains("position.last over parameters.k"));
}

#[test]
fn failures_are_rows_and_a_sweep_goes_on() {
    let place = place();
    let options = ["sweep", "oscillator.toml", "--over", "parameters.m=1,0,2", "-o", "out"];
    let said = place.rotula(&options);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("1 did not reach the end"), "{}", said.stdout);
    let table = Table::read(&place, "out/sweep.csv");
    assert_eq!(table.texts("status"), ["done", "refused", "done"]);

    // the second run was cut off: it is run again, and the table is the same
    let journal = place.read("out/runs.jsonl");
    place.write("out/runs.jsonl", &journal[..journal.len() - 20]);
    let said = place.rotula(&options);
    assert!(said.stdout.contains("3 runs, 2 of them before"), "{}", said.stdout);
    let again = Table::read(&place, "out/sweep.csv");
    assert_eq!(again.texts("position.last"), table.texts("position.last"));

    let other = [
        "sweep",
        "oscillator.toml",
        "--over",
        "parameters.m=1",
        "--set",
        "solve.until=2",
        "-o",
        "out",
    ];
    let said = place.rotula(&other);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("another sweep"), "{}", said.stderr);
}

#[test]
fn hypercubes_and_tables_are_cases_too() {
    let place = place();
    let options =
        ["sweep", "oscillator.toml", "--over", "parameters.k=1:4", "--latin", "6", "-o", "latin"];
    assert_eq!(place.rotula(&options).status, 0);
    let mut parts: Vec<usize> = Table::read(&place, "latin/sweep.csv")
        .numbers("parameters.k")
        .into_iter()
        .map(|k| ((k - 1.0) * 2.0) as usize)
        .collect();
    parts.sort_unstable();
    assert_eq!(parts, [0, 1, 2, 3, 4, 5]);

    place.write("cases.csv", "parameters.k,solve.formulation\n1,ggl\n4,index3\n");
    let options =
        ["sweep", "oscillator.toml", "--cases", "cases.csv", "--read", "x'", "-o", "table"];
    let said = place.rotula(&options);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let table = Table::read(&place, "table/sweep.csv");
    assert_eq!(table.texts("solve.formulation"), ["ggl", "index3"]);
    assert!(table.headings().ends_with(&["x'.last", "x'.min", "x'.max"].map(str::to_owned)));
}

#[test]
fn bad_input_is_refused_before_anything_runs() {
    let place = place();
    for (over, read, words) in [
        ("parameters.q=1,2", "position", "no parameter `q`"),
        ("parameters.k=1:2", "position", "range without a number of values"),
        ("parameters.k", "position", "has no `=`"),
        ("parameters.k=1:2:3", "positoin", "did you mean `position`"),
    ] {
        let said = place.rotula(&[
            "sweep",
            "oscillator.toml",
            "--over",
            over,
            "--read",
            read,
            "-o",
            "out",
        ]);
        assert_eq!(said.status, 2, "{over}: {}", said.stderr);
        assert!(said.stderr.contains(words), "{over}: {}", said.stderr);
        assert!(!place.path("out/sweep.csv").exists());
    }
}
