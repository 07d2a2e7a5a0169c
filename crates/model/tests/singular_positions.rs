//! Forty parallelograms in a row pass the position in which all their bars lie in one line and each of them could fold the
//! other way: a fixed step must carry the run across it, on the branch it came from, with the error of the method.

use rotula_dae::{Outcome, simulate};
use rotula_model::Mechanism;
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write;

/// Parallelograms in the row.
const ROW: usize = 40;

/// Upright cranks and level couplers of unit length and mass; the upper pins move with unit speed.
fn four_bars() -> String {
    let mut text = String::from("gravity = [0, -9.81, 0]\n");
    let bar = format!("kind = \"planar\"\nmass = 1\ninertia = {}", 1.0 / 12.0);
    let spins = "velocity = [0.5, 0, 0]\nangular_velocity = [0, 0, -1]";
    for k in 0..=ROW {
        writeln!(text, "[body.crank{k}]\n{bar}\nat = [{k}, 0.5, 0]\n{spins}").unwrap();
    }
    for k in 0..ROW {
        let middle = k as f64 + 0.5;
        writeln!(text, "[body.coupler{k}]\n{bar}\nat = [{middle}, 1, 0]\nvelocity = [1, 0, 0]")
            .unwrap();
    }
    let mut pin = |name: &str, k: usize, bodies: [String; 2], x: usize, y: usize| {
        let [a, b] = bodies;
        writeln!(
            text,
            "[joint.{name}{k}]\nrevolute = {{ between = [\"{a}\", \"{b}\"], at = [{x}, {y}, 0], about = \"z\" }}"
        )
        .unwrap();
    };
    for k in 0..=ROW {
        pin("foot", k, ["ground".into(), format!("crank{k}")], k, 0);
    }
    for k in 0..ROW {
        pin("left", k, [format!("crank{k}"), format!("coupler{k}")], k, 1);
        pin("right", k, [format!("coupler{k}"), format!("crank{}", k + 1)], k + 1, 1);
    }
    text
}

fn run(model: &str, words: &str, until: f64) -> Outcome {
    let text = format!("{model}[solve]\n{words}\nuntil = {until}\n");
    let mechanism = Mechanism::parse(&text, "four_bars.toml", &[]).unwrap();
    let settings = mechanism.settings().unwrap();
    let mut system = mechanism.system();
    let start = mechanism.initial_state();
    let outcome = simulate(&mut system, &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{words}: {}", outcome.failure.unwrap());
    assert!((outcome.state.t - until).abs() < 1e-9, "{words}: it stopped early");
    outcome
}

/// The angle of all cranks, as that of one pendulum: the cranks turn, the couplers are carried round a circle.
fn pendulum(until: f64) -> f64 {
    let (cranks, couplers) = (ROW as f64 + 1.0, ROW as f64);
    let rate = 9.81 * (cranks / 2.0 + couplers) / (cranks / 3.0 + couplers);
    let slope = |[_, w]: [f64; 2], angle: f64| [w, -rate * angle.cos()];
    let (mut y, steps) = ([FRAC_PI_2, -1.0], 100_000);
    let h = until / steps as f64;
    for _ in 0..steps {
        let at = |k: [f64; 2], part: f64| [y[0] + part * h * k[0], y[1] + part * h * k[1]];
        let a = slope(y, y[0]);
        let b = slope(at(a, 0.5), at(a, 0.5)[0]);
        let c = slope(at(b, 0.5), at(b, 0.5)[0]);
        let d = slope(at(c, 1.0), at(c, 1.0)[0]);
        y = [0, 1].map(|k| y[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]));
    }
    y[0] - FRAC_PI_2
}

/// Runs to the end; the error of the angle and of the energy.
fn errors(model: &str, words: &str, until: f64) -> [f64; 2] {
    let outcome = run(model, words, until);
    let trajectory = &outcome.trajectory;
    for (q, t) in (0..trajectory.len()).map(|i| (trajectory.q.row(i), trajectory.times[i])) {
        let angles = || (0..=ROW).map(|k| q[3 * k + 2]);
        assert!(q.iter().all(|x| x.is_finite()));
        let (low, high) = angles().fold((f64::MAX, f64::MIN), |(l, h), a| (l.min(a), h.max(a)));
        assert!(high - low < 1e-7, "{words}: cranks part by {:e} at {t}", high - low);
    }
    let angle = trajectory.last_q()[2];
    [(angle - pendulum(until)).abs(), trajectory.audit.energy_defect.unwrap()]
}

/// Two passes, with steps of three sizes: errors of angle and energy are of second order.
fn passes(formulation: &str) {
    let model = four_bars();
    let found = ["2e-3", "1e-3", "5e-4"].map(|step| {
        errors(&model, &format!("formulation = \"{formulation}\"\nstep = {step}"), 1.5)
    });
    println!("{formulation}: {found:?}");
    for pair in found.windows(2) {
        for (coarse, fine) in pair[0].iter().zip(pair[1]) {
            let order = (coarse / fine).log2();
            assert!((order - 2.0).abs() < 0.2, "{formulation}: order {order} of {found:?}");
        }
    }
}

#[test]
fn index3_passes_the_singular_position() {
    passes("index3");
}

#[test]
fn hht_i3_passes_the_singular_position() {
    passes("hht-i3");
}

#[test]
fn ggl_passes_the_singular_position() {
    passes("ggl");
}

#[test]
fn projected_passes_the_singular_position() {
    passes("projected");
}

#[test]
fn bdf_passes_the_singular_position() {
    let model = four_bars();
    let [angle, energy] = errors(&model, "formulation = \"bdf\"\ntolerance = 1e-7", 10.0);
    println!("bdf: {angle:e} {energy:e}");
    assert!(angle < 1e-3 && energy < 1e-2, "{angle:e} {energy:e}");
}

#[test]
fn many_passes_in_a_row() {
    let [angle, energy] = errors(&four_bars(), "formulation = \"index3\"\nstep = 2e-3", 10.0);
    println!("index3, ten seconds: {angle:e} {energy:e}");
    let of_two_passes = errors(&four_bars(), "formulation = \"index3\"\nstep = 2e-3", 1.5);
    // the error of the energy is one of the steps near the pass, and does not add up; that of the angle grows with time
    assert!(energy < 1.1 * of_two_passes[1], "{energy:e} after {of_two_passes:?}");
    assert!(angle < 10.0 / 1.5 * of_two_passes[0], "{angle:e} after {of_two_passes:?}");
}
