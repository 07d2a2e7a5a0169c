//! Bodies held at their interfaces, against geometrically exact beams and against their own reduction.

use crate::support::{march, resolve};
use nalgebra::Vector3;
use rotula_dae::analysis::{ModeKind, modes};
use rotula_dae::{InitialPolicy, make_consistent};
use rotula_elastic::{BeamFrame, LinearBeam};
use rotula_lie::Frame;
use rotula_mechanics::element::{BeamLine, Flexible, Section};
use rotula_mechanics::joint::{Fixed, Revolute};
use rotula_mechanics::{GROUND, Model};

/// A square rod of 1 m, 20 mm wide, light and stiff, with hardly any rotary inertia.
fn rod(frame: BeamFrame) -> LinearBeam {
    let (young, density, width) = (5e10_f64, 1000.0, 0.02_f64);
    let second = width.powi(4) / 12.0;
    LinearBeam {
        length: 1.0,
        mass: density * width * width,
        bending: [Some(young * second), Some(young * second)],
        shear: None,
        rotary: Vector3::new(2.0, 1.0, 1.0) * (1e-3 * density * second),
        elements: 6,
        frame,
        damping: 0.0,
    }
}

#[test]
fn a_clamped_body_has_the_frequencies_of_its_reduction() {
    let beam = rod(BeamFrame::Tangent);
    let body = beam.body().unwrap();
    let exact = body.frequencies();
    let mut model = Model::new();
    let laid = model.flexible("rod", &Flexible::new(body)).unwrap();
    let (a, b) = (
        model.marker_at(GROUND, Frame::identity()),
        model.marker_at(laid.interfaces[0].1, Frame::identity()),
    );
    model.joint("clamp", &Fixed, a, b).unwrap();
    let mut system = model.assemble().unwrap();
    let mut state = system.start();
    make_consistent(&mut system, &mut state, InitialPolicy::Refuse).unwrap();
    let found = modes(&mut system, &state).unwrap();
    let mut frequencies: Vec<f64> = found
        .modes
        .iter()
        .filter(|mode| mode.kind == ModeKind::Oscillation)
        .map(|mode| mode.frequency)
        .collect();
    frequencies.sort_by(f64::total_cmp);
    assert_eq!(frequencies.len(), exact.len());
    for (found, exact) in frequencies.iter().zip(&exact) {
        assert!((found / exact - 1.0).abs() < 1e-9, "{found} is not {exact}");
    }
}

/// The pendulum falls from the horizontal: tip after 0.2 s, and how far it is bent on the way.
fn falling(mut model: Model, ends: [usize; 2]) -> (Vector3<f64>, Vec<f64>) {
    model.gravity = Vector3::new(0.0, -9.81, 0.0);
    let pin = model.frame(Vector3::zeros(), Vector3::z());
    let root = model.body_id(ends[0]);
    let (a, b) = (model.marker_at(GROUND, pin), model.marker_at(root, pin));
    model.joint("pin", &Revolute, a, b).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let outcome = march(&mut system, &start, 0.8, 1e-4, 2000);
    let rows = 0..outcome.trajectory.times.len();
    let bent = rows.step_by(50).map(|k| {
        let q = outcome.trajectory.q.row(k);
        let [root, tip] = ends.map(|node| system.node_frame(node, q));
        tip.seen_from(&root).position.y
    });
    let bent = bent.collect();
    (system.node_frame(ends[1], &outcome.state.q).position, bent)
}

#[test]
fn a_pendulum_of_shapes_falls_like_one_of_geometrically_exact_beams() {
    let beam = rod(BeamFrame::Tangent);
    let mut model = Model::new();
    let laid = model.flexible("rod", &Flexible::new(beam.body().unwrap())).unwrap();
    let ends = [0, 1].map(|k| laid.interfaces[k].1.node());
    let (tip, bent) = falling(model, ends);

    // hardly any shear, as in the linear beam
    let (young, area, second) = (5e10, 4e-4, 0.02_f64.powi(4) / 12.0);
    let section = Section::diagonal(
        [
            young * area,
            50.0 * young * area,
            50.0 * young * area,
            1e3,
            young * second,
            young * second,
        ],
        beam.mass,
        beam.rotary,
    );
    let line = BeamLine::straight(Vector3::zeros(), Vector3::x(), Vector3::z(), 25).unwrap();
    let mut model = Model::new();
    let laid = model.beam("rod", &line.with_section(section).with_nodes_per_element(4)).unwrap();
    let ends = [laid.nodes[0].node, laid.nodes[24].node];
    let (exact_tip, exact_bent) = falling(model, ends);

    let largest = exact_bent.iter().fold(0.0_f64, |most, y| most.max(y.abs()));
    let difference =
        bent.iter().zip(&exact_bent).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    let away = (tip - exact_tip).norm();
    println!(
        "bent by {largest:.3e} m; the two differ by {difference:.2e} m, their tips by {away:.2e} m"
    );
    assert!(largest > 5e-5 && largest < 5e-4, "{largest}");
    assert!(difference < 0.03 * largest, "{difference:e} of {largest:e}");
    assert!(away < 1e-5, "{away:e}");
}

/// Both frames describe the same beam: all its deflections are in either basis.
#[test]
fn the_motion_does_not_depend_on_the_frame() {
    let tip = |frame: BeamFrame| {
        let mut model = Model::new();
        model.gravity = Vector3::new(0.0, -9.81, 0.0);
        let body = LinearBeam { elements: 2, ..rod(frame) }.body().unwrap();
        let laid = model.flexible("rod", &Flexible::new(body)).unwrap();
        let pin = model.frame(Vector3::zeros(), Vector3::z());
        let root = laid.interfaces[0].1;
        let (a, b) = (model.marker_at(GROUND, pin), model.marker_at(root, pin));
        model.joint("pin", &Revolute, a, b).unwrap();
        let mut system = model.assemble().unwrap();
        let start = system.start();
        let end = resolve(&mut system, &start, 1e-8, &[0.05]).state;
        system.node_frame(laid.interfaces[1].1.node(), &end.q).position
    };
    let difference = (tip(BeamFrame::Tangent) - tip(BeamFrame::Chord)).norm();
    println!("the two frames differ by {difference:.2e} m");
    // they differ by what bending shortens, of second order in the deflection
    assert!(difference < 2e-7, "{difference:e}");
}
