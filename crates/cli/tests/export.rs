//! Results for other programs.

mod common;

use common::{PENDULUM, Place};

const SPINNER: &str = r#"title = "Spinner"
[body.disc]
mass = 1
inertia = [1, 1, 2]
angular_velocity = [0, 0, 3]
shape = { cylinder = { radius = 0.5, length = 0.1 } }
[joint.axle]
revolute = { between = ["ground", "disc"], at = [0, 0, 0], about = "z" }
[solve]
step = 0.01
until = 0.2
"#;

const ALL: [&str; 4] = ["trajectory.parquet", "animation.glb", "animation.pvd", "plots/energy.png"];

#[test]
fn exports_are_written_named_and_replaced() {
    let place = Place::new();
    place.write("spinner.toml", SPINNER);
    let said = place.rotula(&["run", "spinner.toml", "--export", "parquet,glb,vtk,png"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for name in ALL {
        let path = place.path("results/spinner").join(name);
        assert!(std::fs::metadata(&path).is_ok_and(|file| file.len() > 500), "{name}");
    }
    assert!(said.stdout.contains("animation.glb"), "{}", said.stdout);
    assert!(place.drafts().is_empty());

    // a directory holds one run
    let said = place.rotula(&["run", "spinner.toml", "--quiet"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for name in ALL {
        assert!(!place.path("results/spinner").join(name).exists(), "{name} is of another run");
    }
    assert!(!place.path("results/spinner/animation").exists());
}

#[test]
fn reports_of_mechanisms_move_and_those_of_equations_do_not() {
    let place = Place::new();
    place.write("spinner.toml", SPINNER);
    place.write("pendulum.toml", PENDULUM);
    for (model, moves) in [("spinner", true), ("pendulum", false)] {
        let said = place.rotula(&["run", &format!("{model}.toml"), "--quiet"]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let page = place.read(&format!("results/{model}/report.html"));
        assert_eq!(page.contains("class=\"animation\""), moves, "{model}");
    }
}

#[test]
fn equations_have_no_shape_to_export() {
    let place = Place::new();
    place.write("pendulum.toml", PENDULUM);
    let said = place.rotula(&["run", "pendulum.toml", "--export", "glb"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("no shape") && said.stderr.contains("leave out"),
        "{}",
        said.stderr
    );
    assert!(!place.path("results").exists());
    let said = place.rotula(&["run", "pendulum.toml", "--export", "png,parquet", "--quiet"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
}
