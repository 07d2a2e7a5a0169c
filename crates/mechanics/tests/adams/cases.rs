//! The seventeen models.
//!
//! Eleven are read from decks. Two of these decks do not belong to the numbers beside them: the rotational
//! spring was simulated with 200 N m/rad and 10 N m s/rad, the translational one with 100 N/m and
//! 5 N s/m, as the public unit tests that use the data (`utest_JOINT_*.cpp`) say and as the first
//! samples of the data confirm; the deck states 180/π, 9/π, 100 and 1. There these numbers are put in
//! place of the deck's. The models without a deck are built from the parameters of those tests.

use nalgebra::Vector3;
use rotula_lie::Frame;
use rotula_mechanics::force::{Law, Linear, Pull, Spring};
use rotula_mechanics::import::adams;
use rotula_mechanics::joint::{Prismatic, RevoluteSpherical};
use rotula_mechanics::measure::Coordinate;
use rotula_mechanics::{Body, GROUND, JointId, Marker, MassProperties, Model, Scene, TimeFunction};

/// What the columns of forces mean. All are in the axes of the world.
pub enum Report {
    /// `Rforce`, `Rtorque`: what a joint does to its second marker, times a sign.
    Joint(JointId, f64),
    /// The same, and the torque of a spring on the hinge about world y.
    Hinge(JointId, Linear),
    /// `Rforce`: what a spring between the ground and the marker of the body does to the ground.
    Spring { from: Vector3<f64>, to: Vector3<f64>, law: Box<dyn Fn(f64, f64) -> f64> },
    /// Columns of the prismatic joint and of the actuator on the body.
    Actuator(JointId),
    /// Columns of the rod on the ground, at its hinge, and on the body, at its ball.
    Rod(JointId, Vector3<f64>),
}

pub struct Case {
    pub name: &'static str,
    pub model: Model,
    /// The marker of which motion is reported; it sits in the centre of mass.
    pub marker: Marker,
    pub report: Report,
}

const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.80665);
/// Of all pendulums with a deck and of those on springs.
const MOMENTS: Vector3<f64> = Vector3::new(0.04, 0.1, 0.1);

macro_rules! deck {
    ($name:literal) => {
        include_str!(concat!("../data/adams/", $name, ".adm"))
    };
}

fn from_deck(name: &'static str, text: &str, distance: bool) -> Case {
    let deck = adams::read(text, name).unwrap_or_else(|error| panic!("{error}"));
    // the request on a held distance is the force on the ground, which is the first marker here
    let report = match distance {
        true => Report::Joint(deck.distances[&1], -1.0),
        false => Report::Joint(deck.joints[&1], 1.0),
    };
    Case { name, model: deck.model, marker: deck.markers[&201], report }
}

/// A body of 1 kg at a place.
fn pendulum(moments: Vector3<f64>, at: Vector3<f64>, velocity: Vector3<f64>) -> (Model, Marker) {
    let mut model = Model::new();
    model.gravity = GRAVITY;
    let properties = MassProperties::principal(1.0, moments);
    let body = Body::rigid(properties).at(at).moving(velocity, Vector3::zeros());
    let body = model.body("pendulum", body).unwrap();
    let marker = model.marker(body, Frame::identity());
    (model, marker)
}

/// Stiffness that grows with the stretch: `−50 s − 10 |s| s − 5 v`.
#[derive(Clone, Debug)]
struct Progressive;

fn progressive(length: f64, rate: f64) -> f64 {
    let stretch = length - 2.0;
    -50.0 * stretch - 10.0 * stretch.abs() * stretch - 5.0 * rate
}

impl Law for Progressive {
    fn pull(&mut self, value: f64, rate: f64, _: Scene) -> Pull {
        let by_value = -50.0 - 20.0 * (value - 2.0).abs();
        Pull { force: progressive(value, rate), by_value, by_rate: -5.0 }
    }
}

/// A point mass hanging from the origin on a spring whose free length is zero. Its length vanishes at
/// the start, where a distance has no direction; the motion is along z, so the spring acts on z.
fn vertical_spring(name: &'static str) -> Case {
    let (mut model, marker) = pendulum(MOMENTS, Vector3::zeros(), Vector3::zeros());
    let origin = model.marker(GROUND, Frame::identity());
    let height = Coordinate::along(&origin, &marker, Vector3::z());
    let law = Linear { stiffness: 10.0, damping: 0.5, ..Linear::default() };
    model.force("spring", Spring::new(height, law)).unwrap();
    let law = Box::new(|length: f64, rate: f64| -10.0 * length - 0.5 * rate);
    let zero = Vector3::zeros();
    let report = Report::Spring { from: zero, to: zero, law };
    Case { name, model, marker, report }
}

