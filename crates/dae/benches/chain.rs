//! Cost of a step on long chains, where the sparse solver works: nanoseconds per unknown and step,
//! beside the cost of the system's own residual.
//!
//! `cargo bench -p rotula-dae --bench chain [-- <links>]`

#[allow(dead_code)]
#[path = "../tests/problems/chain.rs"]
mod chain;

use chain::Chain;
use rotula_dae::*;
use std::time::Instant;

const REPETITIONS: usize = 7;
const STEPS: usize = 100;

/// A straight chain at rest that hangs askew: it swings without wild motion.
fn start(chain: &Chain) -> State {
    let mut state = State::zeros(chain.sizes());
    let (sin, cos) = 0.3_f64.sin_cos();
    for i in 0..chain.links {
        let distance = (i + 1) as f64 / chain.links as f64;
        state.q[3 * i] = distance * sin;
        state.q[3 * i + 2] = -distance * cos;
    }
    state
}

/// Shortest of several timings, in seconds.
fn best(mut work: impl FnMut()) -> f64 {
    (0..REPETITIONS).fold(f64::INFINITY, |best, _| {
        let clock = Instant::now();
        work();
        best.min(clock.elapsed().as_secs_f64())
    })
}

/// Seconds that the system itself takes for one residual.
fn evaluation(chain: &mut Chain, state: &State) -> f64 {
    let (mut q, mut motion) = (state.q.clone(), state.v.clone());
    let mut rows = state.multipliers.clone();
    let calls = 20;
    let all = best(|| {
        for _ in 0..calls {
            chain.retract(&state.q, &state.increment, &mut q);
            chain.constraint(Level::Position, &state.point(), &mut rows);
            chain.dynamics(&state.point(), Terms::ALL, &mut motion);
        }
    });
    all / calls as f64
}

fn main() {
    let wanted = std::env::args().skip(1).find_map(|word| word.parse::<usize>().ok());
    let formulations = [
        ("index3", Formulation::Index3 { scaling: true, augmented: false }),
        ("hht-i3", Formulation::HhtI3 { mode: HhtMode::Recommended }),
        ("soi2", Formulation::Soi2 { mass: MassHistory::Stored }),
    ];
    println!("nanoseconds per unknown and step; iterations and factorisations per step");
    for links in [40, 1000, 10_000].into_iter().filter(|&n| wanted.is_none_or(|w| w == n)) {
        for (name, formulation) in formulations {
            let mut chain = Chain::new(links);
            let start = start(&chain);
            let coefficients = Coefficients::hht(-0.3).expect("a sound alpha");
            let h = 1e-3;
            let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
            settings.until = h * STEPS as f64;
            settings.output = Output::At(Vec::new());
            settings.newton.tolerance = 1e-6;
            let mut statistics = Statistics::default();
            let elapsed = best(|| {
                let outcome =
                    simulate(&mut chain, &start, &settings, &mut ()).expect("a sound problem");
                assert!(outcome.failure.is_none());
                statistics = outcome.trajectory.statistics;
            });
            let unknowns = (STEPS * statistics.unknowns) as f64;
            let own = evaluation(&mut chain, &start) * statistics.residuals as f64;
            println!(
                "{links:6} {name:8} {:7.1} of which the system {:6.1}; {:.2} and {:.2}",
                1e9 * elapsed / unknowns,
                1e9 * own / unknowns,
                statistics.iterations as f64 / STEPS as f64,
                statistics.factorisations as f64 / STEPS as f64,
            );
        }
    }
}
