//! Properties of single elements: energies of rigid motions, total mass, volume.

use super::*;
use crate::error::Place;
use crate::mesh::{Profile, Shape};
use nalgebra::DVector;

/// A distorted element of a shape, of known volume where faces are flat.
fn distorted(shape: Shape) -> Mesh {
    let mut mesh = Mesh::new("");
    let skew = Matrix3::new(1.2, 0.2, 0.1, -0.1, 0.9, 0.3, 0.05, 0.15, 1.1);
    let nodes = match shape {
        Shape::Beam2 => vec![[0.0; 3], [1.0, 0.3, 0.2]],
        Shape::Triangle3 => vec![[0.0; 3], [1.0, 0.0, 0.1], [0.3, 0.8, 0.0]],
        // warped
        Shape::Quadrilateral4 => {
            vec![[0.0; 3], [1.0, 0.1, 0.1], [1.1, 0.9, -0.1], [-0.1, 0.8, 0.1]]
        }
        _ => interpolation::reference_nodes(shape),
    };
    for (i, node) in nodes.iter().enumerate() {
        mesh.add_node(i as u64, skew * Vector3::from(*node), Place::NOWHERE).unwrap();
    }
    if shape == Shape::Hexahedron8 {
        mesh.nodes[6].position += Vector3::new(0.2, -0.1, 0.15);
    }
    let labels: Vec<u64> = (0..nodes.len() as u64).collect();
    mesh.add_element(1, shape, &labels, Place::NOWHERE).unwrap();
    let name = "steel".to_owned();
    let (young, poisson, density) = (2.1, 0.3, 7.8);
    mesh.materials.push(Material { name, young, poisson, density, place: Place::NOWHERE });
    let profile = Profile::rectangle(0.1, 0.2);
    mesh.give_section(match shape {
        Shape::Beam2 => Section::Beam { material: 0, profile, toward: Vector3::z() },
        Shape::Triangle3 | Shape::Quadrilateral4 => Section::Shell { material: 0, thickness: 0.1 },
        _ => Section::Solid { material: 0 },
    });
    mesh
}

const ALL: [Shape; 7] = [
    Shape::Beam2,
    Shape::Triangle3,
    Shape::Quadrilateral4,
    Shape::Tetrahedron4,
    Shape::Tetrahedron10,
    Shape::Hexahedron8,
    Shape::Hexahedron20,
];

/// The six rigid motions of the nodes of the first element.
fn rigid_motions(mesh: &Mesh) -> DMatrix<f64> {
    let element = &mesh.elements[0];
    let per_node = if element.shape.rotates() { 6 } else { 3 };
    let mut motions = DMatrix::zeros(per_node * element.nodes.len(), 6);
    for (a, corner) in mesh.corners(element).iter().enumerate() {
        for i in 0..3 {
            motions[(per_node * a + i, i)] = 1.0;
            let turn = Vector3::ith(i, 1.0).cross(corner);
            for k in 0..3 {
                motions[(per_node * a + k, 3 + i)] = turn[k];
            }
            if per_node == 6 {
                motions[(per_node * a + 3 + i, 3 + i)] = 1.0;
            }
        }
    }
    motions
}

#[test]
fn exactly_the_rigid_motions_have_no_energy() {
    for shape in ALL {
        let mesh = distorted(shape);
        let (stiffness, _) = matrices(&mesh, &mesh.elements[0]).unwrap();
        let largest = stiffness.abs().max();
        assert!((&stiffness - stiffness.transpose()).abs().max() < 1e-14 * largest);
        assert!((&stiffness * rigid_motions(&mesh)).abs().max() < 1e-13 * largest, "{shape:?}");
        let mut values: Vec<f64> = stiffness.symmetric_eigenvalues().iter().copied().collect();
        values.sort_by(f64::total_cmp);
        assert!(values[..6].iter().all(|value| value.abs() < 1e-12 * largest), "{shape:?}");
        assert!(values[6] > 1e-5 * largest, "{shape:?} {}", values[6]);
    }
}

