//! Variables, states and definitions: computed in the order in which they depend on each other.

use crate::{assert_close, run};
use rotula_model::Mechanism;

/// An arm of 1 kg on a hinge, half a metre out; 0.1 + 0.25 kg m² about it. The hinge turns by `c`.
fn arm(sections: &str, solve: &str) -> crate::Run {
    run(&text(sections, solve))
}

fn text(sections: &str, solve: &str) -> String {
    format!(
        r#"
        gravity = [0, 0, -9.81]
        [body.arm]
        mass = 1
        inertia = [0.01, 0.1, 0.1]
        at = [0.5, 0, 0]
        [joint.hinge]
        revolute = {{ between = ["ground", "arm"], at = [0, 0, 0], about = "y" }}
        torque = "c"
        {sections}
        [solve]
        {solve}
        "#
    )
}

/// At the start the angle is zero, so that each chain ends in a value that is known by hand; a formula
/// that saw a zero instead of what it uses would fail or give another.
#[test]
fn chains_are_computed_in_order() {
    for (variables, end) in [
        ("a = \"2 + hinge.angle\"\nb = \"a - 1\"\nc = \"1/b\"", 1.0),
        ("a = \"2 + hinge.angle\"\nb = \"a\"\nc = \"1/b\"", 0.5),
        ("a = \"1.5 + hinge.angle\"\nb = \"2*a\"\nc = \"sqrt(b - 1)\"", 2f64.sqrt()),
        // the order in the file does not matter
        ("c = \"1/b\"\nb = \"1/a\"\na = \"4 + hinge.angle\"", 4.0),
        // a long chain
        (
            "c = \"1/e\"\ne = \"log(d)\"\nd = \"sqrt(b)\"\nb = \"1/a\"\na = \"1/(100 + hinge.angle)\"",
            1.0 / 10f64.ln(),
        ),
    ] {
        let result = arm(&format!("[variable]\n{variables}"), "until = 0.1");
        assert_close(variables, result.curve("c")[0], end, 1e-12);
    }
}

/// A chain that reads the time at the start of the run, not at zero.
#[test]
fn chains_know_when_the_run_starts() {
    let result = arm("[variable]\na = \"1/t\"\nc = \"1/(a - 0.25)\"", "start = 2.0\nuntil = 2.1");
    assert_close("c", result.curve("c")[0], 4.0, 1e-12);
}

/// Rates of states stand in chains too: the rate of `s` is 1/b, and `c` is one over that.
#[test]
fn states_stand_in_chains() {
    let sections = "[variable]\nb = \"4 + s\"\nc = \"1/d\"\nd = \"1/b\"\n[state]\ns = { at = 0, rate = \"1/b\" }";
    let result = arm(sections, "until = 0.1");
    assert_close("c", result.curve("c")[0], 4.0, 1e-12);
    // s' = 1/(4 + s): (4 + s)² = 16 + 2t
    assert_close("s", result.last("s"), 16.2f64.sqrt() - 4.0, 1e-6);
}

/// A loop is solved together, and what follows from it comes after it.
#[test]
fn loops_are_solved_together() {
    // a = cos(b), b = a: 0.739…; c would be 1/0 at the guess
    let result =
        arm("[variable]\nc = \"1/a\"\na = \"cos(b) + 0*hinge.angle\"\nb = \"a\"", "until = 0.1");
    assert_close("c", result.curve("c")[0], 1.0 / 0.739_085_133_215_160_6, 1e-9);
}

/// What uses accelerations and reactions is computed when these are known: the arm falls with
/// g m l/(J + m l²), and the hinge carries what gravity and that leave.
#[test]
fn accelerations_and_reactions_come_first() {
    let sections = r#"
        [sensor]
        fall = { acceleration = "arm", along = "z" }
        [variable]
        c = "0"
        slowness = "1/fall"
        root = "sqrt(-fall - 1)"
        steep = "1/root"
    "#;
    let result = arm(sections, "until = 0.1");
    let fall = -9.81 * 0.25 / 0.35;
    assert_close("1/fall", result.curve("slowness")[0], 1.0 / fall, 1e-9);
    assert_close("1/root", result.curve("steep")[0], 1.0 / (-fall - 1.0f64).sqrt(), 1e-9);
}

/// A fault is told of the formula that has it, not of one that follows.
#[test]
fn the_faulty_formula_is_named() {
    let text = text("[variable]\nc = \"1/b\"\nb = \"a\"\na = \"1/hinge.angle\"", "until = 0.1");
    let mechanism = Mechanism::parse(&text, "model.toml", &[]).unwrap();
    let settings = mechanism.settings().unwrap();
    let start = mechanism.initial_state();
    let outcome = rotula_dae::simulate(&mut mechanism.system(), &start, &settings, &mut ());
    let message = outcome.expect_err("1/0").to_string();
    assert!(message.contains("the variable `a`"), "{message}");
}

/// Definitions stand for their formulas wherever these may stand, before what they use is defined.
#[test]
fn definitions_stand_for_their_formulas() {
    let plain = arm(
        "[variable]\nc = \"-3*(hinge.angle - 0.2*t) - 0.5*hinge.angle_velocity\"",
        "until = 0.1",
    );
    let named = r#"
        [define]
        error = "hinge.angle - target"
        target = "slope*t"
        slope = "0.2"
        half = "slope/0.4"
        brake = "half*hinge.angle_velocity"
        [variable]
        c = "-3*error - brake"
    "#;
    let named = arm(named, "until = 0.1");
    assert_close("angle", named.last("hinge.angle"), plain.last("hinge.angle"), 1e-9);
    // no unknown, no column
    assert!(std::panic::catch_unwind(|| named.curve("error")).is_err());
}

/// Constant definitions may stand where numbers do, those of the time in motions, others not.
#[test]
fn definitions_are_allowed_where_what_they_use_is() {
    let model = |key: &str| {
        format!(
            r#"
            [define]
            far = "2*0.25"
            swing = "0.1*sin(t)"
            turned = "hinge.angle"
            [body.arm]
            mass = 1
            inertia = [0.01, 0.1, 0.1]
            at = [{key}, 0, 0]
            [joint.hinge]
            revolute = {{ between = ["ground", "arm"], at = [0, 0, 0], about = "y" }}
            [motion.drive]
            joint = "hinge"
            angle = "swing"
            [solve]
            until = 1.0
            "#
        )
    };
    let result = run(&model("\"far\""));
    assert_close("x", result.curve("arm.x")[0], 0.5, 1e-12);
    assert_close("angle", result.last("hinge.angle"), 0.1 * 1f64.sin(), 1e-9);
    let error = Mechanism::parse(&model("\"turned\""), "model.toml", &[]).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("turned"), "{message}");
}
