//! Bodies that nothing holds fly, spin and roll exactly, whatever the step, the tolerance and the formulation.

mod common;

use common::Place;
use common::table::Table;
use std::f64::consts::FRAC_PI_3;

/// Whether a formulation takes steps, a tolerance or both.
#[derive(Clone, Copy)]
enum Takes {
    Steps,
    Tolerance,
    Both,
}
use Takes::{Both, Steps, Tolerance};

/// Formulations by how a model asks for them.
const FORMULATIONS: [(&str, Takes); 15] = [
    ("\"index1\"", Both),
    ("\"index2\"", Both),
    ("\"index3\"", Both),
    ("\"baumgarte\"\nbaumgarte = [20, 20]", Both),
    ("\"ggl\"", Both),
    ("\"pva\"", Both),
    ("\"soi2\"", Both),
    ("\"hht-soi2\"", Both),
    ("\"hht-i3\"", Both),
    ("\"projected\"", Both),
    ("\"dae-alpha\"", Both),
    ("\"bdf\"", Tolerance),
    ("\"explicit\"", Both),
    ("\"nonsmooth\"", Both),
    ("\"moreau-jean\"", Steps),
];

const SPIN: &str = r#"
[body.b]
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
velocity = [1, 0, 0]
angular_velocity = [0, 20, 0]
"#;

/// The recorded table of a run of a model with some lines under `[solve]`.
fn run(model: &str, solve: &str) -> Table {
    let place = Place::new();
    place.run(&format!("{model}\n[solve]\n{solve}\n"), &[], "out");
    Table::read(&place, "out/trajectory.csv")
}

/// The same of a run of which nothing is to be doubted.
fn run_in_peace(model: &str, solve: &str) -> Table {
    let place = Place::new();
    let said = place.run(&format!("{model}\n[solve]\n{solve}\n"), &[], "out");
    assert!(!said.stderr.contains("warning"), "{solve}: {}", said.stderr);
    Table::read(&place, "out/trajectory.csv")
}

/// The steps with which a formulation is tried, and its default.
fn steps(takes: Takes) -> Vec<String> {
    let mut steps = Vec::new();
    if !matches!(takes, Tolerance) {
        steps.extend([0.05, 0.01].map(|step| format!("step = {step}")));
    }
    if !matches!(takes, Steps) {
        steps.extend([1e-3, 1e-4, 1e-6].map(|tolerance| format!("tolerance = {tolerance}")));
        steps.push(String::new());
    }
    steps
}

/// The largest difference of columns from functions of time.
fn off(table: &Table, expected: &[(&str, &dyn Fn(f64) -> f64)]) -> f64 {
    let times = table.numbers("t");
    assert!(times.len() > 1);
    let mut worst = 0.0f64;
    for (column, exact) in expected {
        for (value, t) in table.numbers(column).iter().zip(&times) {
            worst = worst.max((value - exact(*t)).abs());
        }
    }
    worst
}

#[test]
fn a_spinning_body_flies_straight() {
    // a body with equal moments, and one that is not so, spinning about one of its axes
    for moments in ["[1e-3, 1e-3, 1e-3]", "[1e-3, 2e-3, 2.5e-3]"] {
        let model = SPIN.replace("[1e-3, 1e-3, 1e-3]", moments);
        for (formulation, takes) in FORMULATIONS {
            for step in steps(takes) {
                let solve = format!("formulation = {formulation}\n{step}\nuntil = 10");
                let table = run_in_peace(&model, &solve);
                assert_eq!(table.last("t"), 10.0, "{solve}");
                let worst = off(
                    &table,
                    &[
                        ("b.x", &|t| t),
                        ("b.y", &|_| 0.0),
                        ("b.z", &|_| 0.0),
                        ("b.vx", &|_| 1.0),
                        ("b.vy", &|_| 0.0),
                        ("b.vz", &|_| 0.0),
                        ("b.wx", &|_| 0.0),
                        ("b.wy", &|_| 20.0),
                        ("b.wz", &|_| 0.0),
                    ],
                );
                assert!(worst < 1e-10, "{moments}, {solve}: {worst}");
            }
        }
    }
}

#[test]
fn a_planar_body_that_spins_flies_straight() {
    let model = r#"
[body.b]
kind = "planar"
normal = "y"
turned = { about = "x", by = "-90*deg" }
mass = 1
inertia = 1e-3
centre = [0.1, -0.2, 0]
velocity = [1, 0, 2]
angular_velocity = [0, 20, 0]
"#;
    // the centre of mass moves with the velocity of the origin and ω × c, and the origin turns about it
    let centre = |t: f64| [0.1 + (1.0 + 20.0 * 0.2) * t, 0.2 + (2.0 - 20.0 * 0.1) * t];
    let arm = |t: f64| {
        let (sin, cos) = (20.0 * t).sin_cos();
        [cos * 0.1 + sin * 0.2, cos * 0.2 - sin * 0.1]
    };
    for (formulation, takes) in FORMULATIONS {
        for step in steps(takes) {
            let solve = format!("formulation = {formulation}\n{step}\nuntil = 5");
            let table = run_in_peace(model, &solve);
            let worst = off(
                &table,
                &[
                    ("b.x", &|t| centre(t)[0] - arm(t)[0]),
                    ("b.z", &|t| centre(t)[1] - arm(t)[1]),
                    ("b.y", &|_| 0.0),
                ],
            );
            assert!(worst < 1e-10, "{solve}: {worst}");
        }
    }
}

