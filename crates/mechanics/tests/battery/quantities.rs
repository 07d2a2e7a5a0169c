//! What forces, joints, drives and held ends offer as signals, against differences: all of it at once in
//! formulas of a state and of a load.

use crate::control::Stage;
use nalgebra::{Matrix6, Vector3};
use rotula_mechanics::element::{BeamLine, Section, Strand, StrandLine};
use rotula_mechanics::force::tyre::{Brush, Characteristics, Road, Tyre};
use rotula_mechanics::force::{
    Amplitude, Axes, Bushing, Contact, ContactLaw, Force, Formula, Linear, Load, Spring, Stribeck,
    Surface,
};
use rotula_mechanics::import::tir;
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
        rolling: 0.0,
        spinning: 0.0,
        resting: 0.7,
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

/// A tyre with all coefficients, of the size of the bodies, whose curves are gentle enough for differences.
const GENTLE: &str = "FITTYP = 61\nLONGVL = 2\nVXLOW = 1\nUNLOADED_RADIUS = 8\nINFLPRES = 2.2\nNOMPRES = 2\n\
    FNOMIN = 4\nVERTICAL_STIFFNESS = 0.7\nVERTICAL_DAMPING = 0.05\nBREFF = 0.8\nDREFF = 0.25\nFREFF = 0.07\n\
    Q_V1 = 0.001\nQ_FZ2 = 0.1\nPFZ1 = 0.2\nLONGITUDINAL_STIFFNESS = 3\nLATERAL_STIFFNESS = 2\nPCX1 = 1.5\n\
    PDX1 = 1.0\nPDX2 = -0.08\nPDX3 = 0.1\nPEX1 = 0.1\nPEX2 = 0.03\nPKX1 = 2.1\nPKX2 = 0.3\nPKX3 = -0.2\nPHX1 = 0.01\n\
    PHX2 = 0.02\nPVX1 = 0.02\nPVX2 = 0.01\nPPX1 = -0.3\nPPX2 = 0.3\nPPX3 = -0.1\nPPX4 = 0.06\nRBX1 = 0.9\nRBX2 = 0.7\n\
    RBX3 = 0.1\nRCX1 = 0.9\nREX1 = -0.4\nREX2 = -0.1\nRHX1 = 0.02\nPCY1 = 1.3\nPDY1 = 0.9\nPDY2 = -0.06\nPDY3 = 0.1\n\
    PEY1 = -0.8\nPEY2 = -0.2\nPEY5 = 0.1\nPKY1 = -1.7\nPKY2 = 1.7\nPKY3 = 0.2\nPKY4 = 1.9\nPKY5 = 0.1\nPKY6 = -0.3\n\
    PKY7 = -0.1\nPHY1 = 0.02\nPHY2 = 0.01\nPVY1 = 0.03\nPVY2 = 0.02\nPVY3 = -0.1\nPVY4 = -0.1\nPPY1 = -0.3\nRBY1 = 0.8\n\
    RBY2 = 0.6\nRBY3 = 0.05\nRBY4 = 0.1\nRCY1 = 1.0\nREY1 = 0.3\nREY2 = 0.05\nRHY1 = 0.02\nRHY2 = 0.01\nRVY1 = 0.05\n\
    RVY2 = 0.01\nRVY3 = 0.02\nRVY4 = 0.9\nRVY5 = 1.2\nRVY6 = 0.8\nQSX1 = 0.01\nQSX2 = 0.2\nQSX3 = 0.1\nQSX4 = 0.3\nQSX5 = 0.7\n\
    QSX6 = 0.6\nQSX7 = 0.4\nQSX8 = 0.2\nQSX9 = 0.6\nQSX10 = 0.2\nQSX11 = 0.5\nQSY1 = 0.02\nQSY2 = 0.01\nQSY3 = 0.01\n\
    QSY5 = 0.02\nQSY6 = 0.01\nQSY7 = 0.9\nQSY8 = -0.4\nQBZ1 = 0.8\nQBZ2 = -0.1\nQBZ4 = 0.1\nQBZ5 = -0.1\nQBZ9 = 0.7\n\
    QBZ10 = 0.2\nQCZ1 = 1.1\nQDZ1 = 0.09\nQDZ2 = -0.01\nQDZ3 = 0.3\nQDZ4 = 0.1\nQDZ6 = 0.02\nQDZ7 = 0.01\nQDZ8 = -0.1\n\
    QDZ9 = 0.02\nQDZ10 = 0.02\nQEZ1 = -0.8\nQEZ2 = 0.1\nQEZ4 = 0.2\nQEZ5 = -0.1\nQHZ1 = 0.02\nQHZ3 = 0.1\nPPZ1 = -0.2\n\
    SSZ1 = 0.02\nSSZ2 = 0.03\nSSZ3 = 0.02\n";

#[test]
fn tyres() {
    let brush = Brush {
        radius: 8.0,
        stiffness: 0.7,
        damping: 0.05,
        friction: 4.0,
        longitudinal: 1.1,
        cornering: 0.8,
        half_length: 0.5,
        relaxation: [2.0, 3.0],
        rolling_resistance: 0.05,
    };
    let magic = tir::read(GENTLE, "gentle.tir").unwrap();
    let kinds = [
        ("magic", Characteristics::Magic(Box::new(magic))),
        ("brush", Characteristics::Brush(brush.checked().unwrap())),
    ];
    for (name, characteristics) in kinds {
        for (moving, mirrored) in [(1, false), (0, true)] {
            let mut stage = Stage::new(&Revolute);
            let m = stage.markers.clone();
            let road = Road::formula(m[moving], "0.2*sin(0.5*x) + 0.05*x*y", &Default::default());
            let states = ["x", "y"].map(|axis| {
                let (state, rate) =
                    (format!("tyre.shear_{axis}"), format!("tyre.shear_{axis}_rate"));
                stage.model.promise("tyre", Tyre::all_quantities());
                stage.model.state(&state, 0.2, &rate).unwrap();
                stage.model.signal(&state).unwrap()
            });
            let tyre = Tyre::new(
                road.unwrap(),
                m[3],
                Vector3::new(0.2, 1.0, 0.1),
                characteristics.clone(),
            );
            let tyre = tyre.unwrap().mirrored(mirrored).relaxing(states[0], states[1]);
            stage.act("tyre", tyre);
            stage.read((Acting::Force, "tyre"), Side::First);
            stage.finish(&format!("signals of a {name} tyre"));
        }
    }
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
