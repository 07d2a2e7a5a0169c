//! Runs mechanisms of rigid bodies that a text describes, for comparisons with other programs (`benches/trees.py`).
//!
//! `cargo bench -p rotula-mechanics --bench trees -- FILE UNTIL RUN…`, each run `method@setting@coordinates`: a tolerance for
//! `explicit`, a step for `index3` and `ggl`. The text has lines
//!
//! ```text
//! gravity x y z
//! body NAME mass Ixx Iyy Izz  x y z  vx vy vz  wx wy wz        centre of mass, axes of the world
//! joint revolute|spherical A B  x y z  axis
//! point BODY x y z                                             from the centre of mass
//! ```
//!
//! and every answer is a line of JSON. Times are those of the processor in milliseconds, the least of several: of everything
//! after the model is assembled, and of a run that ends at once, with all that belongs to its start and its record.

use cpu_time::ProcessTime;
use nalgebra::Vector3;
use rotula_dae::{
    Coefficients, Coordinates, Formulation, InitialPolicy, Output, Settings, StepControl,
    ToleranceControl, simulate,
};
use rotula_mechanics::joint::{Joint, Revolute, Spherical};
use rotula_mechanics::{Body, BodyId, GROUND, MassProperties, Model};
use std::collections::HashMap;

/// When a run ends that shows what start and record cost.
const AT_ONCE: f64 = 1e-7;

/// A mechanism and the points that are looked at.
struct Given {
    model: Model,
    points: Vec<(BodyId, Vector3<f64>)>,
}

fn read(path: &str) -> Given {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut model = Model::new();
    let (mut points, mut bodies) = (Vec::new(), HashMap::new());
    bodies.insert("ground".to_owned(), GROUND);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let skipped = match words[0] {
            "gravity" => 1,
            "body" | "point" => 2,
            _ => 4,
        };
        let numbers: Vec<f64> =
            words[skipped..].iter().map(|word| word.parse().expect("a number")).collect();
        let three = |k: usize| Vector3::new(numbers[k], numbers[k + 1], numbers[k + 2]);
        match words[0] {
            "gravity" => model.gravity = three(0),
            "body" => {
                let mass = MassProperties::principal(numbers[0], three(1));
                let body = Body::rigid(mass).at(three(4)).moving(three(7), three(10));
                let body = model.body(words[1], body).expect("a new name");
                bodies.insert(words[1].to_owned(), body);
            }
            "joint" => {
                let joint: &dyn Joint = match words[1] {
                    "revolute" => &Revolute,
                    _ => &Spherical,
                };
                let frame = model.frame(three(0), three(3));
                let markers = [words[2], words[3]].map(|name| model.marker_at(bodies[name], frame));
                let name = format!("{} to {}", words[2], words[3]);
                model.joint(&name, joint, markers[0], markers[1]).expect("a sound joint");
            }
            _ => points.push((bodies[words[1]], three(0))),
        }
    }
    Given { model, points }
}

/// The least time of a task, in milliseconds.
fn least(mut task: impl FnMut()) -> f64 {
    let (mut best, mut total, mut count) = (f64::INFINITY, 0.0, 0);
    while (total < 0.3 && count < 3000) || count < 4 {
        let clock = ProcessTime::now();
        task();
        let time = clock.elapsed().as_secs_f64();
        total += time;
        best = f64::min(best, time);
        count += 1;
    }
    best * 1e3
}

fn settings(method: &str, setting: f64, coordinates: &str, until: f64) -> Settings {
    let coefficients = Coefficients::generalized_alpha(0.9).expect("a sound radius");
    let (formulation, control) = match method {
        "explicit" => {
            let control =
                ToleranceControl { tolerance: setting, first: None, min: 1e-10, max: 1.0 };
            (Formulation::Explicit, StepControl::Tolerance(control))
        }
        "ggl" => (
            Formulation::Ggl { variant: rotula_dae::GglVariant::MassWeighted },
            StepControl::Fixed { h: setting },
        ),
        _ => {
            let index3 = Formulation::Index3 { scaling: true, augmented: false };
            (index3, StepControl::Fixed { h: setting })
        }
    };
    let mut settings = Settings::new(formulation, coefficients, control);
    settings.coordinates = match coordinates {
        "joint" => Coordinates::Joint,
        "auto" => Coordinates::Auto,
        _ => Coordinates::Redundant,
    };
    settings.until = until;
    settings.initial = InitialPolicy::Project;
    settings.output = Output::At(vec![until]);
    settings
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [path, until, runs @ ..] = &words[..] else { return };
    let Given { model, points } = read(path);
    let until: f64 = until.parse().expect("a time");
    for run in runs {
        let parts: Vec<&str> = run.split('@').collect();
        let setting: f64 = parts[1].parse().expect("a tolerance or a step");
        let settings = settings(parts[0], setting, parts[2], until);
        let mut assembly = model.assemble().expect("a sound model");
        let start = assembly.start();
        let mut end = None;
        let time = least(|| {
            let outcome = simulate(&mut assembly, &start, &settings, &mut ()).expect("a start");
            assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
            end = Some(outcome);
        });
        let mut at_once = settings.clone();
        at_once.until = AT_ONCE;
        at_once.output = Output::At(vec![AT_ONCE]);
        let before = least(|| {
            simulate(&mut assembly, &start, &at_once, &mut ()).expect("a start");
        });
        let end = end.expect("it ran");
        let places: Vec<[f64; 3]> = points
            .iter()
            .map(|(body, at)| {
                assembly.node_frame(body.node(), &end.state.q).transform_point(at).into()
            })
            .collect();
        let statistics = &end.trajectory.statistics;
        println!(
            "{{\"run\": \"{run}\", \"ms\": {time}, \"start\": {before}, \"steps\": {}, \"rejected\": {}, \
             \"evaluations\": {}, \"points\": {places:?}, \"gap\": {:e}}}",
            statistics.steps,
            statistics.rejected_by_error,
            statistics.residuals,
            end.trajectory.audit.position_residual,
        );
    }
}
