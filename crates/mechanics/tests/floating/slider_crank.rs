//! The slider crank with an elastic rod as a mechanism of bodies and joints. [004 §4.3]

use crate::support::{march, resolve};
use nalgebra::Vector3;
use rotula_dae::System;
use rotula_elastic::{BeamFrame, LinearBeam};
use rotula_lie::Frame;
use rotula_mechanics::element::{Flexible, LaidFlexible};
use rotula_mechanics::force::{Amplitude, Axes, Load};
use rotula_mechanics::joint::{Joint, Prismatic, Revolute};
use rotula_mechanics::{Assembly, Body, BodyId, GROUND, Model, TimeFunction};
use std::f64::consts::TAU;

const CRANK: f64 = 0.15;
const ROD: f64 = 0.30;

/// [METHOD_004 §3.3]: J2 = m2 l2²/3 + m2 h²/12.
fn rod() -> LinearBeam {
    let (young, width, mass) = (0.2e12_f64, 0.008_f64, 0.151104);
    let second = width.powi(4) / 12.0;
    let rotary = mass / ROD * width * width / 12.0;
    LinearBeam {
        length: ROD,
        mass: mass / ROD,
        bending: [Some(young * second), None],
        rotary: Vector3::new(2.0, 1.0, 1.0) * rotary,
        elements: 4,
        frame: BeamFrame::Tangent,
        damping: 0.0,
    }
}

fn connect(model: &mut Model, name: &str, joint: &dyn Joint, bodies: [BodyId; 2], frame: Frame) {
    let [a, b] = bodies.map(|body| model.marker_at(body, frame));
    model.joint(name, joint, a, b).unwrap();
}

fn mechanism() -> (Model, BodyId, LaidFlexible, BodyId) {
    let mut model = Model::new();
    let (knee, end) = (Vector3::new(CRANK, 0.0, 0.0), Vector3::new(CRANK + ROD, 0.0, 0.0));
    let crank = model.body("crank", Body::planar(0.36, 0.002727)).unwrap();
    let body = Flexible::new(rod().body().unwrap());
    let rod = body.at_frame(Frame::new(knee, Default::default())).in_plane();
    let rod = model.flexible("rod", &rod).unwrap();
    let slider = model.body("slider", Body::planar(0.075552, 1e-3).at(end)).unwrap();
    let z = Vector3::z();
    let pin = |model: &Model, at: Vector3<f64>| model.frame(at, z);
    let (main, big, small) =
        (pin(&model, Vector3::zeros()), pin(&model, knee), pin(&model, end));
    connect(&mut model, "main bearing", &Revolute, [GROUND, crank], main);
    connect(&mut model, "crank pin", &Revolute, [crank, rod.interfaces[0].1], big);
    connect(&mut model, "piston pin", &Revolute, [rod.interfaces[1].1, slider], small);
    let guide = model.frame(end, Vector3::x());
    connect(&mut model, "guide", &Prismatic, [GROUND, slider], guide);
    let zero = Amplitude::Constant(0.0);
    let torque = TimeFunction::formula("if(t < 0.3, 0.2, 0)").unwrap();
    let moment = [zero, zero, Amplitude::Function(model.function(torque).index())];
    let marker = model.marker(crank, Frame::identity());
    model.force("torque", Load::new(marker, Axes::World, [zero; 3], moment)).unwrap();
    (model, crank, rod, slider)
}

/// Angle of the crank, of the rod, place of the slider, deflections of middle and tip. Converged solution
/// of the reduced and of the underlying equations, to twelve digits.
const EXACT: [(f64, [f64; 5]); 4] = [
    (
        0.05,
        [
            0.0646493574544899,
            -0.032328212782539376,
            0.44953008842710734,
            1.2877536007701588e-6,
            6.127876347592507e-6,
        ],
    ),
    (
        0.1,
        [
            0.25250577497240956,
            -0.12525500798871778,
            0.442893630432257,
            1.014033533863557e-6,
            3.6947688459638377e-6,
        ],
    ),
    (
        0.5,
        [
            3.938998885120907,
            0.36586500436186375,
            0.1753577902276648,
            1.3433143285271035e-6,
            5.175553367542097e-6,
        ],
    ),
    (
        1.0,
        [
            8.988397450000441,
            -0.21291996282440334,
            0.15728125527655287,
            -1.5024530822788666e-6,
            -4.957126119998318e-6,
        ],
    ),
];

