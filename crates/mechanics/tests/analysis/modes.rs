//! Vibrations against closed forms.

use crate::models::{G, chain, consistent, spring_chain};
use nalgebra::Vector3;
use rotula_dae::analysis::{Mode, ModeKind, linearise, modes};
use rotula_dae::{InitialPolicy, System, make_consistent};
use rotula_lie::{Frame, Retraction};
use rotula_mechanics::joint::Spherical;
use rotula_mechanics::{Body, GROUND, MassProperties, Model};
use std::f64::consts::{PI, TAU};

#[test]
fn pendulum_modes_up_and_down() {
    let rate = (1.5 * G).sqrt();
    for (angle, kind) in [(-PI / 2.0, ModeKind::Oscillation), (PI / 2.0, ModeKind::Growth)] {
        let mut system = chain(&[1.0], &[angle]).assemble().unwrap();
        let start = system.start();
        let state = consistent(&mut system, start);
        let found = modes(&mut system, &state).unwrap();
        let mode = found.modes.iter().find(|m| m.kind == kind).unwrap();
        match kind {
            ModeKind::Oscillation => {
                assert_eq!(found.modes.len(), 1);
                assert!((mode.frequency - rate / TAU).abs() < 1e-11, "{found}");
                assert!(!mode.unstable && mode.damping.abs() < 1e-12);
            }
            _ => {
                assert_eq!(found.modes.len(), 2);
                assert!((mode.eigenvalue[0] - rate).abs() < 1e-11 && mode.unstable, "{found}");
            }
        }
        // the hinge turns centre and bar together: 3/4 of the energy is that of the centre
        let share = &mode.participation[0];
        assert!((share.value - 0.75).abs() < 1e-9, "{found}");
    }
}

/// Linearised in the coordinates of their joints, hanging chains have the same frequencies, from matrices of a sixth of the size.
#[test]
fn joint_coordinates_have_the_same_modes() {
    let angles = [-PI / 2.0; 4];
    let mut system = chain(&[1.0, 0.7, 0.5, 0.3], &angles).assemble().unwrap();
    let start = system.start();
    let state = consistent(&mut system, start);
    let mut joints = system.as_reducible().unwrap().reduction(&state).ok().unwrap().system;
    let own = joints.as_reduced().unwrap().begin_at(&state);
    let small = linearise(joints.as_mut(), &own).unwrap();
    assert_eq!((small.mass.rows, small.constraints.rows), (4, 0));
    let [usual, found] =
        [modes(&mut system, &state).unwrap(), modes(joints.as_mut(), &own).unwrap()];
    assert_eq!((usual.modes.len(), found.modes.len()), (4, 4));
    for (a, b) in usual.modes.iter().zip(&found.modes) {
        assert!(a.frequency > 0.0, "{usual}");
        assert!((a.frequency - b.frequency).abs() < 1e-10 * a.frequency, "{usual} {found}");
    }
}

#[test]
fn spring_chains_have_their_textbook_frequencies() {
    // fixed at one end, free at the other: ω_k = 2 √(k/m) sin((2k−1)π / (2(2n+1)))
    let (n, stiffness, mass) = (6, 100.0, 0.5);
    let mut system = spring_chain(n, stiffness, mass, 0.0).assemble().unwrap();
    let start = system.start();
    let state = consistent(&mut system, start);
    let found = modes(&mut system, &state).unwrap();
    assert!(!found.damped);
    // nothing holds the masses across the springs
    let rigid = found.modes.iter().filter(|m| m.kind == ModeKind::RigidBody).count();
    assert_eq!(rigid, 2 * n, "{found}");
    let vibrations: Vec<_> =
        found.modes.iter().filter(|m| m.kind == ModeKind::Oscillation).collect();
    assert_eq!(vibrations.len(), n);
    for (k, mode) in vibrations.iter().enumerate() {
        let argument = (2 * k + 1) as f64 * PI / (2 * (2 * n + 1)) as f64;
        let expected = 2.0 * (stiffness / mass).sqrt() * argument.sin() / TAU;
        assert!((mode.frequency - expected).abs() < 1e-11 * expected, "{found}");
    }
}

