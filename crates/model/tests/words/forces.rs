//! Springs, bushings, friction, buffers, controllers, solids.

use crate::{assert_close, run};
use rotula_model::Mechanism;

/// A mass of 2 kg on a slide along x, with something that acts on it.
fn slide(options: &str, sections: &str, velocity: f64) -> crate::Run {
    run(&format!(
        r#"
        [body.mass]
        mass = 2
        inertia = [1, 1, 1]
        velocity = [{velocity}, 0, 0]
        [frame.hook]
        on = "ground"
        at = [-1, 0, 0]
        [joint.guide]
        prismatic = {{ between = ["ground", "mass"], at = [0, 0, 0], along = "x" }}
        {options}
        {sections}
        [solve]
        formulation = "index3"
        tolerance = 1e-9
        until = 2.0
        "#
    ))
}

/// A spring of stiffness 50 and damping 3 that is at rest at the start, written in four ways.
#[test]
fn springs_bushings_laws_and_tables_agree() {
    // 2 ẍ + 3 ẋ + 50 x = 0, ẋ(0) = 1
    let (decay, frequency) = (0.75, (25.0f64 - 0.5625).sqrt());
    let exact = (-decay * 2.0f64).exp() * (frequency * 2.0).sin() / frequency;
    for (options, sections) in [
        ("spring = { stiffness = 50, damping = 3 }", ""),
        (
            "",
            "[spring.s]\nbetween = [\"hook\", \"mass\"]\nstiffness = 50\ndamping = 3\nfree_length = 1",
        ),
        ("", "[spring.s]\nbetween = [\"hook\", \"mass\"]\nlaw = \"-50*(value - 1) - 3*rate\""),
        (
            "",
            "[spring.s]\njoint = \"guide\"\ntable = [[-1, 50], [1, -50]]\n[spring.d]\njoint = \"guide\"\ndamping = 3",
        ),
        (
            "",
            "[bushing.b]\nbetween = [\"ground\", \"mass\"]\nstiffness = [50, 0, 0, 0, 0, 0]\ndamping = [3, 0, 0, 0, 0, 0]",
        ),
        ("force = \"-50*guide.displacement - 3*guide.displacement_velocity\"", ""),
    ] {
        let end = slide(options, sections, 1.0).last("mass.x");
        assert_close(&format!("{options}{sections}"), end, exact, 1e-5);
    }
}

/// Sliding friction of 6 N stops 2 kg at 3 m/s after 1 s and 1.5 m.
#[test]
fn friction_stops_a_block() {
    let result = slide("friction = { normal = 20, coefficient = 0.3, creep = 1e-4 }", "", 3.0);
    assert_close("way", result.last("mass.x"), 1.5, 2e-3);
    assert_close("speed", result.last("mass.vx"), 0.0, 1e-3);
}

/// A force of 30 N presses the mass into a buffer until `k d^1.5` carries it.
#[test]
fn a_buffer_carries_a_force() {
    let push = "[force.push]\non = \"mass\"\nforce = [30, 0, 0]";
    let stop = "stop = { to = 0.01, stiffness = 1e4, damping = 20 }";
    let depth = (30.0f64 / 1e4).powf(2.0 / 3.0);
    assert_close("place", slide(stop, push, 0.0).last("mass.x"), 0.01 + depth, 1e-4);
}

/// The integral part of the controller removes the error that a constant load would leave.
#[test]
fn a_pid_controller_holds_a_load() {
    let sections = r#"
        [controller.hold]
        pid = { input = "guide.displacement", setpoint = 0.1, proportional = 800, integral = 2000, derivative = 80, filter_time = 1e-3 }
        [force.load]
        on = "mass"
        force = [-20, 0, 0]
    "#;
    let result = slide("force = \"hold\"", sections, 0.0);
    assert_close("place", result.last("mass.x"), 0.1, 2e-3);
    assert_close("command", result.last("hold"), 20.0, 0.5);
}

/// `1/(s + 1)` answers a unit step with `1 − e⁻ᵗ`.
#[test]
fn a_transfer_function_answers_a_step() {
    let sections = "[controller.lag]\ntransfer_function = { input = 1, numerator = [1], denominator = [1, 1] }";
    let answer = slide("", sections, 0.0).last("lag");
    assert_close("answer", answer, 1.0 - (-2.0f64).exp(), 1e-5);
}

/// Mass and moments of solids, by the handbook.
#[test]
fn solids_have_the_moments_of_the_handbook() {
    use std::f64::consts::PI;
    let cylinder = PI * 0.01 * 0.5;
    for (solid, mass, moments) in [
        ("box = [1, 2, 3]", 6.0, [6.5, 5.0, 2.5]),
        ("sphere = 0.5", PI / 6.0, [PI / 60.0; 3]),
        (
            "cylinder = { radius = 0.1, length = 0.5, axis = \"x\" }",
            cylinder,
            [cylinder * 0.005, cylinder * (0.03 + 0.25) / 12.0, cylinder * (0.03 + 0.25) / 12.0],
        ),
    ] {
        let text = format!("[body.b]\nsolid = {{ {solid}, density = 1 }}\n[solve]\nuntil = 1");
        let model = Mechanism::parse(&text, "model.toml", &[]).unwrap().model;
        let properties = &model.bodies()[1].1.mass;
        assert_close(solid, properties.mass, mass, 1e-12);
        for (k, moment) in moments.into_iter().enumerate() {
            assert_close(solid, properties.inertia[(k, k)], moment, 1e-12);
        }
    }
}
