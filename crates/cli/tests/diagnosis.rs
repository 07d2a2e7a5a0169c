//! Mechanisms that fail as a user's may: the message names the culprit, the time, the evidence and a
//! remedy that helps.

mod common;

use common::Place;

/// What goes wrong in which model, and what must be said about it.
struct Case<'a> {
    name: &'static str,
    model: &'a str,
    status: i32,
    said: &'static [&'static str],
    /// What would be a false remedy.
    unsaid: &'static [&'static str],
}

fn check(case: &Case) {
    let place = Place::new();
    place.write("model.toml", case.model);
    let said = place.rotula(&["run", "model.toml"]);
    let text = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(said.status, case.status, "{}: {text}", case.name);
    for phrase in case.said {
        assert!(text.contains(phrase), "{}: `{phrase}` is not in: {text}", case.name);
    }
    for phrase in case.unsaid {
        assert!(!text.contains(phrase), "{}: `{phrase}` is in: {text}", case.name);
    }
}

/// A four-bar linkage whose crank cannot turn round.
const FOUR_BAR: &str = r#"
gravity = [0, -9.81, 0]
[parameters]
crank = 0.4
coupler = 0.5
rocker = 0.4
base = 1.0
phi = "60*deg"
ax = "crank*cos(phi)"
ay = "crank*sin(phi)"
r = "hypot(base - ax, ay)"
beta = "atan2(-ay, base - ax) + acos((coupler^2 + r^2 - rocker^2)/(2*coupler*r))"
bx = "ax + coupler*cos(beta)"
by = "ay + coupler*sin(beta)"
[body.crank]
kind = "planar"
mass = 1.0
inertia = "crank^2/12"
centre = ["crank/2", 0, 0]
turned = { about = "z", by = "phi" }
[body.coupler]
kind = "planar"
mass = 1.0
inertia = "coupler^2/12"
centre = ["coupler/2", 0, 0]
at = ["ax", "ay", 0]
turned = { about = "z", by = "beta" }
[body.rocker]
kind = "planar"
mass = 1.0
inertia = "rocker^2/12"
centre = ["rocker/2", 0, 0]
at = ["base", 0, 0]
turned = { about = "z", by = "atan2(by, bx - base)" }
[joint.crank_bearing]
revolute = { between = ["ground", "crank"], at = [0, 0, 0], about = "z" }
[joint.crank_pin]
revolute = { between = ["crank", "coupler"], at = ["ax", "ay", 0], about = "z" }
[joint.rocker_pin]
revolute = { between = ["coupler", "rocker"], at = ["bx", "by", 0], about = "z" }
[joint.rocker_bearing]
revolute = { between = ["ground", "rocker"], at = ["base", 0, 0], about = "z" }
[motion.motor]
joint = "crank_bearing"
angle_velocity = 2.0
[solve]
tolerance = 1e-6
until = 3.0
"#;

/// The coupler and the rocker are in line where the crank has turned by 0.0708 rad.
#[test]
fn lock_up() {
    check(&Case {
        name: "lock-up",
        model: FOUR_BAR,
        status: 1,
        said: &[
            "at t = 0.03539",
            "cannot follow `motor: prescribed motion`",
            "dead point or at the end of its reach",
            "constraints that hardly differ here",
            "`rocker_pin: ",
            "`crank_pin: ",
            "let `motor: prescribed motion` end or turn back",
        ],
        unsaid: &["`ggl`", "remove"],
    });
}

