//! Reduced bodies on a floating frame, free and with everything that may hold them.

use crate::check::{Random, battery, some_body};
use crate::flexible::some_flexible_body;
use nalgebra::{DVector, Matrix6, Vector3, Vector6};
use rotula_dae::{Energetics, System};
use rotula_mechanics::element::{Flexible, ShapeLoad};
use rotula_mechanics::force::{Amplitude, Bushing};
use rotula_mechanics::joint::{Fixed, Revolute, Spherical};
use rotula_mechanics::sensor::{ShapeLoadReading, ShapeLoadSensor};
use rotula_mechanics::{GROUND, Model, TimeFunction};

fn some_flexible(shapes: usize, random: &mut Random) -> Flexible {
    let body = some_flexible_body(shapes, &mut || random.number());
    let mut flexible = Flexible::new(body).at_frame(random.frame());
    flexible.amplitudes = (0..shapes).map(|_| 0.3 * random.number()).collect();
    flexible
}

#[test]
fn free_bodies_with_few_and_many_shapes() {
    for shapes in [0, 1, 2, 3, 4, 7, 26] {
        let mut random = Random::new(5 + shapes as u64);
        let mut model = Model::new();
        let mut flexible = some_flexible(shapes, &mut random);
        model.function(TimeFunction::formula("cos(2*t)").unwrap());
        flexible.loads = vec![ShapeLoad {
            wrench: Vector6::new(0.3, -0.5, 0.7, 0.2, 0.4, -0.1),
            shapes: DVector::from_fn(shapes, |_, _| random.number()),
            factor: Amplitude::Function(0),
        }];
        // interfaces that nothing holds to anything are part of the check
        let laid = model.flexible("frame", &flexible).unwrap();
        for (name, reading) in [
            ("fy", ShapeLoadReading::Action(1)),
            ("mz", ShapeLoadReading::Action(5)),
            ("power", ShapeLoadReading::Power),
        ] {
            let sensor = ShapeLoadSensor::new(&flexible.loads[0], &laid, reading);
            model.sensor(name, sensor).unwrap();
            model.variable(&format!("u_{name}"), &format!("2*{name}")).unwrap();
        }
        battery(&format!("a flexible body of {shapes} shapes"), model);
    }
}

#[test]
fn interfaces_carry_joints_and_forces() {
    let mut random = Random::new(17);
    let mut model = Model::new();
    let first = model.flexible("first", &some_flexible(4, &mut random)).unwrap();
    let second = model.flexible("second", &some_flexible(3, &mut random)).unwrap();
    let body = some_body(&mut model, "body", &mut random);
    let mut marker = |model: &Model, id| model.marker(id, random.frame());
    let joints: [(&str, &dyn rotula_mechanics::joint::Joint, _, _); 3] = [
        ("hinge", &Revolute, GROUND, first.interfaces[0].1),
        ("weld", &Fixed, first.interfaces[1].1, second.interfaces[0].1),
        ("ball", &Spherical, second.body, body),
    ];
    for (name, joint, a, b) in joints {
        let (a, b) = (marker(&model, a), marker(&model, b));
        model.joint(name, joint, a, b).unwrap();
    }
    let ends = (marker(&model, second.interfaces[1].1), marker(&model, body));
    let (stiffness, damping) = (Matrix6::identity() * 3.0, Matrix6::identity() * 0.2);
    let bushing = Bushing::new(ends.0, ends.1, stiffness, damping).unwrap();
    model.force("bushing", bushing).unwrap();
    battery("flexible bodies among others", model);
}

#[test]
fn bodies_in_a_plane_keep_the_columns_they_have() {
    let mut random = Random::new(23);
    let mut body = some_flexible_body(2, &mut || random.number());
    for frame in &mut body.frames {
        frame.translation.row_mut(2).fill(0.0);
        frame.rotation.rows_mut(0, 2).fill(0.0);
    }
    let flexible = Flexible::new(body.clone()).at_frame(random.frame()).in_plane();
    let mut model = Model::new();
    model.flexible("frame", &flexible).unwrap();
    battery("a flexible body in a plane", model);

    body.frames[1].translation[(2, 1)] = 0.5;
    let error = Model::new().flexible("frame", &Flexible::new(body).in_plane()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("shape 2 moves the interface `far` out of the plane"), "{error}");
}

/// Energy and tangents follow from the integrals; these from the kinetic energy of all lumps.
#[test]
fn the_kinetic_energy_is_that_of_the_integrals() {
    let mut random = Random::new(31);
    let flexible = some_flexible(5, &mut random);
    let mut model = Model::new();
    let laid = model.flexible("frame", &flexible).unwrap();
    let mut system = model.assemble().unwrap();
    let mut state = system.start();
    random.fill(&mut state.v, 1.0);
    let energy = system.energy(&state.point()).unwrap().kinetic;
    // the velocity of the mesh's origin from that of the node
    let motion = system.motion(laid.body.node(), &state.point());
    let centre = flexible.body.inertia.centre();
    let origin = motion.velocity - motion.omega.cross(&centre);
    let mut velocity = DVector::zeros(11);
    velocity.fixed_rows_mut::<3>(0).copy_from(&origin);
    velocity.fixed_rows_mut::<3>(3).copy_from(&motion.omega);
    for k in 0..5 {
        let node = system.motion(laid.amplitudes[k / 3], &state.point());
        velocity[6 + k] = node.velocity[k % 3];
    }
    let q = DVector::from_column_slice(&flexible.amplitudes);
    let exact = flexible.body.inertia.kinetic_energy(&q, &velocity);
    assert!((energy / exact - 1.0).abs() < 1e-13, "{energy} is not {exact}");
    let read = laid.amplitudes(|node| system.node_frame(node, &state.q));
    assert_eq!(read, flexible.amplitudes);
}

/// Interfaces start where a bent body has them, with proper rotations.
#[test]
fn a_bent_body_starts_without_residuals() {
    let mut random = Random::new(37);
    let mut model = Model::new();
    let flexible = some_flexible(5, &mut random);
    let flexible = flexible.moving(random.vector(), random.vector());
    let laid = model.flexible("frame", &flexible).unwrap();
    let mut system = model.assemble().unwrap();
    let state = system.start();
    let rows = system.sizes().holonomic;
    for level in [rotula_dae::Level::Position, rotula_dae::Level::Velocity] {
        let mut out = vec![0.0; rows];
        system.constraint(level, &state.point(), &mut out);
        assert!(out.iter().all(|x| x.abs() < 1e-14), "{level:?}: {out:?}");
    }
    // the rotation about a small vector is nearly that vector
    let far = system.node_frame(laid.interfaces[1].1.node(), &state.q);
    let turned = far.seen_from(&flexible.frame).orientation.log();
    let shape = &flexible.body.frames[1].rotation;
    let small: Vector3<f64> =
        (0..5).map(|k| shape.fixed_view::<3, 1>(0, k).into_owned() * flexible.amplitudes[k]).sum();
    assert!((turned - small).norm() < small.norm().powi(3) / 10.0, "{turned}, {small}");
}
