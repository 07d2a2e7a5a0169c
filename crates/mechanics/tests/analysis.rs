//! Analyses of mechanisms, against closed forms.

use nalgebra::Vector3;
use rotula_dae::analysis::{
    ModeKind, Relaxation, Singularity, Stability, Weighting, assemble_position, check, kinematics,
    modes, statics,
};
use rotula_dae::{
    Coefficients, Component, Failure, Formulation, GglVariant, InitialPolicy, Settings, State,
    StepControl, System, make_consistent, simulate,
};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Linear, Spring};
use rotula_mechanics::joint::{Prismatic, Revolute, Spherical};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::{
    Body, BodyId, GROUND, Marker, MassProperties, Model, ModelError, TimeFunction,
};
use std::f64::consts::{PI, TAU};

const G: f64 = 9.81;

/// A uniform bar in the plane, its centre and its direction.
fn bar(
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
fn bar_between(model: &mut Model, name: &str, mass: f64, from: [f64; 2], to: [f64; 2]) -> BodyId {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let centre = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    bar(model, name, dx.hypot(dy), mass, centre, dy.atan2(dx))
}

/// A marker at a place on the long axis of a body.
fn on(model: &Model, body: BodyId, x: f64, y: f64) -> Marker {
    model.marker(body, Frame::new(Vector3::new(x, y, 0.0), Quaternion::identity()))
}

fn pin(model: &mut Model, name: &str, a: Marker, b: Marker) -> Result<(), ModelError> {
    model.joint(name, &Revolute, a, b).map(|_| ())
}

/// A planar four-bar from bars with given places; the loop need not be closed.
fn four_bar(places: [([f64; 2], f64); 3], lengths: [f64; 3], ground: f64) -> Model {
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
fn slider_crank(phi: f64) -> (Model, Coordinate, Coordinate) {
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

fn chain(lengths: &[f64], angles: &[f64]) -> Model {
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

fn consistent(system: &mut dyn System, mut state: State) -> State {
    make_consistent(system, &mut state, InitialPolicy::Refuse).unwrap();
    state
}

#[test]
fn freedoms_are_counted() {
    let mut pendulum = chain(&[1.0, 0.7], &[-1.0, 0.3]).assemble().unwrap();
    let start = pendulum.start();
    let report = check(&mut pendulum, &start).unwrap();
    assert_eq!((report.freedoms, report.mobility, report.redundant.len()), (2, 2, 0));
    assert!(report.is_sound(), "{report}");
    assert!(report.hints.is_empty(), "{report}");

    // a square four-bar, planar
    let places = [([0.0, 0.5], PI / 2.0), ([0.5, 1.0], 0.0), ([1.0, 0.5], PI / 2.0)];
    let mut square = four_bar(places, [1.0, 1.0, 1.0], 1.0).assemble().unwrap();
    let start = square.start();
    let report = check(&mut square, &start).unwrap();
    assert_eq!(report.freedoms, 1);
    assert!(report.singularity.is_none() && report.redundant.is_empty(), "{report}");
}

#[test]
fn the_spatial_four_bar_has_three_constraints_too_many() {
    let mut model = Model::new();
    let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.3], [1.5, 0.0]];
    let properties = MassProperties::principal(1.0, Vector3::new(0.01, 0.1, 0.1));
    let mut bodies = vec![GROUND];
    for k in 0..3 {
        let middle = [0, 1].map(|i| 0.5 * (corners[k][i] + corners[k + 1][i]));
        let place = Vector3::new(middle[0], middle[1], 0.0);
        bodies.push(model.body(&format!("bar {k}"), Body::rigid(properties).at(place)).unwrap());
    }
    bodies.push(GROUND);
    for k in 0..4 {
        let axis = model.frame(Vector3::new(corners[k][0], corners[k][1], 0.0), Vector3::z());
        let (a, b) = (model.marker_at(bodies[k], axis), model.marker_at(bodies[k + 1], axis));
        model.joint(&format!("pin {k}"), &Revolute, a, b).unwrap();
    }
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let report = check(&mut system, &start).unwrap();
    assert_eq!((report.motion, report.constraints), (18, 20));
    assert_eq!((report.freedoms, report.redundant.len()), (1, 3));
    // the same rank everywhere: redundant, not singular
    assert!(report.singularity.is_none(), "{report}");
    // out-of-plane forces and moments are not determined, in-plane forces are
    assert!(report.indeterminate.iter().all(|name| !name.contains("offset along x")), "{report}");
    assert!(report.indeterminate.iter().any(|name| name.contains("offset along z")), "{report}");
}

fn door() -> Model {
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

#[test]
fn a_door_on_two_hinges_names_what_repeats() {
    let mut system = door().assemble().unwrap();
    let start = system.start();
    let report = check(&mut system, &start).unwrap();
    assert_eq!((report.freedoms, report.redundant.len()), (1, 5));
    let text = report.to_string();
    assert!(text.contains("`lower: offset along z` repeats `upper: offset along z`"), "{text}");
    assert!(report.redundant.iter().all(|r| r.mismatch.abs() < 1e-12));
    // ten multipliers, all of which the five combinations touch
    assert_eq!(report.indeterminate.len(), 10);
    assert!(text.contains("rotation about z"), "{text}");
    assert!(report.singularity.is_none());
    // the weight is shared evenly by the least multipliers
    let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
    let vertical: Vec<f64> = (0..10)
        .filter(|i| system.name(Component::Constraint(*i)).contains("offset along z"))
        .map(|i| rest.state.multipliers[i])
        .collect();
    assert!(
        (vertical[0] - 0.5 * 20.0 * G).abs() < 1e-9 && (vertical[1] - vertical[0]).abs() < 1e-9
    );
    assert_eq!(rest.stability, Stability::Neutral);
    assert!(rest.free_motions[0].iter().any(|s| s.name == "door: rotation about z"));
}

#[test]
fn the_flat_parallelogram_is_a_branch_point() {
    let places = [([0.5, 0.0], 0.0), ([2.0, 0.0], 0.0), ([2.5, 0.0], 0.0)];
    let mut flat = four_bar(places, [1.0, 2.0, 1.0], 2.0).assemble().unwrap();
    let start = flat.start();
    let report = check(&mut flat, &start).unwrap();
    assert_eq!(report.freedoms, 2);
    match report.singularity {
        Some(Singularity::BranchPoint { rank, nearby, .. }) => assert_eq!((rank, nearby), (7, 8)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_stretched_slider_crank_is_a_dead_point_for_its_slider() {
    let (mut model, _, travel) = slider_crank(0.0);
    model.drive("push", travel, TimeFunction::Constant(1.5)).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let report = check(&mut system, &start).unwrap();
    assert_eq!(report.freedoms, 1);
    match &report.singularity {
        Some(Singularity::DeadPoint { constraints, motions }) => {
            assert!(constraints.iter().any(|c| c.name.contains("push")), "{report}");
            assert!(motions[0].iter().any(|m| m.name == "crank: rotation about z"), "{report}");
        }
        other => panic!("{other:?}"),
    }
    let refused = kinematics(&mut system, &start, &[0.0]).unwrap_err();
    assert!(refused.message.contains("dead point"), "{refused}");
}

#[test]
fn massless_motions_and_foreign_units_are_named() {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -9810.0, 0.0);
    bar(&mut model, "bar", 1.0, 1.0, [0.0, 0.0], 0.3);
    let properties = MassProperties::principal(1.0, Vector3::new(1e5, 1e5, 1e5));
    model.body("brick", Body::rigid(properties).at(Vector3::x())).unwrap();
    model.body("probe", Body::massless()).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let report = check(&mut system, &start).unwrap();
    assert_eq!(report.massless.len(), 6);
    assert!(report.massless.iter().flatten().all(|s| s.name.starts_with("probe")), "{report}");
    let text = report.to_string();
    assert!(text.contains("millimetres per second squared"), "{text}");
    assert!(text.contains("radius of gyration") && text.contains("brick"), "{text}");
}

#[test]
fn wrong_initial_values_are_reported_with_their_projection() {
    let mut model = chain(&[1.0], &[0.0]);
    model.retraction = rotula_lie::Retraction::Exponential;
    let mut system = model.assemble().unwrap();
    let mut start = system.start();
    start.q[0] += 0.01;
    start.v[2] = 1.0;
    let report = check(&mut system, &start).unwrap();
    let levels: Vec<&str> = report.initial.violations.iter().map(|v| v.level).collect();
    assert!(levels.contains(&"position") && levels.contains(&"velocity"), "{report}");
    assert!((report.initial.violations[0].residual.abs() - 0.01).abs() < 1e-12);
    assert!(report.initial.moved.iter().any(|c| (c.change + 0.01).abs() < 1e-9), "{report}");
    assert!(!report.is_sound());
}

#[test]
fn an_open_loop_is_closed_from_afar() {
    // every bar is misplaced by about half its length and turned
    let places = [([0.4, 0.2], 1.0), ([1.2, 0.6], 0.9), ([1.0, 0.9], 2.6)];
    let lengths = [1.0, 1.6, 1.2];
    for weighting in [Weighting::Unit, Weighting::Mass] {
        let mut system = four_bar(places, lengths, 1.5).assemble().unwrap();
        let mut state = system.start();
        let report = assemble_position(&mut system, &mut state, weighting).unwrap();
        assert!(report.constraints.iter().any(|c| c.before.abs() > 0.3));
        assert!(report.constraints.iter().all(|c| c.after.abs() < 1e-10), "{report}");
        // the bars form a closed polygon: independent of the measures of the joints
        let corner = |system: &rotula_mechanics::Assembly, node: usize, x: f64| {
            system.node_frame(node, &state.q).transform_point(&Vector3::new(x, 0.0, 0.0))
        };
        let knee = corner(&system, 1, 0.5) - corner(&system, 2, -0.8);
        assert!(knee.norm() < 1e-9);
        assert!((corner(&system, 3, -0.6) - Vector3::new(1.5, 0.0, 0.0)).norm() < 1e-9);
    }
}

#[test]
fn a_loop_that_cannot_close_names_its_joints() {
    let places = [([0.4, 0.2], 1.0), ([1.2, 0.6], 0.9), ([1.0, 0.9], 2.6)];
    let mut system = four_bar(places, [1.0, 1.0, 1.0], 5.0).assemble().unwrap();
    let mut state = system.start();
    let refusal = assemble_position(&mut system, &mut state, Weighting::Unit).unwrap_err();
    assert_eq!(refusal.failure, Failure::InconsistentStart);
    let text = refusal.to_string();
    assert!(["A: ", "B: ", "C: ", "D: "].iter().all(|name| text.contains(name)), "{text}");
}

/// Kinetic plus potential energy of the slider-crank at angle φ and rate ω, from the closed form.
fn slider_crank_energy(phi: f64, omega: f64) -> (f64, f64) {
    let (r, l) = (0.5_f64, 1.0_f64);
    let position = |phi: f64| r * phi.cos() + (l * l - (r * phi.sin()).powi(2)).sqrt();
    let tilt = |phi: f64| -(r / l * phi.sin()).asin();
    let d = 1e-5;
    let slope = |f: &dyn Fn(f64) -> f64| (f(phi + d) - f(phi - d)) / (2.0 * d);
    let (x_rate, tilt_rate) = (slope(&position) * omega, slope(&tilt) * omega);
    let rod_x = |phi: f64| r * phi.cos() + 0.5 * l * tilt(phi).cos();
    let rod_y = |phi: f64| 0.5 * r * phi.sin();
    let (rod_vx, rod_vy) = (slope(&rod_x) * omega, slope(&rod_y) * omega);
    let crank_inertia = 2.0 * r * r / 3.0;
    let kinetic = 0.5 * crank_inertia * omega * omega
        + 0.5 * 3.0 * (rod_vx.powi(2) + rod_vy.powi(2))
        + 0.5 * (3.0 * l * l / 12.0) * tilt_rate.powi(2)
        + 0.5 * 4.0 * x_rate.powi(2);
    (kinetic, G * (2.0 * 0.5 * r * phi.sin() + 3.0 * rod_y(phi)))
}

#[test]
fn the_slider_crank_follows_its_closed_form() {
    let omega = 2.0;
    let (mut model, angle, _) = slider_crank(0.0);
    model.drive("motor", angle, TimeFunction::formula("2*t").unwrap()).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let times: Vec<f64> = (0..=40).map(|k| 0.1 * k as f64).collect();
    let result = kinematics(&mut system, &start, &times).unwrap();
    let motor = (0..system.sizes().multipliers())
        .find(|i| system.name(Component::Constraint(*i)).starts_with("motor"))
        .unwrap();
    for (t, state) in times.iter().zip(&result.states) {
        let (phi, r, l) = (omega * t, 0.5_f64, 1.0_f64);
        let root = (l * l - (r * phi.sin()).powi(2)).sqrt();
        let x = r * phi.cos() + root;
        let rate = -r * phi.sin() - r * r * phi.sin() * phi.cos() / root;
        let bend = -r * phi.cos()
            - r * r * (2.0 * phi).cos() / root
            - (r * r * phi.sin() * phi.cos()).powi(2) / root.powi(3);
        assert!((state.q[6] - x).abs() < 1e-11, "position at {t}: {} {x}", state.q[6]);
        assert!((state.v[6] - omega * rate).abs() < 1e-10, "velocity at {t}");
        assert!((state.vdot[6] - omega * omega * bend).abs() < 1e-9, "acceleration at {t}");
        // power balance: torque · ω = rate of the energy
        let d = 1e-4;
        let energy = |phi: f64| {
            let (kinetic, potential) = slider_crank_energy(phi, omega);
            kinetic + potential
        };
        let torque = (energy(phi + d) - energy(phi - d)) / (2.0 * d);
        let found = state.multipliers[motor];
        assert!((found - torque).abs() < 1e-4 * (1.0 + torque.abs()), "torque {found} {torque}");
    }
    // the transient simulation needs the same torque
    let control = StepControl::Fixed { h: 1e-3 };
    let formulation = Formulation::Ggl(GglVariant::MassWeighted);
    let coefficients = Coefficients::generalized_alpha(0.8).unwrap();
    let mut settings = Settings::new(formulation, coefficients, control);
    settings.until = 1.3;
    let outcome = simulate(&mut system, &result.states[0], &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none());
    let simulated = outcome.state.multipliers[motor];
    let found = result.states[13].multipliers[motor];
    assert!((simulated - found).abs() < 1e-3 * (1.0 + found.abs()), "{simulated} {found}");
}

#[test]
fn a_slider_driven_beyond_its_reach_locks_at_the_right_time() {
    let (mut model, _, travel) = slider_crank(1.0);
    let x = 0.5 * 1.0_f64.cos() + (1.0 - (0.5 * 1.0_f64.sin()).powi(2)).sqrt();
    let push = TimeFunction::formula(&format!("{x} + 0.5*t")).unwrap();
    model.drive("push", travel, push).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let times = [0.1, 0.2, 5.0];
    let locked = kinematics(&mut system, &start, &times).unwrap_err();
    let expected = (1.5 - x) / 0.5;
    assert!((locked.t - expected).abs() < 1e-6, "{} {expected}", locked.t);
    assert!(locked.to_string().contains("push"), "{locked}");
    assert!(kinematics(&mut system, &start, &times[..2]).is_ok());
}

#[test]
fn what_is_not_driven_is_refused_by_name() {
    let mut system = chain(&[1.0], &[-1.0]).assemble().unwrap();
    let start = system.start();
    let refusal = kinematics(&mut system, &start, &[0.0, 1.0]).unwrap_err();
    assert_eq!(refusal.failure, Failure::Unsupported);
    assert!(refusal.to_string().contains("link 1: rotation about z"), "{refusal}");
}

#[test]
fn a_hanging_chain_finds_the_polygon_of_forces() {
    // ten equal links between two pins at the same height
    let (n, span) = (10, 7.0);
    let angles: Vec<f64> = (0..n).map(|k| if k < n / 2 { -0.5 } else { 0.9 }).collect();
    let mut model = chain(&vec![1.0; n], &angles);
    let last = model.bodies().len() - 1;
    let end = Marker {
        node: last,
        frame: Frame::new(Vector3::new(0.5, 0.0, 0.0), Quaternion::identity()),
    };
    let anchor = on(&model, GROUND, span, 0.0);
    pin(&mut model, "far pin", anchor, end).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    for way in [Relaxation::IfNeeded, Relaxation::First] {
        let rest = statics(&mut system, &start, way).unwrap();
        assert_eq!(rest.stability, Stability::Stable, "{rest}");
        // tan θ_k = (n/2 − k + 1/2) m g / H, with H from the span
        let width = |h: f64| -> f64 {
            (1..=n)
                .map(|k| 1.0 / (1.0 + ((n as f64 / 2.0 - k as f64 + 0.5) * G / h).powi(2)).sqrt())
                .sum()
        };
        let (mut low, mut high) = (1e-3, 1e4);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if width(middle) < span { low = middle } else { high = middle }
        }
        let h = 0.5 * (low + high);
        for k in 1..=n {
            let slope = -((n as f64 / 2.0 - k as f64 + 0.5) * G / h).atan();
            let found = system.node_frame(k, &rest.state.q).orientation.rotate(&Vector3::x());
            assert!(
                (found - Vector3::new(slope.cos(), slope.sin(), 0.0)).norm() < 1e-8,
                "link {k}"
            );
        }
    }
}

#[test]
fn upright_is_unstable_and_hanging_is_found_from_aside() {
    let mut upright = chain(&[1.0, 1.0], &[PI / 2.0, PI / 2.0]).assemble().unwrap();
    let start = upright.start();
    let rest = statics(&mut upright, &start, Relaxation::IfNeeded).unwrap();
    assert_eq!(rest.stability, Stability::Unstable, "{rest}");
    assert_eq!(rest.unstable_motions.len(), 2);
    // one link up, one down: a saddle
    let mut saddle = chain(&[1.0, 1.0], &[PI / 2.0, -PI / 2.0]).assemble().unwrap();
    let start = saddle.start();
    let rest = statics(&mut saddle, &start, Relaxation::IfNeeded).unwrap();
    assert_eq!((rest.stability, rest.unstable_motions.len()), (Stability::Unstable, 1));
    // from nearly upright the way leads down
    let mut aside = chain(&[1.0, 1.0], &[1.4, 1.3]).assemble().unwrap();
    let start = aside.start();
    let rest = statics(&mut aside, &start, Relaxation::IfNeeded).unwrap();
    assert_eq!(rest.stability, Stability::Stable, "{rest}");
    let low = aside.node_frame(2, &rest.state.q).position;
    assert!((low - Vector3::new(0.0, -1.5, 0.0)).norm() < 1e-9, "{low}");
}

#[test]
fn a_spring_column_buckles_at_its_critical_load() {
    // a rigid column on a torsion spring k, weight m g at half its length: critical m g l / 2 = k
    let column = |stiffness: f64| {
        let mut model = chain(&[1.0], &[PI / 2.0]);
        let angle = model.joints()[0].coordinates[0].1.clone();
        let law = Linear { stiffness, free: PI / 2.0, ..Linear::default() };
        model.force("root", Spring::new(angle, law)).unwrap();
        let mut system = model.assemble().unwrap();
        let start = system.start();
        statics(&mut system, &start, Relaxation::Never).unwrap().stability
    };
    assert_eq!(column(1.001 * G / 2.0), Stability::Stable);
    assert_eq!(column(0.999 * G / 2.0), Stability::Unstable);
}

#[test]
fn a_falling_body_has_no_equilibrium() {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, -G, 0.0);
    bar(&mut model, "stone", 1.0, 1.0, [0.0, 0.0], 0.0);
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let refusal = statics(&mut system, &start, Relaxation::IfNeeded).unwrap_err();
    assert!(refusal.to_string().contains("stone: y"), "{refusal}");
}

#[test]
fn pendulum_modes_up_and_down() {
    let rate = (1.5 * G).sqrt();
    for (angle, kind) in [(-PI / 2.0, ModeKind::Oscillation), (PI / 2.0, ModeKind::Growth)] {
        let mut system = chain(&[1.0], &[angle]).assemble().unwrap();
        let start = system.start();
        let state = consistent(&mut system, start);
        let found = modes(&mut system, &state).unwrap();
        let mode = found.modes.iter().find(|m| m.kind == kind).unwrap();
        match kind {
            ModeKind::Oscillation => {
                assert_eq!(found.modes.len(), 1);
                assert!((mode.frequency - rate / TAU).abs() < 1e-11, "{found}");
                assert!(!mode.unstable && mode.damping.abs() < 1e-12);
            }
            _ => {
                assert_eq!(found.modes.len(), 2);
                assert!((mode.eigenvalue[0] - rate).abs() < 1e-11 && mode.unstable, "{found}");
            }
        }
        // the hinge turns centre and bar together: 3/4 of the energy is that of the centre
        let share = &mode.participation[0];
        assert!((share.value - 0.75).abs() < 1e-9, "{found}");
    }
}

fn spring_chain(n: usize, stiffness: f64, mass: f64, damping: f64) -> Model {
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

#[test]
fn spring_chains_have_their_textbook_frequencies() {
    // fixed at one end, free at the other: ω_k = 2 √(k/m) sin((2k−1)π / (2(2n+1)))
    let (n, stiffness, mass) = (6, 100.0, 0.5);
    let mut system = spring_chain(n, stiffness, mass, 0.0).assemble().unwrap();
    let start = system.start();
    let state = consistent(&mut system, start);
    let found = modes(&mut system, &state).unwrap();
    assert!(!found.damped);
    // nothing holds the masses across the springs
    let rigid = found.modes.iter().filter(|m| m.kind == ModeKind::RigidBody).count();
    assert_eq!(rigid, 2 * n, "{found}");
    let vibrations: Vec<_> =
        found.modes.iter().filter(|m| m.kind == ModeKind::Oscillation).collect();
    assert_eq!(vibrations.len(), n);
    for (k, mode) in vibrations.iter().enumerate() {
        let argument = (2 * k + 1) as f64 * PI / (2 * (2 * n + 1)) as f64;
        let expected = 2.0 * (stiffness / mass as f64).sqrt() * argument.sin() / TAU;
        assert!((mode.frequency - expected).abs() < 1e-11 * expected, "{found}");
    }
}

#[test]
fn a_damped_oscillator_has_its_ratio() {
    for ratio in [0.05_f64, 0.7, 1.5] {
        let (stiffness, mass) = (40.0_f64, 2.5_f64);
        let omega = (stiffness / mass).sqrt();
        let damping = 2.0 * ratio * (stiffness * mass).sqrt();
        let mut system = spring_chain(1, stiffness, mass, damping).assemble().unwrap();
        let start = system.start();
        let state = consistent(&mut system, start);
        let found = modes(&mut system, &state).unwrap();
        let moving: Vec<_> = found.modes.iter().filter(|m| m.kind != ModeKind::RigidBody).collect();
        if ratio < 1.0 {
            let expected = omega * (1.0 - ratio * ratio).sqrt() / TAU;
            assert_eq!(moving.len(), 1, "{found}");
            assert!((moving[0].damping - ratio).abs() < 1e-12, "{found}");
            assert!((moving[0].frequency - expected).abs() < 1e-12 * expected, "{found}");
        } else {
            let root = omega * (ratio * ratio - 1.0_f64).sqrt();
            let rates = [ratio * omega - root, ratio * omega + root];
            assert_eq!(moving.len(), 2, "{found}");
            for (mode, rate) in moving.iter().zip(rates) {
                assert_eq!(mode.kind, ModeKind::Decay);
                assert!((mode.eigenvalue[0] + rate).abs() < 1e-11 * rate, "{found}");
            }
        }
    }
}

/// A symmetric top that stands upright on a ball joint and spins; A is its inertia about the tip.
fn sleeping_top(spin: f64, retraction: rotula_lie::Retraction) -> Vec<rotula_dae::analysis::Mode> {
    let (mass, height, across, axial) = (2.0, 0.3, 0.05, 0.08);
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -G);
    model.retraction = retraction;
    let properties = MassProperties::principal(mass, Vector3::new(across, across, axial));
    let body = Body::rigid(properties)
        .at(Vector3::new(0.0, 0.0, height))
        .moving(Vector3::zeros(), Vector3::new(0.0, 0.0, spin));
    let top = model.body("top", body).unwrap();
    let tip = Frame::identity();
    let (a, b) = (model.marker_at(GROUND, tip), model.marker_at(top, tip));
    model.joint("tip", &Spherical, a, b).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let state = consistent(&mut system, start);
    modes(&mut system, &state).unwrap().modes
}

#[test]
fn the_sleeping_top_has_its_gyroscopic_frequencies() {
    let (mass, height, across, axial) = (2.0, 0.3, 0.05, 0.08);
    let about_tip: f64 = across + mass * height * height;
    let weight = mass * G * height;
    let critical = (4.0 * about_tip * weight).sqrt() / axial;
    let spin = 1.5 * critical;
    // −A ν² + C Ω ν − m g l = 0 in space; ν − Ω in the turning axes
    let root = ((axial * spin).powi(2) - 4.0 * about_tip * weight).sqrt();
    let mut expected: Vec<f64> = [1.0, -1.0]
        .map(|sign| (axial * spin + sign * root) / (2.0 * about_tip) - spin)
        .map(|nu| nu.abs() / TAU)
        .to_vec();
    expected.sort_by(f64::total_cmp);
    for retraction in [rotula_lie::Retraction::Exponential, rotula_lie::Retraction::Cayley] {
        let found = sleeping_top(spin, retraction);
        let mut frequencies: Vec<f64> =
            found.iter().filter(|m| m.kind == ModeKind::Oscillation).map(|m| m.frequency).collect();
        frequencies.sort_by(f64::total_cmp);
        assert_eq!(frequencies.len(), 2, "{frequencies:?} {expected:?}");
        for (found, expected) in frequencies.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-7 * expected, "{found} {expected}");
        }
        assert!(found.iter().all(|m| !m.unstable));
        // the spin itself is a motion that nothing holds
        let free: Vec<_> = found.iter().filter(|m| m.kind == ModeKind::RigidBody).collect();
        assert_eq!(free.len(), 1);
        assert_eq!(free[0].participation[0].name, "top: rotation about z");
        // too slow a spin does not hold it
        let slow = sleeping_top(0.8 * critical, retraction);
        assert!(slow.iter().any(|m| m.unstable));
    }
}
