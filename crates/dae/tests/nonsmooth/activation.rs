//! When a contact of the θ method acts, and what a step may win of energy.

use crate::linear::Linear;
use crate::run;
use rotula_dae::*;

const GRAVITY: f64 = 9.81;
const STEP: f64 = 5e-3;

fn moreau_jean(activation: f64, steps: usize) -> Settings {
    let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
    let formulation = Formulation::MoreauJean { theta: 0.5, activation, project: false };
    let control = StepControl::Fixed { h: STEP };
    let mut settings = Settings::new(formulation, coefficients, control);
    settings.until = steps as f64 * STEP;
    settings
}

/// A body above a floor that takes its speed.
fn body(mass: f64, weight: f64) -> Linear {
    Linear::points(&[mass], vec![-weight]).with(Contact::smooth(0.0), vec![vec![(0, 1.0)]], 0.0)
}

/// Without weight a body meets the floor with one speed: where it stops depends on the activation as
/// said, between the deepest overlap and one way of half a step above it.
#[test]
fn bodies_stop_where_the_activation_says() {
    let speed = 0.7;
    let way = speed * STEP;
    for (activation, deepest) in [(0.0, -1.5), (0.5, -1.0), (1.0, -0.5)] {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for k in 0..40 {
            let mut system = body(2.0, 0.0);
            let start = system.state(&[way * (3.0 + k as f64 / 40.0)], &[-speed]);
            let result = run(&mut system, &start, &moreau_jean(activation, 8));
            let last = result.times.len() - 1;
            assert!(result.v.row(last)[0].abs() < 1e-12);
            let stops = result.q.row(last)[0] / way;
            (low, high) = (low.min(stops), high.max(stops));
        }
        assert!(
            low >= deepest - 1e-9 && high <= deepest + 1.0 + 1e-9,
            "{activation}: {low} {high}"
        );
        assert!(high - low > 0.9, "{activation}: {low} {high}");
    }
}

/// What is out of range is refused by name.
#[test]
fn an_activation_out_of_range_is_refused() {
    let mut system = body(1.0, 1.0);
    let start = system.state(&[1.0], &[0.0]);
    let error = simulate(&mut system, &start, &moreau_jean(1.5, 2), &mut ()).err().unwrap();
    assert!(error.to_string().contains("activation must lie in [0, 1], not 1.5"), "{error}");
}

/// A body that leaves its support with `u` up to `gh` is held back as if it had been at rest: it wins
/// `½ m u (gh − u)`, at most `⅛ m (gh)²`, and never more.
#[test]
fn a_step_wins_no_more_energy_than_the_scheme_allows() {
    let mass = 1.3;
    let fall = GRAVITY * STEP;
    let mut most = 0.0f64;
    for k in 0..=40 {
        let speed = fall * (k as f64 / 20.0 - 0.5);
        let mut system = body(mass, mass * GRAVITY);
        // the support acts, deep inside
        let start = system.state(&[-0.01], &[speed]);
        let settings = Settings { initial: InitialPolicy::Trust, ..moreau_jean(0.5, 1) };
        let result = run(&mut system, &start, &settings);
        let energy = |i: usize| {
            let (q, v) = (result.q.row(i)[0], result.v.row(i)[0]);
            0.5 * mass * v * v + mass * GRAVITY * q
        };
        let won = energy(1) - energy(0);
        // beyond `gh` the body flies, below zero it is stopped
        let expected = if speed < fall { 0.5 * mass * speed * (fall - speed) } else { 0.0 };
        assert!((won - expected).abs() < 1e-13, "{speed}: {won} {expected}");
        most = most.max(won);
    }
    let bound = mass * fall * fall / 8.0;
    assert!(most <= bound * (1.0 + 1e-9) && most > 0.99 * bound, "{most} {bound}");
}
