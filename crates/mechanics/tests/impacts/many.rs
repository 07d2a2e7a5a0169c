//! Many spheres: the list of contacts changes on the way.

use crate::run;
use nalgebra::Vector3;
use rotula_dae::{Coefficients, Formulation, Settings, StepControl, Trajectory, simulate};
use rotula_lie::Frame;
use rotula_mechanics::unilateral::{ImpactLaw, Sphere, Spheres};
use rotula_mechanics::{Assembly, Body, GROUND, MassProperties, Model};

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
            true => Body::rigid(MassProperties::principal(
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
    assert!(result.contacts.names.is_empty() && !result.contacts.touching.is_empty());
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

fn run_moreau_jean(model: &Model, h: f64, until: f64, tolerance: f64) -> (Assembly, Trajectory) {
    let mut system = model.assemble().unwrap();
    let formulation = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings.newton.tolerance = tolerance;
    let start = system.start();
    let outcome = simulate(&mut system, &start, &settings, &mut ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{failure}");
    }
    (system, outcome.trajectory)
}

/// Two blocks of smooth spheres meet in free space: momentum stays, energy only falls, and nothing
/// overlaps by more than two spheres approach in a step.
#[test]
fn clouds_that_meet_keep_their_momentum() {
    let (radius, mass, speed, h) = (0.05, 0.5, 1.0, 1e-3);
    let mut model = Model::new();
    let mut spheres = Vec::new();
    for k in 0..128 {
        let (cloud, k) = (k / 64, k % 64);
        let cell = Vector3::new((k % 4) as f64, (k / 4 % 4) as f64, (k / 16) as f64);
        let crooked = Vector3::new(0.0, 0.03 * cell.x + 0.02 * cell.z, 0.01 * cell.y) * radius;
        let side = cloud as f64;
        let apart = Vector3::new(4.0 * 2.06 * radius + 0.01, 0.7 * radius, 0.3 * radius) * side;
        let velocity = Vector3::new(speed * (1.0 - 2.0 * side), 0.2 * side, 0.0);
        let body = Body::point(mass)
            .at(cell * (2.06 * radius) + crooked + apart)
            .moving(velocity, Vector3::zeros());
        let body = model.body(&format!("ball {}", spheres.len()), body).unwrap();
        spheres.push(Sphere { marker: model.marker(body, Frame::identity()), radius });
    }
    let law = ImpactLaw::smooth(0.5);
    model.touch_some("clouds", Spheres::new(spheres, vec![], None, law).unwrap()).unwrap();
    let (_, result) = run_moreau_jean(&model, h, 0.1, 1e-9);
    let momentum = |i: usize| {
        let v = result.v.row(i).chunks_exact(3);
        v.fold(Vector3::zeros(), |sum, v| sum + Vector3::from_column_slice(v) * mass)
    };
    let kinetic = |i: usize| result.energy.row(i)[0];
    let steps = result.times.len();
    for i in 1..steps {
        let drift = (momentum(i) - momentum(0)).norm();
        assert!(drift < 1e-12 * 128.0 * mass * speed, "momentum drifts by {drift} in step {i}");
        assert!(kinetic(i) <= kinetic(i - 1) * (1.0 + 1e-9), "energy grows in step {i}");
        let gap = result.contacts.summary.row(i)[2];
        assert!(gap > -2.5 * speed * h, "overlap {gap} in step {i}");
    }
    let lost = 1.0 - kinetic(steps - 1) / kinetic(0);
    println!("{:.3} of the energy lost, {:?}", lost, result.statistics);
    assert!(lost > 0.1, "the clouds missed each other");
}

/// Rough spheres poured into a box: energy only falls but for what the changing normals of a step let
/// in, and overlaps are those of one step.
#[test]
fn rough_spheres_are_poured() {
    let (radius, h, count, wide) = (0.05, 2e-3, 125, 0.6);
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let mass = 1.0;
    let inertia = Vector3::repeat(0.4 * mass * radius * radius);
    let mut spheres = Vec::new();
    for k in 0..count {
        let cell = Vector3::new((k % 5) as f64, (k / 5 % 5) as f64, (k / 25) as f64);
        let shift = Vector3::new((1.3 * k as f64).sin(), (2.9 * k as f64).sin(), 0.0) * 0.005;
        let place = cell * 0.115 + shift + Vector3::repeat(0.065);
        let body = Body::rigid(MassProperties::principal(mass, inertia)).at(place);
        let body = model.body(&format!("ball {k}"), body).unwrap();
        spheres.push(Sphere { marker: model.marker(body, Frame::identity()), radius });
    }
    let sides = [
        (Vector3::zeros(), Vector3::z()),
        (Vector3::zeros(), Vector3::x()),
        (Vector3::zeros(), Vector3::y()),
        (Vector3::repeat(wide), -Vector3::x()),
        (Vector3::repeat(wide), -Vector3::y()),
    ];
    let walls = sides.map(|(at, normal)| model.marker(GROUND, model.frame(at, normal))).to_vec();
    let law = ImpactLaw { restitution: 0.0, friction: 0.3 };
    model.touch_some("heap", Spheres::new(spheres, walls, None, law).unwrap()).unwrap();
    let (system, result) = run_moreau_jean(&model, h, 0.3, 1e-6);
    let steps = result.times.len();
    let energy = |i: usize| result.energy.row(i)[0] + result.energy.row(i)[1];
    let growth = (1..steps).map(|i| energy(i) - energy(i - 1)).fold(0.0f64, f64::max);
    let fastest = (2.0 * 9.81 * 0.6f64).sqrt();
    let deepest = (1..steps).map(|i| -result.contacts.summary.row(i)[2]).fold(0.0f64, f64::max);
    println!("largest growth {growth:e} of {}, deepest {deepest:e}", energy(0));
    println!("{:?}", result.statistics);
    assert!(growth < 1e-4 * energy(0), "energy grows by {growth} in a step");
    assert!(energy(steps - 1) < 0.95 * energy(0), "{} J of {}", energy(steps - 1), energy(0));
    assert!(deepest < fastest * h, "overlap {deepest}");
    for node in 1..=count {
        let p = system.node_frame(node, result.last_q()).position;
        let inside = |x: f64| x > 0.9 * radius && x < wide - 0.9 * radius;
        assert!(inside(p.x) && inside(p.y) && p.z > 0.9 * radius, "sphere {node} left: {p}");
    }
}
