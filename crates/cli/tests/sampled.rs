//! Sampled controllers: what a run with one records meets the recursion that its formulas and the plant make together.

mod common;

use common::Place;
use common::columns::Columns;

/// A carriage with viscous friction whose speed is held by a digital PI controller.
const CARRIAGE: &str = r#"
[parameters]
m = 2
c = 3
T = 0.02
Kp = 8
Ki = 30
target = 1.5

[body.carriage]
mass = "m"
inertia = [1, 1, 1]

[joint.guide]
prismatic = { between = ["ground", "carriage"], at = [0, 0, 0], along = "x" }
force = "u - c*guide.displacement_velocity"

[variable]
error = "target - guide.displacement_velocity"

[sampled.integral]
every = "T"
value = "integral + T*error"

[sampled.u]
every = "T"
value = "Kp*error + Ki*integral"

[solve]
until = 1
output_every = 0.005
"#;

/// Speed and command at the samples: the plant between them solved in closed form.
///
/// `vₖ₊₁ = a vₖ + (1 − a)/c uₖ` with `a = exp(−c T/m)`, `iₖ = iₖ₋₁ + T (r − vₖ)`, `uₖ = Kp (r − vₖ) + Ki iₖ`.
fn recursion(samples: usize) -> Vec<[f64; 2]> {
    let (m, c, period, kp, ki, target) = (2.0, 3.0, 0.02, 8.0, 30.0, 1.5);
    let decay = f64::exp(-c * period / m);
    let (mut speed, mut integral) = (0.0, 0.0);
    let step = |_| {
        let error = target - speed;
        integral += period * error;
        let command = kp * error + ki * integral;
        let here = [speed, command];
        speed = decay * speed + (1.0 - decay) / c * command;
        here
    };
    (0..samples).map(step).collect()
}

/// Largest errors of command and speed in rows of which `every` is looked at.
fn errors(settings: &[&str], every: usize) -> [f64; 2] {
    let place = Place::new();
    place.run(CARRIAGE, settings, "out");
    let run = Columns::read(&place, "out", 1.0);
    let exact = recursion(51);
    assert!((exact[50][0] - 1.5).abs() < 0.1, "the loop holds its speed");
    let [t, speed, command] =
        ["t", "guide.displacement_velocity", "u"].map(|name| run.column(name));
    assert_eq!(t.len(), 201);
    let mut worst = [0.0, 0.0];
    for row in (0..t.len()).step_by(every) {
        // at the end the next sample is not taken any more
        let sample = (row / 4).min(49);
        let [at_sample, held] = exact[sample];
        let decay = f64::exp(-1.5 * (t[row] - 0.02 * sample as f64));
        let exact = decay * at_sample + (1.0 - decay) / 3.0 * held;
        worst[0] = f64::max(worst[0], (command[row] - held).abs());
        worst[1] = f64::max(worst[1], (speed[row] - exact).abs());
    }
    worst
}

#[test]
fn a_sampled_loop_meets_its_z_transform() {
    // of high order, and as cheap after a sample as before: each row
    let [command, speed] = errors(&["solve.formulation=explicit"], 1);
    assert!(command < 1e-9 && speed < 1e-9, "explicit: {command} {speed}");
    // the default, more strictly, at the samples
    let [command, speed] = errors(&["solve.tolerance=1e-13"], 4);
    assert!(command < 1e-9 && speed < 1e-9, "bdf: {command} {speed}");
}

/// Runs a model of a few rows.
fn short(text: &str, until: f64) -> Columns {
    let place = Place::new();
    place.run(text, &[], "out");
    Columns::read(&place, "out", until)
}

#[test]
fn rates_mix_and_lines_follow_each_other() {
    // a clock, a counter that starts late, one that reads both, and one that reads the next line before it counts
    let text = r#"
[body.ball]
kind = "point"
mass = 1
[sampled.early]
every = 0.1
value = "late"
[sampled.clock]
every = 0.1
value = "t"
[sampled.late]
every = 0.3
first = 0.3
at = -7
value = "late + 10"
[sampled.both]
every = 0.1
value = "clock + late"
[solve]
until = 1
output_every = 0.05
"#;
    let run = short(text, 1.0);
    let [t, early, clock, late, both] =
        ["t", "early", "clock", "late", "both"].map(|name| run.column(name));
    for (row, t) in t.iter().enumerate().take(20) {
        let tenth = row / 2;
        let slow = |tenth: usize| -7.0 + 10.0 * (tenth / 3) as f64;
        assert!((clock[row] - 0.1 * tenth as f64).abs() < 1e-12, "{t}: {}", clock[row]);
        assert_eq!(late[row], slow(tenth), "{t}");
        assert!((both[row] - clock[row] - late[row]).abs() < 1e-12, "{t}: {}", both[row]);
        // the line above sees what the one below was before
        assert_eq!(early[row], slow(tenth.saturating_sub(1)), "{t}");
    }
}

#[test]
fn a_sample_sees_what_jumps_with_it() {
    let text = r#"
[body.ball]
kind = "point"
mass = 1
[variable]
command = "if(t < 0.3, 1, 2)"
[sampled.seen]
every = 0.1
value = "command"
[solve]
until = 0.5
output_every = 0.02
"#;
    let run = short(text, 0.5);
    for (t, seen) in run.column("t").iter().zip(run.column("seen")) {
        assert_eq!(seen, if *t < 0.3 - 1e-9 { 1.0 } else { 2.0 }, "{t}");
    }
}

#[test]
fn a_run_that_was_cut_off_goes_on_with_what_was_held() {
    Place::new().goes_on_when_cut_off(CARRIAGE, "60", "every=100steps");
}

#[test]
fn a_sample_that_is_no_number_is_named() {
    let text = CARRIAGE.replace("T*error\"", "T*error/(t - 0.5)\"");
    Place::new().run_fails(&text, &["`integral`", "0.5"]);
}
