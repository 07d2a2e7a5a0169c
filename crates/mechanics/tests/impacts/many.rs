//! Many spheres: the list of contacts changes on the way.

use crate::run;
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::unilateral::{ImpactLaw, Sphere, Spheres};
use rotula_mechanics::{Body, GROUND, Model};

/// Spheres on a crooked grid in an open box, falling; returns the last state and the model's size.
fn heap(side: usize, friction: f64, h: f64, until: f64) {
    let radius = 0.05;
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let mut spheres = Vec::new();
    let wide = 2.4 * radius * side as f64;
    for k in 0..side.pow(3) {
        let cell =
            Vector3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64);
        let shift = Vector3::new((k * 7 % 5) as f64, (k * 11 % 7) as f64, 0.0) * (0.04 * radius);
        let place = cell * (2.4 * radius) + shift + Vector3::repeat(1.1 * radius);
        let mass = 0.5;
        let body = match friction > 0.0 {
            true => Body::rigid(rotula_mechanics::MassProperties::principal(
                mass,
                Vector3::repeat(0.4 * mass * radius * radius),
            )),
            false => Body::point(mass),
        };
        let body = model.body(&format!("ball {k}"), body.at(place)).unwrap();
        spheres.push(Sphere { marker: model.marker(body, Frame::identity()), radius });
    }
    let walls = [
        (Vector3::zeros(), Vector3::z()),
        (Vector3::zeros(), Vector3::x()),
        (Vector3::zeros(), Vector3::y()),
        (Vector3::repeat(wide), -Vector3::x()),
        (Vector3::repeat(wide), -Vector3::y()),
    ];
    let walls = walls.map(|(at, normal)| model.marker(GROUND, model.frame(at, normal))).to_vec();
    let law = ImpactLaw { restitution: 0.3, friction };
    let list = Spheres::new(spheres, walls, None, law).unwrap();
    model.touch_some("heap", list).unwrap();
    let (system, result) = run(&model, h, until);
    let places: Vec<Vector3<f64>> =
        (1..=side.pow(3)).map(|node| system.node_frame(node, result.last_q()).position).collect();
    let mut deepest = 0.0f64;
    for (i, a) in places.iter().enumerate() {
        deepest = deepest.max(radius - a.z).max(radius - a.x).max(a.x + radius - wide);
        for b in &places[..i] {
            deepest = deepest.max(2.0 * radius - (a - b).norm());
        }
    }
    let steps = result.times.len();
    let last = result.contacts.summary.row(steps - 1);
    println!("{side}³ spheres: {:?} closed, deepest overlap {deepest:e}", last);
    println!("{:?}", result.statistics);
    assert!(result.contacts.varying);
    assert!(last[0] > 0.0, "nothing touches");
    assert!(deepest < 1e-8, "spheres overlap by {deepest}");
    let energy = |i: usize| result.energy.row(i).iter().sum::<f64>();
    assert!(energy(steps - 1) < energy(0), "energy {} to {}", energy(0), energy(steps - 1));
}

#[test]
fn spheres_fall_into_a_box() {
    heap(4, 0.0, 2e-3, 0.2);
}

#[test]
fn rough_spheres_fall_into_a_box() {
    heap(3, 0.3, 2e-3, 0.15);
}

#[test]
fn a_thousand_spheres_fall_into_a_box() {
    heap(10, 0.0, 2e-3, 0.1);
}
