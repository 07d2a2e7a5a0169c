//! The energy that a damper takes from a bouncing mass, against the closed form: between impacts
//! `v(t) = (v₀ + g/k) e^(−kt) − g/k`, and each impact takes `½m(1 − e²)v²`.

use rotula_dae::{Audit, simulate};
use rotula_model::equations::Model;

const MASS: f64 = 2.0;
const DRAG: f64 = 3.0;
const GRAVITY: f64 = 10.0;
const RESTITUTION: f64 = 0.8;
const HEIGHT: f64 = 1.0;
const UNTIL: f64 = 1.5;

const MODEL: &str = r#"
title = "Damped bounces"

[coordinates]
y = { at = 1, velocity = 0 }

[mass]
y = 2

[force]
y = "-20 - 3*y'"

[gap]
floor = { gap = "y", restitution = 0.8 }

[energy]
potential = "20*y"
power = "-3*y'^2"

[solve]
formulation = "nonsmooth"
coefficients = { generalized-alpha = 1.0 }
step = 1e-3
until = 1.5
"#;

/// Height and velocity after a flight.
fn flight(height: f64, velocity: f64, t: f64) -> (f64, f64) {
    let k = DRAG / MASS;
    let fall = GRAVITY / k;
    let decay = (-k * t).exp();
    (height + (velocity + fall) * (1.0 - decay) / k - fall * t, (velocity + fall) * decay - fall)
}

/// Energy that the damper takes, and that the impacts take.
fn exact() -> (f64, f64, usize) {
    let (mut height, mut velocity, mut left) = (HEIGHT, 0.0, UNTIL);
    let (mut impacts, mut count) = (0.0, 0);
    loop {
        // the time of the next impact: bisection after the top of the flight
        let (mut low, mut high) = (if count == 0 { 0.0 } else { 1e-3 }, 2.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if flight(height, velocity, middle).0 > 0.0 { low = middle } else { high = middle }
        }
        if low >= left {
            let (end, v) = flight(height, velocity, left);
            let energy = MASS * GRAVITY * end + 0.5 * MASS * v * v;
            return (MASS * GRAVITY * HEIGHT - energy - impacts, impacts, count);
        }
        let v = flight(height, velocity, low).1;
        impacts += 0.5 * MASS * (1.0 - RESTITUTION * RESTITUTION) * v * v;
        (height, velocity, left) = (0.0, -RESTITUTION * v, left - low);
        count += 1;
    }
}

fn run(step: f64, overrides: &[(&str, &str)]) -> Audit {
    let step = format!("{step:?}");
    let mut all = vec![("solve.step".to_owned(), step)];
    all.extend(overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())));
    let model = Model::parse(MODEL, "model.toml", &all).expect("a model");
    let settings = model.settings().expect("settings");
    let outcome = simulate(&mut model.system(), &model.initial_state(), &settings, &mut ());
    let outcome = outcome.expect("a start");
    assert!(outcome.failure.is_none());
    outcome.trajectory.audit
}

#[test]
fn a_damper_takes_no_energy_in_the_instant_of_an_impact() {
    let (damper, impacts, count) = exact();
    assert!(count >= 3, "{count} impacts are too few");
    let mut errors = Vec::new();
    for step in [4e-3, 1e-3, 2.5e-4] {
        let audit = run(step, &[]);
        let work = audit.work.expect("the power is known");
        let contact = audit.contact_work.expect("there is a contact");
        let defect = audit.energy_defect.expect("the energy is known");
        println!(
            "h = {step}: damper {work} ({}), contacts {contact} ({}), defect {defect}",
            -damper, -impacts
        );
        assert_eq!(audit.impacts, count);
        errors.push([(work + damper).abs(), (contact + impacts).abs(), defect]);
    }
    // with ρ = 1 the balance of the step holds exactly
    assert!(errors.iter().all(|[.., defect]| *defect < 1e-9), "{errors:?}");
    // the instant of an impact is known to a step: both losses are of first order
    for k in 0..2 {
        assert!(errors[2][k] < 2e-3 * damper, "{errors:?}");
        for pair in errors.windows(2) {
            let order = (pair[0][k] / pair[1][k]).ln() / 4f64.ln();
            assert!((0.8..2.0).contains(&order), "order {order} of {errors:?}");
        }
    }
}
