//! Cost of a very flexible pendulum of beam elements that falls from the horizontal.
//!
//! `cargo bench -p rotula-mechanics --bench beam [-- ELEMENTS NODES STEP]… [planar] [tolerance=1e-4]` prints microseconds per
//! step and element, the error of the tip at t = 1 against a planar Reissner beam solved by elements
//! of fourth degree and extrapolation in time, and the force of the pin then. Times are those of the processor.

use cpu_time::ProcessTime;
use nalgebra::Vector3;
use rotula_dae::{Coefficients, Formulation, Output, Settings, StepControl, simulate};
use rotula_mechanics::element::{BeamLine, MassKind, Section};
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::{GROUND, Model};

const TIP: Vector3<f64> = Vector3::new(-0.9634070377175677, -0.05259757169924251, 0.0);

fn pendulum(elements: usize, each: usize, mass: MassKind, planar: bool) -> (Model, usize) {
    let (shear, bending) = (1282.0512820512822, 0.13333333333333333);
    let section = Section::diagonal(
        [4000.0, shear, shear, 0.1, bending, bending],
        3.12,
        Vector3::new(2.08e-4, 1.04e-4, 1.04e-4),
    );
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -9.81, 0.0);
    let nodes = elements * (each - 1) + 1;
    let line = BeamLine::straight(Vector3::zeros(), Vector3::x(), Vector3::z(), nodes);
    let line = line.expect("a sound line").with_section(section).with_nodes_per_element(each);
    let beam = model.beam("pendulum", &BeamLine { mass, planar, ..line }).expect("a sound beam");
    let pin = model.frame(Vector3::zeros(), Vector3::z());
    let root = model.body_id(beam.nodes[0].node);
    let (a, b) = (model.marker_at(GROUND, pin), model.marker_at(root, pin));
    model.joint("pin", &Revolute, a, b).expect("a sound joint");
    (model, beam.nodes[nodes - 1].node)
}

fn run(elements: usize, each: usize, mass: MassKind, h: f64, planar: bool) {
    let (model, last) = pendulum(elements, each, mass, planar);
    let mut assembly = model.assemble().expect("a sound model");
    let start = assembly.start();
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let coefficients = Coefficients::generalized_alpha(0.9).expect("a sound radius");
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.output = Output::At(Vec::new());
    settings.newton.tolerance = tolerance();
    settings.until = 1.0;
    let mut best = f64::INFINITY;
    let mut last_outcome = None;
    for _ in 0..(64 / elements).clamp(1, 5) {
        let clock = ProcessTime::now();
        let outcome = simulate(&mut assembly, &start, &settings, &mut ()).expect("a sound start");
        assert!(outcome.failure.is_none(), "{}", outcome.failure.expect("checked"));
        best = best.min(clock.elapsed().as_secs_f64());
        last_outcome = Some(outcome);
    }
    let outcome = last_outcome.expect("at least one run");
    let statistics = outcome.trajectory.statistics;
    let steps = statistics.steps as f64;
    let error = (assembly.node_frame(last, &outcome.state.q).position - TIP).norm();
    // the first constraints of the pin hold the point
    let force = outcome.state.multipliers.iter().take(3).map(|x| x * x).sum::<f64>().sqrt();
    println!(
        "{elements:4} {} elements of {each} nodes, {mass:?}, h = {h:.1e}: {:8.2} µs/step, {:6.3} µs per \
         element and step, {best:.4} s; {:.2} iterations, {:.3} factorisations per step; error {error:.4e}; \
         force of the pin {force:.9}",
        if planar { "planar" } else { "spatial" },
        best / steps * 1e6,
        best / steps * 1e6 / elements as f64,
        statistics.iterations as f64 / steps,
        statistics.factorisations as f64 / steps,
    );
}

/// The tolerance of the iteration: 1e-4, or a word such as `tolerance=1e-3`.
fn tolerance() -> f64 {
    let given = std::env::args().find_map(|word| word.strip_prefix("tolerance=")?.parse().ok());
    given.unwrap_or(1e-4)
}

fn main() {
    let given: Vec<f64> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let flat = std::env::args().any(|word| word == "planar");
    if !given.is_empty() {
        for case in given.chunks_exact(3) {
            run(case[0] as usize, case[1] as usize, MassKind::Consistent, case[2], flat);
        }
        return;
    }
    for mass in [MassKind::Consistent, MassKind::Lumped] {
        for elements in [8, 16, 32, 64, 128] {
            run(elements, 2, mass, 1e-3, false);
            run(elements, 2, mass, 1e-3, true);
        }
    }
    for (elements, each) in [(8, 3), (16, 3), (4, 4), (8, 4)] {
        run(elements, each, MassKind::Consistent, 1e-3, false);
        run(elements, each, MassKind::Consistent, 1e-3, true);
    }
}
