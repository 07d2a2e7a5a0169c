//! What forces decide by positions, velocities and signals is located: steps end there, and short pulses are not stepped over.

mod common;

use common::Place;
use common::table::Table;

/// Ways to march, and what places and velocities may be off by. Methods of second order are exact where forces are constant, and
/// instants are found far more closely; `bdf` begins anew with first order, so that its error is that of the tolerance, times the
/// slopes of what follows.
const WAYS: [(&str, f64); 8] = [
    ("tolerance = 1e-6", 1e-3),
    ("tolerance = 1e-8", 1e-4),
    ("formulation = \"ggl\"\ntolerance = 1e-3", 1e-6),
    ("formulation = \"explicit\"\ntolerance = 1e-4", 1e-6),
    ("formulation = \"ggl\"\nstep = 0.5", 1e-6),
    ("formulation = \"nonsmooth\"\nstep = 0.5", 1e-6),
    ("formulation = \"nonsmooth\"\ntolerance = 1e-3", 1e-6),
    ("formulation = \"moreau-jean\"\nstep = 0.5", 1e-6),
];

/// A mass of 1 kg on which a force acts, from a place with a velocity.
fn equations(force: &str, [at, velocity]: [f64; 2], solve: &str, until: f64) -> String {
    format!(
        "[coordinates]\nx = {{ at = {at}, velocity = {velocity} }}\n[mass]\nx = 1\n[force]\nx = \"{force}\"\n\
         [solve]\nuntil = {until}\n{solve}\n"
    )
}

/// The same as a body on a guide, with the force as the law of a spring or by a variable.
fn mechanism(
    force: &str,
    by_variable: bool,
    [at, velocity]: [f64; 2],
    solve: &str,
    until: f64,
) -> String {
    // displacements count from the start
    let acts = match by_variable {
        false => {
            let law = force.replace("x'", "rate").replace('x', &format!("(value + {at})"));
            format!("[spring.s]\njoint = \"guide\"\nlaw = \"{law}\"\n")
        }
        true => {
            let law = force
                .replace("x'", "guide.displacement_velocity")
                .replace('x', &format!("(guide.displacement + {at})"));
            format!(
                "[variable]\npush = \"{law}\"\n[force.push]\non = \"b\"\nforce = [\"push\", 0, 0]\n"
            )
        }
    };
    format!(
        "[body.b]\nmass = 1\ninertia = [1, 1, 1]\nat = [{at}, 0, 0]\nvelocity = [{velocity}, 0, 0]\n\
         [joint.guide]\nprismatic = {{ between = [\"ground\", \"b\"], at = [0, 0, 0], along = \"x\" }}\n\
         {acts}[solve]\nuntil = {until}\n{solve}\n"
    )
}

/// Place and velocity at the end, as equations and as mechanisms.
fn ends(force: &str, start: [f64; 2], solve: &str, until: f64) -> Vec<[f64; 2]> {
    let mut models = vec![
        (equations(force, start, solve, until), ["x", "x'"]),
        (mechanism(force, false, start, solve, until), ["b.x", "b.vx"]),
        (mechanism(force, true, start, solve, until), ["b.x", "b.vx"]),
    ];
    if solve.contains("moreau-jean") {
        // it treats no variables
        models.pop();
    }
    let run = |(model, columns): &(String, [&str; 2])| {
        let place = Place::new();
        place.run(model, &[], "out");
        let table = Table::read(&place, "out/trajectory.csv");
        assert_eq!(table.last("t"), until, "{model}");
        columns.map(|column| table.last(column))
    };
    models.iter().map(run).collect()
}

/// A gate that is passed in 10 ms pushes by 10 Ns, if the speed hardly changes; energy says it exactly: v² = v₀² + 2 F w.
#[test]
fn a_gate_is_not_stepped_over() {
    let (speed, width, force) = (2.0f64, 0.02, 100.0);
    let after = (speed * speed + 2.0 * force * width).sqrt();
    for (solve, bound) in WAYS {
        for gate in [
            "if(abs(x - 5) < 0.01, 100, 0)",
            "if(x > 4.99 and x < 5.01, 100, 0)",
            "100*(heaviside(x - 4.99) - heaviside(x - 5.01))",
        ] {
            for [x, v] in ends(gate, [0.0, speed], solve, 10.0) {
                assert!((v - after).abs() < bound * after, "{solve}, {gate}: {v} is not {after}");
                let mean = 0.5 * (speed + after);
                let place = 5.01 + after * (10.0 - 4.99 / speed - width / mean);
                assert!((x - place).abs() < bound * place, "{solve}, {gate}: {x} is not {place}");
            }
        }
    }
}