/// A piston that is pushed on when crank and rod are in line.
const SLIDER_CRANK: &str = r#"
[parameters]
L1 = 0.2
L2 = 0.5
phi = "60*deg"
beta = "-asin(L1*sin(phi)/L2)"
x = "L1*cos(phi) + L2*cos(beta)"
[body.crank]
kind = "planar"
mass = 1
inertia = "L1^2/12"
centre = ["L1/2", 0, 0]
turned = { about = "z", by = "phi" }
[body.rod]
kind = "planar"
mass = 1
inertia = "L2^2/12"
centre = ["L2/2", 0, 0]
at = ["L1*cos(phi)", "L1*sin(phi)", 0]
turned = { about = "z", by = "beta" }
[body.piston]
kind = "planar"
mass = 1.0
inertia = 1e-3
at = ["x", 0, 0]
[joint.main_bearing]
revolute = { between = ["ground", "crank"], at = [0, 0, 0], about = "z" }
[joint.crank_pin]
revolute = { between = ["crank", "rod"], at = ["L1*cos(phi)", "L1*sin(phi)", 0], about = "z" }
[joint.piston_pin]
revolute = { between = ["rod", "piston"], at = ["x", 0, 0], about = "z" }
[joint.guide]
prismatic = { between = ["ground", "piston"], at = ["x", 0, 0], along = "x" }
[motion.push]
joint = "guide"
displacement = "0.2*t"
[solve]
step = 0.001
until = 2.0
"#;

/// The dead point is reached after (0.7 − x)/0.2 = 0.65479 s.
#[test]
fn dead_point() {
    check(&Case {
        name: "dead point",
        model: SLIDER_CRANK,
        status: 1,
        said: &[
            "at t = 0.6547",
            "cannot follow `push: prescribed motion`",
            "`crank_pin: ",
            "`piston_pin: ",
            "the fastest velocity is that of `crank: rotation about z`",
            "the crank instead of the slider",
        ],
        unsaid: &["`ggl`"],
    });
}

