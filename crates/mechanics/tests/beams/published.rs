//! Static benchmarks of the literature: tip displacements of cantilevers.

use crate::support::{Cantilever, curved, straight, table};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::element::Section;
use rotula_mechanics::element::section::{Material, Profile};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// The composite section of Wang, Sprague, Jonkman, Johnson and Jonkman (BeamDyn, Wind Energy 20, 2017).
pub fn composite() -> Section {
    let mut k = Matrix6::from_diagonal(&Vector6::new(
        1368.17e3, 88.56e3, 38.78e3, 16.96e3, 59.12e3, 141.47e3,
    ));
    for (i, j, value) in [(3, 4, 17.61e3), (3, 5, -0.351e3), (4, 5, -0.37e3)] {
        (k[(i, j)], k[(j, i)]) = (value, value);
    }
    let mass = Section::diagonal([1.0; 6], 8.538e-2, Vector3::new(1.4433e-2, 0.4097e-2, 1.0336e-2));
    Section::new(k, mass.mass)
}

/// A cantilever by its number of elements and of nodes of each.
type Build<'a> = &'a dyn Fn(usize, usize) -> Cantilever;

/// Errors of a tip displacement for several meshes. Signs of the components depend on the axes of
/// the source, so their sizes are compared.
fn converge(
    what: &str,
    build: Build,
    reference: [f64; 3],
    meshes: &[(usize, &[usize])],
) -> Vec<(f64, f64)> {
    let reference = Vector3::from(reference);
    let of_mesh = |(each, counts): &(usize, &[usize])| {
        let errors: Vec<(usize, f64)> = counts
            .iter()
            .map(|&n| (n, (build(n, *each).deflection().abs() - reference).norm()))
            .collect();
        let order = table(&format!("{what}, {each} nodes per element"), &errors);
        (errors.last().unwrap().1, order)
    };
    meshes.iter().map(of_mesh).collect()
}

const MESHES: [(usize, &[usize]); 3] = [(2, &[8, 16, 32]), (3, &[4, 8, 16]), (4, &[2, 4, 8])];

/// The values are those of a spectral element with 18 nodes, which agree with BeamDyn to all digits
/// (documentation of Kynema).
#[test]
fn straight_composite_beam() {
    let load = Vector3::new(0.0, 0.0, 150.0);
    let build = |n: usize, each: usize| {
        Cantilever::new(&straight(10.0, n, each, &composite()), load, Vector3::zeros())
    };
    let tip = [0.0902726627566296, 0.0647488486259039, 1.22973648292371];
    let found = converge("composite beam", &build, tip, &MESHES);
    assert!(found[0].0 < 3e-4 && (found[0].1 - 2.0).abs() < 0.1, "{found:?}");
    assert!(found[1].0 < 1e-7 && found[1].1 > 3.5, "{found:?}");
    assert!(found[2].0 < 1e-8 && found[2].1 > 4.5, "{found:?}");
}

/// The section of Bathe and Bolourchi's beam.
fn square() -> Section {
    let shear = 4166670.0;
    let stiffness = [1e7, shear, shear, 833300.0, 833300.0, 833300.0];
    Section::diagonal(stiffness, 1.0, Vector3::new(1.0, 0.5, 0.5))
}

/// Bathe and Bolourchi's bend of 45 degrees; their own results were 23.5, 13.4 and 53.4 (International
/// Journal for Numerical Methods in Engineering 14, 1979).
#[test]
fn curved_beam_of_bathe_and_bolourchi() {
    let bend = Vector3::new(0.0, 0.0, 1.0 / 100.0);
    let deflection = |n: usize, each: usize| {
        let line = curved(100.0 * FRAC_PI_4, n, each, &square(), bend);
        Cantilever::new(&line, Vector3::new(0.0, 0.0, 600.0), Vector3::zeros()).deflection()
    };
    // the exact arc is nowhere to be found with many digits: against the finest mesh of the sixth order
    let fine = deflection(12, 4);
    println!("{fine:?}");
    for (found, published) in fine.abs().iter().zip([23.5, 13.4, 53.4]) {
        assert!((found / published - 1.0).abs() < 0.02, "{found}, published {published}");
    }
    for (each, counts, order) in [(2, [8, 16, 32], 2.0), (3, [4, 8, 16], 4.0)] {
        let errors = counts.map(|n| (n, (deflection(n, each) - fine).norm()));
        let found = table(&format!("arc, {each} nodes per element"), &errors);
        assert!((found - order).abs() < 0.2, "{errors:?}");
    }
}

