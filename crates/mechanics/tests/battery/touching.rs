//! Unilateral constraints: tangents at every level against differences, rates, reactions.

use crate::check::{Random, Subject, battery, some_ball, some_body, some_planar_body};
use nalgebra::{Vector3, Vector6};
use rotula_dae::{Component, Contacts, Description, Level, RigidMotion, Weights, contact_rows};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::joint::{Pair, Prismatic, Revolute};
use rotula_mechanics::unilateral::{
    Clearance, Hole, ImpactLaw, Unilateral, sphere_in_sphere, sphere_on_plane, spheres,
};
use rotula_mechanics::{BodyId, GROUND, Marker, Model, ModelError, Stop};

const ROUGH: ImpactLaw = ImpactLaw { restitution: 0.5, friction: 0.3 };

impl Subject {
    /// Contact rows at all levels, their gradient and the curvature, against differences.
    pub fn contacts(&mut self, what: &str) {
        let patterns = self.system.contact_patterns();
        let rows = contact_rows(self.system.contacts());
        assert!(rows > 0, "{what}: no contact");
        for level in [Level::Position, Level::Velocity, Level::Acceleration] {
            self.compare(
                &format!("{what}, contacts at {level:?}"),
                rows,
                &patterns.rows,
                &|system, at, out| system.contact(level, at, out),
                &|system, at, weights, out| system.contact_tangent(level, at, weights, out),
            );
        }
        let at = self.state.point();
        let mut gradient = vec![0.0; patterns.rows.entries()];
        let mut velocity = gradient.clone();
        self.system.contact_gradient(&at, &mut gradient);
        self.system.contact_tangent(Level::Velocity, &at, Weights::DAMPING, &mut velocity);
        for (a, b) in gradient.iter().zip(&velocity) {
            assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{what}: gradient {a}, {b}");
        }
        let mut forces = vec![0.0; rows];
        Random::new(9).fill(&mut forces, 2.0);
        let pattern = patterns.rows.clone();
        self.compare(
            &format!("{what}, curvature"),
            self.state.v.len(),
            &patterns.curvature,
            &|system, at, out| {
                let mut gradient = vec![0.0; pattern.entries()];
                system.contact_gradient(at, &mut gradient);
                out.fill(0.0);
                pattern.multiply_transposed_add(&gradient, -1.0, &forces, out);
            },
            &|system, at, weights, out| match weights.stiffness {
                1.0 => system.contact_curvature(at, &forces, out),
                _ => out.fill(0.0),
            },
        );
    }

    /// Each level is the rate of the one before; sliding velocities begin at velocity level.
    pub fn contact_rates(&mut self, what: &str) {
        let laws = self.system.contacts().to_vec();
        let rows = contact_rows(&laws);
        let steps = [(Level::Position, Level::Velocity), (Level::Velocity, Level::Acceleration)];
        for (level, next) in steps {
            let difference =
                self.time_derivative(rows, &|system, at, out| system.contact(level, at, out));
            let mut exact = vec![0.0; rows];
            self.system.contact(next, &self.state.point(), &mut exact);
            let mut row = 0;
            for law in &laws {
                let count = if level == Level::Position { 1 } else { law.rows() };
                for i in row..row + count {
                    let (a, b) = (exact[i], difference[i]);
                    assert!(
                        (a - b).abs() < 1e-7 * (1.0 + a.abs()),
                        "{what}: row {i} at {next:?}: {a} is not {b}"
                    );
                }
                row += law.rows();
            }
        }
    }

