//! Loads of a run as a user gets them, for every formulation, control of steps and policy of matrices: the recorded
//! rows balance, and reactions converge.

use rotula_dae::{Energetics, Failure, Outcome, simulate};
use rotula_model::Mechanism;
use std::path::{Path, PathBuf};

/// Every formulation, with the words that choose it.
const SMOOTH: [(&str, &[(&str, &str)]); 18] = [
    ("index3", &[("formulation", "index3")]),
    ("index2", &[("formulation", "index2")]),
    ("index1", &[("formulation", "index1")]),
    ("baumgarte", &[("formulation", "baumgarte"), ("baumgarte", "[20, 20]")]),
    ("ggl", &[("formulation", "ggl")]),
    ("ggl 73", &[("formulation", "ggl"), ("variant", "73")]),
    ("pva", &[("formulation", "pva")]),
    ("soi2", &[("formulation", "soi2")]),
    ("hht-soi2", &[("formulation", "hht-soi2")]),
    ("hht-i3", &[("formulation", "hht-i3")]),
    ("hht-i3, paper", &[("formulation", "hht-i3"), ("mode", "paper")]),
    ("projected", &[("formulation", "projected")]),
    ("dae-alpha", &[("formulation", "dae-alpha")]),
    ("dae-alpha cs", &[("formulation", "dae-alpha"), ("iteration", "cs")]),
    ("dae-alpha cm", &[("formulation", "dae-alpha"), ("iteration", "cm")]),
    ("bdf", &[("formulation", "bdf")]),
    ("bdf index3", &[("formulation", "bdf"), ("form", "index3")]),
    ("nonsmooth", &[("formulation", "nonsmooth")]),
];

/// It has no matrix to reuse, and its steps follow vibrations: for mechanisms of rigid bodies.
const EXPLICIT: [(&str, &[(&str, &str)]); 1] = [("explicit", &[("formulation", "explicit")])];

const NONSMOOTH: [(&str, &[(&str, &str)]); 5] = [
    ("pva", &[("formulation", "nonsmooth"), ("strategy", "pva")]),
    ("pvv", &[("formulation", "nonsmooth"), ("strategy", "pvv")]),
    ("2", &[("formulation", "nonsmooth"), ("strategy", "2")]),
    ("1", &[("formulation", "nonsmooth"), ("strategy", "1")]),
    ("moreau-jean", &[("formulation", "moreau-jean")]),
];

/// A model file without the lines of `[solve]` that the test chooses itself.
fn bare(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let (head, solve) = text.split_once("[solve]").unwrap();
    const OWN: [&str; 9] = [
        "formulation",
        "step",
        "tolerance",
        "first_step",
        "coefficients",
        "output_every",
        "strategy",
        "until",
        "mode",
    ];
    let kept = solve.lines().filter(|line| {
        let key = line.split('=').next().unwrap_or_default().trim();
        !OWN.contains(&key)
    });
    format!("{head}[solve]\n{}", kept.collect::<Vec<_>>().join("\n"))
}

/// Runs a text with settings; `None` if the formulation cannot treat the model.
fn run(text: &str, folder: &Path, settings: &[(&str, &str)]) -> Option<Outcome> {
    let overrides: Vec<(String, String)> =
        settings.iter().map(|(key, value)| (format!("solve.{key}"), (*value).into())).collect();
    let path = folder.join("model.toml");
    let mechanism = Mechanism::parse(text, path.to_str().unwrap(), &overrides).unwrap();
    let settings = mechanism.settings().unwrap();
    let mut system = mechanism.system();
    match simulate(&mut system, &mechanism.initial_state(), &settings, &mut ()) {
        Ok(outcome) => Some(outcome),
        Err(diagnosis) if diagnosis.failure == Failure::Unsupported => None,
        Err(diagnosis) => panic!("{diagnosis}"),
    }
}

/// A model of this folder, or an example.
fn model(file: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models");
    if own.exists() { own } else { examples.join(file) }
}