fn spring(
    name: &'static str,
    at: Vector3<f64>,
    (from, to): (Vector3<f64>, Vector3<f64>),
    law: impl Law + 'static,
    function: fn(f64, f64) -> f64,
) -> Case {
    let (mut model, marker) = pendulum(MOMENTS, at, Vector3::zeros());
    let place = |position: Vector3<f64>| Frame::new(position, Default::default());
    let start = model.marker(GROUND, place(from));
    let end = Marker { frame: place(to - at), ..marker };
    model.force("spring", Spring::new(Coordinate::length(&start, &end), law)).unwrap();
    let report = Report::Spring { from, to: to - at, law: Box::new(function) };
    Case { name, model, marker, report }
}

fn stiff(length: f64, rate: f64) -> f64 {
    -100.0 * (length - 2.0) - 5.0 * rate
}

fn actuator() -> Case {
    let (mut model, marker) = pendulum(Vector3::new(1.0, 1.0, 1.0), Vector3::zeros(), Vector3::z());
    let slide = model.marker(GROUND, Frame::identity());
    let joint = model.joint("slide", &Prismatic, slide, marker).unwrap();
    let displacement = model.coordinate(joint, "displacement").unwrap();
    model.drive("actuator", displacement, TimeFunction::formula("t").unwrap()).unwrap();
    let report = Report::Actuator(joint);
    Case { name: "LinActuator_Case01", model, marker, report }
}

fn rod() -> Case {
    let centre = Vector3::new(2.0, 2.0, 0.0);
    let (mut model, marker) = pendulum(Vector3::new(0.1, 0.04, 0.1), centre, Vector3::zeros());
    let hinge = model.marker(GROUND, Frame::identity());
    let ball = Frame::new(Vector3::new(0.0, -2.0, 0.0), Default::default());
    let ball = Marker { frame: ball, ..marker };
    let joint = model.joint("rod", &RevoluteSpherical { length: 2.0 }, hinge, ball).unwrap();
    let report = Report::Rod(joint, ball.frame.position);
    Case { name: "RevSpherical_Case01", model, marker, report }
}

/// A deck with other numbers for its spring.
fn replaced(text: &str, numbers: &[(&str, &str)]) -> String {
    numbers.iter().fold(text.to_string(), |text, (old, new)| {
        assert!(text.contains(old), "the deck has no `{old}`");
        text.replace(old, new)
    })
}

pub fn all() -> Vec<Case> {
    let hinge = replaced(
        deck!("RotSpring_Case01"),
        &[("- 1.0*RTOD*(az", "- 200.0*(az"), ("- 5.0E-2*RTOD*wz", "- 10.0*wz")],
    );
    let mut hinge = from_deck("RotSpring_Case01", &hinge, false);
    if let Report::Joint(joint, _) = hinge.report {
        let law = Linear { stiffness: 200.0, damping: 10.0, ..Linear::default() };
        hinge.report = Report::Hinge(joint, law);
    }
    let linear = replaced(deck!("TranSpring"), &[("- 1.0*vr", "- 5.0*vr")]);
    let linear = adams::read(&linear, "TranSpring.adm").unwrap();
    let law = Box::new(stiff);
    let linear = Case {
        name: "TranSpring_Case02",
        model: linear.model,
        marker: linear.markers[&201],
        report: Report::Spring { from: Vector3::zeros(), to: Vector3::zeros(), law },
    };
    let two = Vector3::new(0.0, 2.0, 0.0);
    let origin = Vector3::zeros();
    let hundred = Linear { stiffness: 100.0, damping: 5.0, free: 2.0, preload: 0.0 };
    let away = (Vector3::new(1.0, 2.0, 3.0), Vector3::new(1.0, 4.0, 3.0));
    let corner = Vector3::new(-1.0, 4.0, 3.0);
    vec![
        from_deck("Cylindrical_Case01", deck!("Cylindrical_Case01"), false),
        from_deck("Cylindrical_Case02", deck!("Cylindrical_Case02"), false),
        from_deck("Distance_Case01", deck!("Distance_Case01"), true),
        from_deck("Distance_Case02", deck!("Distance_Case02"), true),
        from_deck("Prismatic_Case01", deck!("Prismatic_Case01"), false),
        from_deck("Prismatic_Case03", deck!("Prismatic_Case03"), false),
        from_deck("Revolute_Case01", deck!("Revolute_Case01"), false),
        from_deck("Spherical_Case01", deck!("Spherical_Case01"), false),
        from_deck("Universal_Case01", deck!("Universal_Case01"), false),
        hinge,
        linear,
        actuator(),
        rod(),
        vertical_spring("TranSpring_Case01"),
        vertical_spring("TranSpringCB_Case01"),
        spring("TranSpringCB_Case02", two, (origin, two), hundred, stiff),
        spring("TranSpringCB_Case03", corner, away, Progressive, progressive),
    ]
}