    /// Nothing touches or slides when everything moves as one rigid body.
    fn moves_as_one(&mut self, what: &str, bodies: &[BodyId]) {
        let (speed, spin) = (Vector3::new(0.3, -0.7, 0.4), Vector3::new(0.5, 0.2, -0.9));
        let twist = [speed.x, speed.y, speed.z, spin.x, spin.y, spin.z];
        let mut state = self.state.clone();
        self.system.swept(&self.state.q, &twist, &mut state.v, &mut state.vdot);
        for body in bodies {
            let m = self.system.motion(body.node(), &state.point());
            let velocity = speed + spin.cross(&m.position);
            assert!((m.rotation * m.velocity - velocity).norm() < 1e-13, "{what}: velocity");
            assert!((m.rotation * m.omega - spin).norm() < 1e-13, "{what}: angular velocity");
            // all that moves with one twist keeps its own
            let rates = m.velocity_rate.norm() + m.omega_rate.norm();
            assert!(rates < 1e-13, "{what}: rates of {rates}");
        }
        let mut rates = vec![0.0; contact_rows(self.system.contacts())];
        self.system.contact(Level::Velocity, &state.point(), &mut rates);
        for rate in rates {
            assert!(rate.abs() < 1e-12, "{what}: moving as one gives a rate of {rate}");
        }
    }
}

pub fn check(what: &str, model: &Model, free: &[BodyId]) {
    battery(what, model.clone());
    for map in [rotula_lie::Retraction::Exponential, rotula_lie::Retraction::Cayley] {
        let mut model = model.clone();
        model.retraction = map;
        let assembly = model.assemble().unwrap();
        for seed in 1..4 {
            let mut subject = Subject::new(&assembly, seed);
            subject.contacts(what);
            subject.contact_rates(what);
            if !free.is_empty() {
                subject.moves_as_one(what, free);
            }
        }
    }
}

type Make = dyn Fn(&Pair) -> Result<Unilateral, ModelError>;

/// A contact between two bodies in space, with markers anywhere, and one with the ground.
fn in_space(what: &str, make: &Make) {
    let mut random = Random::new(14);
    let mut model = Model::new();
    let first = some_body(&mut model, "first", &mut random);
    let second = some_ball(&mut model, "second", &mut random);
    let (a, b) = (model.marker(first, random.frame()), model.marker(second, random.frame()));
    model.touch("pair", make(&model.pair(a, b)).unwrap()).unwrap();
    check(what, &model, &[first, second]);
    let (a, b) = (model.marker(GROUND, random.frame()), model.marker(first, random.frame()));
    model.touch("ground", make(&model.pair(a, b)).unwrap()).unwrap();
    check(what, &model, &[]);
}

/// The same in the plane; z axes of the markers are turned as asked.
fn in_the_plane(what: &str, turn: Vector3<f64>, make: &Make) {
    let mut random = Random::new(12);
    let mut model = Model::new();
    let first = some_planar_body(&mut model, "first", &mut random);
    let second = some_planar_body(&mut model, "second", &mut random);
    let mut some = |model: &Model, body: BodyId| -> Marker {
        let spin = Quaternion::exp(&Vector3::new(0.0, 0.0, random.number()));
        let place = Vector3::new(random.number(), random.number(), 0.0);
        model.marker(body, Frame::new(place, spin * Quaternion::exp(&turn)))
    };
    for (name, from, to) in [("pair", first, second), ("ground", GROUND, first)] {
        let pair = model.pair(some(&model, from), some(&model, to));
        assert!(pair.plane.is_some());
        let contact = make(&pair).unwrap();
        assert_eq!(contact.contact().directions, 1);
        model.touch(name, contact).unwrap();
    }
    check(what, &model, &[]);
}

#[test]
fn points_and_spheres_on_planes() {
    for radius in [0.0, 0.3] {
        in_space("sphere on plane", &move |pair| sphere_on_plane(pair, radius, ROUGH));
        // the normal of the plane of contact lies in the plane of motion
        let turn = Vector3::new(-std::f64::consts::FRAC_PI_2, 0.0, 0.0);
        in_the_plane("disc on line", turn, &move |pair| sphere_on_plane(pair, radius, ROUGH));
    }
}

