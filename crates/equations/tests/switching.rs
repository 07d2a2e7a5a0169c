//! Forces that switch: steps end where a condition of a formula changes, and short pulses are seen.

use rotula_dae::*;
use rotula_equations::Model;

/// A mass of 1 kg with this force, from a place and a velocity.
fn run(force: &str, start: [f64; 2], solve: &str) -> Outcome {
    let [x, v] = start;
    // one that is exact for constant forces, so that what is left is the error at switches
    let formulation = match solve.contains("formulation") {
        true => "",
        false => "formulation = \"index3\"\n",
    };
    let text = format!(
        "[coordinates]\nx = {{ at = {x}, velocity = {v} }}\n[mass]\nx = 1\n[force]\nx = \"{force}\"\n[solve]\n{formulation}{solve}\n"
    );
    let model = Model::parse(&text, "switching.toml", &[]).unwrap();
    let settings = model.solve.settings().unwrap();
    let outcome =
        simulate(&mut model.system(), &model.initial_state(), &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{force}: {:?}", outcome.failure);
    assert_eq!(outcome.state.t, settings.until);
    outcome
}

/// Those that come from time alone, at every tolerance: impulse exact, and the end of the step that brings it.
#[test]
fn pulses_in_time_are_integrated() {
    let half = 0.9999_f64.acos() / std::f64::consts::TAU;
    let cases = [
        ("if(mod(t, 10) > 9.99, 1000, 0)", 100.0, 1e-8),
        ("if(sin(2*pi*t) > 0.9999, 1000, 0)", 100.0 * 2.0 * half * 1000.0, 1e-8),
        ("1000*exp(-((t - 50.3)/0.01)^2)", 10.0 * std::f64::consts::PI.sqrt(), 1e-2),
        ("1000*max(0, 1 - abs(t - 50.3)/0.01)", 10.0, 1e-2),
    ];
    for (force, impulse, bound) in cases {
        for tolerance in ["1e-3", "1e-4", "1e-6", "1e-8"] {
            let solve = format!("until = 100\ntolerance = {tolerance}");
            let outcome = run(force, [0.0, 0.0], &solve);
            let error = (outcome.state.v[0] / impulse - 1.0).abs();
            let steps = outcome.trajectory.statistics.steps;
            assert!(error < bound, "{force} at {tolerance}: {} of {impulse}", outcome.state.v[0]);
            assert!(steps < 6000, "{force} at {tolerance}: {steps} steps");
        }
    }
    // with equal steps the rows stay where they were
    let outcome = run("if(mod(t, 10) > 9.99, 1000, 0)", [0.0, 0.0], "until = 100\nstep = 0.5");
    assert!((outcome.state.v[0] - 100.0).abs() < 1e-9, "{}", outcome.state.v[0]);
    assert_eq!(outcome.trajectory.times.len(), 201);
    let grid = outcome.trajectory.times.iter().enumerate();
    assert!(grid.into_iter().all(|(k, t)| (t - 0.5 * k as f64).abs() < 1e-9));
}

/// A mass that is pulled towards zero with constant force: parabolas between its crossings, period 4 √(2 x₀).
#[test]
fn a_force_that_switches_with_the_place() {
    for (solve, bound) in [
        ("tolerance = 1e-3", 1e-6),
        ("tolerance = 1e-6", 1e-7),
        ("tolerance = 1e-8", 1e-7),
        ("step = 0.1", 1e-7),
        ("step = 0.01\nformulation = \"bdf\"", 1e-6),
    ] {
        // ten periods and a half
        let until = 10.5 * 4.0 * 2f64.sqrt();
        for force in ["-sign(x)", "if(x > 0, -1, 1)", "1 - 2*heaviside(x)"] {
            let outcome = run(force, [1.0, 0.0], &format!("until = {until}\n{solve}"));
            let (x, v) = (outcome.state.q[0], outcome.state.v[0]);
            assert!((x + 1.0).abs() < bound && v.abs() < bound, "{force}, {solve}: {x} {v}");
            assert_eq!(outcome.trajectory.statistics.switches, 21, "{force}, {solve}");
        }
    }
}

/// A narrow field that a step would leap over: through 2 mm at 10 m/s, with 10 kN.
#[test]
fn a_narrow_field_is_not_leapt_over() {
    for solve in ["tolerance = 1e-3", "tolerance = 1e-4", "tolerance = 1e-8", "step = 0.05"] {
        let outcome =
            run("if(abs(x - 5) < 0.001, -10000, 0)", [0.0, 10.0], &format!("until = 2\n{solve}"));
        // energy: 50 − 10000·0.002 = 30
        let v = outcome.state.v[0];
        assert!((v - 60f64.sqrt()).abs() < 1e-6, "{solve}: {v}");
    }
    // one that comes again: 2 mm of every metre
    let outcome = run("if(mod(x, 1) > 0.998, -100, 0)", [0.5, 10.0], "until = 1\ntolerance = 1e-4");
    let (mut exact, mut t, mut x) = (10f64, 0.0, 0.5);
    loop {
        let reach = (x as f64).floor() + 0.998;
        let slower = (exact * exact - 2.0 * 100.0 * 0.002).sqrt();
        let until = t + (reach - x) / exact;
        let through = (exact - slower) / 100.0;
        if until + through > 1.0 {
            break;
        }
        (t, x, exact) = (until + through, reach + 0.002, slower);
    }
    assert!((outcome.state.v[0] - exact).abs() < 1e-6, "{} {exact}", outcome.state.v[0]);
}

/// Dry friction as a sign: a mass that slides to rest, and stays there though it is pushed a little.
#[test]
fn switching_without_end_does_not_stall() {
    for solve in ["tolerance = 1e-4", "tolerance = 1e-6", "step = 0.01"] {
        let outcome = run("-4*sign(x') + 1", [0.0, 3.0], &format!("until = 3\n{solve}"));
        // to rest in 1 s over 1.5 m
        let (x, v) = (outcome.state.q[0], outcome.state.v[0]);
        assert!((x - 1.5).abs() < 0.1 && v.abs() < 0.06, "{solve}: {x} {v}");
        let steps = outcome.trajectory.statistics.steps;
        assert!(steps < 20_000, "{solve}: {steps}");
        let warned = outcome.warnings.iter().any(|text| text.contains("switch back"));
        assert!(warned, "{solve}: {:?}", outcome.warnings);
    }
}

/// A run that is interrupted goes on in the modes that it had.
#[test]
fn snapshots_keep_the_modes() {
    let text = "[coordinates]\nx = { at = 1, velocity = 0 }\n[mass]\nx = 1\n[force]\nx = \"-sign(x)\"\n[solve]\nuntil = 20\ntolerance = 1e-6\n";
    let model = Model::parse(text, "switching.toml", &[]).unwrap();
    let settings = model.solve.settings().unwrap();
    let mut system = model.system();
    let mut whole = Integrator::new(&mut system, &model.initial_state(), &settings).unwrap();
    whole.advance_to(7.0).unwrap();
    let snapshot = whole.snapshot();
    whole.advance_to(20.0).unwrap();
    let end = whole.state().clone();
    whole.restore(&snapshot).unwrap();
    whole.advance_to(20.0).unwrap();
    assert_eq!(whole.state().q, end.q);
}
