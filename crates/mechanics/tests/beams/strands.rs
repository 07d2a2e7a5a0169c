//! Bars and cables against closed forms.

use crate::support::{push, table};
use nalgebra::Vector3;
use rotula_dae::analysis::{
    ModeKind, PathSettings, Relaxation, Turn, equilibrium_path, modes, statics, steady_turn,
};
use rotula_mechanics::element::{Strand, StrandLine};
use rotula_mechanics::joint::{Joint, Prismatic, Revolute, Spherical};
use rotula_mechanics::{Body, BodyId, GROUND, MassProperties, Model, TimeFunction};
use std::f64::consts::{PI, TAU};

/// The zero of a falling function.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The elastic catenary between supports of equal height.
#[test]
fn a_cable_hangs_along_the_elastic_catenary() {
    let (way, length, stiffness, mass, gravity) = (10.0, 12.0, 5e4, 2.0, 9.81);
    let w: f64 = mass * gravity;
    let span = |h: f64| h * length / stiffness + 2.0 * h / w * (w * length / (2.0 * h)).asinh();
    let h = root(1.0, 1e4, |h| way - span(h));
    let sag = w * length * length / (8.0 * stiffness)
        + h / w * ((1.0 + (w * length / (2.0 * h)).powi(2)).sqrt() - 1.0);
    let mut errors = Vec::new();
    for elements in [8, 16, 32] {
        let mut model = Model::new();
        model.gravity = Vector3::new(0.0, 0.0, -gravity);
        let strand = Strand { stiffness, mass, damping: 0.0, slack: true };
        let line = StrandLine::straight(Vector3::zeros(), Vector3::x() * way, elements, strand);
        let line = line.with_length(length, &model.gravity).held_by(Some(GROUND), Some(GROUND));
        let laid = model.strand("cable", &line).unwrap();
        let mut system = model.assemble().unwrap();
        let start = system.start();
        let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
        let middle = laid.nodes[elements / 2].node;
        let found = -system.node_frame(middle, &rest.state.q).position.z;
        println!("{elements}: {:?}", rest.path);
        errors.push((elements, (found - sag).abs() / sag));
    }
    let order = table(&format!("sag {sag:.6} of a cable that pulls with {h:.4}"), &errors);
    assert!((order - 2.0).abs() < 0.1 && errors[2].1 < 1e-3, "order {order}");
}

/// A string under tension: the frequencies of the consistent mass matrix, exactly, which tend to those of
/// the string.
#[test]
fn a_taut_string_has_its_frequencies() {
    let (length, stiffness, mass, tension, elements) = (2.0, 1e5, 0.05, 300.0, 12);
    let mut model = Model::new();
    let strand = Strand { stiffness, mass, damping: 0.0, slack: true };
    let line = StrandLine::straight(Vector3::zeros(), Vector3::x() * length, elements, strand);
    let line = line.with_tension(tension).held_by(Some(GROUND), Some(GROUND));
    model.strand("string", &line).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
    let found = modes(&mut system, &rest.state).unwrap();
    // the mass stays when the string is stretched
    let per_length = mass / (1.0 + tension / stiffness);
    let piece = length / elements as f64;
    for k in 1..=3 {
        let angle = k as f64 * PI / elements as f64;
        let squared = 6.0 * tension / (per_length * piece * piece) * (1.0 - angle.cos())
            / (2.0 + angle.cos());
        let exact = k as f64 / (2.0 * length) * (tension / per_length).sqrt();
        for twin in 0..2 {
            let mode = &found.modes[2 * (k - 1) + twin];
            let expected = squared.sqrt() / TAU;
            assert!((mode.frequency / expected - 1.0).abs() < 1e-9, "{k}: {}", mode.frequency);
            assert!((mode.frequency / exact - 1.0).abs() < 0.03, "{k}: {}", mode.frequency);
        }
    }
}

/// The bar of `[Brüls et al. 2018, sheet §6.3]`, held at one end: frequencies of its longitudinal vibrations.
#[test]
fn a_bar_has_its_longitudinal_frequencies() {
    let (young, density, area, length, elements) = (900.0_f64, 1.0, 1.0, 10.0, 20);
    let mut model = Model::new();
    let strand =
        Strand { stiffness: young * area, mass: density * area, damping: 0.0, slack: false };
    let line = StrandLine::straight(Vector3::zeros(), Vector3::x() * length, elements, strand);
    model.strand("bar", &line.held_by(Some(GROUND), None)).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
    let found = modes(&mut system, &rest.state).unwrap();
    let axial: Vec<f64> = found
        .modes
        .iter()
        .filter(|mode| mode.kind == ModeKind::Oscillation)
        .map(|mode| mode.frequency)
        .collect();
    // nothing holds the nodes across the bar
    assert_eq!(axial.len(), elements, "{found}");
    let (speed, piece) = ((young / density).sqrt(), length / elements as f64);
    for (k, frequency) in axial.iter().enumerate() {
        let angle = (2 * k + 1) as f64 * PI / (2 * elements) as f64;
        let rate = speed / piece * (6.0 * (1.0 - angle.cos()) / (2.0 + angle.cos())).sqrt();
        assert!((frequency / (rate / TAU) - 1.0).abs() < 1e-9, "{k}: {frequency}");
    }
    assert!((axial[0] / (speed / (4.0 * length)) - 1.0).abs() < 1e-3);
}