/// A force that pulls to the middle with the same strength everywhere: the period is 4 √(2a), for ever.
#[test]
fn a_force_that_turns_round_keeps_its_period() {
    let (amplitude, swings) = (1.0f64, 10.0);
    let until = swings * 4.0 * (2.0 * amplitude).sqrt();
    for (solve, bound) in WAYS {
        for force in ["-sign(x)", "if(x > 0, -1, 1)", "1 - 2*heaviside(x)"] {
            for [x, v] in ends(force, [amplitude, 0.0], solve, until) {
                let off = (x - amplitude).abs() + v.abs();
                assert!(off < 10.0 * bound, "{solve}, {force}: {x} {v}");
            }
        }
    }
}

/// Stairs: each of ten steps of `floor` gives its own force, and a sawtooth of `mod` lets fall what it has raised.
#[test]
fn stairs_and_saws_are_climbed() {
    for (solve, bound) in WAYS {
        // v² = 4 + 2 Σ k for steps of 1 m: from 0 to 10 m
        let after = (4.0f64 + 2.0 * 45.0).sqrt();
        let force = "if(x < 10, floor(x), 0)";
        for [x, v] in ends(force, [0.0, 2.0], solve, 4.0) {
            assert!(x > 10.0 && (v - after).abs() < bound * after, "{solve}: {x} {v} {after}");
        }
    }
    // the sawtooth drives apart what differs, so that other methods need far smaller tolerances for as many digits
    for solve in [
        "formulation = \"explicit\"\ntolerance = 1e-6",
        "formulation = \"explicit\"\ntolerance = 1e-8",
    ] {
        let after = (4.0f64 + 10.0).sqrt();
        for [x, v] in ends("if(x < 10, mod(x, 1), 0)", [0.0, 2.0], solve, 5.0) {
            assert!(x > 10.0 && (v - after).abs() < 1e-4, "{solve}: {x} {v} {after}");
        }
    }
}

/// Rates of states and variables are part of what a step has to meet: an oscillator whose force is a variable, and one with a filter.
#[test]
fn nonsmooth_steps_meet_variables_and_states() {
    let model = |force: &str, more: &str, solve: &str| {
        format!(
            "[body.b]\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [1, 0, 0]\n\
             [joint.guide]\nprismatic = {{ between = [\"ground\", \"b\"], at = [0, 0, 0], along = \"x\" }}\n{more}\
             [force.push]\non = \"b\"\nforce = [\"{force}\", 0, 0]\n[solve]\nuntil = 2\n{solve}\n"
        )
    };
    let run = |text: &str, columns: &[&str]| {
        let place = Place::new();
        place.run(text, &[], "out");
        let table = Table::read(&place, "out/trajectory.csv");
        columns.iter().map(|column| table.last(column)).collect::<Vec<f64>>()
    };
    let variable = "[variable]\npush = \"-4*guide.displacement\"\n";
    let found = run(
        &model("push", variable, "formulation = \"nonsmooth\"\nstep = 1e-3"),
        &["b.x", "b.vx", "push"],
    );
    let exact = [0.5 * 4f64.sin(), 4f64.cos(), -2.0 * 4f64.sin()];
    for (found, exact) in found.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-5, "{found} is not {exact}");
    }
    let state = "[state]\npush = { at = 0, rate = \"5*(-4*guide.displacement - push)\" }\n";
    let [own, other] = [
        "formulation = \"nonsmooth\"\nstep = 1e-3",
        "formulation = \"explicit\"\ntolerance = 1e-10",
    ]
    .map(|solve| run(&model("push", state, solve), &["b.x", "b.vx", "push"]));
    for (own, other) in own.iter().zip(&other) {
        assert!((own - other).abs() < 1e-4, "{own} is not {other}");
    }
}

/// A kink is no jump.
#[test]
fn kinks_are_left_to_the_error_of_steps() {
    // a continuous force makes no restarts: the same steps as with `max`
    let steps = |force: &str| {
        let place = Place::new();
        let solve = "formulation = \"ggl\"\ntolerance = 1e-6";
        place.run(&equations(force, [1.0, 0.0], solve, 10.0), &[], "out");
        place.json("out/summary.json")["statistics"]["steps"].as_u64().expect("a number")
    };
    let (by_if, by_max) = (steps("-if(x > 0, 4*x, 0) - x"), steps("-max(0, 4*x) - x"));
    assert_eq!(by_if, by_max);
}
