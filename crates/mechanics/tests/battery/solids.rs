//! Gaps of points, cylinders, hulls, meshes and landscapes: the contacts that are listed, with their rates,
//! gradients and accelerations, against closed forms of the distance along random motions.

use crate::check::{Random, Subject};
use nalgebra::Vector3;
use rotula_dae::{Level, State, System, contact_rows};
use rotula_lie::{Frame, Quaternion, Retraction};
use rotula_mechanics::force::Surface;
use rotula_mechanics::shape::{Mesh, Shape};
use rotula_mechanics::unilateral::ImpactLaw;
use rotula_mechanics::{Assembly, Body, BodyId, Marker, MassProperties, Model};
use std::f64::consts::FRAC_PI_2;

const ROUGH: ImpactLaw = ImpactLaw { restitution: 0.5, friction: 0.3 };

/// How the bodies move.
#[derive(Clone, Copy, PartialEq)]
enum Moves {
    Anyhow,
    /// The z axis of the second solid keeps its angle with that of the first.
    Level,
}

/// What is promised of a listed contact between two renewals.
#[derive(Clone, Copy, PartialEq)]
enum Promise {
    /// Its gap is the distance.
    Exact,
    /// The points of contact move over the bodies, and the contact does not know: gap and rate are right
    /// where it was listed, and the gap is off by the square of the time since.
    FirstOrder,
}

/// Two surfaces, where the second is seen from the first so that they almost touch, and their distance.
struct Case<'a> {
    what: &'a str,
    surfaces: [Surface; 2],
    place: &'a dyn Fn(&mut Random) -> Frame,
    distance: &'a dyn Fn(&Frame) -> f64,
    moves: Moves,
    promise: Promise,
}

/// A model of a case with everything else anyhow.
struct Placed {
    assembly: Assembly,
    bodies: [BodyId; 2],
    markers: [Marker; 2],
}

impl Placed {
    fn new(case: &Case, seed: u64, swapped: bool, map: Retraction) -> Self {
        let mut random = Random::new(seed);
        let mut model = Model::new();
        model.retraction = map;
        let [frame, on_first, on_second] = [random.frame(), random.frame(), random.frame()];
        let seen = (case.place)(&mut random);
        let frames = [frame, frame * on_first * seen * on_second.inverse()];
        let bodies = [("first", frames[0]), ("second", frames[1])].map(|(name, frame)| {
            let mass = MassProperties::principal(1.3, Vector3::new(0.3, 0.5, 0.4));
            let body = Body::rigid(mass.moved(&random.frame())).at_frame(frame);
            model.body(name, body).unwrap()
        });
        let markers = [model.marker(bodies[0], on_first), model.marker(bodies[1], on_second)];
        let [first, second] = [0, 1].map(|k| (markers[k], case.surfaces[k].clone()));
        let [a, b] = if swapped { [second, first] } else { [first, second] };
        model.collide("touch", a, b, ROUGH).unwrap();
        Placed { assembly: model.assemble().unwrap(), bodies, markers }
    }

    /// The second solid as seen from the first.
    fn seen(&self, q: &[f64]) -> Frame {
        let [a, b] = [0, 1]
            .map(|k| self.assembly.node_frame(self.bodies[k].node(), q) * self.markers[k].frame);
        b.seen_from(&a)
    }

    /// Velocities and accelerations with which the axes of the solids keep their angle: the first body
    /// rests, and the second turns by `ω = s a + t n` about its own axis and that of the first. Then
    /// `ω̇ = ṡ a + s t n × a + ṫ n`.
    fn keep_level(&self, state: &mut State, random: &mut Random) {
        let frames = self.bodies.map(|body| self.assembly.node_frame(body.node(), &state.q));
        let [n, a] =
            [0, 1].map(|k| frames[k].orientation.rotate(&self.markers[k].direction(&Vector3::z())));
        let (s, t) = (random.number(), random.number());
        let spin = a * s + n * t;
        let gain = a * random.number() + n.cross(&a) * (s * t) + n * random.number();
        for (values, turn) in [(&mut state.v, spin), (&mut state.vdot, gain)] {
            values[..6].fill(0.0);
            values[9..].copy_from_slice(frames[1].orientation.rotate_back(&turn).as_slice());
        }
    }
}

/// The row of the contact with the least gap, and all rows at a level.
fn rows(system: &mut Assembly, level: Level, state: &State) -> Vec<f64> {
    let mut out = vec![0.0; contact_rows(system.contacts())];
    system.contact(level, &state.point(), &mut out);
    out
}

fn nearest(system: &mut Assembly, state: &State) -> usize {
    let gaps = rows(system, Level::Position, state);
    let starts = system.contacts().iter().scan(0, |row, law| {
        let start = *row;
        *row += law.rows();
        Some(start)
    });
    starts.min_by(|i, j| gaps[*i].total_cmp(&gaps[*j])).unwrap()
}

fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error < tolerance * (1.0 + expected.abs()), "{what}: {found} is not {expected}");
}

