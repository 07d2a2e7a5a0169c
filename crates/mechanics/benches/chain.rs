//! Cost of a chain of rigid bodies with revolute joints, in redundant coordinates.
//!
//! `cargo bench -p rotula-mechanics --bench chain [-- N…]` prints microseconds per body and step, and
//! the exponent with which the cost of a step grows. `50@0.7e-3@1e-2` stands for 50 bodies with that step and that
//! tolerance of Newton's iteration; with the word `forces` that of the first hinge every 10 ms follows. A run of one step is subtracted: it tells the cost
//! of the start, which is printed beside. Times are those of the processor, so that other programs on
//! the machine disturb them less.

#[path = "common/chain.rs"]
mod chain;

use chain::chain;
use cpu_time::ProcessTime;
use nalgebra::Vector3;
use rotula_dae::{Coefficients, Formulation, Output, Settings, StepControl, simulate};

/// The force of the first hinge: its first three constraints hold the point.
fn of_the_first_hinge(multipliers: &[f64]) -> f64 {
    Vector3::from_column_slice(&multipliers[..3]).norm()
}

fn main() {
    // A tighter tolerance changes the tip by less than the error that the step leaves.
    const STANDARD: (f64, f64) = (1e-3, 2e-3);
    let size = |word: String| {
        let mut parts = word.split('@');
        let n = parts.next()?.parse::<usize>().ok()?;
        let mut number = |standard| parts.next().map_or(Some(standard), |part| part.parse().ok());
        Some((n, number(STANDARD.0)?, number(STANDARD.1)?))
    };
    let given: Vec<(usize, f64, f64)> = std::env::args().filter_map(size).collect();
    let standard =
        || [1, 2, 10, 50, 200, 1000, 10_000].map(|n| (n, STANDARD.0, STANDARD.1)).to_vec();
    let sizes = if given.is_empty() { standard() } else { given };
    let series = std::env::args().any(|word| word == "forces");
    let mut costs: Vec<(f64, f64)> = Vec::new();
    for (n, h, tolerance) in sizes {
        let clock = ProcessTime::now();
        let mut assembly = chain(n).assemble().expect("a sound model");
        let build = clock.elapsed().as_secs_f64();
        let start = assembly.start();
        let formulation = Formulation::Index3 { scaling: true, augmented: false };
        let coefficients = Coefficients::generalized_alpha(0.9).expect("a sound radius");
        let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
        settings.output = Output::At(Vec::new());
        settings.newton.tolerance = tolerance;
        let repetitions = (2000 / n).clamp(1, 100);
        let mut run = |until: f64| {
            settings.until = until;
            let mut best = f64::INFINITY;
            let mut last = None;
            for _ in 0..repetitions {
                let clock = ProcessTime::now();
                let outcome =
                    simulate(&mut assembly, &start, &settings, &mut ()).expect("a sound start");
                assert!(outcome.failure.is_none(), "{}", outcome.failure.expect("checked"));
                best = best.min(clock.elapsed().as_secs_f64());
                last = Some(outcome);
            }
            (best, last.expect("at least one run"))
        };
        let (first, _) = run(h);
        let (all, outcome) = run(if n > 2000 { 0.1 } else { 1.0 });
        let statistics = outcome.trajectory.statistics;
        let steps = statistics.steps as f64;
        let cost = (all - first) / (steps - 1.0);
        let end = assembly.node_frame(n, &outcome.state.q);
        let tip = end.transform_point(&Vector3::new(0.05, 0.0, 0.0));
        println!(
            "n = {n:5}: {:8.2} µs/step, {:6.3} µs per body and step; {:.2} iterations, {:.3} \
             factorisations per step; built in {build:.3} s, started in {first:.6} s; tip {:.9} {:.9} {:.9}; \
             force of the first hinge {:.9}",
            cost * 1e6,
            cost * 1e6 / n as f64,
            statistics.iterations as f64 / steps,
            statistics.factorisations as f64 / steps,
            tip.x,
            tip.y,
            tip.z,
            of_the_first_hinge(&outcome.state.multipliers),
        );
        costs.push((n as f64, cost));
        if series {
            settings.output = Output::Every(1e-2);
            let outcome =
                simulate(&mut assembly, &start, &settings, &mut ()).expect("a sound start");
            let rows = outcome.trajectory.times.len();
            let force = |i| of_the_first_hinge(outcome.trajectory.multipliers.row(i));
            let forces: Vec<_> = (0..rows).map(|i| format!("{:.9}", force(i))).collect();
            println!("forces every 10 ms: {}", forces.join(" "));
        }
    }
    let large: Vec<_> = costs.iter().filter(|(n, _)| *n >= 10.0).collect();
    if let [first, .., last] = large.as_slice() {
        let exponent = (last.1 / first.1).ln() / (last.0 / first.0).ln();
        println!("the cost of a step grows like n^{exponent:.3}");
    }
}
