//! Every example runs, is sound, is drawn, and stands in the table beside its picture.

mod common;

use common::Place;
use std::path::PathBuf;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// The model files, and whether they hold a mechanism.
fn models() -> Vec<(String, PathBuf, bool)> {
    let folder = std::fs::read_dir(format!("{EXAMPLES}/models")).expect("the examples");
    let paths = folder.flatten().map(|entry| entry.path());
    let mut models: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("an example");
            let sections = ["body", "beam", "cable", "bar", "flexible", "swarm", "import", "use"];
            let mechanism = sections.iter().any(|word| text.contains(&format!("\n[{word}")));
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, path, mechanism)
        })
        .collect();
    models.sort();
    assert!(models.len() >= 24, "only {} examples", models.len());
    models
}

#[test]
fn every_example_runs_to_its_end() {
    let place = Place::new();
    for (_, path, _) in models() {
        let path = path.display().to_string();
        let said = place.rotula(&["run", &path, "-o", "out", "--format", "npz"]);
        assert_eq!(said.status, 0, "{path}: {}", said.stderr);
        let said = place.rotula(&["check", &path]);
        assert_eq!(said.status, 0, "{path}: {}", said.stderr);
        assert!(!said.stdout.contains("Hint:"), "{path}: {}", said.stdout);
    }
}

#[test]
fn every_mechanism_is_drawn_and_shown() {
    let place = Place::new();
    let table = std::fs::read_to_string(format!("{EXAMPLES}/README.md")).expect("the table");
    for (name, path, mechanism) in models() {
        assert!(table.contains(&format!("`{name}`")), "the table lacks {name}");
        let path = path.display().to_string();
        let said = place.rotula(&["draw", &path, "-o", "picture.svg"]);
        if !mechanism {
            assert_eq!(said.status, 2, "{name}");
            assert!(said.stderr.contains("model of equations"), "{}", said.stderr);
            continue;
        }
        assert_eq!(said.status, 0, "{path}: {}", said.stderr);
        let picture = place.read("picture.svg");
        assert!(picture.starts_with("<svg") && !picture.contains("NaN"), "{name}");
        assert!(picture.len() < 40_000, "{name}: {} bytes", picture.len());
        let shown = format!("pictures/{name}.svg");
        assert!(table.contains(&shown), "the table does not show {shown}");
        let kept = std::fs::metadata(format!("{EXAMPLES}/{shown}")).expect("the picture").len();
        assert!(kept < 40_000, "{shown}: {kept} bytes");
    }
}

#[test]
fn a_picture_after_a_run_shows_paths() {
    let place = Place::new();
    let path = format!("{EXAMPLES}/models/walking_leg.toml");
    let said = place.rotula(&["draw", &path, "-o", "leg.svg", "--time", "1", "--view", "xy"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let picture = place.read("leg.svg");
    assert!(picture.contains("t = 1 s") && picture.contains("stroke-dasharray"));
    let said = place.rotula(&["draw", &path, "-o", "leg.svg", "--time", "0"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("not after the start"), "{}", said.stderr);
}