/// All combinations on one model: every one must run to the end and balance to 1e-6.
fn balances(
    file: &str,
    until: &str,
    steps: [&str; 2],
    formulations: &[(&str, &[(&str, &str)])],
    expected: usize,
) {
    let path = model(file);
    let text = bare(&path);
    let controls = [
        ("tolerance", "1e-3"),
        ("tolerance", "1e-5"),
        ("tolerance", "1e-7"),
        ("step", steps[0]),
        ("step", steps[1]),
    ];
    let (mut treated, mut worst) = (0, 0.0f64);
    let mut wrong = Vec::new();
    for (name, words) in formulations {
        for control in controls {
            let chooses_itself = words[0].1 == "bdf" && control.0 == "step";
            let needs_steps = words[0].1 == "moreau-jean" && control.0 == "tolerance";
            if chooses_itself || needs_steps {
                continue;
            }
            let matrices: &[_] = match words[0].1 {
                "explicit" => &[None],
                _ => &[Some(("newton.matrix", "reuse")), Some(("newton.matrix", "each-step"))],
            };
            for matrix in matrices {
                let mut settings = words.to_vec();
                settings.extend([("until", until), control]);
                settings.extend(matrix);
                let Some(outcome) = run(&text, path.parent().unwrap(), &settings) else { break };
                let label = format!("{file}, {name}, {control:?}, {matrix:?}");
                assert!(outcome.failure.is_none(), "{label}: {}", outcome.failure.unwrap());
                let balance = outcome.trajectory.balance.imbalance.unwrap();
                treated += 1;
                worst = worst.max(balance.size);
                let balanced = balance.size <= 1e-6;
                if !balanced {
                    wrong.push(format!("{label}: {balance:?}"));
                }
            }
        }
    }
    println!("{file}: {treated} runs, worst imbalance {worst:.1e}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(treated, expected, "{file}: number of runs");
}

#[test]
fn mechanisms_by_an_explicit_method() {
    for (file, until, steps) in [
        ("pendulum_on_a_ball.toml", "2", ["1e-2", "4e-3"]),
        ("spatial_slider_crank.toml", "0.3", ["1e-3", "4e-3"]),
        ("gyroscope.toml", "0.1", ["5e-4", "1e-3"]),
        ("bricard.toml", "0.25", ["5e-3", "1e-2"]),
        ("door.toml", "0.3", ["2e-3", "4e-3"]),
        ("bicycle.toml", "0.3", ["2e-3", "4e-3"]),
    ] {
        balances(file, until, steps, &EXPLICIT, 5);
    }
}

#[test]
fn a_pendulum_on_a_ball_joint() {
    balances("pendulum_on_a_ball.toml", "2", ["1e-2", "4e-3"], &SMOOTH, 172);
}

#[test]
fn a_spatial_slider_crank() {
    balances("spatial_slider_crank.toml", "0.3", ["1e-3", "4e-3"], &SMOOTH, 172);
}

#[test]
fn a_gyroscope() {
    balances("gyroscope.toml", "0.1", ["5e-4", "1e-3"], &SMOOTH, 172);
}

#[test]
fn bricards_mechanism() {
    balances("bricard.toml", "0.25", ["5e-3", "1e-2"], &SMOOTH, 172);
}

#[test]
fn a_door_with_two_hinges() {
    balances("door.toml", "0.3", ["2e-3", "4e-3"], &SMOOTH, 172);
}

#[test]
fn a_bicycle() {
    balances("bicycle.toml", "0.3", ["2e-3", "4e-3"], &SMOOTH, 162);
}

#[test]
fn a_flexible_slider_crank() {
    balances("flexible_slider_crank.toml", "0.02", ["5e-4", "1e-3"], &SMOOTH, 172);
}

#[test]
fn a_blade() {
    balances("rotor_blade.toml", "1", ["1e-2", "2e-2"], &SMOOTH, 172);
}

#[test]
fn a_belt() {
    balances("belt.toml", "0.3", ["1e-2", "2e-2"], &SMOOTH, 172);
}

#[test]
fn a_controlled_arm() {
    balances("robot_arm.toml", "0.3", ["2e-3", "4e-3"], &SMOOTH, 172);
}

#[test]
fn a_stack_at_rest() {
    balances("stack.toml", "0.05", ["2e-3", "4e-3"], &NONSMOOTH, 44);
}

#[test]
fn a_bouncing_pendulum() {
    balances("bouncing_flexible_pendulum.toml", "5e-3", ["5e-5", "1e-4"], &NONSMOOTH, 44);
}

/// Rows between steps, where contacts close or open and forces have kinks: with the settings of the models themselves.
#[test]
fn rows_balance_where_contacts_close() {
    for (file, until) in [("roller_chain.toml", "0.3"), ("excavator_track.toml", "0.7")] {
        let path = model(file);
        let text = std::fs::read_to_string(&path).unwrap();
        let outcome = run(&text, path.parent().unwrap(), &[("until", until)]).unwrap();
        assert!(outcome.failure.is_none(), "{file}");
        let balance = outcome.trajectory.balance.imbalance.unwrap();
        assert!(balance.size <= 1e-6, "{file}: {balance:?}");
    }
}

/// What acts on a coordinate is at least as much as what is left when it cancels.
#[test]
fn loads_bound_every_balance() {
    use rotula_dae::{System, Terms};
    for file in [
        "pendulum_on_a_ball.toml",
        "belt.toml",
        "rotor_blade.toml",
        "flexible_slider_crank.toml",
        "flexible_pendulum.toml",
        "bicycle.toml",
        "cable_net.toml",
        "fork.toml",
    ] {
        let mechanism = Mechanism::read(&model(file), &[]).unwrap();
        let mut system = mechanism.system();
        let mut state = mechanism.initial_state();
        let vary = |values: &mut [f64], size: f64| {
            for (i, value) in values.iter_mut().enumerate() {
                *value += size * (1.0 + 3.7 * i as f64).sin();
            }
        };
        vary(&mut state.v, 0.3);
        vary(&mut state.vdot, 2.0);
        vary(&mut state.multipliers, 5.0);
        let n = state.v.len();
        let (mut scratch, mut loads, mut rows) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        system.loads(&state.point(), &mut scratch, &mut loads);
        for terms in [Terms::ALL, Terms::WITHOUT_REACTIONS, Terms::REACTIONS, Terms::INERTIA] {
            system.dynamics(&state.point(), terms, &mut rows);
            for i in 0..n {
                let enough = rows[i].abs() <= loads[i] * (1.0 + 1e-9) + 1e-9;
                assert!(enough, "{file}, {terms:?}, row {i} of {n}: {} {}", rows[i], loads[i]);
            }
        }
    }
}

/// Rows between steps are as consistent as those at their ends.
#[test]
fn rows_between_steps() {
    let smooth = [
        ("pendulum_on_a_ball.toml", "1", "0.0137"),
        ("flexible_slider_crank.toml", "0.01", "1.37e-4"),
        ("bicycle.toml", "0.2", "1.37e-3"),
        ("robot_arm.toml", "0.3", "1.37e-3"),
    ];
    let rows = |file: &str, words: &[(&str, &str)], control, until, every| {
        let path = model(file);
        let mut settings = words.to_vec();
        settings.extend([control, ("until", until), ("output_every", every)]);
        let outcome = run(&bare(&path), path.parent().unwrap(), &settings)?;
        let label = format!("{file}, {words:?}");
        assert!(outcome.failure.is_none(), "{label}: {}", outcome.failure.unwrap());
        let rows = outcome.trajectory.len();
        let balance = outcome.trajectory.balance.imbalance.unwrap();
        assert!(balance.size <= 1e-6, "{label}: {balance:?}");
        Some(rows)
    };
    for (file, until, every) in smooth {
        let count: usize = SMOOTH
            .iter()
            .filter_map(|(_, words)| rows(file, words, ("tolerance", "1e-5"), until, every))
            .sum();
        assert!(count > 1000, "{file}: {count} rows");
    }
    for (_, words) in &NONSMOOTH {
        let step = ("step", "2e-3");
        assert!(rows("stack.toml", words, step, "0.05", "7e-4").is_some_and(|n| n > 70));
    }
}

/// The reaction of the ball joint at the end, beside that of a tight run: falls with the square of the step.
#[test]
fn reactions_converge_with_the_order_of_the_method() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let text = bare(&folder.join("pendulum_on_a_ball.toml"));
    let reaction = |settings: &[(&str, &str)]| {
        let outcome = run(&text, &folder, settings).unwrap();
        assert!(outcome.failure.is_none());
        outcome.trajectory.last_multipliers().to_vec()
    };
    let tight = [("formulation", "bdf"), ("tolerance", "1e-12"), ("until", "0.8")];
    let exact = reaction(&tight);
    for (name, words) in SMOOTH.iter().filter(|(_, words)| words[0].1 != "bdf") {
        let error = |step: &str| {
            let mut settings = words.to_vec();
            settings.extend([("until", "0.8"), ("step", step)]);
            let found = reaction(&settings);
            found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (error("4e-3"), error("2e-3"));
        let order = (coarse / fine).log2();
        println!("{name}: {coarse:.2e} {fine:.2e}, order {order:.2}");
        assert!((1.8..2.3).contains(&order), "{name}: errors {coarse:.2e}, {fine:.2e}");
    }
}

/// The belt: what acts on the arm is the same whatever the formulation.
#[test]
fn a_belt_pulls_at_its_arm_with_the_same_force() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let text = bare(&folder.join("belt.toml"));
    let mut peaks = Vec::new();
    for formulation in ["hht-i3", "index3", "ggl", "bdf"] {
        let settings = [("formulation", formulation), ("tolerance", "1e-7"), ("until", "3")];
        let overrides: Vec<(String, String)> =
            settings.iter().map(|(k, v)| (format!("solve.{k}"), (*v).into())).collect();
        let path = folder.join("model.toml");
        let mechanism = Mechanism::parse(&text, path.to_str().unwrap(), &overrides).unwrap();
        let mut system = mechanism.system();
        let settings = mechanism.settings().unwrap();
        let outcome =
            simulate(&mut system, &mechanism.initial_state(), &settings, &mut ()).unwrap();
        assert!(outcome.failure.is_none());
        let curves = mechanism.curves(&outcome.trajectory);
        let force = curves.iter().find_map(|group| {
            let j = group.names.iter().position(|name| name == "jarm.fx")?;
            Some(group.table.column(j).map(f64::abs).fold(0.0, f64::max))
        });
        peaks.push(force.unwrap());
    }
    println!("{peaks:?}");
    assert!(peaks.iter().all(|peak| (peak / peaks[2] - 1.0).abs() < 1e-2), "{peaks:?}");
}
