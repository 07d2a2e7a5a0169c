//! Bodies of every kind.

use crate::check::{Random, battery, some_planar_body};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Linear, Spring};
use rotula_mechanics::shape::Shape;
use rotula_mechanics::{Body, BodyId, GROUND, Model};

/// Springs from the ground to every body and from each to the next.
fn sprung(model: &mut Model, bodies: &[BodyId], random: &mut Random) {
    let law = Linear { stiffness: 4.0, damping: 0.3, free: 0.2, preload: 0.0 };
    let mut from = GROUND;
    for (k, &to) in bodies.iter().enumerate() {
        let (a, b) = (model.marker(from, random.frame()), model.marker(to, random.frame()));
        model.force(&format!("spring {k}"), Spring::between(&a, &b, law)).unwrap();
        from = to;
    }
}

#[test]
fn solids_planar_bodies_and_points() {
    let mut random = Random::new(17);
    let mut model = Model::new();
    let shapes = vec![
        (random.frame(), Shape::Box { size: Vector3::new(0.2, 0.5, 0.9) }),
        (random.frame(), Shape::Capsule { radius: 0.2, length: 0.7 }),
        (random.frame(), Shape::Cylinder { radius: 0.3, length: 0.4 }),
    ];
    let solid = Body::solid(3.0, shapes).unwrap().at_frame(random.frame());
    let solid = model.body("solid", solid).unwrap();
    let planar = some_planar_body(&mut model, "planar", &mut random);
    let point = model.body("point", Body::point(0.7).at(random.vector())).unwrap();
    sprung(&mut model, &[solid, planar, point], &mut random);
    battery("bodies", model);
}

#[test]
fn a_dumbbell() {
    let (radius, half) = (0.1, 0.6);
    let at = |x: f64| Frame::new(Vector3::new(x, 0.0, 0.0), Quaternion::exp(&Vector3::x()));
    let ball = Shape::Sphere { radius };
    let body = Body::solid(1000.0, vec![(at(half), ball.clone()), (at(-half), ball)]).unwrap();
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let own = 0.4 * mass * radius * radius;
    let moments = Vector3::new(2.0 * own, 2.0 * (own + mass * half * half), 0.0);
    assert!((body.mass.mass - 2.0 * mass).abs() < 1e-12);
    assert!(body.mass.centre.norm() < 1e-15);
    assert!((body.mass.inertia[(0, 0)] - moments.x).abs() < 1e-13);
    assert!((body.mass.inertia[(1, 1)] - moments.y).abs() < 1e-13);
    assert_eq!(body.shapes.len(), 2);
}

#[test]
fn bad_solids_are_refused() {
    let error = |density: f64, shape: Shape| {
        Body::solid(density, vec![(Frame::identity(), shape)]).unwrap_err().to_string()
    };
    let thin = Shape::Box { size: Vector3::new(1.0, 0.0, 1.0) };
    assert!(error(1.0, thin).contains("length along y is 0"));
    assert!(error(-1.0, Shape::Sphere { radius: 1.0 }).contains("density of -1"));
    let ghost = Body::point(1.0).drawn(Frame::identity(), Shape::Sphere { radius: 0.0 });
    let error = Model::new().body("ghost", ghost).unwrap_err().to_string();
    assert!(error.contains("body `ghost`: sphere: its radius is 0"), "{error}");
}
