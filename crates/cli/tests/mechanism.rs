//! The program with a model file of bodies and joints.

mod common;

use common::Place;
use common::table::Table;

const DOOR: &str = r#"title = "Driven door"
gravity = [0, 0, -9.81]

[body.door]
mass = 20.0
inertia = [6, 2, 4]
at = [0.4, 0, 1]

[joint.lower]
revolute = { between = ["ground", "door"], at = [0, 0, 0.2], about = "z" }

[joint.upper]
revolute = { between = ["ground", "door"], at = [0, 0, 1.8], about = "z" }

[motion.push]
joint = "lower"
angle = "0.5*t"

[solve]
step = 0.01
until = 0.5
"#;

#[test]
fn a_mechanism_runs_and_its_things_are_written_by_name() {
    let place = Place::new();
    place.write("door.toml", DOOR);
    let said = place.rotula(&["run", "door.toml", "--format", "both"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for sentence in [
        "Driven door: done at t = 0.5 s",
        "The system has 0 degrees of freedom: 6 coordinates and 11 holonomic constraints.",
        "The initial velocities follow from the constraints",
    ] {
        assert!(said.stdout.contains(sentence), "no `{sentence}` in\n{}", said.stdout);
    }
    assert!(said.stderr.contains("repeat"), "{}", said.stderr);

    let table = Table::read(&place, "results/door/trajectory.csv");
    for name in
        ["door.x", "door.qw", "door.vx", "door.wz", "lower.angle", "upper.fz", "push.effort"]
    {
        assert!(table.has(name), "no {name} in {:?}", table.headings());
    }
    let value = |name: &str| table.last(name);
    assert!((value("door.x") - 0.4 * 0.25_f64.cos()).abs() < 1e-9);
    assert!((value("door.vy") - 0.2 * 0.25_f64.cos()).abs() < 1e-9);
    assert!((value("upper.angle") - 0.25).abs() < 1e-9);
    // the hinges carry the weight together
    assert!((value("lower.fz") + value("upper.fz") - 20.0 * 9.81).abs() < 1e-6);
    let report = place.read("results/door/report.html");
    assert!(report.contains("Reaction forces") && report.contains("Positions of bodies"));
    assert!(place.path("results/door/trajectory.npz").exists());
}

#[test]
fn check_names_the_parts_and_the_redundancies() {
    let place = Place::new();
    place.write("door.toml", DOOR);
    let said = place.rotula(&["check", "door.toml"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for sentence in [
        "Bodies: door",
        "Joints: lower, upper",
        "Redundant: ",
        "projection changes door: y' by 0.2",
        "The model can be run",
    ] {
        assert!(said.stdout.contains(sentence), "no `{sentence}` in\n{}", said.stdout);
    }
}

#[test]
fn mistakes_are_shown_with_their_line() {
    let place = Place::new();
    place.write("door.toml", &DOOR.replace("joint = \"lower\"", "joint = \"lowr\""));
    let said = place.rotula(&["run", "door.toml"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("door.toml:16:9: there is no joint `lowr`"), "{}", said.stderr);
    assert!(said.stderr.contains("did you mean `lower`?"), "{}", said.stderr);
    assert!(!place.path("results").exists());

    // positions that do not fit are refused at the joint they contradict
    place.write("door.toml", &DOOR.replace("angle = \"0.5*t\"", "angle = \"0.2 + 0.5*t\""));
    let said = place.rotula(&["run", "door.toml"]);
    assert_eq!(said.status, 2, "{}", said.stdout);
    assert!(said.stderr.contains("push: prescribed motion"), "{}", said.stderr);
}

/// A rod on a hinge that hangs from the ground and starts at a right angle.
const ROD: &str = r#"gravity = [0, 0, -9.81]

[body.rod]
mass = 1.0
inertia = [1e-4, 0.0833, 0.0833]
at = [0.5, 0, 0]

[joint.hinge]
revolute = { between = ["ground", "rod"], at = [0, 0, 0], about = "y" }

[solve]
step = 0.01
until = 1.0
"#;

#[test]
fn statics_and_modes_find_the_hanging_rod() {
    let place = Place::new();
    place.write("rod.toml", ROD);
    let said = place.rotula(&["statics", "rod.toml", "--json", "found.json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("A stable equilibrium"), "{}", said.stdout);
    assert!(place.read("found.json").contains("\"stability\""));
    let said = place.rotula(&["modes", "rod.toml", "--json", "modes.json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    // a physical pendulum: ω² = m g l/(J + m l²)
    let frequency = (9.81 * 0.5 / (0.0833 + 0.25_f64)).sqrt() / std::f64::consts::TAU;
    let sentence = format!("{frequency:.6} Hz");
    assert!(said.stdout.contains(&sentence), "no {sentence} in\n{}", said.stdout);
}

#[test]
fn a_driven_mechanism_is_followed_and_a_free_one_refused() {
    let place = Place::new();
    place.write("rod.toml", ROD);
    let said = place.rotula(&["kinematics", "rod.toml"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    place.write(
        "driven.toml",
        &format!("{ROD}\n[motion.drive]\njoint = \"hinge\"\nangle = \"t\"\n"),
    );
    let said = place.rotula(&["kinematics", "driven.toml"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let table = Table::read(&place, "results/driven/trajectory.csv");
    let value = |name: &str| table.last(name);
    assert!((value("hinge.angle") - 1.0).abs() < 1e-9);
    // the drive turns steadily and holds the rod against its weight; the axis is y, so z falls
    let moment = 9.81 * 0.5 * 1.0_f64.cos();
    assert!((value("drive.effort").abs() - moment).abs() < 1e-8, "{}", value("drive.effort"));
}

#[test]
fn open_joints_are_closed() {
    let place = Place::new();
    place.write("rod.toml", &ROD.replace("at = [0.5, 0, 0]", "at = [0.5, 0, 0]\n[frame.end]\non = \"rod\"\nat = [-0.45, 0, 0]\n[frame.pin]\non = \"ground\"").replace("between = [\"ground\", \"rod\"], at = [0, 0, 0], about = \"y\"", "frames = [\"pin\", \"end\"]"));
    let said = place.rotula(&["assemble", "rod.toml"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("the largest gap fell from 5.000e-2"), "{}", said.stdout);
}
