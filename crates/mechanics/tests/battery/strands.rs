//! Bars and cables.

use crate::check::{Random, battery, some_body, some_planar_body};
use nalgebra::Vector3;
use rotula_mechanics::element::{LaidStrand, Strand, StrandLine};
use rotula_mechanics::joint::{Distance, Joint, PointOnLine, Spherical};
use rotula_mechanics::sensor::{StrandReading, StrandSensor, TensionSensor};
use rotula_mechanics::{GROUND, Model};

fn strand(slack: bool) -> Strand {
    Strand { stiffness: 3.0, mass: 0.7, damping: 0.2, slack }
}

/// Uses all that a whole strand tells.
fn read_whole(name: &str, laid: &LaidStrand, model: &mut Model) {
    for (word, reading) in [
        ("length", StrandReading::Length),
        ("rate", StrandReading::Rate),
        ("power", StrandReading::Power),
    ] {
        let sensor = format!("{name}.{word}");
        model.sensor(&sensor, StrandSensor::new(laid, reading)).unwrap();
        model.variable(&format!("u_{name}_{word}"), &format!("2*{sensor}")).unwrap();
    }
}

#[test]
fn free_bars_and_cables() {
    for slack in [false, true] {
        let mut model = Model::new();
        // far apart: short pieces turn too fast for differences
        let (from, to) = (Vector3::new(-4.0, 0.0, 1.0), Vector3::new(5.0, 1.0, -1.0));
        let line = StrandLine::straight(from, to, 3, strand(slack)).with_tension(0.4);
        let laid = model.strand("cable", &line).unwrap();
        model.sensor("tension", TensionSensor::new(laid.elements[1].clone())).unwrap();
        model.variable("u", "2*tension").unwrap();
        read_whole("cable", &laid, &mut model);
        battery(&format!("free strand, slack {slack}"), model);
    }
}

#[test]
fn bars_and_cables_between_bodies_of_every_kind() {
    for slack in [false, true] {
        let mut random = Random::new(67);
        let mut model = Model::new();
        let first = some_body(&mut model, "first", &mut random);
        let second = some_planar_body(&mut model, "second", &mut random);
        for (name, ends, count) in [
            ("a", [Some(first), Some(second)], 1),
            ("b", [Some(GROUND), Some(first)], 2),
            ("c", [Some(second), None], 2),
        ] {
            let line = StrandLine::straight(random.vector(), random.vector(), count, strand(slack));
            let line = line.with_tension(0.3).held_by(ends[0], ends[1]);
            let laid = model.strand(name, &line).unwrap();
            let sensor = format!("n{name}");
            model.sensor(&sensor, TensionSensor::new(laid.elements[0].clone())).unwrap();
            model.variable(&format!("u{name}"), &format!("2*{sensor}")).unwrap();
            read_whole(name, &laid, &mut model);
        }
        battery(&format!("strands between bodies, slack {slack}"), model);
    }
}

/// Joints between a body and the points of a cable, which have no rotation.
#[test]
fn points_of_cables_carry_joints() {
    let mut random = Random::new(71);
    let mut model = Model::new();
    let body = some_body(&mut model, "body", &mut random);
    let (from, to) = (Vector3::new(-4.0, 0.0, 1.0), Vector3::new(5.0, 1.0, -1.0));
    let line = StrandLine::straight(from, to, 3, strand(false)).with_tension(0.4);
    let laid = model.strand("rope", &line).unwrap();
    let joints: [(&str, &dyn Joint, usize); 3] =
        [("ball", &Spherical, 3), ("rod", &Distance { length: 2.5 }, 1), ("wire", &PointOnLine, 2)];
    for (name, joint, node) in joints {
        let marker = model.marker(body, random.frame());
        model.joint(name, joint, marker, laid.nodes[node]).unwrap();
    }
    battery("a body joined to the points of a bar", model);
}

#[test]
fn bad_strands_are_refused() {
    let good = StrandLine::straight(Vector3::zeros(), Vector3::x(), 2, strand(true));
    let error = |line: StrandLine| Model::new().strand("rope", &line).unwrap_err().to_string();
    let mut bad = good.clone();
    bad.strand.stiffness = -1.0;
    assert!(error(bad).contains("cable `rope`"), "names the cable");
    let mut bad = good.clone();
    bad.strand.mass = 0.0;
    assert!(error(bad).contains("it has no mass, so its own nodes have none"));
    let mut bad = good.clone();
    bad.points[1] = bad.points[0];
    assert!(error(bad).contains("two of its points are at the same place"));
    let bad = StrandLine::straight(Vector3::zeros(), Vector3::x(), 1, strand(true));
    let bad = bad.held_by(Some(GROUND), Some(GROUND));
    assert!(error(bad).contains("both of its ends are on one body"));
}
