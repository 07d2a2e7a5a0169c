//! Models that several tests look at.

use nalgebra::Vector3;
use rotula_dae::{InitialPolicy, State, System, make_consistent};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Linear, Spring};
use rotula_mechanics::joint::{Prismatic, Revolute};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::{Body, BodyId, GROUND, Marker, MassProperties, Model, ModelError};

pub const G: f64 = 9.81;

/// A uniform bar in the plane, its centre and its direction.
pub fn bar(
    model: &mut Model,
    name: &str,
    length: f64,
    mass: f64,
    centre: [f64; 2],
    turn: f64,
) -> BodyId {
    let place = Frame::new(
        Vector3::new(centre[0], centre[1], 0.0),
        Quaternion::exp(&Vector3::new(0.0, 0.0, turn)),
    );
    model.body(name, Body::planar(mass, mass * length * length / 12.0).at_frame(place)).unwrap()
}

/// A bar between two points.
pub fn bar_between(
    model: &mut Model,
    name: &str,
    mass: f64,
    from: [f64; 2],
    to: [f64; 2],
) -> BodyId {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let centre = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    bar(model, name, dx.hypot(dy), mass, centre, dy.atan2(dx))
}

/// A marker at a place on the long axis of a body.
pub fn on(model: &Model, body: BodyId, x: f64, y: f64) -> Marker {
    model.marker(body, Frame::new(Vector3::new(x, y, 0.0), Quaternion::identity()))
}

pub fn pin(model: &mut Model, name: &str, a: Marker, b: Marker) -> Result<(), ModelError> {
    model.joint(name, &Revolute, a, b).map(|_| ())
}

/// A planar four-bar from bars with given places; the loop need not be closed.
pub fn four_bar(places: [([f64; 2], f64); 3], lengths: [f64; 3], ground: f64) -> Model {
    let mut model = Model::new();
    let names = ["crank", "coupler", "rocker"];
    let bars: Vec<BodyId> = (0..3)
        .map(|k| bar(&mut model, names[k], lengths[k], 1.0, places[k].0, places[k].1))
        .collect();
    let half = |k: usize| 0.5 * lengths[k];
    let (a, b) = (on(&model, GROUND, 0.0, 0.0), on(&model, bars[0], -half(0), 0.0));
    pin(&mut model, "A", a, b).unwrap();
    let (a, b) = (on(&model, bars[0], half(0), 0.0), on(&model, bars[1], -half(1), 0.0));
    pin(&mut model, "B", a, b).unwrap();
    let (a, b) = (on(&model, bars[1], half(1), 0.0), on(&model, bars[2], half(2), 0.0));
    pin(&mut model, "C", a, b).unwrap();
    let (a, b) = (on(&model, GROUND, ground, 0.0), on(&model, bars[2], -half(2), 0.0));
    pin(&mut model, "D", a, b).unwrap();
    model
}

/// Crank 0.5, rod 1, slider on the x axis.
pub fn slider_crank(phi: f64) -> (Model, Coordinate, Coordinate) {
    let (r, l) = (0.5, 1.0);
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -G, 0.0);
    let knee = [r * phi.cos(), r * phi.sin()];
    let x = knee[0] + (l * l - knee[1] * knee[1]).sqrt();
    let crank = bar_between(&mut model, "crank", 2.0, [0.0, 0.0], knee);
    let rod = bar_between(&mut model, "rod", 3.0, knee, [x, 0.0]);
    let slider =
        model.body("slider", Body::planar(4.0, 0.1).at(Vector3::new(x, 0.0, 0.0))).unwrap();
    let (a, b) = (on(&model, GROUND, 0.0, 0.0), on(&model, crank, -0.5 * r, 0.0));
    let shaft = model.joint("shaft", &Revolute, a, b).unwrap();
    let (a, b) = (on(&model, crank, 0.5 * r, 0.0), on(&model, rod, -0.5 * l, 0.0));
    pin(&mut model, "knee", a, b).unwrap();
    let (a, b) = (on(&model, rod, 0.5 * l, 0.0), on(&model, slider, 0.0, 0.0));
    pin(&mut model, "wrist", a, b).unwrap();
    let along = model.frame(Vector3::zeros(), Vector3::x());
    let a = model.marker(GROUND, along);
    let b = model.marker(slider, along);
    let guide = model.joint("guide", &Prismatic, a, b).unwrap();
    let angle = model.coordinate(shaft, "angle").unwrap();
    let travel = model.coordinate(guide, "displacement").unwrap();
    (model, angle, travel)
}

pub fn chain(lengths: &[f64], angles: &[f64]) -> Model {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -G, 0.0);
    let mut end = [0.0, 0.0];
    let mut before = on(&model, GROUND, 0.0, 0.0);
    for (k, (length, angle)) in lengths.iter().zip(angles).enumerate() {
        let next = [end[0] + length * angle.cos(), end[1] + length * angle.sin()];
        let body = bar_between(&mut model, &format!("link {}", k + 1), 1.0, end, next);
        let here = on(&model, body, -0.5 * length, 0.0);
        pin(&mut model, &format!("pin {}", k + 1), before, here).unwrap();
        before = on(&model, body, 0.5 * length, 0.0);
        end = next;
    }
    model
}

pub fn consistent(system: &mut dyn System, mut state: State) -> State {
    make_consistent(system, &mut state, InitialPolicy::Refuse).unwrap();
    state
}

pub fn door() -> Model {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -G);
    let properties = MassProperties::principal(20.0, Vector3::new(6.0, 7.0, 1.5));
    let door = model.body("door", Body::rigid(properties).at(Vector3::new(0.4, 0.0, 1.0))).unwrap();
    for (name, z) in [("upper", 1.8), ("lower", 0.2)] {
        let axis = model.frame(Vector3::new(0.0, 0.0, z), Vector3::z());
        let (a, b) = (model.marker_at(GROUND, axis), model.marker_at(door, axis));
        model.joint(name, &Revolute, a, b).unwrap();
    }
    model
}

pub fn spring_chain(n: usize, stiffness: f64, mass: f64, damping: f64) -> Model {
    let mut model = Model::new();
    let mut before = model.marker(GROUND, Frame::identity());
    for k in 0..n {
        let place = Vector3::new((k + 1) as f64, 0.0, 0.0);
        let body = model.body(&format!("mass {}", k + 1), Body::point(mass).at(place)).unwrap();
        let here = model.marker(body, Frame::identity());
        let law = Linear { stiffness, damping, free: 1.0, preload: 0.0 };
        let stretch = Coordinate::along(&before, &here, Vector3::x());
        model.force(&format!("spring {}", k + 1), Spring::new(stretch, law)).unwrap();
        before = here;
    }
    model
}
