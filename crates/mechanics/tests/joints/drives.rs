//! Prescribed motion by velocity and acceleration, and stops.

use crate::support::{body, run};
use nalgebra::Vector3;
use rotula_dae::Contacts;
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{SoftStop, Spring};
use rotula_mechanics::joint::{Prismatic, Revolute};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::{BodyId, GROUND, Model, Stop, TimeFunction};

/// A body turned by 0.7 about z at the start and spinning at 0.5, on a hinge.
fn hinged() -> (Model, BodyId, Coordinate) {
    let mut model = Model::new();
    let turned = Frame::new(Vector3::zeros(), Quaternion::exp(&Vector3::new(0.0, 0.0, 0.7)));
    let spin = Vector3::new(0.0, 0.0, 0.5);
    let rotor = body().at_frame(turned).moving(Vector3::zeros(), spin);
    let rotor = model.body("rotor", rotor).unwrap();
    let (a, b) = (model.marker(GROUND, Frame::identity()), model.marker(rotor, Frame::identity()));
    let hinge = model.joint("hinge", &Revolute, a, b).unwrap();
    let angle = model.coordinate(hinge, "angle").unwrap();
    (model, rotor, angle)
}

fn check_angle(model: Model, rotor: BodyId, until: f64, expected: f64) {
    let mut system = model.assemble().unwrap();
    let state = run(&mut system, until, 0.01);
    let found = system.node_frame(rotor.node(), &state.q).orientation;
    let wrong = Quaternion::exp(&Vector3::new(0.0, 0.0, expected)).conjugate() * found;
    assert!(wrong.vector.norm() < 1e-10, "{wrong:?}");
}

#[test]
fn value_and_rate_at_the_start() {
    let (model, _, angle) = hinged();
    let [value, rate] = model.at_start(&angle);
    assert!((value - 0.7).abs() < 1e-15 && (rate - 0.5).abs() < 1e-15);
}

#[test]
fn velocity_integrates_to_the_angle() {
    let (mut model, rotor, angle) = hinged();
    let speed = TimeFunction::formula("0.5*cos(t) + 6*t").unwrap();
    model.drive_velocity("drive", angle, speed).unwrap();
    check_angle(model, rotor, 3.0, 0.7 + 0.5 * 3f64.sin() + 27.0);
}

#[test]
fn acceleration_integrates_to_the_angle() {
    let (mut model, rotor, angle) = hinged();
    let push = TimeFunction::formula("exp(-t)").unwrap();
    model.drive_acceleration("drive", angle, push).unwrap();
    check_angle(model, rotor, 3.0, 0.7 + 0.5 * 3.0 + 3.0 - 1.0 + (-3f64).exp());
}

/// A point on a slide that runs into a soft stop at speed 1: the speed at which it comes back.
fn rebound(damping: f64, h: f64) -> f64 {
    let mut model = Model::new();
    let at = Vector3::new(-0.1, 0.0, 0.0);
    let slider = body().at(at).moving(Vector3::x(), Vector3::zeros());
    let slider = model.body("slider", slider).unwrap();
    let zero = model.frame(Vector3::zeros(), Vector3::x());
    let (a, b) = (
        model.marker_at(GROUND, zero),
        model.marker(slider, Frame { position: Vector3::zeros(), ..zero }),
    );
    let slide = model.joint("slide", &Prismatic, a, b).unwrap();
    let coordinate = model.coordinate(slide, "displacement").unwrap();
    let stop = SoftStop::new(f64::NEG_INFINITY, 0.0, 1e4).unwrap().damped(damping).unwrap();
    model.force("buffer", Spring::new(coordinate, stop)).unwrap();
    let mut system = model.assemble().unwrap();
    let state = run(&mut system, 0.3, h);
    assert!(system.node_frame(slider.node(), &state.q).position.x < 0.0, "it is still inside");
    -state.v[0]
}

#[test]
fn soft_stops_rebound_as_hunt_and_crossley_say() {
    for damping in [0.0, 0.3, 1.0] {
        let back = rebound(damping, 1e-4);
        // m u du/dx = −k xⁿ(1 + c u), so u/c − log(1 + c u)/c² is the same going in and coming out
        let (mut low, mut high) = (0.0, 1.0);
        let path = |u: f64| u / damping - (1.0 + damping * u).ln() / (damping * damping);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let beyond = damping > 0.0 && path(-middle) > path(1.0);
            (low, high) = if beyond { (low, middle) } else { (middle, high) };
        }
        assert!((back - low).abs() < 1e-5, "damping {damping}: {back} is not {low}");
    }
}

#[test]
fn hard_stops_are_contacts_and_refuse_bad_numbers() {
    let (mut model, _, coordinate) = hinged();
    let stop = Stop { name: "end".into(), coordinate, lower: -1.0, upper: 1.0, restitution: 0.5 };
    model.stop(stop.clone()).unwrap();
    let system = model.assemble().unwrap();
    let laws = system.contacts();
    assert_eq!(laws.len(), 2);
    assert!(laws.iter().all(|law| law.restitution == 0.5 && law.directions == 0));
    assert!(model.stop(stop.clone()).unwrap_err().to_string().contains("another stop already"));
    let worse = Stop { name: "other".into(), upper: -2.0, ..stop };
    assert!(model.stop(worse).unwrap_err().to_string().contains("not below"));
    assert!(SoftStop::new(0.0, 1.0, -1.0).is_err());
    assert!(SoftStop::new(1.0, 0.0, 1.0).is_err());
    assert!(SoftStop::new(0.0, 1.0, 1.0).unwrap().with_exponent(0.5).is_err());
}