/// The frame is turned at the start, its origin is not the centre of mass, and gravity acts: the
/// centre of mass is on its parabola as without spin, and the origin turns about it.
#[test]
fn a_thrown_body_is_on_its_parabola() {
    let model = |spin: &str| {
        format!(
            r#"
gravity = [0.3, 0, -9.81]
[body.b]
mass = 2
inertia = [0.02, 0.02, 0.02]
centre = [0.2, -0.1, 0.3]
turned = {{ about = "x", by = "60*deg" }}
at = [1, 2, 3]
{spin}
[body.c]
mass = 1
inertia = [0.01, 0.02, 0.015]
velocity = [3, 1, 5]
angular_velocity = [4, -7, 11]
[body.plain]
mass = 1
inertia = [0.01, 0.02, 0.015]
velocity = [3, 1, 5]
"#
        )
    };
    let spin = [0.0, 8.0, 6.0];
    let text = model("velocity = [3, 1, 5]\nangular_velocity = [0, 8, 6]");
    // the arm from the origin to the centre of mass in the world, turned by the angle about the axis
    let (s, c) = FRAC_PI_3.sin_cos();
    let arm = [0.2, c * -0.1 - s * 0.3, s * -0.1 + c * 0.3];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let turned = |t: f64| {
        let axis = spin.map(|w| w / 10.0);
        let (sin, cos) = (10.0 * t).sin_cos();
        let (aside, along) = (cross(axis, arm), dot(axis, arm) * (1.0 - cos));
        [0, 1, 2].map(|k| arm[k] * cos + aside[k] * sin + axis[k] * along)
    };
    let carried = cross(spin, arm);
    let gravity = [0.3, 0.0, -9.81];
    let (at, velocity) = ([1.0, 2.0, 3.0], [3.0, 1.0, 5.0]);
    let origin = |k: usize, t: f64| {
        at[k] + arm[k] + (velocity[k] + carried[k]) * t + 0.5 * gravity[k] * t * t - turned(t)[k]
    };
    let fall = |k: usize, t: f64| velocity[k] * t + 0.5 * gravity[k] * t * t;
    for (formulation, takes) in FORMULATIONS {
        for step in steps(takes) {
            let solve = format!("formulation = {formulation}\n{step}\nuntil = 2");
            let table = run_in_peace(&text, &solve);
            assert_eq!(table.last("t"), 2.0, "{solve}");
            let worst = |name: &str, exact: &dyn Fn(usize, f64) -> f64| {
                let [x, y, z] = ["x", "y", "z"].map(|axis| format!("{name}.{axis}"));
                off(
                    &table,
                    &[(&x, &|t| exact(0, t)), (&y, &|t| exact(1, t)), (&z, &|t| exact(2, t))],
                )
            };
            // implicit Euler, with which bdf starts, is not exact for any parabola
            let plain = worst("plain", &fall);
            assert!(plain < 1e-10 || formulation.contains("bdf"), "{solve}: {plain}");
            for found in [worst("b", &origin), worst("c", &fall)] {
                assert!(found < 1e-10 + 2.0 * plain, "{solve}: {found} beside {plain}");
            }
        }
    }
}

/// Pure rolling of a sphere of 5 cm at 1 m/s.
fn rolling(spin: &str) -> String {
    format!(
        r#"
gravity = [0, 0, -9.81]
[body.b]
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
{spin}
[contact.p]
between = ["ground", "b"]
first = {{ plane = "z" }}
second = {{ sphere = 0.05 }}
friction = 0.3
"#
    )
}

#[test]
fn a_sphere_rolls_on() {
    let model = rolling("at = [0, 0, 0.05]\nvelocity = [1, 0, 0]\nangular_velocity = [0, 20, 0]")
        + "restitution = 0";
    for formulation in ["nonsmooth", "moreau-jean"] {
        for step in ["1e-2", "1e-3"] {
            let solve = format!("formulation = \"{formulation}\"\nstep = {step}\nuntil = 10");
            let table = run(&model, &solve);
            let expected: [(&str, &dyn Fn(f64) -> f64); 4] =
                [("b.vx", &|_| 1.0), ("b.x", &|t| t), ("b.vy", &|_| 0.0), ("b.y", &|_| 0.0)];
            let worst = off(&table, &expected);
            assert!(worst < 1e-9, "{solve}: {worst}");
        }
    }
}

