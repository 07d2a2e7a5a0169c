//! Runs that start from rest in equilibrium.

mod common;

use common::table::Table;
use common::{Place, model};
use std::time::Duration;

#[test]
fn a_run_starts_from_rest_in_equilibrium() {
    let place = Place::new();
    place.write("car.toml", &model("macpherson.toml"));
    let run = |initial: &str, output: &str| {
        let set = format!("solve.initial={initial}");
        // before anything moves the shaker
        place.rotula(&["run", "car.toml", "--set", &set, "--set", "solve.until=0.9", "-o", output])
    };
    let said = run("equilibrium", "rest");
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("starts from rest in a neutral equilibrium"), "{}", said.stdout);
    assert!(said.stdout.contains("Nothing holds wheel: rotation about y"), "{}", said.stdout);
    let table = Table::read(&place, "rest/trajectory.csv");
    let height = table.numbers("car.z");
    let moved = height.iter().fold(0.0_f64, |m, z| m.max((z - height[0]).abs()));
    assert!(moved < 1e-9, "{moved}");
    assert!((height[0] - 0.6).abs() > 0.1, "it did not settle: {}", height[0]);
    // the plate carries the weight of everything but itself through the tyre
    let weight = 9.81 * (350.0 + 4.0 + 14.0 + 2.0 + 20.0 + 3.0);
    let lift = table.numbers("bump.effort");
    let off = lift.iter().fold(0.0_f64, |m, f| m.max((f - weight - 98.1).abs()));
    assert!(off < 1e-3 * weight, "{} is not {}", lift[0], weight + 98.1);
    let summary = place.json("rest/summary.json");
    let start = &summary["initial"]["equilibrium"];
    assert_eq!(start["stability"], "neutral");
    assert!(start["moved"].as_array().unwrap().len() > 20, "{start}");
    // without it the car falls
    assert_eq!(run("project-velocities", "falls").status, 0);
    let height = Table::read(&place, "falls/trajectory.csv").numbers("car.z");
    assert!(height.iter().fold(0.0_f64, |m, z| m.max(height[0] - z)) > 0.14);
}

/// A load that hangs on a spring.
const SPRING: &str = r#"
gravity = [0, 0, -9.81]
[body.load]
mass = 2
inertia = [1, 1, 1]
[joint.guide]
prismatic = { between = ["ground", "load"], at = [0, 0, 0], along = "z" }
spring = { stiffness = 400, damping = 3 }
[solve]
until = 30
step = 1e-3
initial = "equilibrium"
"#;

#[test]
fn starts_in_equilibrium_are_refused_or_doubted_in_words() {
    let place = Place::new();
    let text = SPRING;
    place.write("load.toml", &text.replace("spring = { stiffness = 400, damping = 3 }", ""));
    let said = place.rotula(&["run", "load.toml", "-o", "out"]);
    assert_eq!(said.status, 2, "{}", said.stdout);
    for words in
        ["no equilibrium was found near the start", "load: z", "start as the model is given"]
    {
        assert!(said.stderr.contains(words), "no {words} in\n{}", said.stderr);
    }
    place.write("load.toml", &text.replace("mass = 2", "mass = 2\nvelocity = [0, 0, 1]"));
    let said = place.rotula(&["run", "load.toml", "--set", "solve.until=0.1", "-o", "out"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stderr.contains("velocities that the model gives are left out"),
        "{}",
        said.stderr
    );
    // m g = k z
    let z = Table::read(&place, "out/trajectory.csv").numbers("load.z");
    assert!(z.iter().all(|z| (z + 2.0 * 9.81 / 400.0).abs() < 1e-12), "{z:?}");
    // a rod that stands on its hinge
    let rod = "gravity = [0, 0, -9.81]\n[body.rod]\nmass = 1\ninertia = [1, 1, 1]\nat = [0, 0, 1]\n[joint.hinge]\nrevolute = { between = [\"ground\", \"rod\"], at = [0, 0, 0], about = \"y\" }\n[solve]\nuntil = 0.01\ninitial = \"equilibrium\"\n";
    place.write("rod.toml", rod);
    let said = place.rotula(&["run", "rod.toml", "-o", "out"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stderr.contains("is unstable: it departs along rod"), "{}", said.stderr);
}

#[test]
fn a_run_from_equilibrium_goes_on_from_its_checkpoints() {
    let place = Place::new();
    let text = SPRING
        .replace("[solve]", "[force.f]\non = \"load\"\nforce = [0, 0, \"sin(9*t)\"]\n[solve]");
    place.write("load.toml", &text);
    let whole = place.rotula(&["run", "load.toml", "-o", "whole", "--quiet"]);
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    let mut cut = 0;
    for _ in 0..40 {
        let begun = place.path("cut/checkpoint/run.json").exists();
        let arguments: &[&str] = match begun {
            true => &["resume", "cut", "--quiet"],
            false => &["run", "load.toml", "-o", "cut", "--quiet", "--checkpoint", "every=50steps"],
        };
        let mut child = place.begin(arguments);
        std::thread::sleep(Duration::from_millis(120));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        cut += 1;
    }
    let last = place.rotula(&["resume", "cut", "--quiet"]);
    assert!(last.status == 0 || !place.path("cut/checkpoint").exists(), "{}", last.stderr);
    println!("cut off {cut} times");
    assert_eq!(place.read("whole/trajectory.csv"), place.read("cut/trajectory.csv"));
    let start = |name: &str| place.json(&format!("{name}/summary.json"))["initial"].clone();
    assert_eq!(start("whole"), start("cut"));
    assert_eq!(start("cut")["equilibrium"]["stability"], "stable");
}
