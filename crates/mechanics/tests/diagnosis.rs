//! Failures of models that a user may well build: the message must name the culprit and a remedy.

use nalgebra::Vector3;
use rotula_dae::{
    Coefficients, Diagnosis, Failure, Formulation, GglVariant, InitialPolicy, Settings,
    StepControl, simulate,
};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::force::{Contact, ContactLaw, Surface};
use rotula_mechanics::joint::{Distance, Joint, Revolute};
use rotula_mechanics::shape::Shape;
use rotula_mechanics::{Body, BodyId, GROUND, Model, TimeFunction};

fn at(x: f64, y: f64) -> Vector3<f64> {
    Vector3::new(x, y, 0.0)
}

/// A uniform bar in the plane between two points.
fn bar(model: &mut Model, name: &str, from: Vector3<f64>, to: Vector3<f64>) -> BodyId {
    let along = to - from;
    let turn = Quaternion::exp(&Vector3::new(0.0, 0.0, along.y.atan2(along.x)));
    let body = Body::planar(1.0, along.norm_squared() / 12.0);
    model.body(name, body.at_frame(Frame::new((from + to) * 0.5, turn))).unwrap()
}

fn join(
    model: &mut Model,
    name: &str,
    joint: &dyn Joint,
    bodies: [BodyId; 2],
    (place, axis): (Vector3<f64>, Vector3<f64>),
) -> rotula_mechanics::JointId {
    let frame = model.frame(place, axis);
    let (a, b) = (model.marker_at(bodies[0], frame), model.marker_at(bodies[1], frame));
    model.joint(name, joint, a, b).unwrap()
}

fn diagnosis(model: &Model, initial: InitialPolicy) -> Diagnosis {
    let mut system = model.assemble().unwrap();
    let coefficients = Coefficients::generalized_alpha(0.8).unwrap();
    let formulation = Formulation::Ggl { variant: GglVariant::MassWeighted };
    let control = StepControl::Fixed { h: 0.01 };
    let mut settings = Settings::new(formulation, coefficients, control);
    settings.until = 3.0;
    settings.initial = initial;
    let start = system.start();
    match simulate(&mut system, &start, &settings, &mut ()) {
        Err(diagnosis) => diagnosis,
        Ok(outcome) => outcome.failure.expect("the run must fail"),
    }
}

/// A drive that begins elsewhere than the body.
fn inconsistent_drive() -> Model {
    let mut model = Model::new();
    let arm = bar(&mut model, "arm", at(0.0, 0.0), at(1.0, 0.0));
    let hinge = join(&mut model, "hinge", &Revolute, [GROUND, arm], (at(0.0, 0.0), Vector3::z()));
    let angle = model.coordinate(hinge, "angle").unwrap();
    model.drive("motor", angle, TimeFunction::formula("0.4 + t").unwrap()).unwrap();
    model
}

/// A body without mass that nothing holds but a hinge.
fn massless() -> Model {
    let mut model = Model::new();
    let link = model.body("ghost link", Body::massless().at(at(1.0, 0.0))).unwrap();
    join(&mut model, "hinge", &Revolute, [GROUND, link], (at(0.0, 0.0), Vector3::z()));
    model
}

/// Two rods that ask for different places of one bob.
fn contradiction() -> Model {
    let mut model = Model::new();
    let bob = model.body("bob", Body::planar(1.0, 1.0).at(at(1.0, 0.0))).unwrap();
    let (a, b) = (model.marker(GROUND, Frame::identity()), model.marker(bob, Frame::identity()));
    model.joint("short rod", &Distance { length: 1.0 }, a, b).unwrap();
    model.joint("long rod", &Distance { length: 1.2 }, a, b).unwrap();
    model
}

/// What goes wrong, who is to be named, and a word of the remedy.
struct Case {
    model: fn() -> Model,
    initial: InitialPolicy,
    failure: Failure,
    named: &'static [&'static str],
    remedy: &'static str,
}

#[test]
fn the_culprit_is_named() {
    use InitialPolicy::{Project, Refuse};
    let cases = [
        Case {
            model: inconsistent_drive,
            initial: Refuse,
            failure: Failure::InconsistentStart,
            named: &["motor: prescribed motion", "arm: rotation about z"],
            remedy: "project",
        },
        Case {
            model: massless,
            initial: Refuse,
            failure: Failure::SingularMass,
            named: &["ghost link: rotation about z"],
            remedy: "give coordinate `ghost link: rotation about z` a mass or inertia",
        },
        Case {
            model: contradiction,
            initial: Project,
            failure: Failure::ContradictoryConstraints,
            named: &["long rod: distance", "short rod: distance", "misses by 2.000e-1"],
            remedy: "correct the lengths",
        },
    ];
    for case in cases {
        let found = diagnosis(&(case.model)(), case.initial);
        let text = found.to_string();
        assert_eq!(found.failure, case.failure, "{text}");
        for name in case.named {
            assert!(text.contains(name), "`{name}` is not named in: {text}");
        }
        assert!(text.contains(case.remedy), "`{}` is not in: {text}", case.remedy);
    }
}

/// A ball that falls on a floor as hard as can be, in steps of a hundredth of a second.
#[test]
fn a_contact_that_is_too_stiff_is_named() {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let sphere = Shape::Sphere { radius: 0.1 };
    let ball = Body::solid(1000.0, vec![(Frame::identity(), sphere.clone())]).unwrap();
    let ball = model.body("ball", ball.at(Vector3::new(0.0, 0.0, 0.5))).unwrap();
    let floor = model.marker(GROUND, Frame::identity());
    let middle = model.marker(ball, Frame::identity());
    let law = ContactLaw { stiffness: 1e15, ..ContactLaw::default() };
    let contact = Contact::new(floor, Surface::Plane, middle, sphere.into(), law).unwrap();
    model.force("bounce", contact).unwrap();
    let mut system = model.assemble().unwrap();
    let coefficients = Coefficients::generalized_alpha(0.8).unwrap();
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 0.01 });
    settings.until = 3.0;
    let start = system.start();
    let outcome = simulate(&mut system, &start, &settings, &mut ()).unwrap();
    // it fails, or its energy shows that it should have
    let text = match outcome.failure {
        Some(diagnosis) => diagnosis.to_string(),
        None => outcome.warnings.join("\n"),
    };
    for phrase in ["the force `bounce` on body `ball` changes from", "so stiff that the body"] {
        assert!(text.contains(phrase), "`{phrase}` is not in: {text}");
    }
}
