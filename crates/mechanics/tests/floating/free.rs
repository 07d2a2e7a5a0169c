//! Bodies that nothing holds: momentum, energy, and none but rigid motion.

use crate::flexible::some_flexible_body;
use crate::support::{march, momenta, resolve};
use nalgebra::{Matrix6, Vector3};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::element::{Flexible, LaidFlexible};
use rotula_mechanics::force::Bushing;
use rotula_mechanics::{Body, GROUND, MassProperties, Model};

/// Numbers of size one, the same in every run.
fn numbers() -> impl FnMut() -> f64 {
    let mut k = 0.0_f64;
    move || {
        k += 1.0;
        (12.9898 * k).sin()
    }
}

/// A body of a few shapes, thrown and spun, without damping.
fn thrown(shapes: usize) -> (Model, LaidFlexible) {
    let mut body = some_flexible_body(shapes, &mut numbers());
    body.damping.fill(0.0);
    body.stiffness.iter_mut().for_each(|k| *k *= 20.0);
    let frame =
        Frame::new(Vector3::new(0.2, -0.4, 0.6), Quaternion::exp(&Vector3::new(0.3, 1.0, -0.5)));
    let mut flexible = Flexible::new(body)
        .at_frame(frame)
        .moving(Vector3::new(0.3, -0.7, 0.5), Vector3::new(0.9, -0.6, 1.3));
    flexible.amplitudes = (0..shapes).map(|k| 0.1 / (k + 1) as f64).collect();
    let mut model = Model::new();
    let laid = model.flexible("frame", &flexible).unwrap();
    (model, laid)
}

#[test]
fn momentum_stays() {
    let (model, laid) = thrown(4);
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let [linear, angular] = momenta(&system, &laid, &start);
    assert!(linear.norm() > 1.0 && angular.norm() > 0.5, "{linear}, {angular}");
    let end = resolve(&mut system, &start, 1e-13, &[0.5]).state;
    // the shape has changed by much, momenta have not
    let q = laid.amplitudes(|node| system.node_frame(node, &end.q));
    assert!((q[0] - 0.1).abs() > 0.01, "{q:?}");
    let [after, turning] = momenta(&system, &laid, &end);
    let (change, turn) = ((after - linear).norm(), (turning - angular).norm());
    println!("linear momentum changes by {change:.1e}, angular momentum by {turn:.1e}");
    assert!(change < 1e-10 && turn < 1e-10, "{change:e}, {turn:e}");
}

#[test]
fn without_damping_the_energy_stays_and_its_error_falls_like_the_square_of_the_step() {
    let defect = |h: f64, steps: usize| {
        let mut system = thrown(4).0.assemble().unwrap();
        let start = system.start();
        let audit = march(&mut system, &start, 1.0, h, steps).trajectory.audit;
        let initial = audit.initial_energy.unwrap();
        println!("h = {h}: E = {initial:.6}, largest error {:.3e}", audit.energy_defect.unwrap());
        audit.energy_defect.unwrap() / initial
    };
    let (coarse, fine) = (defect(1e-2, 10_000), defect(5e-3, 20_000));
    let early = defect(1e-2, 1000);
    assert!(coarse < 1e-2, "{coarse}");
    assert!(coarse < 2.0 * early, "{early} becomes {coarse}");
    let order = (coarse / fine).log2();
    println!("order {order:.2}");
    assert!((order - 2.0).abs() < 0.3, "{order}");
}

/// Positions at the end converge with the square of the step.
#[test]
fn motion_is_of_second_order() {
    let error = |h: f64, steps: usize, exact: &Vector3<f64>| {
        let (model, laid) = thrown(3);
        let mut system = model.assemble().unwrap();
        let start = system.start();
        let end = march(&mut system, &start, 0.8, h, steps).state;
        (system.node_frame(laid.interfaces[1].1.node(), &end.q).position - exact).norm()
    };
    let (model, laid) = thrown(3);
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let end = resolve(&mut system, &start, 1e-11, &[1.0]).state;
    let exact = system.node_frame(laid.interfaces[1].1.node(), &end.q).position;
    let (coarse, fine) = (error(4e-3, 250, &exact), error(2e-3, 500, &exact));
    println!("errors {coarse:.2e}, {fine:.2e}");
    assert!(((coarse / fine).log2() - 2.0).abs() < 0.1, "{coarse:e}, {fine:e}");
}

#[test]
fn without_shapes_it_is_a_rigid_body() {
    let (model, _) = thrown(0);
    let mut rigid = Model::new();
    let inertia = &some_flexible_body(0, &mut numbers()).inertia;
    let mass = MassProperties::new(inertia.mass, inertia.centre(), inertia.central());
    let body = &model.bodies()[1].1;
    let body = Body::rigid(mass).at_frame(body.frame).moving(body.velocity, body.angular_velocity);
    let body = rigid.body("body", body).unwrap();
    // a mount without stiffness holds nothing, but makes it keep its velocity in its own axes, as flexible
    // bodies do; a free body would keep it in those of the world
    let nothing = Matrix6::zeros();
    let (a, b) = (rigid.marker(GROUND, Frame::identity()), rigid.marker(body, Frame::identity()));
    rigid.force("mount", Bushing::new(a, b, nothing, nothing).unwrap()).unwrap();
    let end = |model: &Model| {
        let mut system = model.assemble().unwrap();
        let start = system.start();
        march(&mut system, &start, 0.8, 1e-2, 200).state
    };
    let (flexible, rigid) = (end(&model), end(&rigid));
    for k in 0..7 {
        let difference = (flexible.q[k] - rigid.q[k]).abs();
        assert!(difference < 1e-13, "{k}: {difference:e}");
    }
}
