//! The same columns in joint coordinates: motions, forces and reactions of examples, by several formulations.
//!
//! By the explicit method, of order 8, runs in joint and in redundant coordinates agree. What the other methods leave in
//! redundant coordinates as errors against that bounds what they leave in joint coordinates with the same tolerance.

use rotula_dae::{Failure, Integrator, Outcome, State, simulate};
use rotula_model::Mechanism;
use std::collections::BTreeMap;
use std::path::Path;

/// All columns by name.
type Columns = BTreeMap<String, Vec<f64>>;

/// The text of an example, with another `[solve]`.
fn text(name: &str, solve: &str) -> (String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/models").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let start = text.find("[solve]").unwrap();
    let end = text[start + 1..].find("\n[").map_or(text.len(), |end| start + 1 + end);
    let text = format!("{}[solve]\n{solve}\n{}", &text[..start], &text[end..]);
    (text, path.display().to_string())
}

/// Runs a text and gives all that a user would get.
fn run(text: &str, name: &str, coordinates: &str) -> (Outcome, Columns) {
    try_run(text, name, coordinates).unwrap()
}

/// The same, or why the formulation is not made for such a model.
fn try_run(
    text: &str,
    name: &str,
    coordinates: &str,
) -> Result<(Outcome, Columns), rotula_dae::Diagnosis> {
    let set = ("solve.coordinates".to_owned(), format!("\"{coordinates}\""));
    let mechanism = Mechanism::parse(text, name, &[set]).unwrap();
    let settings = mechanism.settings().unwrap();
    let mut system = mechanism.system();
    let outcome = simulate(&mut system, &mechanism.initial_state(), &settings, &mut ())?;
    if let Some(failure) = outcome.failure {
        return Err(failure);
    }
    let mut columns = Columns::new();
    for group in mechanism.curves(&outcome.trajectory) {
        for (k, name) in group.names.iter().enumerate() {
            columns.insert(name.clone(), group.table.column(k).collect());
        }
    }
    Ok((outcome, columns))
}

/// The largest difference of two runs, of each column relative to the largest of all that have the same unit: those whose names
/// differ in the thing and the last letter alone.
fn difference(what: &str, one: &Columns, other: &Columns) -> (f64, String) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{what}");
    let kind = |name: &str| {
        let word = name.rsplit('.').next().unwrap_or(name);
        word[..word.len() - 1].to_owned()
    };
    let mut sizes = BTreeMap::new();
    for (name, values) in one {
        let size: &mut f64 = sizes.entry(kind(name)).or_default();
        *size = values.iter().fold(*size, |size, value| size.max(value.abs()));
    }
    let mut worst = (0.0, String::new());
    for (name, values) in one {
        assert_eq!(values.len(), other[name].len(), "{what}, {name}");
        // a hinge that stays at its place moves by nothing but rounding and drift
        let size = sizes[&kind(name)].max(1e-3);
        for (row, (a, b)) in values.iter().zip(&other[name]).enumerate() {
            let off = (a - b).abs() / size;
            if off > worst.0 || off.is_nan() {
                worst = (off, format!("{name}, row {row}: {a} and {b}"));
            }
        }
    }
    worst
}

/// Runs an example in some coordinates.
fn example(name: &str, method: (&str, f64), until: f64, coordinates: &str) -> (Outcome, Columns) {
    try_example(name, method, until, coordinates).unwrap()
}

fn try_example(
    name: &str,
    method: (&str, f64),
    until: f64,
    coordinates: &str,
) -> Result<(Outcome, Columns), rotula_dae::Diagnosis> {
    let (formulation, tolerance) = method;
    let constants = if formulation == "baumgarte" { "baumgarte = [20, 20]\n" } else { "" };
    let solve = format!(
        "formulation = \"{formulation}\"\n{constants}tolerance = {tolerance:e}\ninitial = \"project\"\nuntil = {until}\noutput_every = {}\n",
        until / 10.0
    );
    let (text, path) = text(name, &solve);
    try_run(&text, &path, coordinates)
}

