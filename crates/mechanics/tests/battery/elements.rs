//! Beam elements of every kind.

use crate::check::{Random, Subject, battery, some_body, some_planar_body};
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::{System, Terms};
use rotula_lie::{Frame, Quaternion, se3};
use rotula_mechanics::element::{Beam, BeamLine, Distributed, Element, MassKind, Section};
use rotula_mechanics::force::{Amplitude, Axes};
use rotula_mechanics::node::Motion;
use rotula_mechanics::sensor::{SectionQuantity, SectionSensor};
use rotula_mechanics::{GROUND, Marker, Model, Scene, TimeFunction, World};

const KINDS: [MassKind; 2] = [MassKind::Consistent, MassKind::Lumped];

/// A section with every coupling, its mass beside its reference.
fn section(random: &mut Random) -> Section {
    let root = Matrix6::from_fn(|_, _| random.number());
    let stiffness = root * root.transpose() + Matrix6::identity();
    let moments = Vector3::new(0.3, 0.1, 0.2);
    let centred = Section::diagonal([1.0; 6], 1.3, moments).offset(&Frame::new(
        Vector3::new(0.0, 0.1, -0.2),
        Quaternion::exp(&Vector3::new(0.4, 0.0, 0.0)),
    ));
    Section { stiffness, mass: centred.mass, damping: stiffness * 0.1 + Matrix6::identity() * 0.2 }
}

/// Loads of both kinds, one with a function of time.
fn loads(model: &mut Model) -> Vec<Distributed> {
    model.function(TimeFunction::formula("cos(2*t)").unwrap());
    let amount = Vector6::new(0.3, -0.5, 0.7, 0.2, 0.4, -0.1);
    vec![
        Distributed { per_length: amount, axes: Axes::World, factor: Amplitude::Function(0) },
        Distributed { per_length: -amount, axes: Axes::Marker, factor: Amplitude::Constant(0.6) },
    ]
}

/// A curved and twisted beam of some elements.
fn line(random: &mut Random, nodes: usize, each: usize) -> BeamLine {
    let strain = Vector6::new(1.0, 0.0, 0.0, 0.2, -0.3, 0.4);
    let line = BeamLine::along(random.frame(), &strain, 1.4, nodes);
    line.with_section(section(random)).with_nodes_per_element(each)
}

#[test]
fn free_beams_of_every_order() {
    for each in 2..=4 {
        for kind in KINDS {
            let mut random = Random::new(41);
            let mut model = Model::new();
            let mut line = line(&mut random, each, each);
            line.mass = kind;
            line.loads = loads(&mut model);
            model.beam("beam", &line).unwrap();
            battery(&format!("beam of {each} nodes, {kind:?}"), model);
        }
    }
}

#[test]
fn beams_between_bodies_of_every_kind() {
    for each in 2..=3 {
        let mut random = Random::new(43);
        let mut model = Model::new();
        let first = some_body(&mut model, "first", &mut random);
        let second = some_planar_body(&mut model, "second", &mut random);
        let mut between = line(&mut random, 2 * each - 1, each).held_by(Some(first), Some(second));
        between.mass = KINDS[each - 2];
        model.beam("between", &between).unwrap();
        let held = line(&mut random, each, each).held_by(Some(GROUND), Some(first));
        model.beam("held", &held).unwrap();
        battery(&format!("beams of {each} nodes between bodies"), model);
    }
}

/// A curved beam of some elements in a plane, with a section that only bends in it.
fn planar_line(random: &mut Random, nodes: usize, each: usize) -> BeamLine {
    let plane = Frame::new(random.vector(), Quaternion::exp(&random.vector()));
    let strain = Vector6::new(1.0, 0.0, 0.0, 0.0, 0.0, 0.6);
    let mut section = section(random);
    section.mass = Section::diagonal([1.0; 6], 1.3, Vector3::new(0.3, 0.1, 0.2)).mass;
    let line = BeamLine::along(plane, &strain, 1.4, nodes).with_section(section);
    line.with_nodes_per_element(each).in_plane()
}

#[test]
fn planar_beams_of_every_order() {
    for each in 2..=4 {
        for (kind, loaded) in KINDS.iter().flat_map(|kind| [(*kind, true), (*kind, false)]) {
            let mut random = Random::new(53);
            let mut model = Model::new();
            let mut line = planar_line(&mut random, 2 * each - 1, each);
            line.mass = kind;
            if loaded {
                line.loads = loads(&mut model);
            }
            model.beam("beam", &line).unwrap();
            battery(&format!("planar beam of {each} nodes, {kind:?}, loads: {loaded}"), model);
        }
    }
}

