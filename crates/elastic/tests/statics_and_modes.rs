//! Assembled bodies against closed forms: patch test, cantilevers, frequencies, orders.

mod common;

use common::{
    DENSITY, HEXAHEDRON, POISSON, SOLIDS, TETRAHEDRON, YOUNG, beam, frame_on, hold, plane,
    solid_box,
};
use nalgebra::{DMatrix, Matrix3, Vector3};
use rotula_elastic::mesh::{Profile, Shape};
use rotula_elastic::{Body, Load, Mesh, Wanted};
use std::f64::consts::PI;

const ALL: [bool; 6] = [true; 6];

/// Moves the nodes inside, keeping middles of edges in the middle.
fn shake(mesh: &mut Mesh, size: f64) {
    let inside = |x: &Vector3<f64>| x.iter().all(|c| *c > 1e-9 && *c < 1.0 - 1e-9);
    let moved: Vec<Vector3<f64>> = mesh
        .nodes
        .iter()
        .map(|node| {
            let x = node.position;
            // only the middle of the box is a corner node inside a box of two cells
            let near = (x - Vector3::repeat(0.5)).amax();
            if inside(&x) && near < 1e-9 {
                Vector3::new(0.4, -0.3, 0.5) * size
            } else {
                Vector3::zeros()
            }
        })
        .collect();
    for (node, by) in mesh.nodes.iter_mut().zip(&moved) {
        node.position += by;
    }
    for element in &mesh.elements {
        let edges: &[(usize, usize)] = match element.shape {
            Shape::Tetrahedron10 => &TETRAHEDRON,
            Shape::Hexahedron20 => &HEXAHEDRON,
            _ => &[],
        };
        for (k, (a, b)) in edges.iter().enumerate() {
            let middle = (mesh.nodes[element.nodes[*a]].position
                + mesh.nodes[element.nodes[*b]].position)
                * 0.5;
            mesh.nodes[element.nodes[mesh_corners(element.shape) + k]].position = middle;
        }
    }
}

fn mesh_corners(shape: Shape) -> usize {
    if shape == Shape::Tetrahedron10 { 4 } else { 8 }
}

#[test]
fn a_patch_of_distorted_elements_is_in_equilibrium_under_constant_strain() {
    let gradient = Matrix3::new(0.01, 0.02, -0.01, 0.03, -0.02, 0.01, 0.0, 0.02, 0.015);
    for shape in SOLIDS {
        let mut mesh = solid_box(shape, [1.0; 3], [2; 3]);
        shake(&mut mesh, 0.2);
        let inside: Vec<bool> = mesh
            .nodes
            .iter()
            .map(|node| node.position.iter().all(|c| *c > 1e-9 && *c < 1.0 - 1e-9))
            .collect();
        let body = Body::new(mesh, &[]).unwrap();
        let mut moved = DMatrix::zeros(body.freedom.count(), 1);
        for free in 0..body.freedom.count() {
            let (node, i) = body.freedom.owner(free);
            moved[free] = (gradient * body.mesh.nodes[node].position)[i];
        }
        let forces = body.matrices.stiffness_times(&moved);
        let largest = forces.abs().max();
        assert!(inside.contains(&true));
        for free in 0..body.freedom.count() {
            if inside[body.freedom.owner(free).0] {
                assert!(forces[free].abs() < 1e-12 * largest, "{shape:?}");
            }
        }
    }
}

#[test]
fn beams_under_end_loads_are_exact() {
    let (length, force) = (1.5_f64, 1000.0);
    let profile = Profile::rectangle(0.05, 0.08);
    let shear_modulus = YOUNG / (2.0 * (1.0 + POISSON));
    for elements in [1, 3] {
        let mut mesh = beam(length, elements, profile);
        hold(&mut mesh, &[0], ALL);
        let body = Body::new(mesh, &[]).unwrap();
        let tip = |component: usize| {
            let load = Load { node: elements, component, value: force };
            let moved = body.displacement(&[load]).unwrap();
            moved[body.freedom.component(elements, component).unwrap()]
        };
        let bent = |inertia: f64| {
            force * length.powi(3) / (3.0 * YOUNG * inertia)
                + force * length / (5.0 / 6.0 * shear_modulus * profile.area)
        };
        let exact = [
            force * length / (YOUNG * profile.area),
            bent(profile.inertia_z),
            bent(profile.inertia_y),
            force * length / (shear_modulus * profile.torsion),
            force * length / (YOUNG * profile.inertia_y),
            force * length / (YOUNG * profile.inertia_z),
        ];
        for (component, exact) in exact.into_iter().enumerate() {
            assert!((tip(component) / exact - 1.0).abs() < 1e-11, "{component}");
        }
    }
}