const REFERENCE: (&str, f64) = ("explicit", 1e-11);

/// What is next to nothing: the reference is not known better.
const EXACT: f64 = 1e-6;

/// Errors in joint coordinates are at most so many times those in redundant ones: scales of coordinates are such that the same
/// tolerance means the same motion of bodies, but steps differ.
const AS_EXACT: f64 = 10.0;

/// What is asked of BDF in joint coordinates: its steps are longer there, and its errors are larger parts of the tolerance.
const STRICTER: f64 = 0.05;

/// Trees and loops, with forces, drives, tyres and control, each for a while.
const EXAMPLES: [(&str, f64); 13] = [
    ("double_pendulum.toml", 2.0),
    ("gyroscope.toml", 0.5),
    ("robot_arm.toml", 1.0),
    ("four_bar.toml", 1.0),
    ("governor.toml", 1.0),
    ("slider_crank.toml", 0.3),
    ("spatial_slider_crank.toml", 0.3),
    ("bricard.toml", 1.0),
    ("double_wishbone.toml", 0.5),
    ("squeezer_bodies.toml", 0.01),
    ("bicycle.toml", 1.0),
    ("walking_leg.toml", 0.5),
    ("door.toml", 1.0),
];

/// All other examples of rigid bodies, with sampled and held signals, gear teeth, tyres and soft contacts, but the belt, whose 600 bodies on
/// stiff springs keep the explicit reference busy for half a minute.
const OTHERS: [(&str, f64); 18] = [
    ("balancer.toml", 0.2),
    ("car.toml", 0.02),
    ("excavator.toml", 0.2),
    ("excavator_track.toml", 0.0005),
    ("gear_rattle.toml", 0.01),
    ("geneva.toml", 0.05),
    ("lane_change.toml", 0.05),
    ("macpherson.toml", 0.1),
    ("pile_driver.toml", 0.02),
    ("planetary_gearbox.toml", 0.01),
    ("quarter_car.toml", 0.1),
    ("roller_chain.toml", 0.003),
    ("rough_road.toml", 0.1),
    ("six_axis_robot.toml", 0.1),
    ("stewart.toml", 0.1),
    ("trolley.toml", 0.05),
    ("walker.toml", 0.05),
    ("washing_machine.toml", 0.05),
];

#[test]
fn explicit() {
    // in redundant coordinates the explicit method has trouble with constraints that repeat each other
    for &(name, until) in EXAMPLES.iter().filter(|(name, _)| *name != "bricard.toml") {
        let (_, redundant) = example(name, REFERENCE, until, "redundant");
        let (outcome, joint) = example(name, REFERENCE, until, "joint");
        let (off, place) = difference(name, &redundant, &joint);
        println!("{name}: {off:.1e}");
        assert!(off < EXACT, "{name}: {off:.1e} at {place}");
        let said = outcome.trajectory.coordinates.unwrap();
        assert!(said.starts_with("Joint coordinates, as asked for"), "{said}");
    }
}

/// An arm of rigid bodies whose last link is elastic and carries a tool, with a driven axis.
const ELASTIC_ARM: &str = r#"
gravity = [0, 0, -9.81]
[body.column]
mass = 20
inertia = [0.5, 0.5, 0.4]
at = [0, 0, 0.3]
[body.arm]
mass = 8
inertia = [0.05, 0.3, 0.3]
at = [0.25, 0, 0.6]
[flexible.forearm]
at = [0.5, 0, 0.6]
[flexible.forearm.beam]
length = 0.6
elements = 2
section = { stiffness = [7e4, 2.1e4, 2.1e4, 40, 60, 60], mass = 0.8, inertia = [2e-2, 1e-2, 1e-2] }
[body.tool]
mass = 2
inertia = [0.01, 0.01, 0.01]
at = [1.1, 0, 0.6]
[joint.turn]
revolute = { between = ["ground", "column"], at = [0, 0, 0], about = "z" }
[joint.shoulder]
revolute = { between = ["column", "arm"], at = [0, 0, 0.6], about = "y" }
[joint.elbow]
revolute = { between = ["arm", "forearm.start"], at = [0.5, 0, 0.6], about = "y" }
[joint.flange]
fixed = { between = ["forearm.end", "tool"], at = [1.1, 0, 0.6] }
[motion.turn]
joint = "turn"
angle = "0.8*(1 - cos(3*t))"
[sensor]
tip = { position = "tool" }
"#;

