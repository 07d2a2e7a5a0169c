//! The summary and the page say everything, safely, and stay small.

mod common;

use rotula_report::{summary, write_all, write_report};
use std::path::{Path, PathBuf};

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}"))
}

fn page(name: &str, run: &rotula_report::Run) -> String {
    let directory = directory(name);
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("report.html");
    write_report(&path, run).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// The page without the script of plotly.js, which is not ours.
fn own(page: &str) -> String {
    let start = page.find("<script type=\"text/javascript\">").unwrap();
    let end = start + page[start..].find("</script>").unwrap();
    format!("{}{}", &page[..start], &page[end..])
}

#[test]
fn summary_names_outcome_settings_and_audit() {
    let trajectory = common::trajectory(30, 7);
    let (settings, diagnosis) = (common::settings(), common::diagnosis());
    let mut run = common::run(&trajectory, &settings);
    run.wall_seconds = f64::NAN;
    let value = summary(&run);
    assert_eq!(value["model"]["title"], "Slider–crank");
    assert_eq!(value["model"]["file"], "slider_crank.toml");
    assert_eq!(value["outcome"]["status"], "done");
    assert_eq!(value["outcome"]["reached"], 5.0);
    assert_eq!(value["sizes"]["degrees_of_freedom"], 2);
    assert_eq!(value["settings"]["formulation"]["ggl"], "mass-weighted");
    assert_eq!(value["statistics"]["steps"], 30);
    assert_eq!(value["audit"]["position_residual"], 1.8e-14);
    assert_eq!(value["initial"]["projected"], true);
    assert!(value["wall_seconds"].is_null());
    assert!(value["program"].as_str().unwrap().starts_with("rotula "));

    run.diagnosis = Some(&diagnosis);
    let outcome = &summary(&run)["outcome"];
    assert_eq!(outcome["status"], "failed");
    assert_eq!(outcome["diagnosis"]["failure"]["kind"], "not-converged");
    assert_eq!(outcome["diagnosis"]["remedies"].as_array().unwrap().len(), 2);
}

#[test]
fn all_files_are_written() {
    let trajectory = common::trajectory(30, 7);
    let settings = common::settings();
    let directory = directory("all");
    let _ = std::fs::remove_dir_all(&directory);
    let files = write_all(&directory, &common::run(&trajectory, &settings)).unwrap();
    for file in [&files.summary, &files.csv, &files.npz, &files.report] {
        assert!(std::fs::metadata(file).unwrap().len() > 100);
    }
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 4);
    let text = std::fs::read_to_string(files.summary).unwrap();
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(read["statistics"]["unknowns"], 38);
}

#[test]
fn page_shows_every_part() {
    let trajectory = common::trajectory(300, 7);
    let settings = common::settings();
    let page = page("parts", &common::run(&trajectory, &settings));
    for part in [
        "<h1>Slider–crank",
        "slider_crank.toml",
        "2 degrees of freedom",
        "Gear–Gupta–Leimkuhler",
        "spectral radius",
        "local error below 10⁻⁶",
        "Key figures",
        "Initial state",
        "Settings in force",
        "\"slider.position\"",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    for id in [
        "extra",
        "coordinates",
        "velocities",
        "accelerations",
        "multipliers",
        "states",
        "variables",
        "energy",
        "defect",
        "residuals",
        "steps",
        "error",
        "iterations",
        "rejected",
    ] {
        assert!(
            page.contains(&format!("<section class=\"panel\" id=\"{id}\">")),
            "{id} is missing"
        );
        assert!(page.contains(&format!("\"id\":\"{id}\"")), "{id} has no data");
    }
    assert!(!page.contains("class=\"diagnosis\""));
}

#[test]
fn diagnosis_comes_first() {
    let trajectory = common::trajectory(0, 7);
    let (settings, diagnosis) = (common::settings(), common::diagnosis());
    let mut run = common::run(&trajectory, &settings);
    run.diagnosis = Some(&diagnosis);
    let page = page("failed", &run);
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is missing"));
    assert!(place("joint &lt;crank_pin&gt;") < place("What to try"));
    assert!(place("What to try") < place("What was simulated"));
    assert!(page.contains("No instants were recorded"));
}

#[test]
fn names_cannot_break_out() {
    let attack = "</script><img src=x onerror=alert(1)>{{data}}\"'";
    let mut trajectory = common::trajectory(20, 7);
    trajectory.names.configuration[0] = attack.into();
    let settings = common::settings();
    let mut run = common::run(&trajectory, &settings);
    run.title = attack.into();
    run.model_file = Some(attack.into());
    run.initial = serde_json::json!({ attack: attack });
    run.units.time = attack.into();
    let page = own(&page("escape", &run));
    assert!(!page.contains("<img"));
    assert_eq!(page.matches("</script>").count(), 3);
}

#[test]
fn page_loads_nothing() {
    let trajectory = common::trajectory(300, 7);
    let settings = common::settings();
    let page = page("offline", &common::run(&trajectory, &settings));
    assert!(page.contains("default-src 'none'"), "the browser is told to load nothing");
    assert!(page.contains("plotly.js v"), "the plotting library is inside");
    assert!(page.len() < 5_000_000, "MathJax is not: {} bytes", page.len());
    for reference in ["<script src", "<link", "@import", "url(http", "<iframe"] {
        assert!(!own(&page).contains(reference), "{reference}");
    }
    let own = own(&page).replace("http://www.w3.org/2000/svg", "");
    assert!(!own.contains("http://") && !own.contains("https://"));
}

#[test]
fn long_runs_make_small_pages() {
    let trajectory = common::trajectory(100_000, 30);
    let settings = common::settings();
    let small = page("long", &common::run(&trajectory, &settings)).len();
    assert!(small < 15_000_000, "{small} bytes");
    let wide = common::trajectory(3_000, 1_000);
    let many = page("wide", &common::run(&wide, &settings));
    assert!(many.len() < 15_000_000, "{} bytes", many.len());
    assert!(many.contains("The first 200 of 1000 curves"));
}
