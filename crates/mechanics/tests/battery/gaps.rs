//! Gaps of listed contacts, with their rates, gradients and accelerations, against closed forms of the
//! distance along random motions.

use crate::check::{Random, Subject};
use nalgebra::Vector3;
use rotula_dae::{Contacts, Level, State, System, contact_rows};
use rotula_lie::{Frame, Retraction};
use rotula_mechanics::force::Surface;
use rotula_mechanics::unilateral::ImpactLaw;
use rotula_mechanics::{Assembly, Body, BodyId, Marker, MassProperties, Model};

const ROUGH: ImpactLaw = ImpactLaw { restitution: 0.5, friction: 0.3 };

/// No place where a solid is touched is farther from its marker.
const REACH: f64 = 0.75;

/// How the bodies move.
#[derive(Clone, Copy, PartialEq)]
pub enum Moves {
    Anyhow,
    /// The z axis of the second solid keeps its angle with that of the first.
    Level,
}

/// What is promised of a listed contact between two renewals.
#[derive(Clone, Copy, PartialEq)]
pub enum Promise {
    /// Its gap is the distance.
    Exact,
    /// The points of contact move over the bodies, and the contact does not know: gap and rate are right
    /// where it was listed, and the gap is off by the square of the time since.
    FirstOrder,
}

/// A distance of two surfaces, the second seen from the first.
pub type Distance<'a> = &'a dyn Fn(&Frame) -> f64;

/// Two surfaces, where the second is seen from the first so that they almost touch, and their distance.
pub struct Case<'a> {
    pub what: &'a str,
    pub surfaces: [Surface; 2],
    pub place: &'a dyn Fn(&mut Random) -> Frame,
    pub distance: Distance<'a>,
    pub moves: Moves,
    pub promise: Promise,
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

/// All rows at a level.
fn rows(system: &mut Assembly, level: Level, state: &State) -> Vec<f64> {
    let mut out = vec![0.0; contact_rows(system.contacts())];
    system.contact(level, &state.point(), &mut out);
    out
}

/// The row of the contact with the least gap.
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
    let h = 1e-3;
    let [a, b, o, c, d] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| distance(k * h));
    let rate = (8.0 * (c - b) - (d - a)) / (12.0 * h);
    let second = (16.0 * (c + b) - (d + a) - 30.0 * o) / (12.0 * h * h);
    [o, rate, second]
}

impl Case<'_> {
    pub fn check(&self) {
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
            for ((_, j), value) in pattern.iter().zip(&values).filter(|((i, _), _)| *i == row) {
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
        let [before, after] = [-1e-4, 1e-4].map(|dt| placed.seen(&subject.later(dt).q));
        let way = (after.position - before.position).norm();
        let turn = (before.orientation.conjugate() * after.orientation).shortest().log().norm();
        let speed = (way + REACH * turn) / 2e-4;
        self.between_renewals(what, &mut subject, row, &distance, speed);
    }

    /// The gap of the listed contact a little later, beside the distance.
    fn between_renewals(
        &self,
        what: &str,
        subject: &mut Subject,
        row: usize,
        distance: &dyn Fn(&[f64]) -> f64,
        speed: f64,
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
                // v²/r about the radius 0.4 m
                let bend = speed * speed / 0.4;
                assert!(even[0].abs() < bend * spans[0].powi(2), "{what}: {even:?}, {speed} m/s");
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
