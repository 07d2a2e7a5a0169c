//! Models so large that sparse factorisations are taken, beside the dense ones.

use crate::models::{chain, consistent, spring_chain};
use nalgebra::Vector3;
use rotula_dae::analysis::{
    ModeKind, Modes, Relaxation, Stability, check, lowest_modes, modes, statics,
};
use rotula_dae::{State, System, Terms};
use rotula_lie::Frame;
use rotula_mechanics::element::{BeamLine, Section};
use rotula_mechanics::force::Spring;
use rotula_mechanics::force::law::Linear;
use rotula_mechanics::joint::{Fixed, Revolute};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::{Assembly, Body, GROUND, MassProperties, Model};
use std::f64::consts::PI;

/// A beam of equal stiffness in both directions: its bending modes come in twos.
fn beam(elements: usize, held: bool, damping: f64) -> Model {
    let mut model = Model::new();
    let inertia = Vector3::new(2e-4, 1e-4, 1e-4);
    let section = Section::diagonal([4e5, 2e5, 2e5, 60.0, 80.0, 80.0], 2.0, inertia);
    let line = BeamLine::straight(Vector3::zeros(), Vector3::x(), Vector3::z(), elements + 1);
    let line = line.unwrap().with_section(section).held_by(held.then_some(GROUND), None);
    let laid = model.beam("rod", &line).unwrap();
    if damping > 0.0 {
        // across its end, so that the damping is not proportional to anything
        let ground = model.marker(GROUND, Frame::identity());
        let across = Coordinate::along(&ground, &laid.nodes[elements], Vector3::z());
        let law = Linear { stiffness: 0.0, damping, free: 0.0, preload: 0.0 };
        model.force("damper", Spring::new(across, law)).unwrap();
    }
    model
}

/// Compares the lowest modes with those among all.
fn agree(system: &mut Assembly, state: &State, count: usize) -> (Modes, Modes) {
    let all = modes(system, state).unwrap();
    let few = lowest_modes(system, state, count).unwrap();
    let rigid = |m: &Modes| m.modes.iter().filter(|m| m.kind == ModeKind::RigidBody).count();
    assert_eq!(rigid(&few), rigid(&all), "{few}");
    assert_eq!(few.modes.len(), rigid(&all) + count);
    assert_eq!(few.modes.len() + few.omitted, all.modes.len());
    assert_eq!(few.damped, all.damped);
    for (found, expected) in few.modes.iter().zip(&all.modes) {
        let size = expected.eigenvalue[0].hypot(expected.eigenvalue[1]);
        for k in 0..2 {
            let error = (found.eigenvalue[k] - expected.eigenvalue[k]).abs();
            assert!(error <= 1e-7 * size, "{:?} {:?}", found.eigenvalue, expected.eigenvalue);
        }
        assert_eq!(found.kind, expected.kind);
    }
    (few, all)
}

#[test]
fn beams_that_are_held_float_or_are_damped() {
    for (held, damping) in [(true, 0.0), (false, 0.0), (true, 3.0), (false, 3.0)] {
        let mut system = beam(50, held, damping).assemble().unwrap();
        let start = system.start();
        let state = consistent(&mut system, start);
        let (few, _) = agree(&mut system, &state, 10);
        let rigid = few.modes.iter().filter(|m| m.kind == ModeKind::RigidBody).count();
        println!("held {held}, damping {damping}: {rigid} rigid\n{few}");
    }
}

#[test]
fn hanging_chains_swing_as_dense_matrices_say() {
    let count = 100;
    let mut system = chain(&vec![0.1; count], &vec![-PI / 2.0; count]).assemble().unwrap();
    let start = system.start();
    let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
    assert_eq!(rest.stability, Stability::Stable);
    let (few, _) = agree(&mut system, &rest.state, 8);
    // a heavy rope of length 10 swings with the zeros of Bessel's function J₀; links are nearly that
    let zeros = [2.404_825_557_695_773, 5.520_078_110_286_311, 8.653_727_912_911_013];
    for (mode, zero) in few.modes.iter().zip(zeros) {
        let rope = 0.5 * zero * (9.81_f64 / 10.0).sqrt() / (2.0 * PI);
        assert!((mode.frequency / rope - 1.0).abs() < 2e-3, "{} {rope}", mode.frequency);
    }
}

#[test]
fn too_many_free_motions_are_counted_the_dense_way() {
    // nothing holds the masses across their springs
    let mut system = spring_chain(100, 100.0, 0.5, 0.0).assemble().unwrap();
    let start = system.start();
    let state = consistent(&mut system, start);
    let found = lowest_modes(&mut system, &state, 5).unwrap();
    let rigid = found.modes.iter().filter(|m| m.kind == ModeKind::RigidBody).count();
    assert_eq!((rigid, found.modes.len(), found.omitted), (200, 205, 95));
}

