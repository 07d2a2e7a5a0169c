//! Frames of several beams.

use crate::support::{SUDDEN, push};
use nalgebra::Vector3;
use rotula_dae::analysis::{PathSettings, Relaxation, Stability, Turn, equilibrium_path, statics};
use rotula_mechanics::element::{BeamLine, Section};
use rotula_mechanics::{BodyId, GROUND, Marker, Model};

/// A right-angle frame with a load at its free end, and that end.
fn frame(load: Vector3<f64>, elements: usize, each: usize, factor: &str) -> (Model, Marker) {
    let (length, thin, wide, young): (f64, f64, f64, f64) = (0.24, 0.0006, 0.03, 7.124e10);
    let shear = young / 2.62;
    let area = thin * wide;
    let section = Section::diagonal(
        [
            young * area,
            shear * area,
            shear * area,
            shear * wide * thin.powi(3) / 3.0,
            young * wide * thin.powi(3) / 12.0,
            young * thin * wide.powi(3) / 12.0,
        ],
        1.0,
        Vector3::new(1.0, 0.5, 0.5) * 1e-4,
    );
    let mut model = Model::new();
    let nodes = elements * (each - 1) + 1;
    let corner = Vector3::new(length, 0.0, 0.0);
    let lay = |from: Vector3<f64>, to: Vector3<f64>, held: BodyId| {
        let line = BeamLine::straight(from, to, Vector3::z(), nodes).unwrap();
        line.with_section(section.clone()).with_nodes_per_element(each).held_by(Some(held), None)
    };
    let first = model.beam("first", &lay(Vector3::zeros(), corner, GROUND)).unwrap();
    let last = first.nodes[nodes - 1];
    let corner_body = model.body_id(last.node);
    let end = corner - Vector3::new(0.0, length, 0.0);
    let second = model.beam("second", &lay(corner, end, corner_body)).unwrap();
    let tip = second.nodes[nodes - 1];
    push(&mut model, tip, [load, Vector3::zeros()], factor);
    (model, tip)
}

/// The stability of the frame under a load in its plane.
fn stability(load: f64, elements: usize, each: usize) -> Stability {
    let (model, _) = frame(Vector3::new(load, 0.0, 0.0), elements, each, SUDDEN);
    let mut system = model.assemble().unwrap();
    let start = system.start();
    statics(&mut system, &start, Relaxation::Never).unwrap().stability
}

/// The frame of Argyris, Simo and Vu-Quoc buckles out of its plane at a load of 1.088.
#[test]
fn right_angle_frame_buckles_at_its_critical_load() {
    for (each, counts) in [(2, &[4, 8, 16][..]), (4, &[2])] {
        for &elements in counts {
            let (mut low, mut high) = (0.8, 1.4);
            assert_eq!(stability(low, elements, each), Stability::Stable);
            assert_eq!(stability(high, elements, each), Stability::Unstable);
            for _ in 0..12 {
                let middle = 0.5 * (low + high);
                match stability(middle, elements, each) {
                    Stability::Unstable => high = middle,
                    _ => low = middle,
                }
            }
            let critical = 0.5 * (low + high);
            println!("{elements} elements of {each} nodes on each leg: {critical:.4}");
            let tolerance = if elements == 16 || each == 4 { 2e-3 } else { 0.1 };
            assert!((critical - 1.088).abs() < tolerance, "{elements}: {critical}");
        }
    }
}

/// The path of the perfect frame says where another one branches off; with a small load out of its plane
/// the path leaves that plane and goes on, stable, beyond the critical load.
#[test]
fn right_angle_frame_is_followed_beyond_its_critical_load() {
    let (model, _) = frame(Vector3::new(1.3, 0.0, 0.0), 2, 4, "t");
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let path = equilibrium_path(&mut system, &start, &PathSettings::until(1.0)).unwrap();
    println!("{path}");
    let [(Turn::Branch, point)] = &path.turns[..] else { panic!("{path}") };
    assert!((1.3 * point.t - 1.088).abs() < 2e-3, "{path}");
    let mut aside = Vec::new();
    for part in [1e-3, 1e-4] {
        let (model, tip) = frame(Vector3::new(1.3, 0.0, 1.3 * part), 2, 4, "t");
        let mut system = model.assemble().unwrap();
        let start = system.start();
        let path = equilibrium_path(&mut system, &start, &PathSettings::until(1.0)).unwrap();
        println!("{part}: {path}");
        assert!(path.complete && path.turns.is_empty(), "{path}");
        let last = path.points.last().unwrap();
        assert_eq!(last.stability, Stability::Stable);
        let z = |k: usize| system.node_frame(tip.node, &path.points[k].state.q).position.z;
        let before = path.points.iter().position(|p| p.t > 1.0 / 1.3).unwrap() - 1;
        println!(
            "  below the critical load {:.3e}, above {:.4}",
            z(before),
            z(path.points.len() - 1)
        );
        assert!(z(before).abs() < 0.1 * z(path.points.len() - 1).abs());
        aside.push(z(path.points.len() - 1));
    }
    assert!(aside[0].abs() > 0.03, "{aside:?}");
    assert!((aside[0] / aside[1] - 1.0).abs() < 0.02, "{aside:?}");
}
