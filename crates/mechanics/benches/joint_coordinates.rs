//! Cost of a chain of rigid bodies in the coordinates of its joints.
//!
//! `cargo bench -p rotula-mechanics --bench joint_coordinates [-- N…]` prints nanoseconds per body of single evaluations, and
//! milliseconds for one simulated second of the explicit method at several tolerances and of `index3` with steps of 1 ms, in
//! joint and in redundant coordinates, with the error of the tip. Times are those of the processor, the least of several.

#[path = "common/chain.rs"]
mod chain;

use chain::chain;
use cpu_time::ProcessTime;
use nalgebra::Vector3;
use rotula_dae::{
    Coefficients, Coordinates, Formulation, InitialPolicy, Output, Settings, State, StepControl,
    Terms, ToleranceControl, Weights, simulate,
};

/// The ends of chains after one second, by integration to 1e-13.
const TIPS: [(usize, f64); 5] = [
    (1, -0.09028689759151202),
    (2, 0.15771203246093968),
    (10, -0.923261840744391),
    (50, 0.6095735734150256),
    (200, 18.218941138085572),
];

/// The least time of a task, in seconds.
fn least(mut task: impl FnMut()) -> f64 {
    let (mut best, mut total, mut count) = (f64::INFINITY, 0.0, 0);
    while (total < 0.2 && count < 2000) || count < 4 {
        let clock = ProcessTime::now();
        task();
        let time = clock.elapsed().as_secs_f64();
        total += time;
        best = f64::min(best, time);
        count += 1;
    }
    best
}

/// Nanoseconds per body of single evaluations.
fn evaluations(n: usize) {
    let assembly = chain(n).assemble().expect("a sound model");
    let start = assembly.start();
    let facet = rotula_dae::System::as_reducible(&assembly).expect("a mechanism");
    let mut tree = facet.reduction(&start).map_err(|error| error.what).expect("a tree").system;
    let mut state = tree.as_reduced().expect("reduced").begin_at(&start);
    state.q.iter_mut().enumerate().for_each(|(i, q)| *q = 0.06 * ((i * 7 % 11) as f64 - 5.0));
    state.v.iter_mut().enumerate().for_each(|(i, v)| *v = ((i * 5 % 13) as f64 - 6.0) / 3.0);
    let (mut out, mut values) = (vec![0.0; n], vec![0.0; tree.patterns().dynamics.entries()]);
    let repetitions = 2000 / n + 3;
    let per_body = 1e9 / (repetitions * n) as f64;
    let accelerations = least(|| {
        for _ in 0..repetitions {
            let facet = tree.as_forward_dynamics().expect("it has");
            facet.accelerations(&state.point(), &[], &mut out, &mut []);
        }
    });
    let residual = least(|| {
        for _ in 0..repetitions {
            tree.dynamics(&state.point(), Terms::ALL, &mut out);
        }
    });
    let weights = Weights { mass: 1.0, damping: 1e-3, stiffness: 1e-6 };
    let tangent = least(|| tree.tangent(&state.point(), weights, Terms::ALL, &mut values));
    let mut whole = State::zeros(rotula_dae::System::sizes(&assembly));
    let lift = least(|| tree.as_reduced().expect("reduced").lift(&state, &mut whole));
    println!(
        "n = {n:4}: ns per body: accelerations {:.0}, residual {:.0}, tangent {:.0}, lift {:.0}",
        accelerations * per_body,
        residual * per_body,
        tangent * 1e9 / n as f64,
        lift * 1e9 / n as f64
    );
}

/// Milliseconds for one second.
fn second(n: usize, what: &str, mut settings: Settings, coordinates: Coordinates) {
    let mut assembly = chain(n).assemble().expect("a sound model");
    let start = assembly.start();
    settings.coordinates = coordinates;
    settings.until = 1.0;
    settings.initial = InitialPolicy::Project;
    settings.output = Output::At(vec![1.0]);
    let mut end = None;
    let time = least(|| {
        let outcome = simulate(&mut assembly, &start, &settings, &mut ()).expect("a sound start");
        assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
        end = Some(outcome);
    });
    let end = end.expect("it ran");
    let tip = assembly.node_frame(n, &end.state.q).transform_point(&Vector3::new(0.05, 0.0, 0.0));
    let reference = TIPS.iter().find(|(count, _)| *count == n).map_or(f64::NAN, |(_, tip)| *tip);
    let statistics = &end.trajectory.statistics;
    println!(
        "    {what}, {coordinates:?}: {:.3} ms, {} steps, {} residuals, {} matrices, tip {:.15} off by {:.1e}",
        time * 1e3,
        statistics.steps,
        statistics.residuals,
        statistics.factorisations,
        tip.x,
        (tip.x - reference).abs()
    );
}

fn main() {
    let given: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let sizes = if given.is_empty() { vec![1, 2, 10, 50, 200] } else { given };
    for n in sizes {
        evaluations(n);
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let control = ToleranceControl { tolerance, first: None, min: 1e-10, max: 1.0 };
            let coefficients = Coefficients::generalized_alpha(0.9).expect("a sound radius");
            let control = StepControl::Tolerance(control);
            let settings = Settings::new(Formulation::Explicit, coefficients, control);
            second(
                n,
                &format!("explicit, tolerance {tolerance:.0e}"),
                settings,
                Coordinates::Joint,
            );
        }
        for coordinates in [Coordinates::Joint, Coordinates::Redundant] {
            let formulation = Formulation::Index3 { scaling: true, augmented: false };
            let coefficients = Coefficients::generalized_alpha(0.9).expect("a sound radius");
            let control = StepControl::Fixed { h: 1e-3 };
            let mut settings = Settings::new(formulation, coefficients, control);
            settings.newton.tolerance = 1e-5;
            second(n, "index3, 1 ms", settings, coordinates);
        }
    }
}