/// Angles of crank and rod, place of the slider, deflections of middle and tip.
fn quantities(
    (system, crank, rod, slider): (&Assembly, BodyId, &LaidFlexible, BodyId),
    q: &[f64],
    near: &[f64; 5],
) -> [f64; 5] {
    let frame = |node: usize| system.node_frame(node, q);
    let turn = |node: usize, near: f64| {
        let angle = frame(node).orientation.log().z;
        angle + ((near - angle) / TAU).round() * TAU
    };
    // the picture has four points in each of four elements: the middle is the ninth
    let displacement = rod.shapes.surface.displacement(&rod.amplitudes(frame));
    [
        turn(crank.node(), near[0]),
        turn(rod.body.node(), near[1]),
        frame(slider.node()).position.x,
        displacement[3 * 8 + 1],
        displacement[3 * 16 + 1],
    ]
}

/// All vibrations resolved. On to t = 1, with a tolerance of 1e-9 and 400 000 steps, the angle of the crank
/// is met to 3e-9 and deflections to 2e-9 m.
#[test]
fn the_resolved_motion_meets_the_numbers_of_the_document() {
    let (model, crank, rod, slider) = mechanism();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let outcome = resolve(&mut system, &start, 1e-8, &[0.05, 0.1]);
    println!("{:?}", outcome.trajectory.statistics);
    for (t, expected) in &EXACT[..2] {
        let row = outcome.trajectory.times.iter().position(|at| (at - t).abs() < 1e-12).unwrap();
        let things = (&system, crank, &rod, slider);
        let found = quantities(things, outcome.trajectory.q.row(row), expected);
        for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
            println!("t = {t}: quantity {k}: {found:.10e}, {expected:.10e}");
            // deflections are of the order of 1e-6
            let tolerance = if k < 3 { 1e-7 } else { 2e-8 };
            assert!((found - expected).abs() < tolerance, "t = {t}: {found} is not {expected}");
        }
    }
}

/// The motion at large with damped vibrations, and the work of the torque.
#[test]
fn the_motion_at_large_meets_the_numbers_of_the_document() {
    let (model, crank, rod, slider) = mechanism();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let outcome = march(&mut system, &start, 0.5, 2e-4, 5000);
    let (_, expected) = &EXACT[3];
    let found = quantities((&system, crank, &rod, slider), &outcome.state.q, expected);
    let energy = system.energy(&outcome.state.point()).unwrap();
    let total = energy.kinetic + energy.potential;
    println!("{found:?}, E = {total:.10}");
    for k in 0..3 {
        let error = (found[k] - expected[k]).abs();
        assert!(error < 1e-6, "quantity {k}: {} is not {}", found[k], expected[k]);
    }
    assert!((total - 0.321311091490).abs() < 1e-6, "{total}");
}

/// Frequencies at the start in rad/s, as the document's equations have them.
#[test]
fn frequencies_at_the_start() {
    use rotula_dae::analysis::{ModeKind, modes};
    use rotula_dae::{InitialPolicy, make_consistent};
    let mut system = mechanism().0.assemble().unwrap();
    let mut state = system.start();
    make_consistent(&mut system, &mut state, InitialPolicy::Refuse).unwrap();
    let found = modes(&mut system, &state).unwrap();
    let mut frequencies: Vec<f64> = found
        .modes
        .iter()
        .filter(|mode| mode.kind == ModeKind::Oscillation)
        .map(|mode| mode.frequency * TAU)
        .collect();
    frequencies.sort_by(f64::total_cmp);
    let expected = [1407.0, 5258.0, 11773.0, 22480.0, 34987.0, 53369.0, 76906.0, 99745.0];
    println!("{frequencies:?}");
    assert_eq!(frequencies.len(), expected.len(), "{found}");
    for (found, expected) in frequencies.iter().zip(expected) {
        // rounded to whole numbers
        assert!((found - expected).abs() < 0.5, "{found} is not {expected}");
    }
}