#[test]
fn a_long_beam_sags_into_its_equilibrium() {
    // the reactions and the shape must balance, and the deflection be that of more elements' limit
    let mut tips = Vec::new();
    for elements in [30, 60, 120] {
        let mut model = beam(elements, true, 0.0);
        model.gravity = Vector3::new(0.0, 0.0, -9.81);
        let mut system = model.assemble().unwrap();
        let start = system.start();
        let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
        assert_eq!(rest.stability, Stability::Stable);
        let mut force = vec![0.0; system.sizes().motion];
        system.dynamics(&rest.state.point(), Terms::ALL, &mut force);
        assert!(force.iter().all(|f| f.abs() < 1e-7), "{}", rest.residual);
        tips.push(system.node_frame(elements, &rest.state.q).position.z);
    }
    let order = ((tips[0] - tips[1]) / (tips[1] - tips[2])).log2();
    assert!((order - 2.0).abs() < 0.05, "{tips:?}: order {order}");
}

#[test]
fn a_beam_on_its_end_is_seen_to_buckle() {
    // upright under its own weight: unstable above q L³ = 7.8373 EI, Greenhill (1881)
    for (part, stability) in [(0.9, Stability::Stable), (1.1, Stability::Unstable)] {
        let mut model = Model::new();
        let section = Section::diagonal(
            [4e5, 2e5, 2e5, 60.0, 80.0, 80.0],
            2.0,
            Vector3::new(2e-4, 1e-4, 1e-4),
        );
        let line = BeamLine::straight(Vector3::zeros(), Vector3::z(), Vector3::x(), 61);
        let line = line.unwrap().with_section(section).held_by(Some(GROUND), None);
        model.beam("mast", &line).unwrap();
        model.gravity = Vector3::new(0.0, 0.0, -part * 7.8373 * 80.0 / 2.0);
        let mut system = model.assemble().unwrap();
        let start = system.start();
        let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
        assert_eq!(rest.stability, stability, "{part}");
    }
}

#[test]
fn large_models_are_found_sound() {
    let count = 100;
    let system = &mut chain(&vec![0.1; count], &vec![0.3; count]).assemble().unwrap();
    let start = system.start();
    let report = check(system, &start).unwrap();
    assert!(report.is_sound() && report.near_singular.is_empty(), "{report}");
    assert_eq!((report.freedoms, report.mobility), (count, count));
}

/// A door of many parts: fixed to each other, and hinged to the ground about z.
fn door(parts: usize, hinges: usize) -> Model {
    let mut model = Model::new();
    let properties = MassProperties::principal(1.0, Vector3::new(0.1, 0.1, 0.1));
    let mut before = None;
    for k in 0..parts {
        let place = Vector3::new(0.5 + k as f64, 0.0, 0.0);
        let body = model.body(&format!("part {k}"), Body::rigid(properties).at(place)).unwrap();
        let side = model.frame(Vector3::new(k as f64, 0.0, 0.0), Vector3::z());
        let here = model.marker_at(body, side);
        match before {
            None => {
                for hinge in 0..hinges {
                    let axle = model.frame(Vector3::z() * hinge as f64, Vector3::z());
                    let (a, b) = (model.marker_at(GROUND, axle), model.marker_at(body, axle));
                    model.joint(&format!("hinge {hinge}"), &Revolute, a, b).unwrap();
                }
            }
            Some(before) => {
                let there = model.marker_at(before, side);
                model.joint(&format!("seam {k}"), &Fixed, there, here).unwrap();
            }
        }
        before = Some(body);
    }
    model
}

#[test]
fn the_motion_of_a_large_door_is_named() {
    let system = &mut door(50, 1).assemble().unwrap();
    let start = system.start();
    let report = check(system, &start).unwrap();
    assert!(report.is_sound(), "{report}");
    assert_eq!((report.freedoms, report.free_motions.len()), (1, 1));
    let names: Vec<&str> = report.free_motions[0].iter().map(|s| s.name.as_str()).collect();
    assert!(!names.is_empty());
    for name in names {
        assert!(name.ends_with(": y") || name.ends_with("rotation about z"), "{name}");
    }
}

#[test]
fn two_hinges_of_a_large_door_are_too_many() {
    let system = &mut door(50, 2).assemble().unwrap();
    let start = system.start();
    let report = check(system, &start).unwrap();
    assert_eq!((report.freedoms, report.redundant.len()), (1, 5), "{report}");
}