/// Beams of all orders and of other sections in one plane: elements are evaluated four at a time, with
/// some left over.
#[test]
fn many_planar_beams_in_one_plane() {
    let mut model = Model::new();
    for (each, elements) in [(2, 9), (3, 5), (2, 3), (4, 2), (3, 4)] {
        let mut random = Random::new(61);
        let mut line = planar_line(&mut random, elements * (each - 1) + 1, each);
        let stiffer = 1.0 + 0.3 * elements as f64;
        line.sections[0].stiffness *= stiffer;
        if elements % 2 == 0 {
            line.sections[0].damping = Matrix6::zeros();
        }
        model.beam(&format!("{elements} of {each} nodes"), &line).unwrap();
    }
    battery("planar beams of all orders", model);
}

/// Whole turns of a node change nothing: neighbours count theirs each from its own start.
#[test]
fn turns_of_single_nodes_do_not_strain_planar_beams() {
    let mut random = Random::new(59);
    let mut model = Model::new();
    model.beam("beam", &planar_line(&mut random, 5, 3)).unwrap();
    let mut subject = Subject::new(&model.assemble().unwrap(), 7);
    let mut before = vec![0.0; subject.state.v.len()];
    subject.system.dynamics(&subject.state.point(), Terms::ALL, &mut before);
    for (node, turns) in [(0, -1.0), (2, 1.0), (3, 3.0)] {
        subject.state.q[3 * node + 2] += std::f64::consts::TAU * turns;
    }
    subject.terms("turned nodes");
    let mut after = before.clone();
    subject.system.dynamics(&subject.state.point(), Terms::ALL, &mut after);
    for (a, b) in before.iter().zip(&after) {
        assert!((a - b).abs() < 1e-11 * (1.0 + a.abs()), "{a} {b}");
    }
}

/// Planar beams held by the ground and by planar bodies beside their nodes; with mass beside their
/// axes the spatial element serves them.
#[test]
fn planar_beams_between_bodies() {
    for each in 2..=4 {
        for beside in [false, true] {
            let mut random = Random::new(59);
            let mut model = Model::new();
            let body = some_planar_body(&mut model, "body", &mut random);
            let mut line = planar_line(&mut random, each, each);
            let start = Frame::new(Vector3::new(0.3, -0.2, 0.0), Quaternion::exp(&Vector3::z()));
            let shift = start * line.frames[0].inverse();
            line.frames.iter_mut().for_each(|frame| *frame = shift * *frame);
            if beside {
                line.sections[0] = section(&mut random);
            }
            model.beam("held", &line.clone().held_by(Some(GROUND), Some(body))).unwrap();
            let free = model.beam("free", &line.held_by(Some(body), None)).unwrap();
            for k in 0..6 {
                for quantity in [SectionQuantity::Force(k), SectionQuantity::Strain(k)] {
                    let name = format!("s{quantity:?}").replace(['(', ')'], "");
                    let sensor = SectionSensor::new(free.elements[0].clone(), quantity);
                    model.sensor(&name, sensor).unwrap();
                    model.variable(&format!("u{name}"), &format!("2*{name}")).unwrap();
                }
            }
            battery(&format!("planar beams of {each} nodes between bodies, {beside}"), model);
        }
    }
}

/// Readings of sections may stand in formulas, so their derivatives matter.
#[test]
fn section_forces_and_strains_in_formulas() {
    for each in 2..=4 {
        let mut random = Random::new(47);
        let mut model = Model::new();
        let body = some_body(&mut model, "body", &mut random);
        let line = line(&mut random, each, each).held_by(None, Some(body));
        let beam = &model.beam("beam", &line).unwrap().elements[0];
        for k in 0..6 {
            let kinds = [SectionQuantity::Force(k), SectionQuantity::Strain(k)];
            for (word, quantity) in ["force", "strain"].into_iter().zip(kinds) {
                let name = format!("{word}{k}");
                model.sensor(&name, SectionSensor::new(beam.clone(), quantity)).unwrap();
                model.variable(&format!("u_{name}"), &format!("2*{name}")).unwrap();
            }
        }
        battery(&format!("sections of a beam of {each} nodes"), model);
    }
}

/// An element through some frames, nodes 0, 1, ….
fn element(frames: &[Frame], random: &mut Random) -> Beam {
    let markers: Vec<Marker> =
        (0..frames.len()).map(|node| Marker { node, frame: Frame::identity() }).collect();
    let mut section = section(random);
    section.damping.fill(0.0);
    Beam::new(&markers, frames, section, None).unwrap()
}

fn moved(frames: &[Frame], random: &mut Random) -> Vec<Frame> {
    let small = |random: &mut Random| {
        let (u, r) = (random.vector() * 0.2, random.vector() * 0.3);
        Vector6::new(u.x, u.y, u.z, r.x, r.y, r.z)
    };
    frames.iter().map(|frame| *frame * se3::exp(&small(random))).collect()
}

/// Potential energy and wrenches of nodes at rest.
fn at_rest(beam: &mut Beam, frames: &[Frame]) -> (f64, Vec<Vector6<f64>>) {
    let motions: Vec<Motion> = frames.iter().map(Motion::at_rest).collect();
    let world = World {
        t: 0.0,
        motions: &motions,
        angles: &[],
        functions: &[],
        states: &[],
        variables: &[],
    };
    let nodes: Vec<usize> = (0..frames.len()).collect();
    let scene = Scene { world: &world, nodes: &nodes };
    let mut wrenches = vec![Vector6::zeros(); frames.len()];
    beam.residual(scene, Terms::ALL, &mut wrenches);
    (beam.energy(scene).potential, wrenches)
}

