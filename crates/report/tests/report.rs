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
    assert_eq!(value["settings"]["variant"], "74");
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
fn one_instant_is_a_table_of_values() {
    let trajectory = common::trajectory(1, 7);
    let settings = common::settings();
    let run = common::run(&trajectory, &settings);
    let page = page("instant", &run);
    assert!(page.contains("One instant was recorded, t = 0"));
    assert!(!page.contains("<section class=\"panel\""));
    let value = page.split("<th>slider.position</th><td>").nth(1).unwrap();
    assert!(value.starts_with("0\u{202f}m<"), "{}", &value[..20]);
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
    let page = page("escape", &run);
    assert!(!page.contains("<img"));
    assert_eq!(page.matches("</script>").count(), 2);
}

#[test]
fn page_loads_nothing() {
    let trajectory = common::trajectory(300, 7);
    let settings = common::settings();
    let page = page("offline", &common::run(&trajectory, &settings));
    assert!(page.contains("default-src 'none'"), "the browser is told to load nothing");
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    for reference in ["<script src", "<link", "@import", "url(http", "<iframe"] {
        assert!(!page.contains(reference), "{reference}");
    }
    let own = page.replace("http://www.w3.org/2000/svg", "");
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
    // none is left out
    assert!(many.matches("\"group\":").count() >= 1000);
}

#[test]
fn a_film_becomes_a_scene() {
    let trajectory = common::trajectory(30, 7);
    let settings = common::settings();
    let film = common::film();
    let mut run = common::run(&trajectory, &settings);
    assert!(!page("still", &run).contains("class=\"animation\""));
    run.film = Some(&film);
    let page = page("film", &run);
    assert!(page.contains("class=\"animation\""));
    let start = page.find("<script id=\"data\" type=\"application/json\">").unwrap();
    let start = start + page[start..].find('>').unwrap() + 1;
    let text = &page[start..start + page[start..].find("</script>").unwrap()];
    let data: serde_json::Value = serde_json::from_str(text).unwrap();
    let scene = &data["scene"];
    assert_eq!(scene["bodies"].as_array().unwrap().len(), film.bodies.len());
    assert_eq!(scene["bodies"][2]["colour"], "#c04040");
    assert_eq!(scene["joints"][0]["symbol"], "pin");
    assert_eq!(scene["lines"][0]["kind"], "spring");
    // the second body at the last time
    let frames = common::floats(scene["frames"].as_str().unwrap());
    let frame = film.frames_at(film.times.len() - 1)[2];
    let last = &frames[frames.len() - 7..];
    assert_eq!(frames.len(), 7 * 2 * film.times.len());
    assert!((f64::from(last[1]) - frame.position.y).abs() < 1e-6);
    assert!((f64::from(last[3]) - frame.orientation.to_array()[0]).abs() < 1e-6);
    // six faces of the box, two triangles each, three corners each
    let corners = common::floats(scene["bodies"][2]["corners"].as_str().unwrap());
    assert_eq!(corners.len(), 6 * 2 * 3 * 3);
    let arrow = common::floats(scene["arrows"][0]["values"].as_str().unwrap());
    assert_eq!(arrow.len(), 6 * film.times.len());
    assert_eq!(scene["tubes"][0]["count"], 21);
}