/// A shallow tripod of bars snaps through: limit loads and the way beyond in closed form.
#[test]
fn a_tripod_snaps_through() {
    let (foot, height, stiffness) = (1.0_f64, 0.2_f64, 1e4);
    let free = foot.hypot(height);
    let load = |z: f64| 3.0 * stiffness * z * (1.0 / foot.hypot(z) - 1.0 / free);
    let extreme = (foot * foot * free).cbrt();
    let limit = load((extreme * extreme - foot * foot).sqrt());
    let mut model = Model::new();
    let top = Vector3::z() * height;
    let apex = model.body("apex", Body::point(1.0).at(top)).unwrap();
    let strand = Strand { stiffness, mass: 0.0, damping: 0.0, slack: false };
    for k in 0..3 {
        let angle = k as f64 * TAU / 3.0;
        let from = Vector3::new(angle.cos(), angle.sin(), 0.0) * foot;
        let line = StrandLine::straight(from, top, 1, strand).held_by(Some(GROUND), Some(apex));
        model.strand(&format!("leg {k}"), &line).unwrap();
    }
    let whole = 1.5 * limit;
    let at = model.marker(apex, rotula_lie::Frame::identity());
    push(&mut model, at, [Vector3::new(0.0, 0.0, -whole), Vector3::zeros()], "t");
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let path = equilibrium_path(&mut system, &start, &PathSettings::until(1.0)).unwrap();
    println!("{path}\nlimit {:.9}", limit / whole);
    assert!(path.complete);
    for point in &path.points {
        let z = system.node_frame(at.node, &point.state.q).position.z;
        assert!((point.t * whole - load(z)).abs() < 1e-7 * limit, "{} at {z}", point.t);
    }
    let limits: Vec<f64> =
        path.turns.iter().filter(|(kind, _)| *kind == Turn::Limit).map(|(_, p)| p.t).collect();
    assert_eq!(limits.len(), 2, "{path}");
    assert!((limits[0] - limit / whole).abs() < 1e-9, "{path}");
    assert!((limits[1] + limit / whole).abs() < 1e-9, "{path}");
    // without following the path, the load beyond the limit leads across in one leap
    let end = statics(&mut system, &path.points.last().unwrap().state, Relaxation::Never).unwrap();
    assert!(system.node_frame(at.node, &end.state.q).position.z < -height);
}

/// A slider on an arm that turns, held by a cable to whose last point it is joined: the cable is as long as
/// mass times Ω² times that length stretches it, and a third of its own mass pulls with the slider.
#[test]
fn a_slider_on_a_cable_in_a_steady_turn() {
    let (length, stiffness, mass, cable, speed) = (1.0, 5e3, 2.0, 0.6, 20.0_f64);
    let mut model = Model::new();
    let spin = Vector3::z() * speed;
    let moments = Vector3::new(0.1, 0.2, 0.3);
    let hub = Body::rigid(MassProperties::principal(1.0, moments)).moving(Vector3::zeros(), spin);
    let hub = model.body("hub", hub).unwrap();
    let place = Vector3::x() * length;
    let slider = Body::rigid(MassProperties::principal(mass, moments)).at(place);
    let slider = model.body("slider", slider.moving(spin.cross(&place), spin)).unwrap();
    let join = |model: &mut Model, name: &str, joint: &dyn Joint, bodies, at, z| {
        let frame = model.frame(at, z);
        let [a, b]: [BodyId; 2] = bodies;
        let (a, b) = (model.marker_at(a, frame), model.marker_at(b, frame));
        model.joint(name, joint, a, b).unwrap()
    };
    let axle = join(&mut model, "axle", &Revolute, [GROUND, hub], Vector3::zeros(), Vector3::z());
    let angle = model.coordinate(axle, "angle").unwrap();
    model.drive("spin", angle, TimeFunction::formula(&format!("{speed}*t")).unwrap()).unwrap();
    join(&mut model, "guide", &Prismatic, [hub, slider], place, Vector3::x());
    let strand = Strand { stiffness, mass: cable / length, damping: 0.0, slack: true };
    let line = StrandLine::straight(Vector3::zeros(), place, 1, strand);
    let laid = model.strand("rope", &line.held_by(Some(hub), None)).unwrap();
    let end = model.marker_at(slider, model.frame(place, Vector3::z()));
    model.joint("eye", &Spherical, end, laid.nodes[1]).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let turn = steady_turn(&mut system, &start).unwrap();
    println!("{turn}");
    let pull = (mass + cable / 3.0) * speed * speed;
    let exact = length / (1.0 - length * pull / stiffness);
    let found = system.node_frame(slider.node(), &turn.state.q).position.norm();
    assert!((found / exact - 1.0).abs() < 1e-9, "{found} is not {exact}");
    // it slides with ω² = k/m − Ω²
    let modes = modes(&mut system, &turn.state).unwrap();
    assert!(modes.doubts.is_empty(), "{modes}");
    let expected = (stiffness / length / (mass + cable / 3.0) - speed * speed).sqrt();
    assert_eq!(modes.modes.len(), 1, "{modes}");
    let rate = modes.modes[0].frequency * TAU;
    assert!((rate / expected - 1.0).abs() < 1e-8, "{rate} is not {expected}");
}