#[test]
fn solids_bend_as_beams_do() {
    let (length, width, height, force) = (1.0_f64, 0.1, 0.1, 1000.0);
    let inertia = width * f64::powi(height, 3) / 12.0;
    let shear = 5.0 / 6.0 * YOUNG / (2.0 * (1.0 + POISSON)) * width * height;
    let exact = force * length.powi(3) / (3.0 * YOUNG * inertia) + force * length / shear;
    let cases = [
        (Shape::Hexahedron8, [10, 2, 2], 0.005),
        (Shape::Hexahedron20, [8, 2, 2], 0.005),
        (Shape::Tetrahedron10, [10, 2, 2], 0.005),
    ];
    for (shape, cells, tolerance) in cases {
        let mut mesh = solid_box(shape, [length, width, height], cells);
        // the wall leaves the section free to contract, as beam theory does
        let wall = plane(&mesh, 0, 0.0);
        hold(&mut mesh, &wall, [true, false, false, false, false, false]);
        for axis in [1, 2] {
            let middle: Vec<usize> =
                plane(&mesh, axis, 0.05).into_iter().filter(|node| wall.contains(node)).collect();
            hold(&mut mesh, &middle, std::array::from_fn(|i| i == axis));
        }
        let face = plane(&mesh, 0, length);
        let tip = frame_on(&mut mesh, &face, false);
        let body = Body::new(mesh, &[tip]).unwrap();
        let moved = body.displacement(&[Load { node: tip, component: 2, value: force }]).unwrap();
        let deflection = moved[body.freedom.component(tip, 2).unwrap()];
        println!("{shape:?}: {deflection:.6e}, beam theory {exact:.6e}");
        assert!((deflection / exact - 1.0).abs() < tolerance, "{shape:?}");
    }
}

/// Frequencies of a clamped Bernoulli–Euler beam converge with the fourth power of the length.
#[test]
fn frequencies_of_beams_converge_to_the_closed_form() {
    let length = 2.0_f64;
    // so slender that rotary inertia, which the closed form has not, is below 1e-6
    let profile = Profile { shear_y: 0.0, shear_z: 0.0, ..Profile::rectangle(0.0005, 0.001) };
    let stiffness = YOUNG * profile.inertia_z / (DENSITY * profile.area);
    let root = 4.694_091_132_974_175_f64;
    let exact = root.powi(2) * (stiffness / length.powi(4)).sqrt() / (2.0 * PI);
    let error = |elements: usize| {
        let mut mesh = beam(length, elements, profile);
        hold(&mut mesh, &[0], ALL);
        let body = Body::new(mesh, &[]).unwrap();
        // the first and the second mode are the first about either axis
        body.modes(Wanted::Lowest(3)).unwrap().frequencies()[2] / exact - 1.0
    };
    let errors = [error(4), error(8)];
    let observed = (errors[0] / errors[1]).log2();
    println!(
        "second bending mode: errors {:.3e} {:.3e}, order {observed:.2}",
        errors[0], errors[1]
    );
    assert!((observed - 4.0).abs() < 0.2);
}

/// A box between smooth walls vibrates in products of sines and cosines: exact solutions of
/// elasticity, ω = c_s π √2 / L for the lowest shear and c_p π / L for the lowest extension.
#[test]
fn frequencies_of_solids_converge_at_the_order_of_their_elements() {
    let shear_modulus = YOUNG / (2.0 * (1.0 + POISSON));
    let exact = 2.0 * PI * PI * shear_modulus / DENSITY;
    for (shape, cells, order) in [
        (Shape::Tetrahedron4, [4, 8], 2.0),
        (Shape::Hexahedron8, [4, 8], 2.0),
        (Shape::Tetrahedron10, [4, 8], 4.0),
        (Shape::Hexahedron20, [3, 6], 4.0),
    ] {
        let error = |n: usize| {
            let mut mesh = solid_box(shape, [1.0; 3], [n; 3]);
            for axis in 0..3 {
                for side in [0.0, 1.0] {
                    let nodes = plane(&mesh, axis, side);
                    hold(&mut mesh, &nodes, std::array::from_fn(|i| i == axis));
                }
            }
            let body = Body::new(mesh, &[]).unwrap();
            let modes = body.modes(Wanted::Lowest(3)).unwrap();
            assert!(modes.residual < 1e-8);
            (modes.values[0] / exact - 1.0).abs()
        };
        let errors = cells.map(error);
        let observed = (errors[0] / errors[1]).log2();
        println!("{shape:?}: errors {:.3e} {:.3e}, order {observed:.2}", errors[0], errors[1]);
        assert!((observed - order).abs() < 0.35, "{shape:?}: {observed}");
    }
}

