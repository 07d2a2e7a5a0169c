//! The energy balance of a run, in its table, its summary and what is said about it.

mod common;

use common::table::Table;
use common::{Place, example, model, number};

const PRESS: &str = r#"
gravity = [0, 0, -9.81]
[body.p]
mass = 1
inertia = [1, 1, 1]
[joint.j]
prismatic = { between = ["ground", "p"], at = [0, 0, 0], along = "z" }
[motion.drive]
joint = "j"
displacement = "0.5*t"
[solve]
until = 5
"#;

/// Work is that of the recorded time, not of the end of the step around it.
#[test]
fn energy_and_work_are_of_one_time() {
    for set in [&[][..], &["solve.output_every=0.03"], &["solve.output_every=0.5"]] {
        let place = Place::new();
        place.run(PRESS, set, "out");
        let audit = place.audit("out");
        assert!(number(&audit, "energy_defect") < 1e-12, "{set:?}: {audit}");
        assert!((number(&audit, "work") - 9.81 * 2.5).abs() < 1e-10, "{set:?}: {audit}");
        let table = Table::read(&place, "out/trajectory.csv");
        let [t, work] = ["t", "work"].map(|name| table.numbers(name));
        for (t, work) in t.iter().zip(work) {
            assert!((work - 9.81 * 0.5 * t).abs() < 1e-11, "{set:?} at {t}: {work}");
        }
    }
}

#[test]
fn nothing_is_said_about_the_energy_of_what_rests() {
    let place = Place::new();
    let block = r#"
gravity = ["9.81*sin(20*deg)", 0, "-9.81*cos(20*deg)"]
[body.b]
solid = { box = [0.2, 0.2, 0.1], density = 1000 }
at = [0, 0, 0.05]
[contact.c]
between = ["ground", "b"]
first = { plane = "z" }
restitution = 0
friction = 0.5
[solve]
formulation = "nonsmooth"
step = 2e-3
until = 2
output_every = 0.1
"#;
    let said = place.run(block, &[], "out");
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    let audit = place.audit("out");
    assert!(number(&audit, "energy_defect") < number(&audit, "energy_floor"), "{audit}");
    assert!(said.stdout.contains("which is rounding"), "{}", said.stdout);
    // and friction holds it: four corners carry the block
    let table = Table::read(&place, "out/contacts.csv");
    let t = table.numbers("t");
    let last = t.partition_point(|time| time < t.last().expect("rows"));
    let weight = 4.0 * 9.81;
    let angle = 20f64.to_radians();
    let sum = |name: &str| table.numbers(name)[last..].iter().sum::<f64>();
    for (name, exact) in [("fx", -weight * angle.sin()), ("fz", weight * angle.cos())] {
        assert!((sum(name) - exact).abs() < 1e-6 * weight, "{name}: {} is not {exact}", sum(name));
    }
}

#[test]
fn equations_without_energy_have_no_columns_of_it() {
    let place = Place::new();
    let text = r#"
[coordinates]
x = { at = 1, velocity = 0 }
[mass]
x = 1
[force]
x = "-x"
[solve]
until = 1
"#;
    let said = place.run(text, &[], "out");
    let table = Table::read(&place, "out/trajectory.csv");
    for name in ["kinetic", "potential", "work"] {
        assert!(!table.has(name), "{name}");
    }
    assert!(!place.read("out/trajectory.csv").contains("NaN"));
    assert!(!said.stdout.contains("energy"), "{}", said.stdout);
    let with = format!("{text}[energy]\npotential = \"x^2/2\"\npower = \"0\"\n");
    place.run(&with, &[], "with");
    let table = Table::read(&place, "with/trajectory.csv");
    let sum = |row: usize| table.numbers("kinetic")[row] + table.numbers("potential")[row];
    assert!((sum(0) - 0.5).abs() < 1e-12 && (sum(table.numbers("t").len() - 1) - 0.5).abs() < 1e-4);
}

/// Damped panels much stiffer than the motion: their spurious swinging from step to step takes no energy.
/// With a fixed step, the sudden start is not resolved, and just that is said.
#[test]
fn the_energy_of_a_satellite_is_judged_by_what_moves() {
    let satellite = &model("satellite.toml");
    let place = Place::new();
    let said = place.run(satellite, &[], "out");
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    let whole = place.audit("out");
    let (defect, exchanged) = (number(&whole, "energy_defect"), number(&whole, "energy_exchanged"));
    assert!(defect < 0.01 * exchanged && exchanged < 10.0, "{whole}");

    let said = place.run(satellite, &["solve.step=1e-3", "solve.until=3"], "fixed");
    assert!(said.stderr.contains("appears from nowhere and dies out"), "{}", said.stderr);
    assert!(!said.stderr.contains("not to be believed"), "{}", said.stderr);
    let fixed = place.audit("fixed");
    assert!(number(&fixed, "energy_burst_at") < 0.01, "{fixed}");
    let rest = number(&fixed, "energy_defect") - number(&fixed, "energy_burst");
    assert!(rest.abs() < 0.02, "{fixed}");
    // and the motion is right
    let angle = |out: &str| {
        let table = Table::read(&place, &format!("{out}/trajectory.csv"));
        let row = table.numbers("t").partition_point(|time| *time < 3.0 - 1e-9);
        table.numbers("a_root.angle")[row]
    };
    assert!((angle("fixed") - angle("out")).abs() < 0.05, "{} {}", angle("fixed"), angle("out"));
}

/// Corners that slide along faces while the library names now one, now another of their features: the energy that is not
/// accounted for shrinks with the step, and sliding is no series of impacts.
#[test]
fn dominoes_lose_no_energy_between_the_steps() {
    let dominoes = &example("dominoes.toml");
    let place = Place::new();
    let defects = ["1e-3", "5e-4", "2.5e-4"].map(|step| {
        let said = place.run(dominoes, &[&format!("solve.step={step}")], step);
        assert!(!said.stderr.contains("energy"), "{}", said.stderr);
        let audit = place.audit(step);
        assert!(number(&audit, "impacts") < 150.0, "{audit}");
        number(&audit, "energy_defect") / number(&audit, "energy_exchanged")
    });
    // of the first order across impacts: a quarter with a quarter of the step
    assert!(defects[0] < 0.01 && defects[2] < 0.4 * defects[0], "{defects:?}");
}
