//! Loads that jump at known times: steps end there whether the jump is declared or only written.

use rotula_dae::*;
use rotula_model::equations::Model;

/// An oscillator with ω = 2 that is pushed from 0.31 s on.
fn run(load: &str, events: &str) -> (f64, usize, Vec<f64>) {
    let text = format!(
        r#"
[coordinates]
x = {{ at = 0, velocity = 0 }}
[mass]
x = 1
[force]
x = "-4*x + {load}"
{events}
[solve]
tolerance = 1e-7
until = 2.0
"#
    );
    let model = Model::parse(&text, "pushed.toml", &[]).unwrap();
    let mut system = model.system();
    let settings = model.solve.settings().unwrap();
    let outcome = simulate(&mut system, &model.initial_state(), &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none());
    let exact = 1.5 * (1.0 - (2.0 * (2.0 - 0.31f64)).cos());
    let jumps = system.discontinuities().to_vec();
    ((outcome.state.q[0] - exact).abs(), outcome.trajectory.statistics.steps, jumps)
}

#[test]
fn a_written_jump_is_as_good_as_a_declared_one() {
    // a cube hides the time of the jump from the reader of formulas, not from the bounds of its condition over the run
    let hidden = "if(t^3 < 0.31^3, 0, 6)";
    let declared = run(hidden, "[events]\ntimes = [0.31]");
    assert_eq!(declared.2, [0.31]);
    for load in ["if(t < 0.31, 0, 6)", "6*heaviside(t - 0.31)", "3 + 3*sign(2*t - 0.62)"] {
        let written = run(load, "");
        assert_eq!(written.2, [0.31], "{load}");
        assert_eq!(written.1, declared.1, "steps of {load}");
        assert!((written.0 - declared.0).abs() < 1e-9, "{load}: {written:?} {declared:?}");
    }
    // no more than the tolerance in each step
    assert!(declared.0 < 1e-7 * declared.1 as f64, "{declared:?}");
    let bounded = run(hidden, "");
    assert!(bounded.2.is_empty() && bounded.1 == declared.1, "{bounded:?} {declared:?}");
    assert!((bounded.0 - declared.0).abs() < 1e-9, "{bounded:?} {declared:?}");
}

#[test]
fn accelerations_of_constraints_jump_as_well() {
    let text = r#"
[coordinates]
x = { at = 0, velocity = 0 }
[mass]
x = 1
[constraint]
drive = "x - step(t, 0.5, 0, 1.5, 2)"
[solve]
step = 0.01
until = 2.0
"#;
    let model = Model::parse(text, "driven.toml", &[]).unwrap();
    assert_eq!(model.system().discontinuities(), [0.5, 1.5]);
}
