//! Kinds of joints and couplings.

use crate::{assert_close, run};

/// A mass that starts level and swings about the origin at a distance of 1.
fn swinging(joint: &str) -> f64 {
    let result = run(&format!(
        r#"
        gravity = [0, 0, -9.81]
        [body.bob]
        kind = "point"
        mass = 2
        at = [1, 0, 0]
        [joint.swing]
        {joint}
        [solve]
        formulation = "index3"
        tolerance = 1e-8
        until = 1.0
        "#
    ));
    let (x, z) = (result.last("bob.x"), result.last("bob.z"));
    assert_close("distance", x.hypot(z), 1.0, 1e-3);
    x
}

/// On a rod, on a hinged rod, and on a circular wire a mass swings alike.
#[test]
fn wires_and_rods_swing_alike() {
    let rod = swinging("distance = { between = [\"ground\", \"bob\"] }");
    let hinged = swinging(
        "revolute-spherical = { between = [\"ground\", \"bob\"], at = [0, 0, 0], about = \"y\", ball = [1, 0, 0] }",
    );
    assert_close("hinged rod", hinged, rod, 1e-6);
    let circle = swinging(
        "point-on-curve = { between = [\"ground\", \"bob\"], curve = [\"cos(s)\", 0, \"sin(s)\"], to = \"2*pi\", closed = true }",
    );
    assert_close("circle", circle, rod, 1e-6);
    let point = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / 32.0;
        format!("[{:.12}, 0, {:.12}]", angle.cos(), angle.sin())
    };
    let points: Vec<String> = (0..32).map(point).collect();
    let spline = swinging(&format!(
        "point-on-curve = {{ between = [\"ground\", \"bob\"], points = [{}], closed = true }}",
        points.join(", ")
    ));
    assert_close("spline", spline, rod, 1e-4);
}

/// A crank pin in a slot: the slider moves like a cosine.
#[test]
fn a_pin_in_a_slot_makes_a_cosine() {
    let result = run(r#"
        [body.crank]
        mass = 1
        inertia = [0.01, 0.01, 0.01]
        [body.slider]
        mass = 1
        inertia = [0.01, 0.01, 0.01]
        at = [0.2, 0, 0]
        [joint.bearing]
        revolute = { between = ["ground", "crank"], at = [0, 0, 0], about = "z" }
        [joint.guide]
        prismatic = { between = ["ground", "slider"], at = [0.2, 0, 0], along = "x" }
        [joint.slot]
        revolute-translational = { between = ["crank", "slider"], at = [0.2, 0, 0], about = "z", along = "y" }
        [motion.drive]
        joint = "bearing"
        angle = "2*t"
        [solve]
        formulation = "index3"
        tolerance = 1e-6
        until = 1.0
    "#);
    assert_close("slider", result.last("slider.x"), 0.2 * 2f64.cos(), 1e-9);
    assert_close("slot", result.last("slot.displacement"), -0.2 * 2f64.sin(), 1e-9);
}

/// The x axis of a tumbling body stays level.
#[test]
fn perpendicular_axes_stay_so() {
    let result = run(r#"
        gravity = [0, 0, -9.81]
        [body.top]
        mass = 1
        inertia = [0.02, 0.03, 0.04]
        centre = [0, 0.1, 0.1]
        angular_velocity = [1, 0, 2]
        [joint.ball]
        spherical = { between = ["ground", "top"], at = [0, 0, 0] }
        [joint.level]
        perpendicular-axes = { between = ["ground", "top"], at = [0, 0, 0], about = "z", second = "x" }
        [solve]
        formulation = "index3"
        tolerance = 1e-7
        until = 1.0
    "#);
    let [w, x, y, z] = ["qw", "qx", "qy", "qz"].map(|part| result.curve(&format!("top.{part}")));
    for k in 0..w.len() {
        let up = 2.0 * (x[k] * z[k] - w[k] * y[k]);
        assert!(up.abs() < 1e-9, "the axis leaves the plane by {up:.2e}");
    }
    assert!((w[w.len() - 1] - 1.0).abs() > 0.01, "it does move");
}

const SHAFTS: &str = r#"
    [body.a]
    mass = 1
    inertia = [0.1, 0.1, 0.1]
    [body.b]
    mass = 1
    inertia = [0.1, 0.1, 0.1]
    [body.c]
    mass = 1
    inertia = [0.1, 0.1, 0.1]
    [joint.first]
    revolute = { between = ["ground", "a"], at = [0, 0, 0], about = "z" }
    [joint.second]
    revolute = { between = ["ground", "b"], at = [0, 0, 0], about = "z" }
    [joint.slide]
    prismatic = { between = ["ground", "c"], at = [0, 0, 0], along = "x" }
    [motion.drive]
    joint = "first"
    angle = "t^2"
    [solve]
    formulation = "index3"
    tolerance = 1e-6
    until = 2.0
"#;

#[test]
fn couplings_hold_sums_of_coordinates() {
    for (coupling, second, slide) in [
        ("gear = { joints = [\"first\", \"second\"], ratio = -0.5 }", Some(-2.0), None),
        ("rack = { joints = [\"first\", \"slide\"], radius = 0.1 }", None, Some(0.4)),
        ("sum = \"2*first.angle - second.angle\"", Some(8.0), None),
        (
            "sum = \"first.angle + 5*(slide.displacement + 1)\"\nequals = \"5 + t\"",
            None,
            Some(-0.4),
        ),
    ] {
        let result = run(&format!("{SHAFTS}\n[coupling.c]\n{coupling}"));
        if let Some(angle) = second {
            assert_close(coupling, result.last("second.angle"), angle, 1e-8);
        }
        if let Some(displacement) = slide {
            assert_close(coupling, result.last("slide.displacement"), displacement, 1e-8);
        }
    }
}
