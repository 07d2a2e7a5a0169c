//! Freedoms, redundancy, singular positions, masses, units, initial values.

use crate::models::{G, bar, chain, door, four_bar, slider_crank};
use nalgebra::Vector3;
use rotula_dae::analysis::{Relaxation, Singularity, Stability, check, kinematics, statics};
use rotula_dae::{Component, Description};
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::{Body, GROUND, MassProperties, Model, TimeFunction};
use std::f64::consts::PI;

#[test]
fn freedoms_are_counted() {
    let mut pendulum = chain(&[1.0, 0.7], &[-1.0, 0.3]).assemble().unwrap();
    let start = pendulum.start();
    let report = check(&mut pendulum, &start).unwrap();
    assert_eq!((report.freedoms, report.mobility, report.redundant.len()), (2, 2, 0));
    assert!(report.is_sound(), "{report}");
    assert!(report.hints.is_empty(), "{report}");

    // a square four-bar, planar
    let places = [([0.0, 0.5], PI / 2.0), ([0.5, 1.0], 0.0), ([1.0, 0.5], PI / 2.0)];
    let mut square = four_bar(places, [1.0, 1.0, 1.0], 1.0).assemble().unwrap();
    let start = square.start();
    let report = check(&mut square, &start).unwrap();
    assert_eq!(report.freedoms, 1);
    assert!(report.singularity.is_none() && report.redundant.is_empty(), "{report}");
}

#[test]
fn the_spatial_four_bar_has_three_constraints_too_many() {
    let mut model = Model::new();
    let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.3], [1.5, 0.0]];
    let properties = MassProperties::principal(1.0, Vector3::new(0.01, 0.1, 0.1));
    let mut bodies = vec![GROUND];
    for k in 0..3 {
        let middle = [0, 1].map(|i| 0.5 * (corners[k][i] + corners[k + 1][i]));
        let place = Vector3::new(middle[0], middle[1], 0.0);
        bodies.push(model.body(&format!("bar {k}"), Body::rigid(properties).at(place)).unwrap());
    }
    bodies.push(GROUND);
    for k in 0..4 {
        let axis = model.frame(Vector3::new(corners[k][0], corners[k][1], 0.0), Vector3::z());
        let (a, b) = (model.marker_at(bodies[k], axis), model.marker_at(bodies[k + 1], axis));
        model.joint(&format!("pin {k}"), &Revolute, a, b).unwrap();
    }
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let report = check(&mut system, &start).unwrap();
    assert_eq!((report.motion, report.constraints), (18, 20));
    assert_eq!((report.freedoms, report.redundant.len()), (1, 3));
    // the same rank everywhere: redundant, not singular
    assert!(report.singularity.is_none(), "{report}");
    // out-of-plane forces and moments are not determined, in-plane forces are
    assert!(report.indeterminate.iter().all(|name| !name.contains("offset along x")), "{report}");
    assert!(report.indeterminate.iter().any(|name| name.contains("offset along z")), "{report}");
}

#[test]
fn a_door_on_two_hinges_names_what_repeats() {
    let mut system = door().assemble().unwrap();
    let start = system.start();
    let report = check(&mut system, &start).unwrap();
    assert_eq!((report.freedoms, report.redundant.len()), (1, 5));
    let text = report.to_string();
    assert!(text.contains("`lower: offset along z` repeats `upper: offset along z`"), "{text}");
    assert!(report.redundant.iter().all(|r| r.mismatch.abs() < 1e-12));
    // ten multipliers, all of which the five combinations touch
    assert_eq!(report.indeterminate.len(), 10);
    assert!(text.contains("rotation about z"), "{text}");
    assert!(report.singularity.is_none());
    // the weight is shared evenly by the least multipliers
    let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
    let vertical: Vec<f64> = (0..10)
        .filter(|i| system.name(Component::Constraint(*i)).contains("offset along z"))
        .map(|i| rest.state.multipliers[i])
        .collect();
    assert!(
        (vertical[0] - 0.5 * 20.0 * G).abs() < 1e-9 && (vertical[1] - vertical[0]).abs() < 1e-9
    );
    assert_eq!(rest.stability, Stability::Neutral);
    assert!(rest.free_motions[0].iter().any(|s| s.name == "door: rotation about z"));
}

#[test]
fn the_flat_parallelogram_is_a_branch_point() {
    let places = [([0.5, 0.0], 0.0), ([2.0, 0.0], 0.0), ([2.5, 0.0], 0.0)];
    let mut flat = four_bar(places, [1.0, 2.0, 1.0], 2.0).assemble().unwrap();
    let start = flat.start();
    let report = check(&mut flat, &start).unwrap();
    assert_eq!(report.freedoms, 2);
    match report.singularity {
        Some(Singularity::BranchPoint { rank, nearby, .. }) => assert_eq!((rank, nearby), (7, 8)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_stretched_slider_crank_is_a_dead_point_for_its_slider() {
    let (mut model, _, travel) = slider_crank(0.0);
    model.drive("push", travel, TimeFunction::Constant(1.5)).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let report = check(&mut system, &start).unwrap();
    assert_eq!(report.freedoms, 1);
    match &report.singularity {
        Some(Singularity::DeadPoint { constraints, motions }) => {
            assert!(constraints.iter().any(|c| c.name.contains("push")), "{report}");
            assert!(motions[0].iter().any(|m| m.name == "crank: rotation about z"), "{report}");
        }
        other => panic!("{other:?}"),
    }
    let refused = kinematics(&mut system, &start, &[0.0]).unwrap_err();
    assert!(refused.message.contains("dead point"), "{refused}");
}

#[test]
fn massless_motions_and_foreign_units_are_named() {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -9810.0, 0.0);
    bar(&mut model, "bar", 1.0, 1.0, [0.0, 0.0], 0.3);
    let properties = MassProperties::principal(1.0, Vector3::new(1e5, 1e5, 1e5));
    model.body("brick", Body::rigid(properties).at(Vector3::x())).unwrap();
    model.body("probe", Body::massless()).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let report = check(&mut system, &start).unwrap();
    assert_eq!(report.massless.len(), 6);
    assert!(report.massless.iter().flatten().all(|s| s.name.starts_with("probe")), "{report}");
    let text = report.to_string();
    assert!(text.contains("millimetres per second squared"), "{text}");
    assert!(text.contains("radius of gyration") && text.contains("brick"), "{text}");
}

#[test]
fn wrong_initial_values_are_reported_with_their_projection() {
    let mut system = chain(&[1.0], &[0.0]).assemble().unwrap();
    let mut start = system.start();
    start.q[0] += 0.01;
    start.v[2] = 1.0;
    let report = check(&mut system, &start).unwrap();
    let levels: Vec<&str> = report.initial.violations.iter().map(|v| v.level).collect();
    assert!(levels.contains(&"position") && levels.contains(&"velocity"), "{report}");
    assert!((report.initial.violations[0].residual.abs() - 0.01).abs() < 1e-12);
    assert!(report.initial.moved.iter().any(|c| (c.change + 0.01).abs() < 1e-9), "{report}");
    assert!(!report.is_sound());
}