/// Friction at the first bounce leaves 5/7 of the speed, the rest of which is spin, for ever.
#[test]
fn a_bounce_with_friction_leaves_five_sevenths() {
    let model = rolling("at = [0, 0, 1.05]\nvelocity = [1, 0, 0]") + "restitution = 0.5";
    // a sphere of 5 cm with 1e-3 kg m² is solid
    for (formulation, step) in [
        ("nonsmooth", "step = 1e-2"),
        ("nonsmooth", "step = 2e-3"),
        ("nonsmooth", "tolerance = 1e-6"),
        ("moreau-jean", "step = 1e-2"),
        ("moreau-jean", "step = 2e-3"),
    ] {
        let solve = format!("formulation = \"{formulation}\"\n{step}\nuntil = 3");
        let table = run(&model, &solve);
        // it touches the ground after 0.4515 s
        let times = table.numbers("t");
        let (before, after): (Vec<_>, Vec<_>) =
            table.numbers("b.vx").into_iter().zip(times).partition(|(_, t)| *t < 0.45);
        assert!(before.iter().all(|(v, _)| (v - 1.0).abs() < 1e-12), "{solve}");
        for (v, t) in after.iter().filter(|(_, t)| *t > 0.48) {
            assert!((v - 5.0 / 7.0).abs() < 1e-9 * 5.0 / 7.0, "{solve}: {v} at {t}");
        }
    }
}

/// A ball that spins about every axis, thrown on a table: in the end it rolls with `v − 2/7 u`, u the
/// velocity with which it slid.
#[test]
fn a_masse_shot_ends_rolling() {
    let spin = [-60.0, -40.0, 30.0];
    let model =
        rolling("at = [0, 0, 0.05]\nvelocity = [1, 0, 0]\nangular_velocity = [-60, -40, 30]")
            + "restitution = 0";
    // slip of the lowest point: v + ω × (0, 0, −r)
    let slip = [1.0 - 0.05 * spin[1], 0.05 * spin[0]];
    let end = [1.0 - slip[0] * 2.0 / 7.0, -slip[1] * 2.0 / 7.0];
    for (formulation, step) in [("nonsmooth", "1e-3"), ("moreau-jean", "1e-2")] {
        let solve = format!("formulation = \"{formulation}\"\nstep = {step}\nuntil = 2");
        let table = run(&model, &solve);
        let found = [table.last("b.vx"), table.last("b.vy")];
        for (found, end) in found.iter().zip(end) {
            assert!((found - end).abs() < 1e-9, "{solve}: {found} is not {end}");
        }
        assert!((table.last("b.wz") - 30.0).abs() < 1e-9, "{solve}");
    }
}

/// What a joint holds keeps its velocity in its own axes, in which a steady turn is exact.
#[test]
fn a_body_on_a_pin_turns_on() {
    let model = r#"
[body.b]
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
at = [1, 0, 0]
velocity = [0, 20, 0]
angular_velocity = [0, 0, 20]
[joint.pin]
revolute = { between = ["ground", "b"], at = [0, 0, 0], about = "z" }
"#;
    for formulation in ["index3", "ggl", "nonsmooth", "moreau-jean"] {
        let solve = format!("formulation = \"{formulation}\"\nstep = 1e-2\nuntil = 10");
        let table = run(model, &solve);
        let worst = off(
            &table,
            &[
                ("b.x", &|t| (20.0 * t).cos()),
                ("b.y", &|t| (20.0 * t).sin()),
                ("b.wz", &|_| 20.0),
                ("pin.angle", &|t| 20.0 * t),
            ],
        );
        assert!(worst < 1e-9, "{solve}: {worst}");
    }
}

/// A puck that spins slides straight, and a wheel rolls straight, in all formulations.
#[test]
fn pucks_and_wheels_on_joints_go_straight() {
    let puck = r#"
gravity = [0, 0, -9.81]
[body.b]
mass = 1
inertia = [1e-3, 1e-3, 2e-3]
velocity = [1, 2, 0]
angular_velocity = [0, 0, 20]
[joint.table]
planar = { between = ["ground", "b"], at = [0, 0, 0], normal = "z" }
"#;
    let wheel = r#"
gravity = [0, 0, -9.81]
[body.b]
mass = 1
inertia = [1e-3, 2e-3, 1e-3]
at = [0, 0, 0.1]
velocity = [2, 0, 0]
angular_velocity = [0, 20, 0]
[frame.disc]
on = "b"
along = "y"
[joint.road]
rolling = { between = ["ground", "disc"], radius = 0.1 }
"#;
    let mut wheels = 0;
    for (formulation, takes) in FORMULATIONS {
        let solve = format!("formulation = {formulation}\n{}\nuntil = 5", steps(takes)[0]);
        let straight = |table: &Table, [x, y]: [f64; 2]| {
            let worst = off(table, &[("b.x", &|t| x * t), ("b.y", &|t| y * t)]);
            assert!(worst < 1e-9, "{solve}: {worst}");
        };
        straight(&run(puck, &solve), [1.0, 2.0]);
        let place = Place::new();
        place.write("model.toml", &format!("{wheel}\n[solve]\n{solve}\n"));
        let said = place.rotula(&["run", "model.toml", "-o", "out"]);
        if said.stderr.contains("no nonholonomic constraints") {
            continue;
        }
        assert_eq!(said.status, 0, "{solve}: {}", said.stderr);
        straight(&Table::read(&place, "out/trajectory.csv"), [2.0, 0.0]);
        wheels += 1;
    }
    assert!(wheels >= 10, "{wheels}");
}