#[test]
fn rigid_motions_have_the_kinetic_energy_of_the_points() {
    for shape in ALL {
        let mesh = distorted(shape);
        let element = &mesh.elements[0];
        let (_, mass) = matrices(&mesh, element).unwrap();
        let motions = rigid_motions(&mesh);
        let points = mass_points(&mesh, element).unwrap();
        let velocity = DVector::from_column_slice(&[0.3, -0.2, 0.5, 1.1, -0.7, 0.4]);
        let nodal = &motions * &velocity;
        let energy = nodal.dot(&(&mass * &nodal));
        let (linear, angular) = (Vector3::new(0.3, -0.2, 0.5), Vector3::new(1.1, -0.7, 0.4));
        let mut expected = 0.0;
        for point in &points {
            let speed = linear + angular.cross(&point.position);
            expected += point.mass * speed.norm_squared();
            if let Some((inertia, _)) = point.spin {
                expected += angular.dot(&(inertia * angular));
            }
        }
        assert!((energy - expected).abs() < 1e-12 * expected, "{shape:?}");
    }
}

#[test]
fn total_mass_is_density_times_volume() {
    let skew = Matrix3::new(1.2, 0.2, 0.1, -0.1, 0.9, 0.3, 0.05, 0.15, 1.1).determinant();
    let volumes = [
        (Shape::Tetrahedron4, skew / 6.0),
        (Shape::Tetrahedron10, skew / 6.0),
        (Shape::Hexahedron20, 8.0 * skew),
    ];
    for (shape, volume) in volumes {
        let mesh = distorted(shape);
        let points = mass_points(&mesh, &mesh.elements[0]).unwrap();
        let mass: f64 = points.iter().map(|point| point.mass).sum();
        assert!((mass - 7.8 * volume).abs() < 1e-13 * mass);
    }
    let mesh = distorted(Shape::Beam2);
    let length = (mesh.nodes[1].position - mesh.nodes[0].position).norm();
    let points = mass_points(&mesh, &mesh.elements[0]).unwrap();
    let mass: f64 = points.iter().map(|point| point.mass).sum();
    assert!((mass - 7.8 * 0.02 * length).abs() < 1e-14);
}

#[test]
fn linear_displacements_have_constant_stress() {
    let gradient = Matrix3::new(0.01, 0.02, -0.01, 0.03, -0.02, 0.01, 0.0, 0.02, 0.015);
    for shape in &ALL[3..] {
        let mesh = distorted(*shape);
        let element = &mesh.elements[0];
        let operator = nodal_stress(&mesh, element).unwrap().unwrap();
        let moved: Vec<f64> = mesh
            .corners(element)
            .iter()
            .flat_map(|corner| (gradient * corner).iter().copied().collect::<Vec<_>>())
            .collect();
        let stress = operator * DVector::from_vec(moved);
        let lame = Lame::of(&mesh.materials[0]);
        let strain = 0.5 * (gradient + gradient.transpose());
        let exact = Matrix3::identity() * (lame.lambda * strain.trace()) + strain * (2.0 * lame.mu);
        let parts = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];
        for node in 0..shape.nodes() {
            for (k, part) in parts.iter().enumerate() {
                let error = stress[6 * node + k] - exact[*part];
                assert!(error.abs() < 1e-13, "{shape:?} node {node} {k}: {error}");
            }
        }
    }
}

#[test]
fn unsound_elements_are_refused_with_their_number() {
    let mut mesh = distorted(Shape::Tetrahedron4);
    mesh.elements[0].nodes.swap(0, 1);
    let error = check(&mesh, &mesh.elements[0]).unwrap_err();
    assert!(error.message().contains("element 1 is inverted"), "{error}");
    let mut mesh = distorted(Shape::Hexahedron8);
    mesh.elements[0].nodes.swap(0, 1);
    let error = check(&mesh, &mesh.elements[0]).unwrap_err();
    assert!(error.message().contains("in a part of its volume"), "{error}");
    let mut mesh = distorted(Shape::Tetrahedron4);
    mesh.nodes[3].position = (mesh.nodes[0].position + mesh.nodes[1].position) * 0.5;
    let error = check(&mesh, &mesh.elements[0]).unwrap_err();
    assert!(error.message().contains("no volume"), "{error}");
}