/// Reduced flexible bodies on rigid trees: amplitudes, motions and reactions are those of redundant coordinates, by several methods.
#[test]
fn flexible_bodies() {
    let solve = |method: &str, tolerance: f64| {
        format!(
            "{ELASTIC_ARM}[solve]\nformulation = \"{method}\"\ntolerance = {tolerance:e}\ninitial = \"project\"\nuntil = 0.2\noutput_every = 0.02\n"
        )
    };
    let (method, tolerance) = REFERENCE;
    let text = solve(method, tolerance);
    let (_, redundant) = run(&text, "arm.toml", "redundant");
    let (outcome, reference) = run(&text, "arm.toml", "joint");
    let (off, place) = difference("explicit", &redundant, &reference);
    assert!(off < EXACT, "{off:.1e} at {place}");
    assert!(outcome.trajectory.coordinates.unwrap().contains("coordinates instead of"));
    for method in ["index3", "ggl", "hht-i3", "soi2", "bdf"] {
        let strict = if method == "bdf" { STRICTER } else { 1.0 } * 1e-7;
        let (_, redundant) = run(&solve(method, 1e-7), "arm.toml", "redundant");
        let (_, joint) = run(&solve(method, strict), "arm.toml", "joint");
        let (usual, _) = difference(method, &reference, &redundant);
        let (own, place) = difference(method, &reference, &joint);
        assert!(own <= AS_EXACT * usual + EXACT, "{method}: {own:.1e}, not {usual:.1e}, {place}");
    }
}