#[test]
fn spheres_outside_and_inside() {
    in_space("spheres", &|pair| spheres(pair, [0.2, 0.3], ROUGH));
    in_the_plane("discs", Vector3::zeros(), &|pair| spheres(pair, [0.2, 0.3], ROUGH));
    in_space("bowl", &|pair| sphere_in_sphere(pair, 3.0, 0.4, ROUGH));
    in_the_plane("ring", Vector3::zeros(), &|pair| sphere_in_sphere(pair, 3.0, 0.4, ROUGH));
}

#[test]
fn clearances() {
    let play = |hole| Clearance { hole, size: 1.5, radius: 0.4, law: ROUGH };
    for hole in [Hole::Round, Hole::Socket] {
        in_space("clearance", &move |pair| play(hole).contact(pair));
        in_the_plane("clearance", Vector3::zeros(), &move |pair| play(hole).contact(pair));
    }
}

#[test]
fn stops_of_joints() {
    let mut random = Random::new(13);
    let mut model = Model::new();
    let first = some_body(&mut model, "first", &mut random);
    let second = some_body(&mut model, "second", &mut random);
    let (a, b) = (model.marker(GROUND, random.frame()), model.marker(first, random.frame()));
    let hinge = model.joint("hinge", &Revolute, a, b).unwrap();
    let (a, b) = (model.marker(first, random.frame()), model.marker(second, random.frame()));
    let slide = model.joint("slide", &Prismatic, a, b).unwrap();
    for (joint, word) in [(hinge, "angle"), (slide, "displacement")] {
        let coordinate = model.coordinate(joint, word).unwrap();
        let name = word.to_string();
        model.stop(Stop { name, coordinate, lower: -0.5, upper: 0.7, restitution: 0.5 }).unwrap();
    }
    let mut system = model.assemble().unwrap();
    assert_eq!(system.contacts().len(), 4);
    assert_eq!(system.name(Component::Contact(1)), "angle (upper)");
    let mut gaps = [0.0; 4];
    let start = system.start();
    system.contact(Level::Position, &start.point(), &mut gaps);
    assert!((gaps[0] + gaps[1] - 1.2).abs() < 1e-12 && (gaps[2] + gaps[3] - 1.2).abs() < 1e-12);
    check("stops", &model, &[]);
}

/// A normal force of 2 N and friction act where the surfaces touch, not elsewhere.
#[test]
fn reactions_act_in_the_point_of_contact() {
    let mut model = Model::new();
    let body = some_body(&mut model, "ball", &mut Random::new(3));
    let floor = model.marker(GROUND, Frame::identity());
    let arm = Vector3::new(0.1, 0.2, 0.3);
    let centre = model.marker(body, Frame::new(arm, Quaternion::identity()));
    let contact = sphere_on_plane(&model.pair(floor, centre), 0.25, ROUGH).unwrap();
    model.touch("floor", contact).unwrap();
    let mut system = model.assemble().unwrap();
    let state = system.start();
    let pattern = system.contact_patterns().rows;
    let mut gradient = vec![0.0; pattern.entries()];
    system.contact_gradient(&state.point(), &mut gradient);
    let mut wrench = vec![0.0; 6];
    let force = [2.0, 0.5, -0.3];
    pattern.multiply_transposed_add(&gradient, 1.0, &force, &mut wrench);
    let m = system.motion(body.node(), &state.point());
    // normal first, then along x and y of the floor
    let pushed = Vector3::new(force[1], force[2], force[0]);
    let place = m.position + m.rotation * centre.frame.position - Vector3::z() * 0.25;
    // a free body keeps the velocity of its centre in the world, and its rotation in its own axes
    let angular = m.into_body(&(place - m.position).cross(&pushed));
    let expected = Vector6::from_iterator(pushed.iter().chain(angular.iter()).copied());
    assert!((Vector6::from_column_slice(&wrench) - expected).norm() < 1e-13);
}
