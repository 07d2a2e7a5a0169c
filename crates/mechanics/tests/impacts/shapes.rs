//! Cylinders, hulls, meshes and height fields in rigid contact.

use crate::{cuboid, law, plane, run, sphere};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::Surface;
use rotula_mechanics::shape::{Mesh, Shape};
use rotula_mechanics::{Body, BodyId, GROUND, Marker, Model};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

const DOWN: Vector3<f64> = Vector3::new(0.0, 0.0, -10.0);
const LYING: Vector3<f64> = Vector3::new(FRAC_PI_2, 0.0, 0.0);

fn world() -> Model {
    let mut model = Model::new();
    model.gravity = DOWN;
    model
}

fn solid(shape: &Shape) -> Body {
    Body::solid(1000.0, vec![(Frame::identity(), shape.clone())]).unwrap()
}

fn own(model: &Model, body: BodyId, shape: &Shape) -> (Marker, Surface) {
    (model.marker(body, Frame::identity()), shape.clone().into())
}

/// A cube of edge 2 about the origin, as a mesh.
fn cube() -> Mesh {
    let corner = |k: usize| {
        let side = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        Vector3::new(side(0), side(1), side(2))
    };
    Mesh::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
}

/// Without slip a cylinder rolls down a slope with two thirds of the acceleration of a sliding body, whatever
/// the step.
#[test]
fn a_cylinder_rolls_down_a_slope() {
    let (radius, slope) = (0.1, 0.3f64);
    let shape = Shape::Cylinder { radius, length: 0.4 };
    let up = Vector3::new(slope.sin(), 0.0, slope.cos());
    let down = Vector3::new(slope.cos(), 0.0, -slope.sin());
    let errors = [2e-3, 1e-3, 5e-4].map(|step| {
        let mut model = world();
        let frame = Frame::new(up * radius, Quaternion::exp(&LYING));
        let body = model.body("roll", solid(&shape).at_frame(frame)).unwrap();
        let floor = plane(&model, Vector3::zeros(), up);
        model.collide("floor", floor, own(&model, body, &shape), law(0.0, 0.5)).unwrap();
        let (system, result) = run(&model, step, 0.5);
        let place = system.node_frame(body.node(), result.last_q()).position;
        assert!((place.dot(&up) - radius).abs() < 1e-10, "{place}");
        place.dot(&down) - 10.0 * slope.sin() / 3.0 * 0.25
    });
    assert!(errors.iter().all(|error| error.abs() < 1e-12), "{errors:?}");
}

/// A cylinder that is dropped upon its cap stands, and its weight is carried.
#[test]
fn a_cylinder_stands_on_its_cap() {
    let shape = Shape::Cylinder { radius: 0.1, length: 0.4 };
    let mut model = world();
    let body = model.body("post", solid(&shape).at(Vector3::new(0.3, 0.1, 0.21))).unwrap();
    let floor = plane(&model, Vector3::zeros(), Vector3::z());
    model.collide("floor", floor, own(&model, body, &shape), law(0.0, 0.4)).unwrap();
    let (system, result) = run(&model, 2e-3, 0.3);
    let frame = system.node_frame(body.node(), result.last_q());
    assert!((frame.position - Vector3::new(0.3, 0.1, 0.2)).norm() < 1e-9, "{frame:?}");
    let weight = 10.0 * 1000.0 * std::f64::consts::PI * 0.01 * 0.4;
    let force = result.contacts.summary.row(result.len() - 1)[1];
    assert!((force / weight - 1.0).abs() < 1e-6, "{force} {weight}");
}

/// A sphere and a box come to rest upon a mesh as upon the box that it describes.
#[test]
fn bodies_rest_on_a_mesh() {
    // a step, which is not convex
    let rows = vec![vec![0.0, 0.0, 0.5, 0.5]; 3];
    let ground = Mesh::heights(&rows, [6.0, 4.0], 1.0).unwrap();
    assert!(!ground.is_convex());
    let ground: Surface = Shape::Mesh(Arc::new(ground)).into();
    let mut model = world();
    let (radius, edge) = (0.2, 0.4);
    let ball = Shape::Sphere { radius };
    let ball = model.body("ball", solid(&ball).at(Vector3::new(-2.0, 0.3, 0.25))).unwrap();
    let block = Shape::Box { size: Vector3::repeat(edge) };
    let block = model.body("block", solid(&block).at(Vector3::new(2.0, -0.4, 0.72))).unwrap();
    let floor = |model: &Model| (model.marker(GROUND, Frame::identity()), ground.clone());
    let touching = sphere(&model, ball, radius);
    model.collide("first", floor(&model), touching, law(0.0, 0.3)).unwrap();
    let touching = cuboid(&model, block, Vector3::repeat(edge));
    model.collide("second", floor(&model), touching, law(0.0, 0.3)).unwrap();
    let (system, result) = run(&model, 2e-3, 0.4);
    let place = |body: BodyId| system.node_frame(body.node(), result.last_q()).position;
    assert!((place(ball) - Vector3::new(-2.0, 0.3, 0.2)).norm() < 1e-8, "{}", place(ball));
    assert!((place(block) - Vector3::new(2.0, -0.4, 0.7)).norm() < 1e-8, "{}", place(block));
}