/// The distance at a state, and its first and second time derivative by differences.
fn differences(distance: &dyn Fn(f64) -> f64) -> [f64; 3] {
    let h = 2e-3;
    let [a, b, o, c, d] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| distance(k * h));
    let rate = (8.0 * (c - b) - (d - a)) / (12.0 * h);
    let second = (16.0 * (c + b) - (d + a) - 30.0 * o) / (12.0 * h * h);
    [o, rate, second]
}

impl Case<'_> {
    fn check(&self) {
        for seed in 1..6 {
            for swapped in [false, true] {
                for map in [Retraction::Exponential, Retraction::Cayley] {
                    let placed = Placed::new(self, seed, swapped, map);
                    let what = format!("{}, seed {seed}, swapped {swapped}", self.what);
                    self.compare(&what, &placed, seed);
                }
            }
        }
    }

    fn compare(&self, what: &str, placed: &Placed, seed: u64) {
        let mut subject = Subject::at_start(&placed.assembly, seed);
        if self.moves == Moves::Level {
            placed.keep_level(&mut subject.state, &mut Random::new(seed + 50));
        }
        let start = subject.state.clone();
        subject.system.renew_contacts(&start.point(), 1e-3);
        // what is listed has exact derivatives of its own
        subject.contacts(what);
        subject.contact_rates(what);
        let row = nearest(&mut subject.system, &start);
        let levels = [Level::Position, Level::Velocity, Level::Acceleration];
        let found = levels.map(|level| rows(&mut subject.system, level, &start)[row]);
        let distance = |q: &[f64]| (self.distance)(&placed.seen(q));
        let expected = differences(&|dt| distance(&subject.later(dt).q));
        close(&format!("{what}: gap"), found[0], expected[0], 1e-9);
        close(&format!("{what}: rate"), found[1], expected[1], 1e-7);
        if self.promise == Promise::Exact {
            // the motion along which differences are taken is right to the second order
            close(&format!("{what}: acceleration"), found[2], expected[2], 1e-5);
        }
        if self.moves == Moves::Anyhow {
            let pattern = subject.system.contact_patterns().rows;
            let mut values = vec![0.0; pattern.entries()];
            subject.system.contact_gradient(&start.point(), &mut values);
            let mut gradient = vec![0.0; start.v.len()];
            for ((i, j), value) in pattern.iter().zip(&values).filter(|((i, _), _)| *i == row) {
                debug_assert_eq!(i, row);
                gradient[j] = *value;
            }
            for (j, value) in gradient.iter().enumerate() {
                let slope = differences(&|by| {
                    let mut step = vec![0.0; start.v.len()];
                    step[j] = by;
                    let mut q = start.q.clone();
                    subject.system.retract(&start.q, &step, &mut q);
                    distance(&q)
                })[1];
                close(&format!("{what}: gradient {j}"), *value, slope, 1e-7);
            }
        }
        self.between_renewals(what, &mut subject, row, &distance);
    }

    /// The gap of the listed contact a little later, beside the distance.
    fn between_renewals(
        &self,
        what: &str,
        subject: &mut Subject,
        row: usize,
        distance: &dyn Fn(&[f64]) -> f64,
    ) {
        let mut error = |dt: f64| {
            let later = subject.later(dt);
            rows(&mut subject.system, Level::Position, &later)[row] - distance(&later.q)
        };
        let spans = [4e-3, 2e-3];
        match self.promise {
            // such a motion is followed to the second order, so that it is not quite level later
            Promise::Exact if self.moves == Moves::Level => {
                for dt in spans {
                    assert!(error(dt).abs() < 2.0 * dt.powi(3), "{what}: {}", error(dt));
                }
            }
            Promise::Exact => {
                for dt in spans {
                    assert!(error(dt).abs() < 1e-9, "{what}: {}", error(dt));
                }
            }
            Promise::FirstOrder => {
                // the sum of both signs has no third power, and the difference no second
                let even = spans.map(|dt| error(dt) + error(-dt));
                // v²/r at 4 m/s, which no place exceeds, about the radius 0.4 m
                assert!(even[0].abs() < 40.0 * spans[0].powi(2), "{what}: {even:?}");
                // smaller ones are lost in rounding
                if even[1].abs() > 1e-8 {
                    let ratio = even[0] / even[1];
                    assert!((ratio - 4.0).abs() < 0.1, "{what}: {even:?}");
                }
                let odd = spans.map(|dt| error(dt) - error(-dt));
                assert!(odd[1].abs() < 200.0 * spans[1].powi(3), "{what}: {odd:?}");
            }
        }
    }
}

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
    let distances: [(Surface, &dyn Fn(&Frame) -> f64); 3] =
        [(plane, &height), (ball, &away), (bowl, &within)];
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

/// The lowest point of a cylinder that is tilted is on its rim, which it rolls over; lying and standing it
/// keeps its points.
#[test]
fn cylinders_on_planes_and_blocks() {
    let floors = [(Surface::Plane, 0.0), (hull(&block()), 0.5)];
    for (floor, top) in floors {
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
            promise: Promise::FirstOrder,
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
        promise: Promise::FirstOrder,
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
        promise: Promise::FirstOrder,
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
