//! What forces, joints, drives and held ends offer as signals, against differences: all of it at once in
//! formulas of a state and of a load.

use crate::control::Stage;
use nalgebra::{Matrix6, Vector3};
use rotula_mechanics::element::{BeamLine, Section, Strand, StrandLine};
use rotula_mechanics::force::{
    Amplitude, Axes, Bushing, Contact, ContactLaw, Force, Formula, Linear, Load, Spring, Stribeck,
    Surface,
};
use rotula_mechanics::joint::{Cylindrical, Joint, Revolute};
use rotula_mechanics::quantity::{Acting, Ends, Part, REACTION, Side};
use rotula_mechanics::sensor::EffortSensor;
use rotula_mechanics::shape::Shape;
use rotula_mechanics::{Marker, TimeFunction};

impl Stage {
    /// Uses a signal of the model.
    fn use_signal(&mut self, name: &str) {
        self.used.push(format!("{name}*cos(0.1*{name} + t)"));
    }

    /// Adds a force and uses all that it offers.
    fn act(&mut self, name: &str, force: impl Force + 'static) {
        let quantities = force.quantities();
        self.model.force(name, force).unwrap();
        quantities
            .iter()
            .for_each(|quantity| self.use_signal(&format!("{name}.{}", quantity.name)));
    }

    /// Reads what a thing does to one of its bodies, in axes of every kind.
    fn read(&mut self, thing: (Acting, &str), side: Side) {
        for part in [Part::Force, Part::Moment] {
            for axes in 0..4 {
                let direction = self.direction(axes);
                let name = format!("sensor{}", self.used.len());
                self.model.action_sensor(&name, thing, (side, part), direction).unwrap();
                self.use_signal(&name);
            }
        }
    }
}

fn soft() -> Linear {
    Linear { stiffness: 1.3, damping: 0.4, free: 0.2, preload: 0.1 }
}

#[test]
fn springs() {
    let mut stage = Stage::new(&Cylindrical);
    let m = stage.markers.clone();
    stage.act("between", Spring::between(&m[1], &m[4], soft()));
    stage.act("turning", Spring::rotational(&m[3], &m[2], soft()));
    // a law with the signals of another force, an angle with its turns, and a state
    stage.model.state("oil", 0.3, "0.1*between.force - oil").unwrap();
    let signals = ["oil", "between.force"];
    let named = signals.map(|name| (name, stage.model.signal(name).unwrap()));
    let law = Formula::new("-value^2 - rate*value + oil*rate + between.force*value", &named);
    let angle = stage.model.joints()[0].coordinates[0].1.clone();
    stage.act("on_joint", Spring::new(angle, law.unwrap()));
    stage.read((Acting::Force, "on_joint"), Side::First);
    stage.read((Acting::Force, "between"), Side::Second);
    stage.finish("signals of springs");
}

#[test]
fn bushings_and_loads() {
    let mut stage = Stage::new(&Revolute);
    let m = stage.markers.clone();
    let matrix = |scale: f64| Matrix6::from_fn(|i, j| scale / (1.0 + (i + 2 * j) as f64));
    let bushing = Bushing::new(m[1], m[2], matrix(1.0), matrix(0.5)).unwrap();
    stage.act("mount", bushing);
    stage.read((Acting::Force, "mount"), Side::First);
    let pull = stage.model.amplitude("pull", "0.3*mount.fx + mount.power").unwrap();
    let one = Amplitude::Constant(0.7);
    for (name, axes) in [("still", Axes::World), ("following", Axes::Marker)] {
        stage.act(name, Load::new(m[3], axes, [pull, one, one], [one, pull, one]));
    }
    stage.read((Acting::Force, "still"), Side::Second);
    stage.finish("signals of bushings and loads");
}

#[test]
fn contacts() {
    let mut stage = Stage::new(&Revolute);
    let m = stage.markers.clone();
    let law = ContactLaw {
        stiffness: 0.5,
        exponent: 1.5,
        dissipation: 0.02,
        damping: 0.3,
        damping_depth: 20.0,
        guide: 0.0,
        friction: Some(Stribeck { rest: 0.5, velocity: 0.7, ..Stribeck::coulomb(0.3, 0.4) }),
    };
    // large, so that they press wherever the bodies are
    let ball = |radius: f64| Surface::from(Shape::Sphere { radius });
    let balls = Contact::new(m[1], ball(6.0), m[2], ball(5.0), law).unwrap();
    stage.act("balls", balls);
    stage.act("floor", Contact::new(m[0], Surface::Plane, m[3], ball(8.0), law).unwrap());
    stage.read((Acting::Force, "balls"), Side::First);
    stage.finish("signals of contacts");
}

#[test]
fn joints_and_drives() {
    for joint in [&Revolute as &dyn Joint, &Cylindrical] {
        let mut stage = Stage::new(joint);
        REACTION.iter().for_each(|quantity| stage.use_signal(&format!("joint.{}", quantity.name)));
        stage.read((Acting::Joint, "joint"), Side::First);
        stage.read((Acting::Joint, "joint"), Side::Second);
        let coordinate = stage.model.joints()[0].coordinates[0].1.clone();
        let function = TimeFunction::formula("sin(t)").unwrap();
        stage.model.drive("drive", coordinate.clone(), function).unwrap();
        for (name, sensor) in [
            ("effort", EffortSensor::new(&stage.model, "drive", 0.7)),
            ("power", EffortSensor::power(&stage.model, "drive", 0.7, &coordinate)),
        ] {
            stage.model.sensor(name, sensor.unwrap()).unwrap();
            stage.use_signal(name);
        }
        let pair = stage.model.joints()[0].pair;
        let ends = Ends { axes: Some(pair.a), ..Ends::between(pair.a, pair.b) };
        stage.model.drives("drive", ends, &REACTION).unwrap();
        REACTION.iter().for_each(|quantity| stage.use_signal(&format!("drive.{}", quantity.name)));
        stage.read((Acting::Drive, "drive"), Side::First);
        stage.finish("signals of joints and drives");
    }
}

#[test]
fn held_ends() {
    let mut stage = Stage::new(&Revolute);
    let place = |marker: &Marker| {
        let body = &stage.model.bodies()[marker.node].1;
        (body.node_frame() * marker.frame).position
    };
    let (from, to) = (place(&stage.markers[1]), place(&stage.markers[2]));
    let [first, second] = [1, 2].map(|k: usize| stage.model.body_id(stage.markers[k].node));
    let section =
        Section::diagonal([1.0, 0.6, 0.5, 0.3, 0.2, 0.4], 0.5, Vector3::new(0.2, 0.1, 0.1));
    let beam = BeamLine::straight(from, to, Vector3::new(0.3, 0.2, 0.9), 3).unwrap();
    let beam = beam.with_section(section).held_by(Some(first), Some(second));
    stage.model.beam("rod", &beam).unwrap();
    let strand = Strand { stiffness: 2.0, mass: 0.3, damping: 0.2, slack: false };
    let bar = StrandLine::straight(from, to, 1, strand).held_by(Some(first), Some(second));
    stage.model.strand("bar", &bar).unwrap();
    let names: Vec<String> = stage
        .model
        .attachments()
        .iter()
        .flat_map(|end| end.quantities.iter().map(move |q| format!("{}.{}", end.name, q.name)))
        .collect();
    assert_eq!(names.len(), 6 + 6 + 3 + 3);
    names.iter().for_each(|name| stage.use_signal(name));
    stage.read((Acting::Attachment, "rod.end"), Side::Second);
    stage.finish("signals of held ends");
}