/// A sphere rolls down a height field that is a plane as down the plane, over the edges of its triangles.
#[test]
fn a_sphere_rolls_over_a_landscape() {
    let slope = 0.2f64;
    let rows: Vec<Vec<f64>> =
        (0..5).map(|_| (0..9).map(|i| -(i as f64 - 4.0) * 0.25 * slope.tan()).collect()).collect();
    // a dent far away makes it hollow
    let mut dented = rows;
    dented[4][8] -= 0.2;
    let ground = Mesh::heights(&dented, [2.0, 2.0], 1.0).unwrap();
    assert!(!ground.is_convex());
    let radius = 0.1;
    let up = Vector3::new(slope.sin(), 0.0, slope.cos());
    let down = Vector3::new(slope.cos(), 0.0, -slope.sin());
    let start = up * radius - down * 0.6 + Vector3::new(0.0, -0.11, 0.0);
    let rolled = |surface: Surface, frame: Frame, step: f64, until: f64| {
        let mut model = world();
        let shape = Shape::Sphere { radius };
        let body = model.body("ball", solid(&shape).at(start)).unwrap();
        let floor = (model.marker(GROUND, frame), surface);
        let touching = sphere(&model, body, radius);
        model.collide("floor", floor, touching, law(0.0, 0.5)).unwrap();
        let (system, result) = run(&model, step, until);
        system.node_frame(body.node(), result.last_q()).position
    };
    let model = world();
    let ground: Surface = Shape::Mesh(Arc::new(ground)).into();
    let both = |step: f64, until: f64| {
        let on_plane =
            rolled(Surface::Plane, model.frame(Vector3::zeros(), up), step, until) - start;
        let off = start + on_plane - rolled(ground.clone(), Frame::identity(), step, until);
        assert!(off.dot(&up).abs() < 1e-9 && off.y.abs() < 1e-9, "{off}");
        [on_plane.dot(&down), off.dot(&down)]
    };
    // rolling, not sliding, whatever the step
    let gain = 10.0 * slope.sin() * 5.0 / 7.0;
    let mut errors = Vec::new();
    for step in [2e-3, 1e-3, 5e-4] {
        // within its first triangle the landscape is the plane
        let [_, off] = both(step, 0.2);
        assert!(off.abs() < 1e-12, "{off}");
        // and from triangle to triangle a contact goes on as one
        let [way, off] = both(step, 0.8);
        assert!(off.abs() < 1e-12, "{off}");
        errors.push(way - 0.5 * gain * 0.64);
    }
    assert!(errors.iter().all(|error| error.abs() < 1e-12), "{errors:?}");
}

/// A hull of eight points falls upon a block and rests as a box does.
#[test]
fn a_hull_is_the_box_it_describes() {
    let rests = |shape: Shape| {
        let mut model = world();
        let size = Vector3::new(4.0, 4.0, 1.0);
        let body = solid(&Shape::Box { size: Vector3::repeat(2.0) });
        let body = model.body("top", body.at(Vector3::new(0.5, 0.2, 1.53))).unwrap();
        let base = (model.marker(GROUND, Frame::identity()), Shape::Box { size }.into());
        model.collide("touch", base, own(&model, body, &shape), law(0.0, 0.3)).unwrap();
        let (system, result) = run(&model, 2e-3, 0.3);
        (system.node_frame(body.node(), result.last_q()).position, result)
    };
    let (hull, result) = rests(Shape::Mesh(Arc::new(cube())));
    let (boxed, _) = rests(Shape::Box { size: Vector3::repeat(2.0) });
    assert!((hull - boxed).norm() < 1e-9, "{hull} {boxed}");
    assert!((hull - Vector3::new(0.5, 0.2, 1.5)).norm() < 1e-9, "{hull}");
    let force = result.contacts.summary.row(result.len() - 1)[1];
    assert!((force / 80_000.0 - 1.0).abs() < 1e-6, "{force}");
}

/// A ridge that fits into a valley: both are hollow with the slopes about them, and one comes to rest in the other.
#[test]
fn hollow_meshes_rest_in_each_other() {
    let relief = |signs: f64| {
        let rows = vec![vec![0.0, 0.0, 0.3 * signs, 0.0, 0.0]; 3];
        let mesh = Mesh::heights(&rows, [2.0, 1.0], 1.0).unwrap();
        assert!(!mesh.is_convex());
        Shape::Mesh(Arc::new(mesh))
    };
    // upside down, the ridge leads into the valley; it falls by 2 mm
    let mut model = world();
    let over = Frame::new(Vector3::new(0.0, 0.0, 0.002), Quaternion::exp(&(Vector3::y() * PI)));
    let body = model.body("top", solid(&relief(1.0)).at_frame(over)).unwrap();
    let base = (model.marker(GROUND, Frame::identity()), Surface::from(relief(-1.0)));
    model.collide("touch", base, own(&model, body, &relief(1.0)), law(0.0, 0.0)).unwrap();
    let (system, result) = run(&model, 1e-3, 0.2);
    let place = system.node_frame(body.node(), result.last_q()).position;
    let whole = relief(1.0).mass_properties(1000.0).unwrap();
    let fits = over.orientation.rotate(&whole.centre);
    assert!((place - fits).norm() < 1e-9, "{place} {fits}");
    let weight = 10.0 * whole.mass;
    let carried = result.contacts.summary.row(result.len() - 1)[1];
    // without friction flanks of slope 0.3/0.5 press at right angles to themselves, level ground upwards
    let steepest = 0.3f64.hypot(0.5) / 0.5;
    let within = 0.999999 * weight..1.000001 * steepest * weight;
    assert!(within.contains(&carried), "{carried} {weight}");
}
