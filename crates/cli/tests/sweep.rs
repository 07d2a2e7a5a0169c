//! `rotula sweep`: grids, lists, hypercubes and tables, failures, going on, bad input.

mod common;

use common::Place;

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

/// The numbers of a column of the table.
fn column(table: &str, name: &str) -> Vec<String> {
    let mut lines = table.lines();
    let k = lines.next().unwrap().split(',').position(|field| field == name).unwrap();
    lines.map(|line| line.split(',').nth(k).unwrap().to_owned()).collect()
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
    let table = place.read("out/sweep.csv");
    assert_eq!(column(&table, "parameters.m"), ["1", "2", "1", "2", "1", "2", "1", "2"]);
    for (row, last) in column(&table, "position.last").iter().enumerate() {
        // x = cos(√(k/m) t)
        let (k, m) = (1.0 + (row / 2) as f64, 1.0 + (row % 2) as f64);
        let exact = f64::sqrt(k / m).cos();
        let last: f64 = last.parse().unwrap();
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
    let table = place.read("out/sweep.csv");
    assert_eq!(column(&table, "status"), ["done", "refused", "done"]);

    // the second run was cut off: it is run again, and the table is the same
    let journal = place.read("out/runs.jsonl");
    place.write("out/runs.jsonl", &journal[..journal.len() - 20]);
    let said = place.rotula(&options);
    assert!(said.stdout.contains("3 runs, 2 of them before"), "{}", said.stdout);
    let again = place.read("out/sweep.csv");
    assert_eq!(column(&again, "position.last"), column(&table, "position.last"));

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
    let mut parts: Vec<usize> = column(&place.read("latin/sweep.csv"), "parameters.k")
        .iter()
        .map(|k| ((k.parse::<f64>().unwrap() - 1.0) * 2.0) as usize)
        .collect();
    parts.sort_unstable();
    assert_eq!(parts, [0, 1, 2, 3, 4, 5]);

    place.write("cases.csv", "parameters.k,solve.formulation\n1,ggl\n4,index3\n");
    let options =
        ["sweep", "oscillator.toml", "--cases", "cases.csv", "--read", "x'", "-o", "table"];
    let said = place.rotula(&options);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let table = place.read("table/sweep.csv");
    assert_eq!(column(&table, "solve.formulation"), ["ggl", "index3"]);
    assert!(table.lines().next().unwrap().ends_with("x'.last,x'.min,x'.max"), "{table}");
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
