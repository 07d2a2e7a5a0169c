//! Forces between two bodies: models with them, and the laws every one of them must keep.

use crate::check::{Random, battery, some_ball, some_body};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Force, numeric_tangent};
use rotula_mechanics::node::Motion;
use rotula_mechanics::{GROUND, Marker, Model, Scene, TimeFunction, World};

/// A force between two markers.
pub type Make<'a> = &'a dyn Fn(Marker, Marker) -> Box<dyn Force>;

/// A force that was boxed, as a force.
#[derive(Clone, Debug)]
struct Boxed(Box<dyn Force>);

impl Force for Boxed {
    fn nodes(&self) -> &[usize] {
        self.0.nodes()
    }
    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.0.wrench(scene, out);
    }
    fn tangent(&mut self, scene: Scene, k: &mut [Matrix6<f64>], d: &mut [Matrix6<f64>]) {
        self.0.tangent(scene, k, d);
    }
    fn energy(&mut self, scene: Scene) -> f64 {
        self.0.energy(scene)
    }
    fn power(&mut self, scene: Scene) -> f64 {
        self.0.power(scene)
    }
    fn measures_mut(
        &mut self,
    ) -> Box<dyn Iterator<Item = &mut rotula_mechanics::measure::Measure> + '_> {
        self.0.measures_mut()
    }
}

/// The force between the ground and a body and between that and another body.
pub fn model_with(make: Make) -> Model {
    let mut random = Random::new(5);
    let mut model = Model::new();
    model.function(TimeFunction::formula("sin(3*t)").unwrap());
    let first = some_body(&mut model, "first", &mut random);
    let second = some_ball(&mut model, "second", &mut random);
    for (name, from, to) in [("upper", GROUND, first), ("lower", first, second)] {
        let (a, b) = (model.marker(from, random.frame()), model.marker(to, random.frame()));
        model.force(name, Boxed(make(a, b))).unwrap();
    }
    model
}

/// Everything that holds for a force with exact tangents.
pub fn whole(what: &str, make: Make) {
    battery(what, model_with(make));
    laws(what, make);
}

/// Some marker of a node.
fn marker(node: usize, random: &mut Random) -> Marker {
    Marker { node, frame: random.frame() }
}

fn motion(random: &mut Random) -> Motion {
    let mut motion = Motion::at_rest(&random.frame());
    (motion.velocity, motion.omega) = (random.vector(), random.vector());
    motion
}

/// The wrenches of a force on nodes 0 and 1 of two motions.
pub fn wrenches(force: &mut dyn Force, motions: &[Motion; 2]) -> [Vector6<f64>; 2] {
    let mut out = [Vector6::zeros(); 2];
    let functions = [[0.4, 0.0, 0.0]];
    let world =
        World { t: 0.2, motions, angles: &[], functions: &functions, states: &[], variables: &[] };
    force.wrench(Scene { world: &world, nodes: &[0, 1] }, &mut out);
    out
}

/// Tangents of a force and the same by differences.
pub fn tangents(force: &mut dyn Force, motions: &[Motion; 2]) -> [[Matrix6<f64>; 8]; 2] {
    let functions = [[0.4, 0.0, 0.0]];
    let world =
        World { t: 0.2, motions, angles: &[], functions: &functions, states: &[], variables: &[] };
    let scene = Scene { world: &world, nodes: &[0, 1] };
    let mut exact = [Matrix6::zeros(); 8];
    let (k, d) = exact.split_at_mut(4);
    force.tangent(scene, k, d);
    let mut numeric = [Matrix6::zeros(); 8];
    let (k, d) = numeric.split_at_mut(4);
    numeric_tangent(force, scene, 1.0, 1.0, k, d);
    [exact, numeric]
}

/// Action equals reaction, and a rigid motion of the whole changes nothing. At least one of the
/// configurations must feel a force.
pub fn laws(what: &str, make: Make) {
    let mut felt = false;
    for seed in 1..6 {
        let mut random = Random::new(seed);
        let mut force = make(marker(0, &mut random), marker(1, &mut random));
        force.measures_mut().for_each(|measure| {
            // there is no assembly here that keeps turns
            if let rotula_mechanics::measure::Measure::Angle { turns, .. } = measure {
                *turns = None;
            }
        });
        let motions = [motion(&mut random), motion(&mut random)];
        let found = wrenches(force.as_mut(), &motions);
        balanced(what, &motions, &found);
        felt |= found[1].norm() > 1e-3;
        let moved = moved_rigidly(&motions, &mut random);
        let again = wrenches(force.as_mut(), &moved);
        for (a, b) in found.iter().zip(&again) {
            let size = 1.0 + a.amax();
            assert!((a - b).amax() < 1e-9 * size, "{what} is not objective: {a:?}, {b:?}");
        }
    }
    assert!(felt, "{what}: there is no force");
}

fn three(w: &Vector6<f64>, first: usize) -> Vector3<f64> {
    w.fixed_rows::<3>(first).into()
}

/// Forces add up to zero, and so do moments about the origin.
pub fn balanced(what: &str, motions: &[Motion; 2], wrenches: &[Vector6<f64>; 2]) {
    let (mut force, mut moment, mut size) = (Vector3::zeros(), Vector3::zeros(), 1.0);
    for (m, wrench) in motions.iter().zip(wrenches) {
        let push = m.rotation * three(wrench, 0);
        force += push;
        moment += m.position.cross(&push) + m.rotation * three(wrench, 3);
        size += wrench.norm();
    }
    assert!(force.norm() < 1e-12 * size, "{what}: forces leave {force:?}");
    assert!(moment.norm() < 1e-12 * size, "{what}: moments leave {moment:?}");
}

/// Both bodies carried to another place, and in a frame that moves and turns.
fn moved_rigidly(motions: &[Motion; 2], random: &mut Random) -> [Motion; 2] {
    let place = Frame::new(random.vector() * 3.0, Quaternion::exp(&(random.vector() * 2.0)));
    let (velocity, spin) = (random.vector(), random.vector());
    motions.map(|m| {
        let rotation = place.orientation.to_matrix() * m.rotation;
        let position = place.transform_point(&m.position);
        let drift = velocity + spin.cross(&position);
        Motion {
            position,
            rotation,
            velocity: m.velocity + rotation.tr_mul(&drift),
            omega: m.omega + rotation.tr_mul(&spin),
            ..m
        }
    })
}
