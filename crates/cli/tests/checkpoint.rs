//! Checkpoints: what cannot be gone on with is refused in words, and nothing is left behind.

mod common;

use common::{PENDULUM, Place, example};
use std::process::Command;
use std::time::Duration;

/// The summary without the time it took.
fn summary(place: &Place, directory: &str) -> serde_json::Value {
    let mut summary = place.json(&format!("{directory}/summary.json"));
    summary.as_object_mut().unwrap().remove("wall_seconds").expect("the time it took");
    summary
}

fn slider_crank(place: &Place) {
    place.write("model.toml", &example("slider_crank.toml"));
}

#[test]
fn what_cannot_be_gone_on_with_is_refused_in_words() {
    let place = Place::new();
    slider_crank(&place);
    let said = place.rotula(&["resume", "nothing"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("there is no unfinished run here"), "{}", said.stderr);

    begin_and_kill(&place);
    let said = place.rotula(&["run", "model.toml", "-o", "cut"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("rotula resume cut"), "{}", said.stderr);

    let text = place.read("model.toml");
    place.write("model.toml", &(text.clone() + "# a remark\n"));
    let said = place.rotula(&["resume", "cut"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("has changed since the run began"), "{}", said.stderr);
    place.write("model.toml", &text);

    // a damaged checkpoint is passed over
    let path = ["0.state", "1.state"].map(|name| place.path(&format!("cut/checkpoint/{name}")));
    let newest =
        path.iter().max_by_key(|path| std::fs::metadata(path).unwrap().modified().unwrap());
    let bytes = std::fs::read(newest.unwrap()).unwrap();
    std::fs::write(newest.unwrap(), &bytes[..bytes.len() / 2]).unwrap();
    let said = place.rotula(&["resume", "cut"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("this checkpoint is damaged"), "{}", said.stdout);
    assert!(said.stdout.contains("goes on from t = "), "{}", said.stdout);
    assert!(!place.path("cut/checkpoint").exists());
    assert!(place.path("cut/report.html").exists());
}

/// Leaves a run that has passed a few checkpoints.
fn begin_and_kill(place: &Place) {
    let arguments = ["run", "model.toml", "--quiet", "-o", "cut", "--checkpoint", "every=200steps"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_rotula"))
        .args(arguments)
        .args(["--set", "solve.until=40"])
        .current_dir(place.path("."))
        .spawn()
        .expect("the program starts");
    while !place.path("cut/checkpoint/1.state").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_wrong_interval_is_explained() {
    let place = Place::new();
    place.write("pendulum.toml", PENDULUM);
    let said = place.rotula(&["run", "pendulum.toml", "--checkpoint", "every=soon"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("write every=10s"), "{}", said.stderr);
}

#[test]
fn a_run_with_checkpoints_leaves_none_behind() {
    let place = Place::new();
    place.write("pendulum.toml", PENDULUM);
    let said = place.rotula(&["run", "pendulum.toml", "-o", "a", "--checkpoint", "10steps"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("Checkpoints: "), "{}", said.stdout);
    assert!(!place.path("a/checkpoint").exists());
    place.rotula(&["run", "pendulum.toml", "-o", "b"]);
    assert_eq!(place.read("a/trajectory.csv"), place.read("b/trajectory.csv"));
    assert_eq!(summary(&place, "a"), summary(&place, "b"));
}
