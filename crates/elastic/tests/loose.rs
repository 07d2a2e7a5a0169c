//! Meshes in which something moves freely: the message says what, where and what to do.

mod common;

use common::steel;
use nalgebra::Vector3;
use rotula_elastic::mesh::{Profile, Section, Shape};
use rotula_elastic::{Attachment, Mesh, Method, Place, Wanted, reduce};

/// Cubes of side 0.1 with corners at multiples of it; corners at one place are one node.
fn cubes(places: &[[i32; 3]]) -> Mesh {
    let mut mesh = Mesh::new("cubes.inp");
    let mut corners: Vec<[i32; 3]> = Vec::new();
    for (k, place) in places.iter().enumerate() {
        let around = [
            [0, 0, 0],
            [1, 0, 0],
            [1, 1, 0],
            [0, 1, 0],
            [0, 0, 1],
            [1, 0, 1],
            [1, 1, 1],
            [0, 1, 1],
        ];
        let labels: Vec<u64> = around
            .iter()
            .map(|corner| {
                let at = [0, 1, 2].map(|i| place[i] + corner[i]);
                let known = corners.iter().position(|other| *other == at);
                let index = known.unwrap_or_else(|| {
                    corners.push(at);
                    let position = Vector3::from(at.map(|x| 0.1 * f64::from(x)));
                    let here = Place::line(corners.len() + 1);
                    mesh.add_node(corners.len() as u64, position, here).unwrap();
                    corners.len() - 1
                });
                index as u64 + 1
            })
            .collect();
        let here = Place::line(100 + k);
        mesh.add_element(k as u64 + 1, Shape::Hexahedron8, &labels, here).unwrap();
    }
    mesh.materials.push(steel());
    mesh.give_section(Section::Solid { material: 0 });
    let left: Vec<usize> =
        (0..mesh.nodes.len()).filter(|node| mesh.nodes[*node].position.x.abs() < 1e-9).collect();
    mesh.add_to_set("LEFT", &left);
    mesh
}

/// A line of beams along x.
fn beams(torsion: f64) -> Mesh {
    let mut mesh = Mesh::new("beams.bdf");
    for k in 0..4 {
        let here = Place::line(2 + k);
        mesh.add_node(k as u64 + 1, Vector3::x() * (0.5 * k as f64), here).unwrap();
    }
    for k in 0..3 {
        let labels = [k + 1, k + 2];
        let here = Place::line(10 + k as usize);
        mesh.add_element(10 + k, Shape::Beam2, &labels, here).unwrap();
    }
    mesh.materials.push(steel());
    let profile = Profile {
        area: 1e-4,
        inertia_y: 1e-8,
        inertia_z: 1e-8,
        torsion,
        shear_y: 0.0,
        shear_z: 0.0,
        radius: None,
    };
    mesh.give_section(Section::Beam { material: 0, profile, toward: Vector3::y() });
    mesh
}

fn refused(mesh: Mesh, at: &str, method: Method) -> String {
    let at = [Attachment { name: "a".into(), at: at.into(), rigid: true }];
    match reduce(mesh, &at, method) {
        Ok(_) => panic!("it was reduced"),
        Err(error) => {
            let text = format!(
                "{}:{}: {} {}",
                error.file(),
                error.place().map_or(0, |place| place.line),
                error.message(),
                error.help()
            );
            println!("{text}");
            text
        }
    }
}

const METHODS: [Method; 2] =
    [Method::CraigBampton(Wanted::Lowest(4)), Method::Free(Wanted::Lowest(4))];

fn says(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{text}\nmisses {word}");
    }
}

#[test]
fn parts_that_are_not_tied_are_listed() {
    let mesh = cubes(&[[0, 0, 0], [1, 0, 0], [2, 0, 0], [5, 0, 0], [6, 0, 0]]);
    let text = refused(mesh, "LEFT", METHODS[0]);
    says(
        &text,
        &["cubes.inp:103", "falls into 2 parts: elements 4 and 5 are not tied to the rest"],
    );
    let mesh = cubes(&[[0, 0, 0], [1, 0, 0], [5, 0, 0]]);
    says(&refused(mesh, "LEFT", METHODS[0]), &["element 3 is not tied to the rest"]);
}

#[test]
fn hinges_are_named_with_their_axis() {
    for method in METHODS {
        // the second pair of cubes shares the edge x = y = 0.1 with the first
        let mesh = cubes(&[[0, 0, 0], [0, -1, 0], [1, 1, 0], [1, 2, 0]]);
        let shared: Vec<u64> = mesh
            .nodes
            .iter()
            .filter(|n| (n.position.x - 0.1).abs() < 1e-9 && (n.position.y - 0.1).abs() < 1e-9)
            .map(|n| n.label)
            .collect();
        let text = refused(mesh, "LEFT", method);
        let nodes = format!("only nodes {} and {} connect them", shared[0], shared[1]);
        says(
            &text,
            &[
                "cubes.inp:102",
                "elements 3 and 4 turn freely about the line through (0.1, 0.1, 0) along (0, 0, 1)",
                &nodes,
                "tie the parts",
            ],
        );
    }
}

#[test]
fn beams_without_torsional_stiffness_are_named() {
    for method in METHODS {
        let text = refused(beams(0.0), "1", method);
        says(&text, &["beams.bdf:1", "twist", "without resistance", "torsion constant J"]);
        says(&text, &["element"]);
    }
    let at = [Attachment { name: "a".into(), at: "1".into(), rigid: true }];
    for method in METHODS {
        assert!(reduce(beams(1e-8), &at, method).is_ok());
    }
}

#[test]
fn nodes_without_elements_are_named() {
    let mut mesh = cubes(&[[0, 0, 0]]);
    let place = Place::line(77);
    let node = mesh.add_node(99, Vector3::new(1.0, 1.0, 1.0), place).unwrap();
    let text = refused(mesh.clone(), "99", METHODS[0]);
    says(&text, &["cubes.inp:77", "node 99 belongs to no element", "RBE2"]);
    common::hold(&mut mesh, &[node], [true; 6]);
    let text = refused(mesh, "LEFT", METHODS[0]);
    says(&text, &["a support holds node 99, which belongs to no element", "RBE2"]);
}

/// A slender mesh is soft, not loose.
#[test]
fn slender_bodies_are_not_mistaken_for_loose_ones() {
    for (method, length) in METHODS.into_iter().zip([100, 300]) {
        let places: Vec<[i32; 3]> = (0..length).map(|k| [k, 0, 0]).collect();
        let at = [Attachment { name: "a".into(), at: "LEFT".into(), rigid: true }];
        reduce(cubes(&places), &at, method).unwrap();
    }
}
