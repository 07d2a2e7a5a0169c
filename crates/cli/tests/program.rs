//! The program as a user meets it, when all is well and when a run fails on the way.

mod common;

use common::table::Table;
use common::{PENDULUM, Place};
use serde_json::Value;

#[test]
fn a_run_writes_its_results_and_tells_its_story() {
    let place = Place::new();
    place.write("pendulum.toml", PENDULUM);
    let said = place.rotula(&["run", "pendulum.toml"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert_eq!(said.stderr, "", "a bar without a terminal");
    let sentences = [
        "Pendulum: done at t = 0.5 s, in",
        "The system has 1 degree of freedom: 2 coordinates and 1 holonomic constraint.",
        "formulation `ggl`, generalized-alpha = 0.8, step 0.01",
        "It took 50 steps of 0.01 s; none was rejected.",
        "The constraints are met to ",
        "its balance is off by at most ",
        "results/pendulum/report.html",
    ];
    for sentence in sentences {
        assert!(said.stdout.contains(sentence), "no `{sentence}` in\n{}", said.stdout);
    }

    let summary = place.json("results/pendulum/summary.json");
    assert_eq!(summary["outcome"]["status"], "done");
    assert_eq!(summary["statistics"]["steps"], 50);
    assert_eq!(summary["sizes"]["degrees_of_freedom"], 1);
    assert!(summary["audit"]["position_residual"].as_f64().is_some_and(|g| g < 1e-9));
    assert!(summary["audit"]["energy_defect"].as_f64().is_some_and(|defect| defect < 1e-2));

    let csv = place.read("results/pendulum/trajectory.csv");
    assert!(csv.starts_with("t,x,y,x',y',x'',y'',lambda.rod,angle,"), "{csv}");
    assert_eq!(csv.lines().count(), 52);
    assert!(place.read("results/pendulum/report.html").contains("<title>Pendulum"));
    assert!(!place.path("results/pendulum/trajectory.npz").exists());
    assert!(place.drafts().is_empty());
}

#[test]
fn a_quiet_run_obeys_overrides_format_and_directory() {
    let place = Place::new();
    place.write("pendulum.toml", PENDULUM);
    let first = ["run", "pendulum.toml", "-o", "out", "--quiet", "--format", "both"];
    assert_eq!(place.rotula(&first).status, 0);
    assert!(place.path("out/trajectory.npz").exists());
    let said = place.rotula(&[
        "run",
        "pendulum.toml",
        "-o",
        "out",
        "--quiet",
        "--format",
        "npz",
        "--set",
        "solve.tolerance=1e-4",
        "--set",
        "solve.until=0.2",
        "--set",
        "parameters.L=2",
        "--set",
        "solve.coefficients.generalized-alpha=0.5",
        "--set",
        "solve.formulation=index3",
    ]);
    assert_eq!((said.status, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""));
    assert!(!place.path("out/trajectory.csv").exists(), "a trajectory of another run is left");
    let summary = place.json("out/summary.json");
    assert_eq!(summary["outcome"]["reached"], 0.2);
    assert_eq!(summary["settings"]["tolerance"], 1e-4);
    assert_eq!(summary["settings"]["formulation"], "index3");
}

#[test]
fn a_run_that_fails_on_the_way_keeps_its_results() {
    let place = Place::new();
    // the force has no value from t = 0.3 on
    let failing = PENDULUM.replace("y = \"-9.81*m\"", "y = \"-9.81*m + sqrt(0.3 - t)\"");
    place.write("failing.toml", &failing);
    let said = place.rotula(&["run", "failing.toml"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    for phrase in ["failing.toml: The simulation failed", "force.y", "Try:", "negative number"] {
        assert!(said.stderr.contains(phrase), "no `{phrase}` in\n{}", said.stderr);
    }
    assert!(said.stdout.contains("Results until then are in"), "{}", said.stdout);
    let summary = place.json("results/failing/summary.json");
    assert_eq!(summary["outcome"]["status"], "failed");
    assert_eq!(summary["outcome"]["diagnosis"]["failure"]["kind"], "not-finite");
    assert!(summary["statistics"]["steps"].as_u64().is_some_and(|steps| steps >= 25));
    let reached = Table::read(&place, "results/failing/trajectory.csv").last("t");
    assert!((0.29..=0.3).contains(&reached), "the last row is at {reached}");
    let report = place.read("results/failing/report.html");
    assert!(report.contains("class=\"diagnosis\""));
    assert!(place.drafts().is_empty());
}

#[test]
fn a_division_by_zero_on_the_way_is_named() {
    let place = Place::new();
    let failing = PENDULUM.replace("y = \"-9.81*m\"", "y = \"-9.81*m + 0.001/max(0, 0.3 - t)\"");
    place.write("failing.toml", &failing);
    let said = place.rotula(&["run", "failing.toml", "--quiet"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    for phrase in ["failing.toml: The simulation failed", "force.y", "0.001/0", "division by zero"]
    {
        assert!(said.stderr.contains(phrase), "no `{phrase}` in\n{}", said.stderr);
    }
    assert_eq!(said.stdout, "");
    let reached = Table::read(&place, "results/failing/trajectory.csv").last("t");
    assert!((0.29..0.3).contains(&reached), "the last row is at {reached}");
}

#[test]
fn an_inconsistent_start_may_be_projected() {
    let place = Place::new();
    let off = PENDULUM.replace("at = \"L\", velocity = 0", "at = \"L + 0.01\", velocity = 0");
    place.write("off.toml", &off);
    let said = place.rotula(&["run", "off.toml", "--set", "solve.initial=project"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("was projected"), "{}", said.stdout);
    let said = place.rotula(&["check", "off.toml", "--set", "solve.initial=project"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stdout.contains("projection changes x from 1.01 to 1 (by -0.01)"),
        "{}",
        said.stdout
    );
}

#[test]
fn a_check_says_what_the_model_is_made_of() {
    let place = Place::new();
    place.write("pendulum.toml", PENDULUM);
    let said = place.rotula(&["check", "pendulum.toml"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let sentences = [
        "pendulum.toml: Pendulum",
        "1 degree of freedom",
        "Coordinates: x, y",
        "Constraints: rod",
        "The initial position meets every constraint exactly.",
        "coefficients = { generalized-alpha = 0.8 }   # default",
        "The model can be run",
    ];
    for sentence in sentences {
        assert!(said.stdout.contains(sentence), "no `{sentence}` in\n{}", said.stdout);
    }
    assert!(!place.path("results").exists());
}

#[test]
fn the_schema_is_json_and_knows_every_section() {
    let place = Place::new();
    let schema_of = |arguments: &[&str]| -> Value {
        serde_json::from_str(&place.rotula(arguments).stdout).expect("JSON")
    };
    for (kind, sections) in [
        ("equations", ["coordinates", "mass", "constraint", "solve"]),
        ("mechanism", ["body", "joint", "motion", "solve"]),
    ] {
        let schema = schema_of(&["schema", kind]);
        for section in sections {
            assert!(schema["properties"][section].is_object(), "no `{section}`");
        }
    }
    let both = schema_of(&["schema"]);
    assert_eq!(both["anyOf"].as_array().map(Vec::len), Some(2));
}

#[test]
fn the_gallery_lists_its_entries_and_help_shows_examples() {
    let place = Place::new();
    let said = place.rotula(&["gallery", "list"]);
    assert_eq!(said.status, 0);
    assert!(said.stdout.contains("document  title"), "{}", said.stdout);
    for command in
        [&["--help"][..], &["run", "--help"], &["check", "--help"], &["gallery", "--help"]]
    {
        let said = place.rotula(command);
        assert_eq!(said.status, 0);
        assert!(said.stdout.contains("Examples:"), "{}", said.stdout);
    }
}

#[test]
fn the_model_of_the_readme_is_real() {
    let place = Place::new();
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md"))
        .expect("the README");
    let model = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    place.write("readme.toml", model.expect("a model in the README"));
    let said = place.rotula(&["run", "readme.toml"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    // every formulation of its table, on the same model
    let words = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let mut count = 0;
    for word in words {
        let formulation = format!("solve.formulation={word}");
        let mut arguments =
            vec!["run", "readme.toml", "--set", &formulation, "--set", "solve.until=1"];
        match word {
            "baumgarte" => arguments.extend(["--set", "solve.baumgarte=[20, 20]"]),
            "hht-i3" | "hht-soi2" => arguments.extend(["--set", "solve.coefficients.hht=-0.3"]),
            _ => {}
        }
        // what does not apply to some of them is removed, which an override cannot do
        let text = model.expect("a model");
        let text = match word {
            "bdf" | "explicit" => text.replace("coefficients", "# "),
            "moreau-jean" => text.replace("coefficients", "# ").replace("tolerance", "# "),
            _ => text.to_owned(),
        };
        place.write("readme.toml", &text);
        if word == "moreau-jean" {
            arguments.extend(["--set", "solve.step=1e-3"]);
        }
        let said = place.rotula(&arguments);
        assert_eq!(said.status, 0, "{word}: {}", said.stderr);
        count += 1;
    }
    assert_eq!(count, 15, "formulations in the README");
}

#[test]
fn contacts_stand_in_the_table_and_in_the_story() {
    let place = Place::new();
    let ball = r#"
title = "Ball"
[coordinates]
y = { at = 1, velocity = 0 }
[mass]
y = 2
[force]
y = -20
[gap]
floor = { gap = "y", restitution = 0.5 }
[energy]
potential = "20*y"
[solve]
formulation = "nonsmooth"
step = 0.01
until = 2.5
"#;
    place.write("ball.toml", ball);
    let said = place.rotula(&["run", "ball.toml"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    // All of the 20 J go into the floor.
    assert!(said.stdout.contains("There were "), "{}", said.stdout);
    let table = Table::read(&place, "results/ball/trajectory.csv");
    for name in ["gap.floor", "force.floor", "impulse.floor", "contacts.closed"] {
        assert!(table.has(name), "no {name} in {:?}", table.headings());
    }
    assert!((table.last("force.floor") - 20.0).abs() < 1e-6, "{}", table.last("force.floor"));
    assert!(table.last("gap.floor").abs() < 1e-9, "{}", table.last("gap.floor"));
    let summary = place.json("results/ball/summary.json");
    assert!(summary["audit"]["impacts"].as_u64().is_some_and(|impacts| impacts > 3));
    // another formulation refuses what it would ignore
    place.write("ball.toml", &ball.replace("nonsmooth", "ggl"));
    let said = place.rotula(&["run", "ball.toml"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("contacts (1, the first is `floor`)"), "{}", said.stderr);
}
