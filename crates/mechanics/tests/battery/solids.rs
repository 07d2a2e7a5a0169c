//! Gaps of points, cylinders, hulls, meshes and landscapes against closed forms.

use crate::check::Random;
use crate::gaps::{Case, Distance, Moves, Promise};
use nalgebra::Vector3;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::Surface;
use rotula_mechanics::shape::{Mesh, Shape};
use std::f64::consts::FRAC_PI_2;

fn turned(turn: Vector3<f64>) -> Quaternion {
    Quaternion::exp(&turn)
}

/// Turned anyhow about the z axis.
fn spun(random: &mut Random) -> Quaternion {
    turned(Vector3::z() * (3.0 * random.number()))
}

/// A small gap or depth.
fn small(random: &mut Random) -> f64 {
    0.002 * random.number()
}

/// Near the z axis, and almost at a height.
fn above(random: &mut Random, height: f64) -> Vector3<f64> {
    Vector3::new(0.3 * random.number(), 0.3 * random.number(), height + small(random))
}

const RADIUS: f64 = 0.4;
const LENGTH: f64 = 1.2;

fn cylinder() -> Surface {
    Shape::Cylinder { radius: RADIUS, length: LENGTH }.into()
}

fn sphere() -> Surface {
    Shape::Sphere { radius: RADIUS }.into()
}

/// A block whose upper face is the plane z = 0.5, as the hull of its corners.
fn block() -> Vec<Vector3<f64>> {
    let side = |k: usize, bit: usize| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
    (0..8).map(|k| Vector3::new(4.0 * side(k, 0), 3.0 * side(k, 1), side(k, 2))).collect()
}

fn hull(points: &[Vector3<f64>]) -> Surface {
    Shape::Mesh(Mesh::hull(points).unwrap().into()).into()
}

/// An octahedron with corners on its axes.
fn octahedron() -> Vec<Vector3<f64>> {
    let axis = |k: usize| Vector3::ith(k, 0.5 + 0.1 * k as f64);
    (0..3).flat_map(|k| [axis(k), -axis(k)]).collect()
}

#[test]
fn points() {
    let [plane, ball, bowl] = [Surface::Plane, sphere(), Surface::Bowl { radius: 0.9 }];
    let anywhere = |random: &mut Random| {
        let away = random.vector().normalize() * (RADIUS + small(random));
        Frame::new(away, spun(random))
    };
    let height = |seen: &Frame| seen.position.z;
    let away = |seen: &Frame| seen.position.norm() - RADIUS;
    // as documented: smooth in the middle
    let within = |seen: &Frame| (0.81 - seen.position.norm_squared()) / 1.8;
    let distances: [(Surface, Distance); 3] = [(plane, &height), (ball, &away), (bowl, &within)];
    for (surface, distance) in distances {
        let case = Case {
            what: &format!("point and {surface:?}"),
            surfaces: [surface, Surface::Point],
            place: &anywhere,
            distance,
            moves: Moves::Anyhow,
            promise: Promise::Exact,
        };
        case.check();
    }
}

/// The lowest point of a cylinder that is tilted is on its rim, which it rolls over, exactly on a plane; lying and standing it
/// keeps its points.
#[test]
fn cylinders_on_planes_and_blocks() {
    // the library finds normals of faces to 1e-9, which is not exact enough to keep the place
    let floors =
        [(Surface::Plane, 0.0, Promise::Exact), (hull(&block()), 0.5, Promise::FirstOrder)];
    for (floor, top, rim) in floors {
        let lowest = move |seen: &Frame| {
            let cosine = seen.orientation.rotate(&Vector3::z()).z;
            seen.position.z
                - 0.5 * LENGTH * cosine.abs()
                - RADIUS * (1.0 - cosine * cosine).sqrt()
                - top
        };
        let tilted = |random: &mut Random| {
            let tilt = turned(Vector3::x() * (0.8 + 0.4 * random.number()));
            let turn = spun(random) * tilt * spun(random);
            let sunk = lowest(&Frame::new(Vector3::zeros(), turn));
            Frame::new(above(random, -sunk), turn)
        };
        let lying = |random: &mut Random| {
            let turn = spun(random) * turned(Vector3::x() * FRAC_PI_2) * spun(random);
            Frame::new(above(random, top + RADIUS), turn)
        };
        let standing =
            |random: &mut Random| Frame::new(above(random, top + 0.5 * LENGTH), spun(random));
        let on_side = move |seen: &Frame| seen.position.z - top - RADIUS;
        let on_cap = move |seen: &Frame| seen.position.z - top - 0.5 * LENGTH;
        let case = Case {
            what: "tilted cylinder",
            surfaces: [floor.clone(), cylinder()],
            place: &tilted,
            distance: &lowest,
            moves: Moves::Anyhow,
            promise: rim,
        };
        case.check();
        let surfaces = || [floor.clone(), cylinder()];
        let (moves, promise) = (Moves::Level, Promise::Exact);
        let what = "lying cylinder";
        let (place, distance) = (&lying, &on_side);
        Case { what, surfaces: surfaces(), place, distance, moves, promise }.check();
        let what = "standing cylinder";
        let (place, distance) = (&standing, &on_cap);
        Case { what, surfaces: surfaces(), place, distance, moves, promise }.check();
    }
}