/// By every smooth formulation, runs in joint coordinates come as near to the reference as runs in redundant coordinates with the same
/// tolerance, in motions, forces and reactions; where a formulation refuses a model, it does so in both.
#[test]
fn every_formulation() {
    const TOLERANCE: f64 = 1e-6;
    let formulations = [
        "index3",
        "index2",
        "index1",
        "baumgarte",
        "ggl",
        "pva",
        "soi2",
        "hht-soi2",
        "hht-i3",
        "projected",
        "dae-alpha",
        "bdf",
    ];
    let mut failed = Vec::new();
    let short = EXAMPLES.iter().map(|&(name, until)| (name, 0.2 * until));
    for (name, until) in OTHERS.iter().copied().chain(short) {
        let (_, reference) = example(name, REFERENCE, until, "joint");
        for formulation in formulations {
            // The loop of Bricard has a constraint too many: positions that are left to themselves drift until it contradicts the others.
            let drifts = ["index2", "index1", "baumgarte"].contains(&formulation);
            if name == "bricard.toml" && drifts {
                continue;
            }
            // a track of 61 bodies takes two seconds by each
            if name == "excavator_track.toml" && formulation != "hht-i3" {
                continue;
            }
            let what = format!("{name}, {formulation}");
            let redundant = try_example(name, (formulation, TOLERANCE), until, "redundant");
            let stricter = if formulation == "bdf" { STRICTER } else { 1.0 };
            let joint = try_example(name, (formulation, stricter * TOLERANCE), until, "joint");
            let ((known, redundant), (outcome, joint)) = match (redundant, joint) {
                (Ok(redundant), Ok(joint)) => (redundant, joint),
                (Err(refused), _) if refused.failure == Failure::Unsupported => continue,
                (one, other) => panic!("{what}: {:?}, {:?}", one.err(), other.err()),
            };
            let (usual, _) = difference(&what, &reference, &redundant);
            let (own, place) = difference(&what, &reference, &joint);
            println!("{what}: off by {own:.1e}, {usual:.1e} in redundant coordinates");
            let missed = |outcome: &Outcome| outcome.trajectory.audit.position_residual;
            let (gap, usual_gap) = (missed(&outcome), missed(&known));
            let is_exact = own <= AS_EXACT * usual + EXACT;
            let is_met = gap <= AS_EXACT * usual_gap + 0.1 * TOLERANCE;
            if !is_exact || !is_met {
                failed.push(format!("{what}: {own:.1e}, not {usual:.1e}, {place}; gap {gap:.1e}"));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// A chain of 200 links on hinges of four directions, dropped from the horizontal.
/// Reference: recursive dynamics integrated to 1e-13.
#[test]
fn a_long_chain() {
    let count = 200;
    let mut text = String::from("gravity = [0, 0, -9.81]\n");
    for i in 0..count {
        let x = 0.1 * i as f64;
        let angle = std::f64::consts::FRAC_PI_4 * (i % 4) as f64;
        let before = if i == 0 { "ground".to_owned() } else { format!("link{}", i - 1) };
        text += &format!(
            "[body.link{i}]
             mass = 0.1
             inertia = [6.666666666666667e-06, 8.666666666666668e-05, 8.666666666666668e-05]
             at = [{}, 0, 0]
             [joint.hinge{i}]
             revolute = {{ between = [\"{before}\", \"link{i}\"], at = [{x}, 0, 0], about = [0, {}, {}] }}
             ",
            x + 0.05,
            angle.cos(),
            angle.sin()
        );
    }
    text += "[frame.tip]\non = \"link199\"\nat = [0.05, 0, 0]\n[sensor]\ntip = { position = \"tip\" }\n";
    text += "[solve]\nformulation = \"explicit\"\ntolerance = 1e-9\nuntil = 1\noutput_at = [1]\n";
    let (outcome, columns) = run(&text, "chain.toml", "auto");
    let said = outcome.trajectory.coordinates.unwrap();
    assert!(said.starts_with("Joint coordinates were chosen: 200 coordinates"), "{said}");
    let tip = columns["tip.x"].last().unwrap();
    assert!((tip - 18.218941138085572).abs() < 1e-7, "{tip}");
}

/// The state of a run that goes on when it is told to is that of all bodies; it may be left, taken up again and begun anew.
#[test]
fn step_by_step() {
    let solve = "formulation = \"bdf\"\ntolerance = 1e-9\nuntil = 0.4\n";
    let (text, path) = text("spatial_slider_crank.toml", solve);
    let set = ("solve.coordinates".to_owned(), "\"joint\"".to_owned());
    let mechanism = Mechanism::parse(&text, &path, &[set]).unwrap();
    let settings = mechanism.settings().unwrap();
    let mut system = mechanism.system();
    let start = mechanism.initial_state();
    let mut run = Integrator::new(&mut system, &start, &settings).unwrap();
    assert_eq!(run.state().q.len(), start.q.len());
    run.advance_to(0.2).unwrap();
    let snapshot = run.snapshot();
    run.advance_to(0.4).unwrap();
    let end = run.state().clone();
    run.restore(&snapshot).unwrap();
    run.advance_to(0.4).unwrap();
    assert_eq!(run.state(), &end);

    run.restore(&snapshot).unwrap();
    let half: State = run.state().clone();
    run.restart_from(&half).unwrap();
    let apart = |one: &[f64], other: &[f64]| {
        one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    // constraints are met to the accuracy of the run, and exactly after a start
    assert!(apart(&run.state().q, &half.q) < 1e-6);
    let off = apart(&run.state().v, &half.v);
    assert!(off < 1e-5, "{off}");
    run.advance_to(0.4).unwrap();
    assert!(apart(&run.state().q, &end.q) < 1e-5, "{}", apart(&run.state().q, &end.q));
    assert!(apart(&run.state().multipliers, &end.multipliers) < 1e-2);
}
