//! Forces and elements take no memory once they have been evaluated, boxes and capsules on meshes excepted.

#[path = "../../dae/tests/automatic/memory.rs"]
mod memory;

use memory::taken_by;
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::{Terms, Weights};
use rotula_formula::{Interpolation, Tabulated};
use rotula_lie::{Frame, Quaternion, se3};
use rotula_mechanics::element::{Beam, Blocks, Element, MassKind, Section};
use rotula_mechanics::force::{
    Amplitude, Auxiliary, Bushing, Contact, ContactLaw, Force, Formula, Friction, Over, Spring,
    Stribeck, Surface, Table, numeric_tangent,
};
use rotula_mechanics::node::Motion;
use rotula_mechanics::shape::{Mesh, Shape};
use rotula_mechanics::{Marker, Scene, World};

fn marker(node: usize) -> Marker {
    Marker { node, frame: Frame::identity() }
}

/// Allocations while the second body slides over the first and back, after one round.
fn taken(force: &mut dyn Force) -> usize {
    let mut round = || {
        for k in 0..40 {
            let x = 0.02 * (k as f64 - 20.0).abs();
            let turn = Quaternion::exp(&Vector3::new(0.1, 0.05 * x, 0.02));
            let mut motions = [Motion::at_rest(&Frame::identity()); 2];
            motions[1] = Motion::at_rest(&Frame::new(Vector3::new(x, 0.1, 1.4), turn));
            motions[1].velocity = Vector3::new(0.3, 0.2, -0.1);
            let variables = [0.7];
            let world = World {
                t: 0.1 * k as f64,
                motions: &motions,
                angles: &[],
                functions: &[],
                states: &[],
                variables: &variables,
            };
            let scene = Scene { world: &world, nodes: &[0, 1] };
            let mut wrenches = [Vector6::zeros(); 2];
            force.wrench(scene, &mut wrenches);
            assert!(wrenches[1].norm() > 0.0, "{force:?} does nothing at {x}");
            let (mut stiffness, mut damping) = ([Matrix6::zeros(); 4], [Matrix6::zeros(); 4]);
            force.tangent(scene, &mut stiffness, &mut damping);
            force.auxiliary_tangent(scene, &mut wrenches);
            force.energy(scene);
            force.power(scene);
            numeric_tangent(force, scene, 1.0, 1.0, &mut stiffness, &mut damping);
        }
    };
    round();
    taken_by(round)
}

fn cube_mesh() -> Shape {
    let corner = |k: usize| Vector3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
    let vertices: Vec<_> = (0..8).map(|k| (corner(k) - Vector3::repeat(0.5)) * 1.6).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<_> = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape::Mesh(Mesh::new(&vertices, &triangles).unwrap().into())
}

#[test]
fn springs_and_bushings() {
    let (a, b) = (marker(0), marker(1));
    let named = [("command", Auxiliary::Variable(0))];
    let curve =
        Tabulated::through(&[(0.0, 3.0), (1.0, 1.0)], Interpolation::Monotone).unwrap().into();
    let friction = Stribeck::coulomb(0.3, 0.1);
    let friction = Friction::new(friction, Amplitude::Variable(0), 0.5).unwrap();
    let mut forces: Vec<Box<dyn Force>> = vec![
        Box::new(Spring::between(&a, &b, Formula::new("command*value", &named).unwrap())),
        Box::new(Spring::between(&a, &b, Table { curve, over: Over::Value })),
        Box::new(Spring::between(&a, &b, friction)),
        Box::new(Bushing::new(a, b, Matrix6::identity(), Matrix6::identity()).unwrap()),
    ];
    for force in &mut forces {
        assert_eq!(taken(force.as_mut()), 0, "{force:?}");
    }
}

#[test]
fn beams() {
    let section = Section::diagonal([9.0, 8.0, 7.0, 3.0, 4.0, 5.0], 1.0, Vector3::repeat(0.1));
    let weights = Weights { mass: 1.0, damping: 0.5, stiffness: 0.2 };
    for count in 2..=4 {
        let frames: Vec<Frame> = (0..count)
            .map(|k| se3::exp(&(Vector6::new(1.0, 0.0, 0.0, 0.1, 0.2, 0.3) * k as f64)))
            .collect();
        let markers: Vec<Marker> = (0..count).map(marker).collect();
        let nodes: Vec<usize> = (0..count).collect();
        let motions: Vec<Motion> = frames
            .iter()
            .map(|frame| Motion { velocity: Vector3::y(), ..Motion::at_rest(frame) })
            .collect();
        let world = World {
            t: 0.0,
            motions: &motions,
            angles: &[],
            functions: &[],
            states: &[],
            variables: &[],
        };
        let scene = Scene { world: &world, nodes: &nodes };
        for mass in [MassKind::Consistent, MassKind::Lumped] {
            let beam = Beam::new(&markers, &frames, section.clone().damped(0.1), None).unwrap();
            let mut beam = beam.with_mass(mass);
            let mut wrenches = [Vector6::zeros(); 4];
            let (mut along, mut plain) = ([Matrix6::zeros(); 16], [Matrix6::zeros(); 16]);
            let taken = taken_by(|| {
                beam.residual(scene, Terms::ALL, &mut wrenches);
                let blocks = Blocks { by_variation: &mut along, plain: &mut plain };
                beam.tangent(scene, weights, Terms::ALL, blocks);
                beam.energy(scene);
                beam.power(scene);
            });
            assert_eq!(taken, 0, "{count} nodes, {mass:?}");
            assert!(wrenches[0].norm() > 0.0);
        }
    }
}

#[test]
fn contacts() {
    let solids = [
        Shape::Sphere { radius: 0.8 },
        Shape::Capsule { radius: 0.8, length: 0.5 },
        Shape::Box { size: Vector3::repeat(1.6) },
        cube_mesh(),
    ];
    let law = ContactLaw { friction: Some(Stribeck::coulomb(0.3, 0.1)), ..ContactLaw::default() };
    let plane = Frame::new(Vector3::z(), Quaternion::identity());
    for (i, first) in solids.iter().enumerate() {
        let plane = Marker { node: 0, frame: plane };
        let surface = first.clone().into();
        let mut on_plane = Contact::new(plane, Surface::Plane, marker(1), surface, law).unwrap();
        assert_eq!(taken(&mut on_plane), 0, "{} on a plane", first.word());
        for second in &solids[i..] {
            let (a, b) = (first.clone().into(), second.clone().into());
            let mut contact = Contact::new(marker(0), a, marker(1), b, law).unwrap();
            let count = taken(&mut contact);
            let pair = format!("{} and {}", first.word(), second.word());
            println!("{pair}: {count} allocations in 40 configurations");
            let triangles = second.word() == "mesh" && ["capsule", "box"].contains(&first.word());
            assert!(count == 0 || triangles, "{pair}: {count} allocations");
        }
    }
}
