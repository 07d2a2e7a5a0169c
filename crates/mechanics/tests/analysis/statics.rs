//! Equilibria and their stability.

use crate::models::{G, bar, chain, on, pin};
use nalgebra::Vector3;
use rotula_dae::analysis::{Relaxation, Stability, statics};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Linear, Spring};
use rotula_mechanics::joint::Prismatic;
use rotula_mechanics::{Body, GROUND, Marker, MassProperties, Model};
use std::f64::consts::PI;

#[test]
fn a_hanging_chain_finds_the_polygon_of_forces() {
    // ten equal links between two pins at the same height
    let (n, span) = (10, 7.0);
    let angles: Vec<f64> = (0..n).map(|k| if k < n / 2 { -0.5 } else { 0.9 }).collect();
    let mut model = chain(&vec![1.0; n], &angles);
    let last = model.bodies().len() - 1;
    let end = Marker {
        node: last,
        frame: Frame::new(Vector3::new(0.5, 0.0, 0.0), Quaternion::identity()),
    };
    let anchor = on(&model, GROUND, span, 0.0);
    pin(&mut model, "far pin", anchor, end).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    for way in [Relaxation::IfNeeded, Relaxation::First] {
        let rest = statics(&mut system, &start, way).unwrap();
        assert_eq!(rest.stability, Stability::Stable, "{rest}");
        // tan θ_k = (n/2 − k + 1/2) m g / H, with H from the span
        let width = |h: f64| -> f64 {
            (1..=n)
                .map(|k| 1.0 / (1.0 + ((n as f64 / 2.0 - k as f64 + 0.5) * G / h).powi(2)).sqrt())
                .sum()
        };
        let (mut low, mut high) = (1e-3, 1e4);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if width(middle) < span { low = middle } else { high = middle }
        }
        let h = 0.5 * (low + high);
        for k in 1..=n {
            let slope = -((n as f64 / 2.0 - k as f64 + 0.5) * G / h).atan();
            let found = system.node_frame(k, &rest.state.q).orientation.rotate(&Vector3::x());
            assert!(
                (found - Vector3::new(slope.cos(), slope.sin(), 0.0)).norm() < 1e-8,
                "link {k}"
            );
        }
    }
}

#[test]
fn upright_is_unstable_and_hanging_is_found_from_aside() {
    let mut upright = chain(&[1.0, 1.0], &[PI / 2.0, PI / 2.0]).assemble().unwrap();
    let start = upright.start();
    let rest = statics(&mut upright, &start, Relaxation::IfNeeded).unwrap();
    assert_eq!(rest.stability, Stability::Unstable, "{rest}");
    assert_eq!(rest.unstable_motions.len(), 2);
    // one link up, one down: a saddle
    let mut saddle = chain(&[1.0, 1.0], &[PI / 2.0, -PI / 2.0]).assemble().unwrap();
    let start = saddle.start();
    let rest = statics(&mut saddle, &start, Relaxation::IfNeeded).unwrap();
    assert_eq!((rest.stability, rest.unstable_motions.len()), (Stability::Unstable, 1));
    // from nearly upright the way leads down
    let mut aside = chain(&[1.0, 1.0], &[1.4, 1.3]).assemble().unwrap();
    let start = aside.start();
    let rest = statics(&mut aside, &start, Relaxation::IfNeeded).unwrap();
    assert_eq!(rest.stability, Stability::Stable, "{rest}");
    let low = aside.node_frame(2, &rest.state.q).position;
    assert!((low - Vector3::new(0.0, -1.5, 0.0)).norm() < 1e-9, "{low}");
}

#[test]
fn a_spring_column_buckles_at_its_critical_load() {
    // a rigid column on a torsion spring k, weight m g at half its length: critical m g l / 2 = k
    let column = |stiffness: f64| {
        let mut model = chain(&[1.0], &[PI / 2.0]);
        let angle = model.joints()[0].coordinates[0].1.clone();
        let law = Linear { stiffness, free: PI / 2.0, ..Linear::default() };
        model.force("root", Spring::new(angle, law)).unwrap();
        let mut system = model.assemble().unwrap();
        let start = system.start();
        statics(&mut system, &start, Relaxation::Never).unwrap().stability
    };
    assert_eq!(column(1.001 * G / 2.0), Stability::Stable);
    assert_eq!(column(0.999 * G / 2.0), Stability::Unstable);
}

#[test]
fn a_falling_body_has_no_equilibrium() {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -G, 0.0);
    bar(&mut model, "stone", 1.0, 1.0, [0.0, 0.0], 0.0);
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let refusal = statics(&mut system, &start, Relaxation::IfNeeded).unwrap_err();
    assert!(refusal.to_string().contains("stone: y"), "{refusal}");
}

#[test]
fn far_equilibria_are_reached_by_load_steps() {
    // Newton's method at once moves half a scale at a time and gives up after sixty of them
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -G);
    let weight = MassProperties::principal(1.0, Vector3::new(0.1, 0.1, 0.1));
    let weight = model.body("weight", Body::rigid(weight).at(-Vector3::z())).unwrap();
    let guide = model.frame(-Vector3::z(), Vector3::z());
    let (a, b) = (model.marker_at(GROUND, guide), model.marker_at(weight, guide));
    let joint = model.joint("guide", &Prismatic, a, b).unwrap();
    let displacement = model.coordinate(joint, "displacement").unwrap();
    let law = Linear { stiffness: G / 20.0, ..Linear::default() };
    model.force("soft spring", Spring::new(displacement, law)).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
    assert!(rest.path.iter().any(|step| step.contains("load step")), "{:?}", rest.path);
    assert_eq!(rest.stability, Stability::Stable, "{rest}");
    let height = system.node_frame(1, &rest.state.q).position.z;
    assert!((height + 21.0).abs() < 1e-8, "{height}");
}
