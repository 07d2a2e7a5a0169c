//! Cantilevers with exact solutions.

use crate::support::{Cantilever, straight, table};
use nalgebra::Vector3;
use rotula_mechanics::element::Section;
use std::f64::consts::{PI, TAU};

/// A moment rolls the beam up to a full circle; the helix of the element is exact.
#[test]
fn roll_up_is_exact_with_any_number_of_elements() {
    let (length, bending) = (1.0, 0.13333333333333333);
    let section = Section::diagonal(
        [4000.0, 1282.05, 1282.05, 0.1, bending, bending],
        1.0,
        Vector3::new(1.0, 0.5, 0.5),
    );
    let moment = Vector3::new(0.0, 0.0, TAU * bending / length);
    for elements in [3, 4, 8, 16, 32] {
        let beam =
            Cantilever::new(&straight(length, elements, 2, &section), Vector3::zeros(), moment);
        let (system, rest) = beam.rest(10);
        let error = beam.tip(&system, &rest.state).position.norm();
        println!("{elements} elements: {error:.1e}, {:?}", rest.path);
        assert!(error < 1e-10, "{elements} elements: the tip is {error} away from the root");
        let half = beam.node(elements / 2, &system, &rest.state).position;
        if elements % 2 == 0 {
            assert!((half - Vector3::new(0.0, length / PI, 0.0)).norm() < 1e-10, "{half}");
        }
        assert!(!rest.path.iter().any(|step| step.contains("load step")), "{:?}", rest.path);
    }
}

/// Euler's elastica with a force and a moment at the tip: Harsch, Capobianco and Eugster (2021), section
/// 4.1. Nine points of the centre line at full load; the stiffnesses that are to be infinite are 10⁵
/// times that of bending.
#[test]
fn the_elastica_of_harsch() {
    const INEXTENSIBLE: [[f64; 2]; 9] = [
        [0.6803278819525646, -0.13703747997273769],
        [1.285151050637719, -0.4816647506846204],
        [1.80469101789295, -0.9468230438321468],
        [2.2651893511714123, -1.4713031384685833],
        [2.7055268268644195, -2.0130472064737166],
        [3.167291744767522, -2.5363971512575767],
        [3.689170143119202, -2.998889332170948],
        [4.29673518740496, -3.338555564165621],
        [4.978534566947578, -3.46763570071549],
    ];
    const EXTENSIBLE: [[f64; 2]; 9] = [
        [0.6926388324476898, -0.14655544068809578],
        [1.3198414114371244, -0.5242692201770821],
        [1.8579147359479786, -1.0412045504451024],
        [2.3298648179401056, -1.627939954452165],
        [2.776786377743856, -2.23662934071477],
        [3.2440080471715316, -2.827675775689527],
        [3.7735246142283625, -3.354801719697119],
        [4.391307192252359, -3.7512751345048656],
        [5.080381745525755, -3.9267324016462677],
    ];
    let (length, bending, rigid) = (TAU, 2.0, 2e5);
    let load = 10.0 * bending / (length * length);
    let (force, moment) = (Vector3::new(0.0, -load, 0.0), Vector3::new(0.0, 0.0, 2.5 * load));
    let errors = |stretch: f64, reference: &[[f64; 2]; 9], each: usize, counts: &[usize]| {
        let stiffness = [stretch, rigid, rigid, 0.5, bending, bending];
        let section = Section::diagonal(stiffness, 1.0, Vector3::new(1.0, 0.5, 0.5));
        let mut list = Vec::new();
        for &elements in counts {
            let beam = Cantilever::new(&straight(length, elements, each, &section), force, moment);
            let (system, rest) = beam.rest(4);
            let mut worst = 0.0_f64;
            for (k, [x, y]) in reference.iter().enumerate() {
                let node = (k + 1) * elements * (each - 1) / 9;
                let place = beam.node(node, &system, &rest.state).position;
                worst = worst.max((place - Vector3::new(*x, *y, 0.0)).norm());
            }
            list.push((elements, worst));
        }
        list
    };
    let list = errors(rigid, &INEXTENSIBLE, 2, &[9, 18, 36]);
    let order = table("inextensible, two nodes", &list);
    assert!((order - 2.0).abs() < 0.1 && list[2].1 < 2e-3, "{list:?}");
    // the reference is numeric: the same program's solution of the inextensible beam is 5.1e-3 away from
    // the closed form
    let list = errors(5.0, &EXTENSIBLE, 3, &[9]);
    table("extensible, three nodes", &list);
    assert!(list[0].1 < 6e-3, "{list:?}");
    // what the stiffnesses leave that are not infinite is 1.6e-5
    let list = errors(rigid, &INEXTENSIBLE, 3, &[9]);
    table("inextensible, three nodes", &list);
    assert!(list[0].1 < 5e-5, "{list:?}");
}
