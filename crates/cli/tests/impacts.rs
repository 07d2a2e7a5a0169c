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
    for restitution in [0.8, 0.9] {
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
        first.get_or_insert(off);
    }
    // at least with the square root of the tolerance
    assert!(before < first.unwrap_or(0.0) / 1e5f64.sqrt(), "{before:e} {first:?}");
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
