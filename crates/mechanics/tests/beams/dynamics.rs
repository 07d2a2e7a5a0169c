//! Beams in motion, against published motions.

use crate::published::composite;
use crate::support::{Cantilever, straight};
use nalgebra::Vector3;
use rotula_dae::{Coefficients, Formulation, Outcome, Output, Settings, StepControl, simulate};
use rotula_mechanics::element::{BeamLine, MassKind, Section};
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::{Assembly, Body, GROUND, MassProperties, Model, TimeFunction};

const INDEX3: Formulation = Formulation::Index3 { scaling: true, augmented: false };

fn march(system: &mut Assembly, radius: f64, h: f64, until: f64) -> Outcome {
    let coefficients = Coefficients::generalized_alpha(radius).unwrap();
    let mut settings = Settings::new(INDEX3, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings.output = Output::At(Vec::new());
    let start = system.start();
    let outcome = simulate(system, &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    outcome
}

/// A composite cantilever under a load that is suddenly there: BeamDyn with one element of five nodes
/// and steps of 5 ms, radius 0 (verification series of Kynema). Displacements along the load, across
/// it and along the beam.
#[test]
fn composite_beam_under_a_sudden_load() {
    const SERIES: [(f64, [f64; 3]); 6] = [
        (0.05, [7.6836577300452e-01, -9.0058333190026e-03, -3.4306531011273e-02]),
        (0.10, [2.0534850126406, -1.3186414902693e-01, -2.4892635128985e-01]),
        (0.20, [1.1064712884566, -6.4826414518155e-02, -7.3756193001469e-02]),
        (0.50, [2.7880849115281e-01, 1.7338786521992e-01, -7.1810691387064e-03]),
        (1.00, [5.4135602327642e-01, 1.5771373497548e-02, -1.8410318230858e-02]),
        (2.00, [1.5336356333648, -9.6047992702262e-02, -1.3969787248813e-01]),
    ];
    let load = Vector3::new(0.0, 0.0, 150.0);
    let beam = Cantilever::new(&straight(10.0, 4, 4, &composite()), load, Vector3::zeros());
    for (t, [along, across, axial]) in SERIES {
        let mut system = beam.model.assemble().unwrap();
        for (r, h) in [(0.0, 5e-3), (1.0, 5e-3), (0.0, 2.5e-3), (0.8, 5e-4)] {
            let o = march(&mut beam.model.assemble().unwrap(), r, h, t);
            let start = beam.tip(&system, &system.start()).position;
            println!("  {r} {h}: {:?}", beam.tip(&system, &o.state).position - start);
        }
        system.start(); let outcome = march(&mut system, 0.0, 5e-3, t);
        let start = beam.tip(&system, &system.start()).position;
        let u = beam.tip(&system, &outcome.state).position - start;
        let reference = Vector3::new(axial, across, along);
        println!("t = {t}: {:.5} {:.5} {:.5}; BeamDyn {axial:.5} {across:.5} {along:.5}", u.x, u.y, u.z);
        // beside the amplitude of the motion, 2.3
        let error = (u.z - along).abs() / 2.3;
        assert!(error < 0.1, "t = {t}: {u:?}, not {reference:?}: {error}");
    }
}

/// A very flexible pendulum that falls from the horizontal.
fn pendulum(elements: usize, each: usize, mass: MassKind) -> (Model, usize) {
    let section = Section::diagonal(
        [4000.0, 1282.0512820512822, 1282.0512820512822, 0.1, 0.13333333333333333, 0.13333333333333333],
        3.12,
        Vector3::new(2.08e-4, 1.04e-4, 1.04e-4),
    );
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -9.81, 0.0);
    let nodes = elements * (each - 1) + 1;
    let line = BeamLine::straight(Vector3::zeros(), Vector3::x(), Vector3::z(), nodes).unwrap();
    let mut line = line.with_section(section).with_nodes_per_element(each);
    line.mass = mass;
    let beam = model.beam("pendulum", &line).unwrap();
    let pin = model.frame(Vector3::zeros(), Vector3::z());
    let root = model.body_id(beam.nodes[0].node);
    let (a, b) = (model.marker_at(GROUND, pin), model.marker_at(root, pin));
    model.joint("pin", &Revolute, a, b).unwrap();
    (model, beam.nodes[nodes - 1].node)
}

/// Tip at t = 1 of the planar Reissner beam, by elements of fourth degree and extrapolation in time.
#[test]
fn falling_pendulum_meets_the_reference() {
    let tip = Vector3::new(-0.9634070377175677, -0.05259757169924251, 0.0);
    let error = |elements: usize, each: usize, mass: MassKind, h: f64| {
        let (model, last) = pendulum(elements, each, mass);
        let mut system = model.assemble().unwrap();
        let outcome = march(&mut system, 1.0, h, 1.0);
        let error = (system.node_frame(last, &outcome.state.q).position - tip).norm();
        let statistics = outcome.trajectory.statistics;
        println!(
            "{elements} elements of {each} nodes, {mass:?}, h = {h}: error {error:.3e}, {} \
             iterations, {} factorisations",
            statistics.iterations, statistics.factorisations
        );
        error
    };
    for mass in [MassKind::Consistent, MassKind::Lumped] {
        let (coarse, fine) = (error(16, 2, mass, 5e-4), error(32, 2, mass, 2.5e-4));
        let order = (coarse / fine).log2();
        assert!(fine < 1e-2 && (order - 2.0).abs() < 0.5, "{mass:?}: {coarse}, {fine}");
    }
    let high = error(8, 4, MassKind::Consistent, 2.5e-4);
    assert!(high < 1e-3, "{high}");
}

/// A blade on a hub that turns steadily, with gravity across its plane: what it sees of the world
/// turns, the tangents do not.
#[test]
fn a_spinning_blade_keeps_its_factorisation() {
    let section = Section::diagonal(
        [2.8e7, 1e7, 1e7, 1.4e4, 1.4e4, 2.8e4],
        1.2,
        Vector3::new(1.2e-3, 6e-4, 6e-4),
    );
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let speed = 6.0;
    let spin = Vector3::new(0.0, 0.0, speed);
    let hub = MassProperties::principal(10.0, Vector3::new(1.0, 1.0, 1.0));
    let hub = Body::rigid(hub).moving(Vector3::zeros(), spin);
    let hub = model.body("hub", hub).unwrap();
    let line = BeamLine::straight(Vector3::zeros(), Vector3::x() * 10.0, Vector3::z(), 65).unwrap();
    let mut line = line.with_section(section).held_by(Some(hub), None);
    line.moving = [Vector3::zeros(), spin];
    let beam = model.beam("blade", &line).unwrap();
    let axis = model.frame(Vector3::zeros(), Vector3::z());
    // the joint is written in the axes of the hub, which the blade sees at rest
    let (a, b) = (model.marker_at(hub, axis), model.marker_at(GROUND, axis));
    let joint = model.joint("bearing", &Revolute, a, b).unwrap();
    let angle = model.coordinate(joint, "angle").unwrap();
    let turn = TimeFunction::formula(&format!("-{speed}*t")).unwrap();
    model.drive("spin", angle, turn).unwrap();
    let mut system = model.assemble().unwrap();
    let outcome = march(&mut system, 0.8, 2e-3, 4.0);
    let statistics = outcome.trajectory.statistics;
    println!(
        "{} steps, {} iterations, {} factorisations",
        statistics.steps, statistics.iterations, statistics.factorisations
    );
    assert!(statistics.factorisations * 50 <= statistics.steps, "{statistics:?}");
    // it has turned nearly four times and hangs down a little
    let tip = system.node_frame(beam.nodes[64].node, &outcome.state.q).position;
    assert!(tip.norm() > 9.9 && tip.norm() < 10.1, "{tip:?}");
}
