//! Impacts are located: what a run records of them is right to the tolerance that it was given.

mod common;

use common::Place;
use common::table::Table;
use std::f64::consts::FRAC_1_SQRT_2;

const GRAVITY: f64 = 9.81;

/// A ball above a floor: its restitution and how far it falls.
fn ball(restitution: f64, height: f64, solve: &str) -> String {
    format!(
        r#"
gravity = [0, 0, -{GRAVITY}]
[body.b]
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
at = [0, 0, {}]
[contact.p]
between = ["ground", "b"]
first = {{ plane = "z" }}
second = {{ sphere = 0.05 }}
restitution = {restitution}
[solve]
formulation = "nonsmooth"
{solve}
"#,
        0.05 + height
    )
}

/// The impacts of a model that runs to its end without a warning, in their order, and the place of its results.
fn impacts(model: &str) -> (Table, Place) {
    let place = Place::new();
    let said = place.run(model, &[], "out");
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    (Table::read(&place, "out/events.csv"), place)
}

fn worst(found: &[f64], exact: &[f64]) -> f64 {
    assert!(found.len() >= exact.len(), "{found:?}, expected {exact:?}");
    found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// What a user may ask for about steps; the first one is nothing.
const STEPS: [&str; 7] = [
    "",
    "tolerance = 1e-3",
    "tolerance = 1e-4",
    "tolerance = 1e-6",
    "tolerance = 1e-8",
    "step = 1e-3",
    "step = 0.05",
];

#[test]
fn a_ball_rises_as_high_as_its_restitution_says() {
    for restitution in [0.8f64, 0.9] {
        // the impacts within 2 s: times, and heights of the bounces after them
        let fall = (2.0 / GRAVITY).sqrt();
        let (mut times, mut heights) = (vec![fall], Vec::new());
        loop {
            let power = restitution.powi(times.len() as i32);
            heights.push(power * power);
            let next = times[times.len() - 1] + 2.0 * power * fall;
            if next > 2.0 {
                break;
            }
            times.push(next);
        }
        for steps in STEPS {
            let (events, place) = impacts(&ball(restitution, 1.0, &format!("{steps}\nuntil = 2")));
            assert_eq!(events.numbers("t").len(), times.len(), "{steps}");
            let off = worst(&events.numbers("t"), &times);
            assert!(off < 1e-10, "{restitution} {steps}: times off by {off:e}");
            let after = events.numbers("velocity_after");
            let risen: Vec<f64> = after.iter().map(|v| v * v / (2.0 * GRAVITY)).collect();
            let off = worst(&risen, &heights);
            assert!(off < 1e-10, "{restitution} {steps}: heights off by {off:e}");
            let lost = events.numbers("energy_lost");
            let before = events.numbers("velocity_before");
            for (lost, v) in lost.iter().zip(&before) {
                let law = 0.5 * (1.0 - restitution * restitution) * v * v;
                assert!((lost - law).abs() < 1e-10, "{restitution} {steps}: {lost} {law}");
            }
            let audit = place.audit("out");
            let energy = audit["final_energy"].as_f64().unwrap() - 0.05 * GRAVITY;
            let expected = GRAVITY * heights[heights.len() - 1];
            assert!((energy - expected).abs() < 1e-9, "{restitution} {steps}: {energy} {expected}");
            assert_eq!(audit["impacts_located"], audit["impacts"]);
            assert!(audit["energy_defect"].as_f64().unwrap() < 1e-9, "{steps}: {audit}");
        }
    }
}

#[test]
fn a_ball_that_loses_nothing_bounces_for_ever() {
    let flight = 2.0 * (2.0 * 0.1 / GRAVITY).sqrt();
    let until = 300.0 * flight;
    for steps in ["", "tolerance = 1e-3", "step = 1e-3", "step = 0.1"] {
        let (events, place) = impacts(&ball(1.0, 0.1, &format!("{steps}\nuntil = {until}")));
        let times: Vec<f64> = (0..300).map(|k| (k as f64 + 0.5) * flight).collect();
        assert_eq!(events.numbers("t").len(), 300, "{steps}");
        let off = worst(&events.numbers("t"), &times);
        assert!(off < 1e-9, "{steps}: times off by {off:e}");
        let audit = place.audit("out");
        let [first, last] = ["initial_energy", "final_energy"].map(|e| audit[e].as_f64().unwrap());
        assert!((last / first - 1.0).abs() < 1e-10, "{steps}: {first} {last}");
    }
}

#[test]
fn a_ball_comes_to_rest_where_its_bounces_end() {
    let (fall, restitution) = ((2.0 / GRAVITY).sqrt(), 0.5);
    let end = fall * (1.0 + restitution) / (1.0 - restitution);
    for steps in ["", "tolerance = 1e-4", "tolerance = 1e-8", "step = 1e-3"] {
        let solve = format!("{steps}\nuntil = 2\noutput_every = 0.01");
        let (events, place) = impacts(&ball(restitution, 1.0, &solve));
        let times = events.numbers("t");
        let last = times[times.len() - 1];
        assert!(last <= end + 1e-9 && last > end - 0.02, "{steps}: {last} {end}");
        let table = Table::read(&place, "out/trajectory.csv");
        let (t, z) = (table.numbers("t"), table.numbers("b.z"));
        let (gap, force) = (table.numbers("gap.p"), table.numbers("force.p"));
        for i in (0..t.len()).filter(|&i| t[i] > end + 0.02) {
            assert!(
                (z[i] - 0.05).abs() < 1e-9 && gap[i].abs() < 1e-9,
                "{steps}: {} {}",
                t[i],
                z[i]
            );
            assert!((force[i] - GRAVITY).abs() < 1e-6, "{steps}: {} {}", t[i], force[i]);
        }
    }
}

/// Errors of impact times for tolerances of 1e-3 to 1e-8 fall from each to the next, by the square of the number of steps:
/// `constant` is their product for a prototype of the method; twice that is allowed.
fn errors_fall(model: &dyn Fn(f64) -> String, exact: &[f64], constant: f64) {
    let (mut before, mut first) = (f64::INFINITY, None);
    for power in 3..=8 {
        let tolerance = 10f64.powi(-power);
        let (events, place) = impacts(&model(tolerance));
        let mut times = events.numbers("t");
        times.dedup();
        let off = worst(&times, exact);
        assert!(off < before, "tolerance {tolerance:e}: {off:e} after {before:e}");
        let summary = place.json("out/summary.json");
        let steps = summary["statistics"]["steps"].as_f64().unwrap();
        let product = off * steps * steps;
        assert!(product < 2.0 * constant, "tolerance {tolerance:e}: {off:e}, {steps} steps");
        before = off;
        // looser tolerances are met by the longest step
        if power == 5 {
            first = Some(off);
        }
    }
    // at least with the square root of the tolerance
    assert!(before < first.unwrap_or(0.0) / 1e3f64.sqrt(), "{before:e} {first:?}");
}

/// The pendulum of document 002, section 6.1.
#[test]
fn impact_times_of_a_pendulum_converge() {
    let model = |tolerance: f64| {
        format!(
            r#"
[coordinates]
x = {{ at = "cos(pi/12)", velocity = 0 }}
y = {{ at = "sin(pi/12)", velocity = 0 }}
theta = {{ at = "pi/12", velocity = 0 }}
[mass]
x = 1
y = 1
theta = 0.1
[force]
y = 10
[constraint]
pin_x = "x - cos(theta)"
pin_y = "y - sin(theta)"
[gap]
wall = {{ gap = "x - sqrt(2)/2", restitution = 0.8 }}
[energy]
potential = "-10*y"
[solve]
formulation = "nonsmooth"
tolerance = {tolerance}
until = 4
"#
        )
    };
    let exact = [0.351186525, 0.944741058, 1.443416848, 1.858297630, 2.200048810, 2.479191216];
    errors_fall(&model, &exact, 12.6);
    // it rests at the wall after 3.6302 s
    let (_, place) = impacts(&model(1e-6));
    let table = Table::read(&place, "out/trajectory.csv");
    let last = |column: &str| *table.numbers(column).last().unwrap();
    assert!((last("x") - FRAC_1_SQRT_2).abs() < 1e-9);
    assert!((last("force.wall") - 10.0).abs() < 1e-6, "{}", last("force.wall"));
    let energy = place.audit("out")["final_energy"].as_f64().unwrap();
    assert!((energy + 50f64.sqrt()).abs() < 1e-9, "{energy}");
}

/// A block of 0.4 m × 1.2 m rocks from corner to corner. [Housner 1963]
#[test]
fn impact_times_of_a_rocking_block_converge() {
    let model = |tolerance: f64| {
        format!(
            r#"
gravity = [0, -9.81, 0]
[parameters]
b = 0.2
h = 0.6
tilt = 0.15
[body.block]
kind = "planar"
mass = 20
inertia = "20*(b^2 + h^2)/3"
at = ["b*cos(tilt) - h*sin(tilt)", "b*sin(tilt) + h*cos(tilt)", 0]
turned = {{ about = "z", by = "tilt" }}
shape = {{ box = ["2*b", "2*h", 0.2] }}
[contact.floor]
between = ["ground", "block"]
first = {{ plane = "y" }}
restitution = 0
friction = 10
[solve]
formulation = "nonsmooth"
tolerance = {tolerance}
until = 2
"#
        )
    };
    let exact = [0.364924573, 0.898982817, 1.318895390, 1.659369101, 1.940053790];
    errors_fall(&model, &exact, 9.8);
}

/// Balls of 1 kg in a row, whose neighbours touch; the first ones come with 1 m/s.
fn row_of_balls(count: usize, restitution: f64, law: &str) -> String {
    let mut model = String::new();
    for k in 0..count {
        let (at, velocity) = if k == 0 { (-0.3, 1) } else { (0.1 * (k - 1) as f64, 0) };
        model += &format!(
            "[body.b{k}]\nmass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nat = [{at}, 0, 0]\n\
             velocity = [{velocity}, 0, 0]\nshape = {{ sphere = 0.05 }}\n"
        );
    }
    for k in 1..count {
        let before = k - 1;
        model += &format!(
            "[contact.c{k}]\nbetween = [\"b{before}\", \"b{k}\"]\nrestitution = {restitution}\n"
        );
    }
    model + &format!("[solve]\nformulation = \"nonsmooth\"\nimpact_law = \"{law}\"\nuntil = 1\n")
}

#[test]
fn the_law_of_several_impacts_is_a_word() {
    let third = 1.0 / 3.0;
    let cases: [(usize, f64, &str, &[f64]); 9] = [
        (3, 1.0, "moreau", &[-third, 2.0 * third, 2.0 * third]),
        (3, 1.0, "poisson", &[-third, 2.0 * third, 2.0 * third]),
        (3, 1.0, "reflections", &[0.0, 0.0, 1.0]),
        (3, 1.0, "sequential", &[0.0, 0.0, 1.0]),
        (5, 1.0, "moreau", &[-0.6, 0.4, 0.4, 0.4, 0.4]),
        (5, 1.0, "reflections", &[0.0, 0.0, 0.0, 0.0, 1.0]),
        (3, 0.5, "moreau", &[0.0, 0.5, 0.5]),
        (3, 0.5, "reflections", &[0.5 * third, 0.5 * third, 2.0 * third]),
        (3, 0.5, "sequential", &[0.203125, 0.234375, 0.5625]),
    ];
    for (count, restitution, law, expected) in cases {
        let place = Place::new();
        let said = place.run(&row_of_balls(count, restitution, law), &[], "out");
        assert!(said.stderr.contains("depends on the law"), "{law}: {}", said.stderr);
        let table = Table::read(&place, "out/trajectory.csv");
        let found: Vec<f64> = (0..count).map(|k| table.last(&format!("b{k}.vx"))).collect();
        let off = worst(&found, expected);
        assert!(off < 1e-10, "{count} balls, e = {restitution}, {law}: {found:?} {expected:?}");
    }
    // two balls: nothing to choose
    let (events, place) = impacts(&row_of_balls(2, 0.5, "moreau"));
    assert_eq!(events.numbers("t").len(), 1);
    let table = Table::read(&place, "out/trajectory.csv");
    assert!(worst(&[table.last("b0.vx"), table.last("b1.vx")], &[0.25, 0.75]) < 1e-12);
}

#[test]
fn an_overlapping_start_is_refused_or_moved_apart() {
    let inside = |height: f64, solve: &str| ball(0.5, height, solve);
    for formulation in ["", "step = 1e-3"] {
        let place = Place::new();
        place.write("model.toml", &inside(-1.05, &format!("{formulation}\nuntil = 1")));
        let said = place.rotula(&["run", "model.toml", "-o", "out"]);
        assert_ne!(said.status, 0);
        for word in ["contact `p`", "`ground`", "`b`", "1.05", "initial = \"project\""] {
            assert!(said.stderr.contains(word), "{word}: {}", said.stderr);
        }
    }
    let place = Place::new();
    let said = place.run(&inside(-1.05, "initial = \"project\"\nuntil = 1"), &[], "out");
    assert!(said.stderr.contains("moved apart: contact `p` by 1.05"), "{}", said.stderr);
    let table = Table::read(&place, "out/trajectory.csv");
    for (gap, z) in table.numbers("gap.p").iter().zip(table.numbers("b.z")) {
        assert!(gap.abs() < 1e-9 && (z - 0.05).abs() < 1e-9, "{gap} {z}");
    }
    // what rounding leaves is no overlap
    impacts(&inside(-1e-9, "until = 1"));
}