/// Four nodes are of order six also with an initial curvature. With one to four elements of this bend, which
/// turns far under its load, components of the error still change their sign and the order seems lower, as for
/// the straight beam of the same length; under a hundredth of the load it is six from the first element on.
#[test]
fn curved_elements_of_four_nodes_are_of_order_six() {
    let deflection = |n: usize, load: f64| {
        let bend = Vector3::new(0.0, 0.0, 1.0 / 100.0);
        let line = curved(100.0 * FRAC_PI_4, n, 4, &square(), bend);
        Cantilever::new(&line, Vector3::new(0.0, 0.0, load), Vector3::zeros()).deflection()
    };
    for (load, counts) in [(600.0, [4, 8, 16]), (6.0, [1, 2, 4])] {
        let fine = deflection(32, load);
        let errors = counts.map(|n| (n, (deflection(n, load) - fine).norm()));
        let found = table(&format!("arc of four nodes under {load}"), &errors);
        assert!((found - 6.0).abs() < 0.2, "{errors:?}");
    }
}

/// The same beam as BeamDyn and Kynema have it: its axis is the parabola through the beginning, the
/// middle and the end of the arc, which is not clamped along the arc's tangent.
#[test]
fn curved_beam_through_three_points() {
    let (b, a) = {
        let ((x1, y1), (x2, y2)) = ((38.2683, -7.61205), (70.7107, -29.2893));
        let b = (y2 / x2 - y1 / x1) / (x2 - x1);
        (b, y1 / x1 - b * x1)
    };
    let slope = |x: f64| a + 2.0 * b * x;
    // arc length from 0 by Simpson's rule
    let arc = |x: f64| -> f64 {
        let n = 2000;
        let f = |k: usize| slope(x * k as f64 / n as f64).hypot(1.0);
        let inner: f64 = (1..n).map(|k| if k % 2 == 1 { 4.0 * f(k) } else { 2.0 * f(k) }).sum();
        x / n as f64 / 3.0 * (f(0) + inner + f(n))
    };
    let length = arc(70.7107);
    let place = |s: f64| {
        let mut x = s;
        for _ in 0..20 {
            x -= (arc(x) - s) / slope(x).hypot(1.0);
        }
        let turn = Quaternion::exp(&Vector3::new(0.0, 0.0, slope(x).atan()));
        Frame::new(Vector3::new(x, a * x + b * x * x, 0.0), turn)
    };
    let build = |n: usize, each: usize| {
        let mut line = straight(length, n, each, &square());
        let nodes = n * (each - 1);
        line.frames = (0..=nodes).map(|k| place(length * k as f64 / nodes as f64)).collect();
        line.lengths = Some(vec![length / n as f64; n]);
        Cantilever::new(&line, Vector3::new(0.0, 0.0, 600.0), Vector3::zeros())
    };
    let tip = [23.6459716009048, 13.7208006040058, 53.5776450626989];
    let found = converge("curved beam", &build, tip, &MESHES);
    assert!(found[0].0 < 2e-2 && (found[0].1 - 2.0).abs() < 0.1, "{found:?}");
    assert!(found[1].0 < 1e-4 && found[1].1 > 3.5, "{found:?}");
    assert!(found[2].0 < 1e-4, "{found:?}");
}

