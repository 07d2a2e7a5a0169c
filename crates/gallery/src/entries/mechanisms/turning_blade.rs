//! Blades that turn: frequencies over the speed, and a spin-up.

use crate::curves::{Curve, comparison};
use crate::entries::doc003::support::{number, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{run_system, smallest};
use nalgebra::Vector3;
use rotula_dae::analysis::{ModeKind, modes, steady_turn};
use rotula_dae::{Coefficients, Formulation, Output, Settings, StepControl};
use rotula_lie::Frame;
use rotula_mechanics::element::{BeamLine, Section};
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::{Body, GROUND, MassProperties, Model, ModelError, TimeFunction};
use rotula_report::Axis;
use std::f64::consts::TAU;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-turning-blade",
    document: "mechanisms",
    title: "Turning blades: frequencies over the speed, and a spin-up",
    run,
};

const REFERENCE: &str =
    include_str!("../../../../../gallery/mechanism-turning-blade/reference.json");

/// A blade along x on a hub whose angle about z is given; and the nodes of hub and tip.
fn blade(
    length: f64,
    section: Section,
    angle: &str,
    speed: f64,
) -> Result<(Model, [usize; 2]), ModelError> {
    let mut model = Model::new();
    let hub = MassProperties::principal(1.0, Vector3::new(0.1, 0.1, 0.1));
    let hub = Body::rigid(hub).moving(Vector3::zeros(), Vector3::z() * speed);
    let hub = model.body("hub", hub)?;
    let axle = model.frame(Vector3::zeros(), Vector3::z());
    let (a, b) = (model.marker_at(GROUND, axle), model.marker_at(hub, axle));
    let hinge = model.joint("axle", &Revolute, a, b)?;
    let turned = model.coordinate(hinge, "angle")?;
    let angle = TimeFunction::formula(angle);
    let angle = angle.map_err(|error| ModelError::invalid("spin", error.to_string()))?;
    model.drive("spin", turned, angle)?;
    let end = Vector3::x() * length;
    let line = BeamLine::straight(Vector3::zeros(), end, Vector3::z(), 13)?;
    let mut line = line.with_section(section).with_nodes_per_element(4);
    line.moving = [Vector3::zeros(), Vector3::z() * speed];
    let laid = model.beam("blade", &line.held_by(Some(hub), None))?;
    Ok((model, [hub.node(), laid.nodes[12].node]))
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    frequencies(&data, findings)?;
    spin_up(&data, findings)
}

fn frequencies(data: &serde_json::Value, findings: &mut Findings) -> Result<(), GalleryError> {
    let mut rows = Vec::new();
    let speeds = numbers(data, "/flapping/speeds")?;
    let mut rates = vec![[Vec::new(), Vec::new()]; 3];
    for (k, &speed) in speeds.iter().enumerate() {
        // slender, and stiff in the plane in which it turns
        let inertia = Vector3::new(8e-6, 4e-6, 4e-6);
        let section = Section::diagonal([4e5, 4e5, 4e5, 1e3, 1.0, 50.0], 1.0, inertia);
        let (model, _) = blade(1.0, section, &format!("{speed}*t"), speed)?;
        let mut system = model.assemble()?;
        let start = system.start();
        let turn = steady_turn(&mut system, &start)?;
        let found = modes(&mut system, &turn.state)?;
        let published = numbers(data, &format!("/flapping/rates/{k}"))?;
        for (rate, [ours, theirs]) in published.into_iter().zip(&mut rates) {
            let vibrations = found.modes.iter().filter(|mode| mode.kind == ModeKind::Oscillation);
            let nearest = vibrations
                .map(|mode| mode.frequency * TAU)
                .min_by(|a, b| (a - rate).abs().total_cmp(&(b - rate).abs()))
                .unwrap_or(f64::NAN);
            let error = (nearest / rate - 1.0).abs();
            ours.push(nearest);
            theirs.push(rate);
            findings.at_most(format!("speed {speed}, rate {rate}: relative error"), error, 5e-4);
            rows.push(vec![
                format!("{speed}"),
                format!("{rate}"),
                format!("{nearest:.4}"),
                short(error),
            ]);
        }
    }
    findings.table(
        "Flapping rates of a turning blade",
        &["speed", "published", "found", "relative difference"],
        rows,
    );
    let curve = |(k, [ours, theirs]): (usize, &[Vec<f64>; 2])| {
        Curve::new(format!("mode {}", k + 1), &speeds, ours).beside(&speeds, theirs)
    };
    let curves = rates.iter().enumerate().map(curve).collect();
    let axes = ["speed over √(EI/mL⁴)", "rate over √(EI/mL⁴)"].map(Axis::linear);
    findings.figure(comparison("Flapping rates of a turning blade", axes, "published", curves));
    Ok(())
}

fn spin_up(data: &serde_json::Value, findings: &mut Findings) -> Result<(), GalleryError> {
    let published = number(data, "/spin_up/stretch")?;
    let inertia = Vector3::new(1.2e-3, 6e-4, 6e-4);
    let section = Section::diagonal([2.8e7, 1e7, 1e7, 1.4e4, 1.4e4, 1.4e4], 1.2, inertia);
    let angle = "6*if(t < 15, t^2/30 + 15/(4*pi^2)*(cos(2*pi*t/15) - 1), t - 7.5)";
    let (model, [hub, tip]) = blade(10.0, section, angle, 0.0)?;
    let mut system = model.assemble()?;
    let start = system.start();
    let coefficients = Coefficients::generalized_alpha(0.7)?;
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 0.01 });
    settings.output = Output::EachStep;
    settings.until = 20.0;
    let outcome = run_system(&mut system, &start, &settings)?;
    let seen = |k: usize| {
        let q = outcome.trajectory.q.row(k);
        let axes: Frame = system.node_frame(hub, q);
        system.node_frame(tip, q).seen_from(&axes).position - Vector3::x() * 10.0
    };
    let count = outcome.trajectory.len();
    let lag = smallest((0..count).map(|k| seen(k).y));
    // what is left of the vibrations is averaged away
    let last: Vec<f64> = (count - 200..count).map(|k| seen(k).x).collect();
    let stretch = last.iter().sum::<f64>() / last.len() as f64;
    findings.near("spin-up: steady stretch of the blade", stretch, published, 5e-7);
    findings.note(format!("During the spin-up the tip lags behind by {:.4} m at most.", -lag));
    Ok(())
}