#[test]
fn a_rigid_motion_changes_neither_energy_nor_forces() {
    for nodes in 2..=4 {
        for seed in 1..6 {
            let mut random = Random::new(seed);
            let start = line(&mut random, nodes, nodes).frames;
            let mut beam = element(&start, &mut random);
            let bent = moved(&start, &mut random);
            let (energy, wrenches) = at_rest(&mut beam, &bent);
            assert!(energy > 1e-3);
            let place =
                Frame::new(random.vector() * 10.0, Quaternion::exp(&(random.vector() * 3.0)));
            let elsewhere: Vec<Frame> = bent.iter().map(|frame| place * *frame).collect();
            let (again, others) = at_rest(&mut beam, &elsewhere);
            let change = (again / energy - 1.0).abs();
            assert!(change < 1e-12, "{nodes} nodes: the strain energy changes by {change:e}");
            for (a, b) in wrenches.iter().zip(&others) {
                assert!((a - b).amax() < 1e-12 * (1.0 + a.amax()), "{nodes} nodes: {a:?}, {b:?}");
            }
            // forces and moments balance
            let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
            for (frame, wrench) in bent.iter().zip(&wrenches) {
                let push = frame.orientation.rotate(&wrench.fixed_rows::<3>(0).into());
                force += push;
                moment += frame.position.cross(&push)
                    + frame.orientation.rotate(&wrench.fixed_rows::<3>(3).into());
            }
            assert!(force.norm() < 1e-12 && moment.norm() < 1e-12, "{force:?}, {moment:?}");
        }
    }
}

/// The element with two nodes does not care which end is called the first.
#[test]
fn two_nodes_may_change_places() {
    let mut random = Random::new(3);
    let start = line(&mut random, 2, 2).frames;
    let half_turn =
        Frame::new(Vector3::zeros(), Quaternion::exp(&(Vector3::z() * std::f64::consts::PI)));
    let mut section = section(&mut random);
    section.damping.fill(0.0);
    let marker = |node| Marker { node, frame: Frame::identity() };
    let markers = [marker(0), marker(1)];
    let mut beam = Beam::new(&markers, &start, section.clone(), None).unwrap();
    // the same beam from the other side: sections turned about z, x and y the other way
    let signs = Matrix6::from_diagonal(&Vector6::new(1.0, 1.0, -1.0, 1.0, 1.0, -1.0));
    let mirrored = Section {
        stiffness: signs * section.stiffness * signs,
        mass: section.mass,
        damping: section.damping,
    };
    let other: Vec<Frame> = start.iter().rev().map(|frame| *frame * half_turn).collect();
    let mut turned = Beam::new(&markers, &other, mirrored, None).unwrap();
    let bent = moved(&start, &mut random);
    let back: Vec<Frame> = bent.iter().rev().map(|frame| *frame * half_turn).collect();
    let (a, b) = (at_rest(&mut beam, &bent).0, at_rest(&mut turned, &back).0);
    assert!((a / b - 1.0).abs() < 1e-12, "{a} is not {b}");
}

#[test]
fn bad_beams_are_refused() {
    let mut random = Random::new(7);
    let error = |line: BeamLine| Model::new().beam("boom", &line).unwrap_err().to_string();
    let good = line(&mut random, 4, 2);
    let mut bad = good.clone();
    bad.nodes_per_element = 3;
    assert!(error(bad).contains("beam `boom`: 4 nodes do not make whole elements of 3"));
    let mut bad = good.clone();
    bad.sections.push(bad.sections[0].clone());
    assert!(error(bad).contains("2 sections for 3 elements"));
    let mut bad = good.clone();
    bad.sections[0].stiffness[(0, 0)] = -1.0;
    assert!(error(bad).contains("beam `boom`: section: EA is -1"));
    let mut bad = good.clone();
    bad.frames[1] = bad.frames[0];
    assert!(error(bad).contains("its length is 0"));
    assert!(error(good.clone().in_plane()).contains("do not lie in one plane"));
    let mut model = Model::new();
    let body = some_body(&mut model, "block", &mut random);
    let flat = planar_line(&mut random, 3, 2).held_by(Some(body), None);
    let message = model.beam("boom", &flat).unwrap_err().to_string();
    assert!(message.contains("`block` at its end does not move in its plane"), "{message}");
    let zero = Vector3::zeros();
    let error = BeamLine::straight(zero, zero, Vector3::z(), 3).unwrap_err().to_string();
    assert!(error.contains("ends are at the same place"), "{error}");
    let error = BeamLine::straight(zero, Vector3::z(), Vector3::z(), 3).unwrap_err().to_string();
    assert!(error.contains("`up` points along it"), "{error}");
}
