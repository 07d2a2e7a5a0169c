//! What a run is not sure of, it says.

mod common;

use common::Place;

/// What a model that runs to its end warns of.
fn warnings(model: &str) -> String {
    Place::new().run(model, &[], "out").stderr
}

/// An oscillator that would just reach a wall, started on its steady motion; `depth` is what it would go beyond it, relative to its
/// amplitude.
fn grazing(depth: f64, tolerance: f64) -> String {
    format!(
        r#"
[parameters]
A = "4/21"
[coordinates]
x = {{ at = "-A", velocity = 0 }}
[mass]
x = 1
[force]
x = "cos(2.5*t) - x"
[gap]
wall = {{ gap = "(1 - {depth:e})*A - x", restitution = 0.8 }}
[solve]
formulation = "nonsmooth"
until = 5
tolerance = {tolerance:e}
"#
    )
}

#[test]
fn grazes_that_decide_by_errors_are_told() {
    // wherever an impact is missed or wrong
    let doubtful =
        [(1e-3, 1e-4), (1e-4, 1e-4), (1e-4, 1e-6), (1e-6, 1e-4), (1e-6, 1e-6), (1e-6, 1e-8)];
    for (depth, tolerance) in doubtful {
        let said = warnings(&grazing(depth, tolerance));
        assert!(said.contains("grazes within the accuracy"), "{depth} {tolerance}: {said}");
    }
    for (depth, tolerance) in [(0.5, 1e-4), (0.5, 1e-6), (1e-2, 1e-6), (1e-2, 1e-8), (1e-3, 1e-8)] {
        let said = warnings(&grazing(depth, tolerance));
        assert!(!said.contains("grazes"), "{depth} {tolerance}: {said}");
    }
}

/// A bead on a wire from x = −1 to 1.
fn bead(until: f64) -> String {
    format!(
        r#"
[body.b]
kind = "point"
mass = 1
velocity = [3, 0, 0]
[joint.wire]
point-on-curve = {{ between = ["ground", "b"], points = [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] }}
[solve]
until = {until}
"#
    )
}

#[test]
fn a_bead_that_leaves_the_end_of_its_wire_is_told() {
    let said = warnings(&bead(1.0));
    assert!(
        said.contains("joint `wire` is") && said.contains("beyond the end of its curve"),
        "{said}"
    );
    assert_eq!(warnings(&bead(0.3)), "");
}

#[test]
fn index2_tells_of_drift_and_dead_points() {
    let pendulum = |formulation: &str| {
        format!(
            r#"
gravity = [0, -9.81, 0]
[body.a]
mass = 1
inertia = [0.01, 0.01, 0.01]
at = [1, 0, 0]
[joint.j]
revolute = {{ between = ["ground", "a"], at = [0, 0, 0], about = "z" }}
[solve]
formulation = "{formulation}"
until = 0.1
"#
        )
    };
    let said = warnings(&pendulum("index2"));
    assert!(said.contains("drift off slowly") && said.contains("dead point"), "{said}");
    assert_eq!(warnings(&pendulum("ggl")), "");
}
