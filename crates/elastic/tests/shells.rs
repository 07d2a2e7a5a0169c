//! Shells against closed forms and published values.

mod common;

use common::{DENSITY, POISSON, YOUNG, hold, plane, steel};
use nalgebra::{DMatrix, Vector3};
use rotula_elastic::mesh::{Section, Shape};
use rotula_elastic::{
    Attachment, Body, Damping, Load, Mesh, Method, Place, Wanted, body_stress, flexible_body,
    reduce,
};
use std::f64::consts::PI;

/// A sheet of n × m cells over the unit square, mapped into space.
fn sheet(
    shape: Shape,
    n: usize,
    m: usize,
    thickness: f64,
    map: impl Fn(f64, f64) -> Vector3<f64>,
) -> Mesh {
    let mut mesh = Mesh::new("");
    let label = |i: usize, j: usize| (1 + i + (n + 1) * j) as u64;
    for j in 0..=m {
        for i in 0..=n {
            let at = map(i as f64 / n as f64, j as f64 / m as f64);
            mesh.add_node(label(i, j), at, Place::NOWHERE).unwrap();
        }
    }
    let mut number = 0;
    let mut add = |mesh: &mut Mesh, labels: &[u64]| {
        number += 1;
        mesh.add_element(number, shape, labels, Place::NOWHERE).unwrap();
    };
    for j in 0..m {
        for i in 0..n {
            let [a, b, c, d] = [label(i, j), label(i + 1, j), label(i + 1, j + 1), label(i, j + 1)];
            match shape {
                Shape::Quadrilateral4 => add(&mut mesh, &[a, b, c, d]),
                // alternate diagonals
                _ if (i + j) % 2 == 0 => {
                    add(&mut mesh, &[a, b, c]);
                    add(&mut mesh, &[a, c, d]);
                }
                _ => {
                    add(&mut mesh, &[a, b, d]);
                    add(&mut mesh, &[b, c, d]);
                }
            }
        }
    }
    mesh.materials.push(steel());
    mesh.give_section(Section::Shell { material: 0, thickness });
    mesh
}

/// Moments at nodes of a reduced shell: at an interface as the full solution, elsewhere with many modes.
#[test]
fn moments_at_nodes_of_a_reduced_shell() {
    for shape in SHELLS {
        let mut mesh = sheet(shape, 8, 3, 0.01, |x, y| Vector3::new(x, 0.3 * y, 0.0));
        let left = plane(&mesh, 0, 0.0);
        hold(&mut mesh, &left, [true; 6]);
        // the last node of the first row is an interface, one in the middle is not
        let at = [Attachment { name: "corner".into(), at: "9".into(), rigid: true }];
        let reduction = reduce(mesh, &at, Method::CraigBampton(Wanted::Lowest(60))).unwrap();
        let body = flexible_body(&reduction, "sheet", Damping::Ratio(0.0)).unwrap();
        let moment = Vector3::new(3.0, -7.0, 0.0);
        // what rounding leaves of the stiffness of thin shells, and what higher modes would add
        for (node, tolerance) in [(8, 1e-6), (14, 0.01)] {
            let load = body.nodal_moments([(node, moment)]).unwrap();
            assert_eq!((load.force, load.moment), (Vector3::zeros(), moment));
            if node == 8 {
                let frame = body.frame_load(0, Vector3::zeros(), moment);
                assert!((frame.shapes - &load.shapes).amax() < 1e-9 * load.shapes.amax());
            }
            let still: Vec<f64> =
                load.shapes.iter().zip(&body.stiffness).map(|(force, k)| force / k).collect();
            let moved = body.surface.displacement(&still);
            let loads: Vec<Load> =
                (0..3).map(|i| Load { node, component: 3 + i, value: moment[i] }).collect();
            let full = reduction.body.displacement(&loads).unwrap();
            let (mut error, mut size) = (0.0_f64, 0.0_f64);
            for node in 0..body.surface.nodes() {
                for i in 0..3 {
                    let exact = full[reduction.body.freedom.component(node, i).unwrap()];
                    error = error.max((moved[3 * node + i] - exact).abs());
                    size = size.max(exact.abs());
                }
            }
            println!("{shape:?}, node {node}: {:.1e}", error / size);
            assert!(error < tolerance * size, "{shape:?}, {node}: {error:e} of {size:e}");
        }
    }
}

const SHELLS: [Shape; 2] = [Shape::Quadrilateral4, Shape::Triangle3];