/// A sphere beside a cylinder may slide along its axis: the axis is a line, and the contact knows a point.
#[test]
fn a_sphere_beside_a_cylinder() {
    let case = Case {
        what: "sphere beside cylinder",
        surfaces: [cylinder(), sphere()],
        place: &|random| {
            let out = turned(Vector3::z() * (3.0 * random.number())).rotate(&Vector3::x());
            let along = Vector3::z() * (0.3 * random.number());
            Frame::new(out * (2.0 * RADIUS + small(random)) + along, spun(random))
        },
        distance: &|seen| seen.position.xy().norm() - 2.0 * RADIUS,
        moves: Moves::Anyhow,
        promise: Promise::FirstOrder,
    };
    case.check();
}

/// A corner on a face, which is exact, and edges that cross, which are not.
#[test]
fn hulls() {
    let corner = |random: &mut Random| {
        // some corner down, and a little askew
        let downs = [Vector3::y(), -Vector3::x(), Vector3::zeros()];
        let down = downs[(3.0 * random.number().abs()) as usize] * FRAC_PI_2;
        let turn = spun(random) * turned(random.vector() * 0.2) * turned(down);
        let low = octahedron().iter().map(|p| turn.rotate(p).z).fold(f64::INFINITY, f64::min);
        Frame::new(above(random, 0.5 - low), turn)
    };
    let lowest = |seen: &Frame| {
        let heights = octahedron().iter().map(|p| seen.transform_point(p).z).collect::<Vec<_>>();
        heights.iter().copied().fold(f64::INFINITY, f64::min) - 0.5
    };
    let boxed: Surface = Shape::Box { size: Vector3::new(4.0, 3.0, 1.0) }.into();
    for floor in [hull(&block()), boxed] {
        let case = Case {
            what: "corner on face",
            surfaces: [floor, hull(&octahedron())],
            place: &corner,
            distance: &lowest,
            moves: Moves::Anyhow,
            promise: Promise::Exact,
        };
        case.check();
    }
    // a bar with one edge up, and another across it with one edge down
    let ends = [-1.5, 1.5];
    let bar =
        ends.map(|x| [[0.3, 0.0], [-0.3, 0.0], [0.0, 0.3], [0.0, -0.3]].map(|[y, z]| [x, y, z]));
    let bar = hull(&bar.as_flattened().iter().map(|p| Vector3::from(*p)).collect::<Vec<_>>());
    let case = Case {
        what: "edges that cross",
        surfaces: [bar.clone(), bar],
        place: &|random| {
            let across = turned(Vector3::z() * (FRAC_PI_2 + 0.4 * random.number()));
            let turn = across * turned(random.vector() * 0.1);
            let edge = turn.rotate(&Vector3::new(0.0, 0.0, -0.3));
            let place = above(random, 0.3) - edge;
            Frame::new(place, turn)
        },
        distance: &|seen| {
            let way = seen.transform_point(&Vector3::new(0.0, 0.0, -0.3)) - Vector3::z() * 0.3;
            let normal = Vector3::x().cross(&seen.orientation.rotate(&Vector3::x()));
            normal.dot(&way) / normal.norm()
        },
        moves: Moves::Anyhow,
        promise: Promise::Exact,
    };
    case.check();
}

/// A landscape of ridges along y with a valley between.
fn landscape() -> Surface {
    let rows = vec![vec![0.0, 0.4, 0.0, 0.0, 0.3]; 3];
    let mesh = Mesh::heights(&rows, [4.0, 4.0], 1.0).unwrap();
    assert!(!mesh.is_convex());
    Shape::Mesh(mesh.into()).into()
}

/// A sphere on a face of a landscape is exact; over a ridge it is not.
#[test]
fn landscapes() {
    let normal = Vector3::new(-0.4, 0.0, 1.0).normalize();
    let ridge = Vector3::new(-1.0, 0.0, 0.4);
    let on_face = |random: &mut Random| {
        let x = -0.5 + 0.15 * random.number();
        let foot = ridge + Vector3::new(x, 1.0 + 0.5 * random.number(), 0.4 * x);
        Frame::new(foot + normal * (RADIUS + small(random)), spun(random))
    };
    let face = |seen: &Frame| normal.dot(&(seen.position - ridge)) - RADIUS;
    let case = Case {
        what: "sphere on a face",
        surfaces: [landscape(), sphere()],
        place: &on_face,
        distance: &face,
        moves: Moves::Anyhow,
        promise: Promise::Exact,
    };
    case.check();
    let on_ridge = |random: &mut Random| {
        let angle = 0.2 * random.number();
        let out = Vector3::new(angle.sin(), 0.0, angle.cos());
        let foot = ridge + Vector3::y() * (1.0 + 0.5 * random.number());
        Frame::new(foot + out * (RADIUS + small(random)), spun(random))
    };
    let case = Case {
        what: "sphere on a ridge",
        surfaces: [landscape(), sphere()],
        place: &on_ridge,
        distance: &|seen| {
            let way = seen.position - ridge;
            way.x.hypot(way.z) - RADIUS
        },
        moves: Moves::Anyhow,
        promise: Promise::Exact,
    };
    case.check();
    // a corner of an octahedron on the flat part between the ridges
    let corner = |random: &mut Random| {
        let turn = spun(random) * turned(random.vector() * 0.2);
        let low = octahedron().iter().map(|p| turn.rotate(p).z).fold(f64::INFINITY, f64::min);
        let place = Vector3::new(0.6, 0.8, small(random) - low);
        Frame::new(place, turn)
    };
    let case = Case {
        what: "corner on a landscape",
        surfaces: [landscape(), hull(&octahedron())],
        place: &corner,
        distance: &|seen| {
            let heights = octahedron().into_iter().map(|p| seen.transform_point(&p).z);
            heights.fold(f64::INFINITY, f64::min)
        },
        moves: Moves::Anyhow,
        promise: Promise::Exact,
    };
    case.check();
}