#[test]
fn a_free_bar_of_solids_has_six_rigid_modes_and_the_frequencies_of_a_beam() {
    let size = [1.0, 0.05, 0.04];
    let solid = Body::new(solid_box(Shape::Hexahedron20, size, [24, 1, 1]), &[]).unwrap();
    let modes = solid.modes(Wanted::Lowest(10)).unwrap();
    let frequencies = modes.frequencies();
    println!("solid: {frequencies:.2?}, residual {:.1e}", modes.residual);
    assert!(modes.shift < 0.0);
    assert!(modes.values[5].abs() < 1e-6 * modes.values[6]);
    // Cowper's shear factor of a rectangle
    let shear = 10.0 * (1.0 + POISSON) / (12.0 + 11.0 * POISSON);
    let profile =
        Profile { shear_y: shear, shear_z: shear, ..Profile::rectangle(size[1], size[2]) };
    let beam = Body::new(beam(size[0], 40, profile), &[]).unwrap();
    let expected = beam.modes(Wanted::Lowest(10)).unwrap().frequencies();
    println!("beam: {expected:.2?}");
    for k in 6..10 {
        assert!((frequencies[k] / expected[k] - 1.0).abs() < 3e-3, "mode {k}");
    }
}

#[test]
fn bodies_without_supports_have_no_statics() {
    let mesh = solid_box(Shape::Hexahedron8, [1.0; 3], [2; 3]);
    let body = Body::new(mesh, &[]).unwrap();
    let error = body.displacement(&[Load { node: 0, component: 0, value: 1.0 }]).unwrap_err();
    assert!(error.message().contains("singular: nothing holds the mesh"), "{error}");
    assert!(error.help().contains("all six rigid motions"), "{error}");
}

/// A rigid tie and a mean tie of one face agree where the face stays plane.
#[test]
fn ties_carry_loads() {
    let tip = |rigid: bool, component: usize| {
        let mut mesh = solid_box(Shape::Hexahedron8, [1.0, 0.1, 0.1], [10, 2, 2]);
        let wall = plane(&mesh, 0, 0.0);
        hold(&mut mesh, &wall, ALL);
        let face = plane(&mesh, 0, 1.0);
        let tip = frame_on(&mut mesh, &face, rigid);
        let kept: &[usize] = if rigid { &[] } else { &[tip] };
        let body = Body::new(mesh, kept).unwrap();
        let moved = body.displacement(&[Load { node: tip, component, value: 100.0 }]).unwrap();
        moved[body.freedom.component(tip, component).unwrap()]
    };
    for component in 0..6 {
        let (rigid, mean) = (tip(true, component), tip(false, component));
        println!("component {component}: rigid {rigid:.5e}, mean {mean:.5e}");
        assert!(rigid > 0.0 && mean >= rigid * (1.0 - 1e-9));
        assert!((mean / rigid - 1.0).abs() < 0.03, "component {component}");
    }
}

/// One free element has twelve unknowns: six rigid motions, then axial, torsional and bending ones.
#[test]
fn modes_of_a_single_free_element() {
    let profile = Profile::rectangle(0.02, 0.03);
    let body = Body::new(beam(1.0, 1, profile), &[]).unwrap();
    let modes = body.modes(Wanted::Lowest(12)).unwrap();
    let frequencies = modes.frequencies();
    assert_eq!(frequencies.len(), 12);
    assert!(frequencies[5] < 1e-3 * frequencies[6], "{frequencies:?}");
    // a bar of one element with consistent mass: ω² = 12 E / (ρ l²)
    let axial = (12.0 * YOUNG / DENSITY).sqrt() / (2.0 * std::f64::consts::PI);
    assert!(frequencies.iter().any(|f| (f / axial - 1.0).abs() < 1e-9), "{frequencies:?}");
}
