//! Rigid contact, hard stops and clearance: `restitution` in `[contact.NAME]`, in `stop`, and
//! `[clearance.NAME]`.

use crate::{assert_close, run};

const SOLVE: &str = r#"
[solve]
formulation = "nonsmooth"
coefficients = { generalized-alpha = 0.9 }
"#;

/// A ball that slides at first rolls with 5/7 of its speed.
#[test]
fn a_ball_rolls_in_the_end() {
    let result = run(&format!(
        r#"
        gravity = [0, 0, -10]
        [body.ball]
        solid = {{ sphere = 0.1, density = 500 }}
        at = [0, 0, 0.1]
        velocity = [1.4, 0, 0]
        [contact.floor]
        between = ["ground", "ball"]
        first = {{ plane = "z" }}
        restitution = 0
        friction = 0.2
        {SOLVE}
        step = 1e-3
        until = 0.5
        "#
    ));
    assert_close("place", result.last("ball.x"), 0.54, 1e-4);
    assert_close("speed", result.last("ball.vx"), 1.0, 1e-4);
}

/// A slider at 1 m/s meets a stop after 0.5 s and returns with half of its speed.
#[test]
fn a_hard_stop_returns_half_of_the_speed() {
    let result = run(&format!(
        r#"
        [body.slider]
        mass = 2
        inertia = [1, 1, 1]
        velocity = [1, 0, 0]
        [joint.guide]
        prismatic = {{ between = ["ground", "slider"], at = [0, 0, 0], along = "x" }}
        stop = {{ from = -1, to = 0.5, restitution = 0.5 }}
        {SOLVE}
        step = 1e-3
        until = 1.5
        "#
    ));
    assert_close("speed", result.last("slider.vx"), -0.5, 1e-9);
    assert_close("place", result.last("slider.x"), 0.0, 2e-3);
}

/// A ball in a socket with play falls through it and hangs 1 cm lower; so does a pin in a hole.
#[test]
fn bodies_hang_in_their_clearance() {
    for about in ["", "about = \"y\""] {
        let result = run(&format!(
            r#"
            gravity = [0, 0, -10]
            [body.bob]
            mass = 1
            inertia = [0.1, 0.1, 0.1]
            [joint.guide]
            prismatic = {{ between = ["ground", "bob"], at = [0, 0, 0], along = "z" }}
            [clearance.play]
            between = ["ground", "bob"]
            at = [0, 0, 0]
            {about}
            size = 0.01
            restitution = 0.3
            {SOLVE}
            step = 1e-3
            until = 0.5
            "#
        ));
        assert_close("height", result.last("bob.z"), -0.01, 1e-9);
        assert_close("speed", result.last("bob.vz"), 0.0, 1e-9);
    }
}

/// A smooth bowl takes no energy: after a period of 2.225 s the sphere is as high as at the start.
#[test]
fn a_sphere_stays_in_its_bowl() {
    let result = run(&format!(
        r#"
        gravity = [0, 0, -10]
        [body.bead]
        kind = "point"
        mass = 1
        at = [0.9, 0, 0]
        [contact.bowl]
        between = ["ground", "bead"]
        first = {{ bowl = 1 }}
        second = {{ sphere = 0.1 }}
        restitution = 0
        {SOLVE}
        step = 1e-3
        until = 2.3
        "#
    ));
    let heights = result.curve("bead.z");
    let places = result.curve("bead.x");
    for (x, z) in places.iter().zip(&heights) {
        assert_close("distance", x.hypot(*z), 0.9, 1e-9);
    }
    let highest = heights[2100..].iter().fold(-1.0f64, |most, z| most.max(*z));
    assert!(highest > -0.01, "it swings up to {highest} only");
}

/// Another formulation would let bodies pass through each other.
#[test]
fn formulations_without_impacts_refuse() {
    let text = r#"
        [body.ball]
        solid = { sphere = 0.1, density = 500 }
        at = [0, 0, 1]
        [contact.floor]
        between = ["ground", "ball"]
        first = { plane = "z" }
        restitution = 0.5
        [solve]
        formulation = "ggl"
        tolerance = 1e-6
        until = 1
    "#;
    let mechanism = rotula_model::Mechanism::parse(text, "model.toml", &[]).unwrap();
    let settings = mechanism.settings().unwrap();
    let start = mechanism.initial_state();
    let outcome = rotula_dae::simulate(&mut mechanism.system(), &start, &settings, &mut ());
    let message = match outcome {
        Err(diagnosis) => diagnosis.to_string(),
        Ok(outcome) => outcome.failure.map(|failure| failure.to_string()).unwrap_or_default(),
    };
    assert!(message.contains("`floor`") && message.contains("nonsmooth"), "{message}");
}
