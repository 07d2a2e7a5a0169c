//! Frames of several beams.

use crate::support::{SUDDEN, push};
use nalgebra::Vector3;
use rotula_dae::analysis::{Relaxation, Stability, statics};
use rotula_mechanics::element::{BeamLine, Section};
use rotula_mechanics::{BodyId, GROUND, Model};

/// The stability of a right-angle frame under a load in its plane, at its free end.
fn stability(load: f64, elements: usize, each: usize) -> Stability {
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
    let load = [Vector3::new(load, 0.0, 0.0), Vector3::zeros()];
    push(&mut model, second.nodes[nodes - 1], load, SUDDEN);
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