#[test]
fn a_damped_oscillator_has_its_ratio() {
    for ratio in [0.05_f64, 0.7, 1.5] {
        let (stiffness, mass) = (40.0_f64, 2.5_f64);
        let omega = (stiffness / mass).sqrt();
        let damping = 2.0 * ratio * (stiffness * mass).sqrt();
        let mut system = spring_chain(1, stiffness, mass, damping).assemble().unwrap();
        let start = system.start();
        let state = consistent(&mut system, start);
        let found = modes(&mut system, &state).unwrap();
        let moving: Vec<_> = found.modes.iter().filter(|m| m.kind != ModeKind::RigidBody).collect();
        if ratio < 1.0 {
            let expected = omega * (1.0 - ratio * ratio).sqrt() / TAU;
            assert_eq!(moving.len(), 1, "{found}");
            assert!((moving[0].damping - ratio).abs() < 1e-12, "{found}");
            assert!((moving[0].frequency - expected).abs() < 1e-12 * expected, "{found}");
        } else {
            let root = omega * (ratio * ratio - 1.0_f64).sqrt();
            let rates = [ratio * omega - root, ratio * omega + root];
            assert_eq!(moving.len(), 2, "{found}");
            for (mode, rate) in moving.iter().zip(rates) {
                assert_eq!(mode.kind, ModeKind::Decay);
                assert!((mode.eigenvalue[0] + rate).abs() < 1e-11 * rate, "{found}");
            }
        }
    }
}

/// A symmetric top that stands upright on a ball joint and spins; A is its inertia about the tip.
fn sleeping_top(spin: f64, retraction: Retraction) -> Vec<Mode> {
    let (mass, height, across, axial) = (2.0, 0.3, 0.05, 0.08);
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -G);
    model.retraction = retraction;
    let properties = MassProperties::principal(mass, Vector3::new(across, across, axial));
    let body = Body::rigid(properties)
        .at(Vector3::new(0.0, 0.0, height))
        .moving(Vector3::zeros(), Vector3::new(0.0, 0.0, spin));
    let top = model.body("top", body).unwrap();
    let tip = Frame::identity();
    let (a, b) = (model.marker_at(GROUND, tip), model.marker_at(top, tip));
    model.joint("tip", &Spherical, a, b).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let state = consistent(&mut system, start);
    modes(&mut system, &state).unwrap().modes
}

#[test]
fn the_sleeping_top_has_its_gyroscopic_frequencies() {
    let (mass, height, across, axial) = (2.0, 0.3, 0.05, 0.08);
    let about_tip: f64 = across + mass * height * height;
    let weight = mass * G * height;
    let critical = (4.0 * about_tip * weight).sqrt() / axial;
    let spin = 1.5 * critical;
    // −A ν² + C Ω ν − m g l = 0 in space; ν − Ω in the turning axes
    let root = ((axial * spin).powi(2) - 4.0 * about_tip * weight).sqrt();
    let mut expected: Vec<f64> = [1.0, -1.0]
        .map(|sign| (axial * spin + sign * root) / (2.0 * about_tip) - spin)
        .map(|nu| nu.abs() / TAU)
        .to_vec();
    expected.sort_by(f64::total_cmp);
    for retraction in [Retraction::Exponential, Retraction::Cayley] {
        let found = sleeping_top(spin, retraction);
        let mut frequencies: Vec<f64> =
            found.iter().filter(|m| m.kind == ModeKind::Oscillation).map(|m| m.frequency).collect();
        frequencies.sort_by(f64::total_cmp);
        assert_eq!(frequencies.len(), 2, "{frequencies:?} {expected:?}");
        for (found, expected) in frequencies.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-7 * expected, "{found} {expected}");
        }
        assert!(found.iter().all(|m| !m.unstable));
        // the spin itself is a motion that nothing holds
        let free: Vec<_> = found.iter().filter(|m| m.kind == ModeKind::RigidBody).collect();
        assert_eq!(free.len(), 1);
        assert_eq!(free[0].participation[0].name, "top: rotation about z");
        // too slow a spin does not hold it
        let slow = sleeping_top(0.8 * critical, retraction);
        assert!(slow.iter().any(|m| m.unstable));
    }
}

#[test]
fn states_that_neither_rest_nor_move_steadily_are_named() {
    let mut system = chain(&[1.0, 1.0], &[-0.3, -0.3]).assemble().unwrap();
    let start = system.start();
    let state = consistent(&mut system, start.clone());
    let found = modes(&mut system, &state).unwrap();
    assert!(found.doubts[0].contains("not in equilibrium"), "{found}");
    assert!(found.to_string().contains("accelerates by"), "{found}");
    // a swing
    let mut moving = start;
    moving.v[2] = 1.0;
    make_consistent(&mut system, &mut moving, InitialPolicy::Project).unwrap();
    let found = modes(&mut system, &moving).unwrap();
    assert!(found.to_string().contains("no steady motion: `"), "{found}");
    // hanging at rest there is no doubt
    let mut system = chain(&[1.0, 1.0], &[-PI / 2.0, -PI / 2.0]).assemble().unwrap();
    let start = system.start();
    let state = consistent(&mut system, start);
    assert!(modes(&mut system, &state).unwrap().doubts.is_empty());
}
