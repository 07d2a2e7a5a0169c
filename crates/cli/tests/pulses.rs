//! Forces that switch or pulse at times that can be known are integrated, however short they are.

mod common;

use common::Place;
use common::table::Table;

/// Pulses of a force on a mass of 1 kg within 100 s, and the velocity that they leave: by hand from the formulas.
fn pulses() -> [(&'static str, f64); 5] {
    let share = 0.9999f64.acos() / std::f64::consts::PI;
    [
        ("if(mod(t, 10) > 9.99, 1000, 0)", 100.0),
        ("if(sin(2*pi*t) > 0.9999, 1000, 0)", 100.0 * 1000.0 * share),
        ("1000*exp(-((t-50.3)/0.01)^2)", 10.0 * std::f64::consts::PI.sqrt()),
        ("1000*max(0, 1 - abs(t - 50.3)/0.01)", 10.0),
        ("1e4*exp(-((t-77.7)/1e-3)^2)", 10.0 * std::f64::consts::PI.sqrt()),
    ]
}

/// One coordinate on which the force acts.
fn equations(force: &str, solve: &str) -> String {
    format!(
        r#"
[coordinates]
x = {{ at = 0, velocity = 0 }}
[mass]
x = 1
[force]
x = "{force}"
[solve]
until = 100
{solve}
"#
    )
}

/// A body that the force pushes, by a formula of time or through a variable.
fn mechanism(force: &str, by_variable: bool, solve: &str) -> String {
    let (variable, given) = match by_variable {
        true => (format!("[variable]\npush = \"{force}\"\n"), "push".to_owned()),
        false => (String::new(), force.to_owned()),
    };
    format!(
        r#"
{variable}
[body.b]
kind = "point"
mass = 1
[force.push]
on = "b"
force = ["{given}", 0, 0]
[solve]
until = 100
{solve}
"#
    )
}

fn last(model: &str, column: &str) -> f64 {
    let place = Place::new();
    place.run(model, &[], "out");
    *Table::read(&place, "out/trajectory.csv").numbers(column).last().expect("a row")
}

#[test]
fn short_pulses_of_time_are_integrated() {
    // errors of a smooth pulse are those of steps: positions of kilometres bear some metres at 1e-4
    for (solve, jumps, smooth) in [
        ("tolerance = 1e-4", 1e-6, 5e-2),
        ("tolerance = 1e-6", 1e-6, 5e-3),
        ("formulation = \"ggl\"\ntolerance = 1e-4", 1e-6, 5e-2),
        ("formulation = \"ggl\"\ntolerance = 1e-6", 1e-6, 5e-3),
        ("formulation = \"explicit\"\ntolerance = 1e-4", 1e-6, 5e-2),
    ] {
        for (force, exact) in pulses() {
            let bound = if force.starts_with("if") { jumps } else { smooth };
            let models = [
                (equations(force, solve), "x'"),
                (mechanism(force, false, solve), "b.vx"),
                (mechanism(force, true, solve), "b.vx"),
            ];
            for (model, column) in models {
                let found = last(&model, column);
                assert!(
                    (found / exact - 1.0).abs() < bound,
                    "{solve}, {column}: {force} {found}, {exact}"
                );
            }
        }
    }
}

#[test]
fn fixed_steps_end_where_forces_jump() {
    for (force, exact) in &pulses()[..2] {
        let solve = "formulation = \"ggl\"\nstep = 0.5";
        for (model, column) in
            [(equations(force, solve), "x'"), (mechanism(force, false, solve), "b.vx")]
        {
            let found = last(&model, column);
            assert!((found / exact - 1.0).abs() < 1e-6, "{column}: {force} {found}, {exact}");
        }
    }
}

#[test]
fn what_jumps_without_end_does_not_end_a_run() {
    // ten thousand jumps, and a term that no bounds tell anything of
    let found = last(&equations("if(mod(t, 0.02) > 0.01, 1, 0)", "tolerance = 1e-4"), "x'");
    assert!((found - 50.0).abs() < 1e-3, "{found}");
    let found = last(&equations("cos(1/(t + 1e-3)^2)^2", "tolerance = 1e-3"), "x'");
    assert!(found.is_finite() && found > 90.0, "{found}");
}