/// A quarter turn of pre-twist, from the same source.
#[test]
fn twisted_beam() {
    let (shear, torsion) = (8.2604167e9, 1.41872656e8);
    let stiffness = [2.5e10, shear, shear, torsion, 5.20833e8, 1.30208333e8];
    let section = Section::diagonal(stiffness, 1.0, Vector3::new(1.0, 0.5, 0.5));
    let build = |n: usize, each: usize| {
        let twist = Vector3::new(FRAC_PI_2 / 10.0, 0.0, 0.0);
        let line = curved(10.0, n, each, &section, twist);
        Cantilever::new(&line, Vector3::new(0.0, 0.0, -4000e3), Vector3::zeros())
    };
    let tip = [1.14152599954047, 1.71805334646493, 3.59321324027199];
    let found = converge("twisted beam", &build, tip, &MESHES);
    assert!(found[0].0 < 2e-2 && (found[0].1 - 2.0).abs() < 0.1, "{found:?}");
    assert!(found[1].0 < 1e-4 && found[1].1 > 3.5, "{found:?}");
    assert!(found[2].0 < 1e-5 && found[2].1 > 4.5, "{found:?}");
}

/// The Princeton beam as a boundary-value problem of the same rod, solved to 1e-10.
#[test]
fn princeton_beam_against_its_boundary_value_problem() {
    let stiffness = [
        2932146.2616000003,
        932616.4954198474,
        932616.4954198474,
        3.2215076212011717,
        39.84613284193922,
        2.505852697877054,
    ];
    let section = Section::diagonal(stiffness, 1.0, Vector3::new(1.0, 0.5, 0.5));
    let build = |n: usize, each: usize| {
        let load = Vector3::new(0.0, 1.0, -1.0) * (8.896 * FRAC_PI_4.cos());
        Cantilever::new(&straight(0.508, n, each, &section), load, Vector3::zeros())
    };
    let tip = [0.013556113494899602, 0.10593256509374364, 0.008115636505339207];
    let found = converge("Princeton beam", &build, tip, &MESHES);
    assert!(found[0].0 < 5e-5 && (found[0].1 - 2.0).abs() < 0.1, "{found:?}");
    assert!(found[1].0 < 1e-7 && found[1].1 > 3.5, "{found:?}");
    assert!(found[2].0 < 2e-8, "{found:?}");
}

/// The table of Dowell and Traybar's beam by ANSYS beams (Obrezkov, Mikkola and Matikainen, Nonlinear
/// Dynamics 109, 2022), at 8.896 N and 13.345 N, angles from edgewise to flatwise. Two models of one
/// beam: their shear factors and torsion constants differ.
#[test]
fn princeton_beam_against_the_table() {
    const ANGLES: [f64; 7] = [0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0];
    const TABLE: [(f64, [f64; 7], [f64; 7]); 2] = [
        (
            8.896,
            [
                0.0107141763,
                0.01061328706,
                0.0101116963,
                0.008837226265,
                0.006604665004,
                0.003538889001,
                0.0,
            ],
            [0.0, 0.04208232124, 0.07939482948, 0.108987937, 0.129887616, 0.14219437, 0.146245978],
        ),
        (
            13.345,
            [
                0.01606423724,
                0.01645825752,
                0.01665873206,
                0.0151861844,
                0.011578375,
                0.006248967384,
                0.0,
            ],
            [0.0, 0.06435812858, 0.117735994, 0.156467239, 0.181861627, 0.196097131, 0.200677707],
        ),
    ];
    let material = Material::isotropic(71.7e9, 0.31, 2700.0).unwrap();
    let profile = Profile::Rectangle { width: 0.0032024, height: 0.0123777 };
    let section = Section::of(&profile, &material).unwrap();
    let mut worst = 0.0_f64;
    for (load, stiff, soft) in TABLE {
        for (k, degrees) in ANGLES.iter().enumerate() {
            let angle = degrees.to_radians();
            let force = Vector3::new(0.0, load * angle.sin(), load * angle.cos());
            let beam = Cantilever::new(&straight(0.508, 4, 4, &section), force, Vector3::zeros());
            let u = beam.deflection();
            println!(
                "{load} N, {degrees}°: stiff {:.6} (table {:.6}), soft {:.6} (table {:.6})",
                u.z, stiff[k], u.y, soft[k]
            );
            let size = (stiff[k] * stiff[k] + soft[k] * soft[k]).sqrt();
            worst = worst.max(((u.z - stiff[k]).powi(2) + (u.y - soft[k]).powi(2)).sqrt() / size);
        }
    }
    println!("largest difference {:.2} %", 100.0 * worst);
    assert!(worst < 0.015, "{worst}");
}
