//! Cost of a step: nanoseconds per step of several formulations on the planar pendulum (3 + 2
//! unknowns) and the heavy top (6 + 3).
//!
//! `cargo bench -p rotula-gallery --bench steps [-- "pendulum index3"]`

use rotula_dae::{
    Coefficients, Formulation, GglVariant, HhtMode, MassHistory, MatrixPolicy, Output, Settings,
    State, StepControl, System,
};
use rotula_gallery::problems::heavy_top::HeavyTop;
use rotula_gallery::problems::planar_pendulum::PlanarPendulum;
use rotula_gallery::{run_watched, smaller};
use rotula_lie::Retraction;
use std::time::Instant;

const REPETITIONS: usize = 15;

fn measure<S: System + 'static>(
    name: &str,
    system: &mut S,
    start: &State,
    (formulation, coefficients): (Formulation, Coefficients),
    (h, steps): (f64, usize),
) {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    for policy in [MatrixPolicy::Reuse, MatrixPolicy::EachIteration] {
        let name = format!("{name} {policy:?}");
        if wanted.as_ref().is_some_and(|word| !name.contains(word)) {
            continue;
        }
        let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
        settings.until = h * steps as f64;
        settings.output = Output::At(Vec::new());
        settings.newton.matrix = policy;
        settings.newton.tolerance = 1e-6;
        let mut best = f64::INFINITY;
        let mut statistics = Default::default();
        for _ in 0..REPETITIONS {
            let clock = Instant::now();
            let outcome = run_watched(system, start, &settings, &mut ()).expect("a sound problem");
            best = smaller(best, clock.elapsed().as_secs_f64());
            statistics = outcome.trajectory.statistics;
        }
        println!(
            "{name:32} {:6.0} ns/step, {:.2} iterations and {:.2} factorisations per step",
            best / steps as f64 * 1e9,
            statistics.iterations as f64 / steps as f64,
            statistics.factorisations as f64 / steps as f64,
        );
    }
}

fn main() {
    let alpha = Coefficients::generalized_alpha(0.8).expect("a sound radius");
    let hht = Coefficients::hht(-0.3).expect("a sound alpha");
    let formulations = [
        ("index3", Formulation::Index3 { scaling: true, augmented: false }, alpha),
        ("hht-i3", Formulation::HhtI3 { mode: HhtMode::Recommended }, hht),
        ("ggl", Formulation::Ggl { variant: GglVariant::MassWeighted }, alpha),
        ("soi2", Formulation::Soi2 { mass: MassHistory::Stored }, alpha),
        ("pva", Formulation::Pva, alpha),
    ];
    for (name, formulation, coefficients) in formulations {
        let mut pendulum = PlanarPendulum { mass: 1.0, inertia: 0.1, length: 1.0, gravity: 9.81 };
        let start = pendulum.at_angle(0.3);
        let label = format!("pendulum {name}");
        measure(&label, &mut pendulum, &start, (formulation, coefficients), (1e-3, 100_000));
        let mut top = HeavyTop::new(Retraction::Cayley);
        let start = top.start();
        let label = format!("heavy top {name}");
        measure(&label, &mut top, &start, (formulation, coefficients), (1e-3, 10_000));
    }
}
