//! Joints between two bodies, and between a body and the ground, driven where they can be.

use crate::check::{Random, battery, some_body, some_planar_body};
use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::joint::{Cylindrical, Fixed, Joint, Prismatic, Revolute, Spherical};
use rotula_mechanics::{GROUND, Model, TimeFunction};

/// Between two bodies and between the ground and a body, all coordinates driven.
pub fn spatial(joint: &dyn Joint) {
    let mut random = Random::new(7);
    let mut model = Model::new();
    let first = some_body(&mut model, "first", &mut random);
    let second = some_body(&mut model, "second", &mut random);
    for (name, from, to) in [("upper", GROUND, first), ("lower", first, second)] {
        let (a, b) = (model.marker(from, random.frame()), model.marker(to, random.frame()));
        let id = model.joint(name, joint, a, b).unwrap();
        for (word, coordinate) in model.joints().last().unwrap().coordinates.clone() {
            let function = TimeFunction::formula("0.3*sin(2*t) + t^2").unwrap();
            assert!(model.coordinate(id, word).is_ok());
            model.drive(&format!("{name} {word}"), coordinate, function).unwrap();
        }
    }
    battery(joint.word(), model);
}

/// The same with planar bodies; `in_plane` turns the joint's z axis into the plane.
fn planar(joint: &dyn Joint, in_plane: bool) {
    let mut random = Random::new(11);
    let mut model = Model::new();
    let first = some_planar_body(&mut model, "first", &mut random);
    let second = some_planar_body(&mut model, "second", &mut random);
    let axis = if in_plane { Vector3::new(0.6, 0.8, 0.0) } else { Vector3::z() };
    for (name, from, to) in [("upper", GROUND, first), ("lower", first, second)] {
        let place = |random: &mut Random, model: &Model| -> Frame {
            model.frame(Vector3::new(random.number(), random.number(), 0.0), axis)
        };
        let (at, other) = (place(&mut random, &model), place(&mut random, &model));
        let (a, b) = (model.marker_at(from, at), model.marker_at(to, other));
        model.joint(name, joint, a, b).unwrap();
        for (word, coordinate) in model.joints().last().unwrap().coordinates.clone() {
            let function = TimeFunction::formula("0.3*sin(2*t) + t^2").unwrap();
            model.drive(&format!("{name} {word}"), coordinate, function).unwrap();
        }
    }
    battery(&format!("planar {}", joint.word()), model);
}

#[test]
fn fixed() {
    spatial(&Fixed);
    planar(&Fixed, false);
}

#[test]
fn revolute() {
    spatial(&Revolute);
    planar(&Revolute, false);
}

#[test]
fn prismatic() {
    spatial(&Prismatic);
    planar(&Prismatic, true);
}

#[test]
fn cylindrical() {
    spatial(&Cylindrical);
}

#[test]
fn spherical() {
    spatial(&Spherical);
    planar(&Spherical, false);
}