#[test]
fn stops_that_are_too_stiff() {
    let hammer = |stiffness: &str, solve: &str| {
        format!(
            r#"
gravity = [0, 0, -9.81]
[body.hammer]
mass = 1
inertia = [1, 1, 1]
at = [0, 0, 0.5]
[joint.guide]
prismatic = {{ between = ["ground", "hammer"], at = [0, 0, 0.5], along = "z" }}
stop = {{ from = -0.3, stiffness = {stiffness} }}
[solve]
{solve}
until = 3.0
"#
        )
    };
    let place = Place::new();
    // steps as small as the buffer would need are not allowed
    place.write(
        "storm.toml",
        &hammer("1e14", "formulation = \"ggl\"\ntolerance = 1e-6\nmin_step = 1e-5"),
    );
    let said = place.rotula(&["run", "storm.toml"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    for phrase in [
        "times the tolerance even with the smallest step",
        "the force `guide.stop` on body `hammer` changes from",
        "so stiff that the body would oscillate on it with a period of",
        "make the named force softer or smoother",
    ] {
        assert!(said.stderr.contains(phrase), "`{phrase}` is not in: {}", said.stderr);
    }
    // fixed steps may happen to converge: then the energy gives them away
    place.write("stiff.toml", &hammer("1e14", "step = 0.01"));
    let said = place.rotula(&["run", "stiff.toml"]);
    for phrase in ["the energy balance misses by", "`guide.stop`", "`hammer`", "not to be believed"]
    {
        assert!(said.stderr.contains(phrase), "`{phrase}` is not in: {}", said.stderr);
    }
    // a buffer that suits its steps is not complained about
    place.write("soft.toml", &hammer("1e5", "tolerance = 1e-6"));
    let said = place.rotula(&["run", "soft.toml"]);
    assert!(said.status == 0 && said.stderr.is_empty(), "{}", said.stderr);
}

/// Two shafts at a right angle.
const CARDAN: &str = r#"
[body.input]
mass = 1
inertia = [0.1, 0.1, 0.1]
[body.output]
mass = 1
inertia = [0.1, 0.1, 0.1]
[frame.input_fork]
on = "input"
axes = { z = "x", x = "y" }
[frame.output_fork]
on = "output"
axes = { z = "y", y = "z" }
[joint.input_bearing]
revolute = { between = ["ground", "input"], at = [0, 0, 0], about = "x" }
[joint.output_bearing]
revolute = { between = ["ground", "output"], at = [0, 0, 0], about = "y" }
[joint.cross]
universal = { frames = ["input_fork", "output_fork"] }
[motion.spin]
joint = "input_bearing"
angle = "2*t"
[solve]
step = 0.01
until = 1.0
"#;

#[test]
fn universal_joint_at_a_right_angle() {
    check(&Case {
        name: "gimbal lock",
        model: CARDAN,
        status: 2,
        said: &[
            "constraint `cross: x axis of the first",
            "cannot be met together at t = 0",
            "`spin: prescribed motion`",
            "misses by 2.000e0",
            "they fix the same velocities",
            "a joint bent to a right angle",
        ],
        unsaid: &["the motion does not change"],
    });
}

#[test]
fn formulas_that_leave_their_range() {
    let falling = r#"
gravity = [0, 0, -9.81]
[body.mass]
mass = 1.0
inertia = [1, 1, 1]
at = [0, 0, 1.0]
[joint.guide]
prismatic = { between = ["ground", "mass"], at = [0, 0, 0], along = "z" }
[sensor]
height = { position = "mass", along = "z" }
[solve]
step = 0.01
until = 3.0
"#;
    check(&Case {
        name: "a load",
        model: &format!(
            "{falling}[force.lift]\non = \"mass\"\nforce = [0, 0, \"2*sqrt(height)\"]\n"
        ),
        status: 1,
        said: &[
            "near t = 0.5000",
            "the variable `lift.force_z`, `2*sqrt(height)`: sqrt(-",
            "is undefined at height = -",
            "the last good state is that at t = 0.5000",
            "sqrt(max(0, x))",
        ],
        unsaid: &["`ggl`", "predictor"],
    });
    check(&Case {
        name: "a law",
        model: &format!(
            "{falling}[spring.fancy]\njoint = \"guide\"\nlaw = \"2*sqrt(1 + value)\"\n"
        ),
        status: 1,
        said: &["near t = 0.5000", "the force `fancy` on body `mass`, `2*sqrt(1 + value)`: sqrt(-"],
        unsaid: &["`ground`"],
    });
}

#[test]
fn lengths_that_contradict_each_other() {
    check(&Case {
        name: "contradiction",
        model: r#"
[body.bob]
kind = "planar"
mass = 1
inertia = 1
at = [1, 0, 0]
[frame.post]
on = "ground"
[frame.eye]
on = "bob"
[joint.short_rod]
distance = { frames = ["post", "eye"], length = 1.0 }
[joint.long_rod]
distance = { frames = ["post", "eye"], length = 1.2 }
[solve]
step = 0.01
until = 1.0
initial = "project"
"#,
        status: 2,
        said: &[
            "constraint `long_rod: distance` contradicts the others",
            "at t = 0",
            "where `short_rod: distance` holds, `long_rod: distance` misses by 2.000e-1",
            "correct the lengths",
        ],
        unsaid: &["the motion does not change"],
    });
}

#[test]
fn a_rotor_that_turns_round_within_a_step() {
    let rotor = r#"
[body.rotor]
mass = 1
inertia = [0.01, 0.012, 0.02]
angular_velocity = [20, 3, 3000]
[joint.pivot]
spherical = { between = ["ground", "rotor"], at = [0, 0, 0] }
[solve]
step = 0.01
until = 0.5
"#;
    check(&Case {
        name: "far turn",
        model: rotor,
        status: 0,
        said: &["a step of 1.0e-2 s turns `rotor: rotation about z` by 30.0 rad", "1.7e-4 s"],
        unsaid: &[],
    });
    let place = Place::new();
    place.write("slow.toml", &rotor.replace("3000", "30"));
    let said = place.rotula(&["run", "slow.toml"]);
    assert!(!said.stderr.contains("turns `rotor"), "{}", said.stderr);
}