/// Constant membrane strain and constant curvature leave distorted inner nodes in equilibrium, and
/// have constant stress.
#[test]
fn patches_of_distorted_shells() {
    let thickness = 0.05;
    for shape in SHELLS {
        let mut mesh = sheet(shape, 3, 3, thickness, |x, y| Vector3::new(x, y, 0.0));
        let inner: Vec<usize> = (0..mesh.nodes.len())
            .filter(|&node| {
                let x = mesh.nodes[node].position;
                (0..2).all(|i| x[i] > 0.01 && x[i] < 0.99)
            })
            .collect();
        for (k, &node) in inner.iter().enumerate() {
            let by = [[0.06, -0.04], [-0.05, 0.07], [0.04, 0.05], [-0.03, -0.06]][k % 4];
            mesh.nodes[node].position += Vector3::new(by[0], by[1], 0.0);
        }
        let body = Body::new(mesh, &[]).unwrap();
        // u = a x + b y …, w = ½ k x² + … with the rotations of a thin plate
        let field = |x: f64, y: f64, i: usize| match i {
            0 => 1e-3 * (2.0 * x + 1.0 * y),
            1 => 1e-3 * (0.5 * x - 1.0 * y),
            2 => 1e-3 * (0.5 * x * x + 0.3 * x * y - 0.4 * y * y),
            3 => 1e-3 * (0.3 * x - 0.8 * y),
            4 => -1e-3 * (x + 0.3 * y),
            _ => 0.5 * 1e-3 * (0.5 - 1.0),
        };
        let moved = DMatrix::from_fn(body.freedom.count(), 1, |free, _| {
            let (node, i) = body.freedom.owner(free);
            let at = body.mesh.nodes[node].position;
            field(at[0], at[1], i)
        });
        let forces = body.matrices.stiffness_times(&moved);
        let largest = forces.amax();
        for free in 0..body.freedom.count() {
            let (node, i) = body.freedom.owner(free);
            if inner.contains(&node) {
                assert!(forces[free].abs() < 1e-11 * largest, "{shape:?} {i} {}", forces[free]);
            }
        }
        let stress = body_stress(&body, &body.freedom.expand(moved.as_slice())).unwrap();
        let modulus = YOUNG / (1.0 - POISSON * POISSON);
        let z = 0.5 * thickness;
        let (ex, ey) = (1e-3 * (2.0 - z), 1e-3 * (-1.0 + 0.8 * z));
        let exact = modulus * (ex + POISSON * ey);
        for node in 0..body.mesh.nodes.len() {
            assert!((stress[6 * node] / exact - 1.0).abs() < 1e-10, "{shape:?}");
        }
    }
}

/// ω = 2π²/a² √(D/ρt) for the lowest mode of a thin square plate, simply supported.
#[test]
fn frequency_of_a_thin_plate_converges() {
    let thickness = 0.002;
    let stiffness = YOUNG * f64::powi(thickness, 3) / (12.0 * (1.0 - POISSON * POISSON));
    let exact = PI * (stiffness / (DENSITY * thickness)).sqrt();
    for shape in SHELLS {
        let error = |n: usize| {
            let mut mesh = sheet(shape, n, n, thickness, |x, y| Vector3::new(x, y, 0.0));
            let all: Vec<usize> = (0..mesh.nodes.len()).collect();
            hold(&mut mesh, &all, [true, true, false, false, false, true]);
            for axis in 0..2 {
                for side in [0.0, 1.0] {
                    let edge = plane(&mesh, axis, side);
                    // rotations about the normal of the edge vanish too
                    let mut components = [false, false, true, false, false, false];
                    components[3 + axis] = true;
                    hold(&mut mesh, &edge, components);
                }
            }
            let body = Body::new(mesh, &[]).unwrap();
            (body.modes(Wanted::Lowest(2)).unwrap().frequencies()[0] / exact - 1.0).abs()
        };
        let errors = [error(8), error(16)];
        let order = (errors[0] / errors[1]).log2();
        println!("{shape:?}: errors {:.2e} {:.2e}, order {order:.2}", errors[0], errors[1]);
        assert!((order - 2.0).abs() < 0.15 && errors[1] < 0.02, "{shape:?}");
    }
}

/// The roof of Scordelis and Lo: radius 25, length 50, half angle 40°, thickness 0.25, E = 4.32e8,
/// ν = 0, load 90 per area; the free edge sinks by 0.3024 at mid length.
#[test]
fn scordelis_and_lo_roof() {
    let (radius, half_angle) = (25.0, 40.0_f64.to_radians());
    let roof = |shape: Shape, n: usize| {
        // a quarter: x along half of the length, from the diaphragm to the middle
        let mut mesh = sheet(shape, n, n, 0.25, |x, y| {
            let angle = half_angle * y;
            Vector3::new(25.0 * x, radius * angle.sin(), radius * angle.cos())
        });
        mesh.materials[0].young = 4.32e8;
        mesh.materials[0].poisson = 0.0;
        let diaphragm = plane(&mesh, 0, 0.0);
        hold(&mut mesh, &diaphragm, [false, true, true, true, false, false]);
        let middle = plane(&mesh, 0, 25.0);
        hold(&mut mesh, &middle, [true, false, false, false, true, true]);
        let crown = plane(&mesh, 1, 0.0);
        hold(&mut mesh, &crown, [false, true, false, true, false, true]);
        let tip = mesh.nodes.len() - 1;
        let mut loads = Vec::new();
        for element in &mesh.elements {
            let corners = mesh.corners(element);
            let area = match corners.len() {
                3 => 0.5 * (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm(),
                _ => 0.5 * (corners[2] - corners[0]).cross(&(corners[3] - corners[1])).norm(),
            };
            let value = -90.0 * area / corners.len() as f64;
            loads.extend(element.nodes.iter().map(|&node| Load { node, component: 2, value }));
        }
        let body = Body::new(mesh, &[]).unwrap();
        let moved = body.displacement(&loads).unwrap();
        -moved[body.freedom.component(tip, 2).unwrap()]
    };
    for (shape, tolerance) in [(Shape::Quadrilateral4, 0.02), (Shape::Triangle3, 0.06)] {
        let found = [8, 16, 32].map(|n| roof(shape, n));
        println!("{shape:?}: {found:.4?}, published 0.3024");
        assert!((found[2] / 0.3024 - 1.0).abs() < tolerance, "{shape:?}");
    }
}
