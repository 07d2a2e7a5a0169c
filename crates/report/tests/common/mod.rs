//! An invented run.
#![allow(dead_code, missing_docs)]

use base64::{Engine, engine::general_purpose::STANDARD};
use nalgebra::Vector3;
use rotula_dae::{
    Audit, Coefficients, Diagnosis, Failure, Formulation, GglVariant, Point, Settings, Sizes,
    Statistics, StepControl, StepRecord, System, Table, Terms, ToleranceControl, Trajectory,
    Weights,
};
use rotula_lie::{Frame, Quaternion};
use rotula_mechanics::Marker;
use rotula_mechanics::joint::Symbol;
use rotula_mechanics::picture::{
    Actor, Arrow, ArrowKind, Field, Film, Form, Held, Line, Outline, Piece, Sketch, Sprung, Tube,
};
use rotula_mechanics::shape::Shape;
use rotula_mechanics::{Body, Model};
use rotula_report::{Extra, Run};

struct OfSizes(Sizes);

impl System for OfSizes {
    fn sizes(&self) -> Sizes {
        self.0
    }

    fn dynamics(&mut self, _: &Point, _: Terms, _: &mut [f64]) {}

    fn tangent(&mut self, _: &Point, _: Weights, _: Terms, _: &mut [f64]) {}
}

/// Damped oscillations of `motion` coordinates, six for each body.
pub fn trajectory(rows: usize, motion: usize) -> Trajectory {
    let sizes =
        Sizes { holonomic: 5.min(motion), states: 1, variables: 2, ..Sizes::vector(motion) };
    let mut trajectory = Trajectory::new(&OfSizes(sizes));
    let directions = ["x", "y", "z", "rx", "ry", "rz"];
    let bodies = ["crank", "rod", "slider", "flywheel", "frame"];
    trajectory.names.motion = (0..motion)
        .map(|i| format!("{}.{}", bodies[i / 6 % bodies.len()], directions[i % 6]))
        .collect();
    trajectory.names.configuration = trajectory.names.motion.clone();
    for i in 0..rows {
        let t = 5.0 * i as f64 / (rows - 1).max(1) as f64;
        let wave = |j: usize, order: f64| {
            let w = 2.0 + 0.7 * j as f64;
            (0.1 + 1.0 / (1 + j) as f64)
                * w.powf(order)
                * (-0.15 * t).exp()
                * (w * t + order * 1.57).sin()
        };
        let row = |n: usize, order: f64| (0..n).map(|j| wave(j, order)).collect::<Vec<f64>>();
        trajectory.times.push(t);
        trajectory.q.push(&row(motion, 0.0));
        trajectory.v.push(&row(motion, 1.0));
        trajectory.vdot.push(&row(motion, 2.0));
        trajectory.multipliers.push(&row(sizes.multipliers(), 1.5));
        trajectory.x.push(&row(1, 0.0));
        trajectory.xdot.push(&row(1, 0.5));
        trajectory.y.push(&row(2, 0.5));
        let (c, s) = ((2.0 * t).cos(), (2.0 * t).sin());
        let loss = (-0.3 * t).exp();
        trajectory.energy.push(&[loss * c * c, loss * s * s + 1e-7 * t, loss - 1.0]);
        let noise = 1.0 + 0.8 * (37.0 * t).sin();
        trajectory.residuals.push(&[
            1e-14 * noise,
            3e-12 * noise,
            1e-4 * noise * (t > 0.0) as u8 as f64,
        ]);
    }
    steps(&mut trajectory, 1500.min(rows));
    trajectory
}

fn steps(trajectory: &mut Trajectory, number: usize) {
    let mut t = 0.0;
    for i in 0..number {
        let h = 5.0 / number as f64 * (1.0 + 0.6 * (i as f64 * 0.02).sin());
        t += h;
        trajectory.steps.push(StepRecord {
            t,
            h,
            iterations: 2 + i % 7 / 5,
            factorisations: usize::from(i % 40 == 0),
            rejected: usize::from(i % 211 == 100),
            error: 0.3 + 0.2 * (i as f64 * 0.05).sin(),
            order: 2,
        });
    }
    trajectory.statistics = Statistics {
        steps: number,
        rejected_by_error: 7,
        iterations: number * 7 / 3,
        most_iterations: 3,
        residuals: number * 3,
        factorisations: 38,
        smallest_step: 1.33e-3,
        largest_step: 5.3e-3,
        unknowns: 38,
        factor_entries: 412,
        ..Statistics::default()
    };
    trajectory.audit = Audit {
        position_residual: 1.8e-14,
        velocity_residual: 5.4e-12,
        acceleration_residual: 1.8e-4,
        initial_energy: Some(1.0),
        final_energy: Some(0.22),
        work: Some(-0.78),
        energy_defect: Some(5.0e-7),
        ..Audit::default()
    };
}

pub fn settings() -> Settings {
    let control = ToleranceControl { tolerance: 1e-6, first: None, min: 1e-9, max: 0.1 };
    let mut settings = Settings::new(
        Formulation::Ggl { variant: GglVariant::MassWeighted },
        Coefficients::generalized_alpha(0.8).unwrap(),
        StepControl::Tolerance(control),
    );
    settings.until = 5.0;
    settings
}

pub fn diagnosis() -> Diagnosis {
    Diagnosis::new(Failure::NotConverged, 3.2175, "The iteration did not converge at t = 3.2175 s, where the rod stands upright: joint <crank_pin> is close to a dead point.").because(vec![
            "largest residual: 4.1e3 N in the equation of rod.y, mostly from the reaction of crank_pin",
            "Newton corrections: 3.1e-2, 2.9e-2, 2.8e-2, 2.8e-2 (ratio 0.98)",
            "step size fell from 2.1e-3 s to 1.0e-9 s in 14 attempts",
        ]).remedied_by(vec![
            "give the crank a small initial velocity, so that the dead point is passed".into(),
            "use a coefficient set with more dissipation: generalized-alpha = 0.5".into(),
        ])
}

/// A run around a trajectory, with one extra curve.
pub fn run<'a>(trajectory: &'a Trajectory, settings: &'a Settings) -> Run<'a> {
    let mut table = Table::new(1);
    trajectory.times.iter().for_each(|t| table.push(&[(3.0 * t).sin()]));
    let mut run = Run::new("Slider–crank", trajectory, settings);
    run.model_file = Some("slider_crank.toml".into());
    run.extra = Extra { names: vec!["slider.position".into()], table };
    for (name, unit) in [("slider.position", "m"), ("crank.x", "m"), ("crank.rx", "rad")] {
        run.units.columns.insert(name.into(), unit.into());
    }
    run.initial = serde_json::json!({
        "consistent": false,
        "projected": true,
        "changes": [
            { "name": "crank.x", "before": 0.1, "after": 0.1000023 },
            { "name": "rod.y", "before": 0.25, "after": 0.2499981 },
        ],
    });
    run.wall_seconds = 0.184;
    run
}

/// A box on a hinge, pulled by a spring, and a beam that swings.
pub fn film() -> Film {
    let mut model = Model::new();
    let cuboid = Shape::Box { size: Vector3::new(0.6, 0.2, 0.2) };
    model.body("arm", Body::point(1.0)).unwrap();
    let solid = Body::solid(1000.0, vec![(Frame::identity(), cuboid)]).unwrap();
    model.body("door", solid).unwrap();
    let at = |node: usize, x: f64| Marker {
        node,
        frame: Frame::new(Vector3::new(x, 0.0, 0.0), Quaternion::identity()),
    };
    let spring = (Sprung::Between([at(0, -1.0), at(2, -0.3)]), Line::Spring);
    let sketch = Sketch { springs: vec![spring], ..Sketch::default() };
    let mut pieces = sketch.pieces(&model);
    let (hinge, grounded) = (at(0, 0.0), true);
    pieces.push(Piece {
        body: 2,
        held: Held::Joint {
            name: "hinge".into(),
            at: hinge,
            axis: hinge,
            symbol: Symbol::Pin,
            grounded,
        },
    });
    pieces.push(Piece {
        body: 1,
        held: Held::Rigid(Form::Bar([Vector3::zeros(), Vector3::new(0.0, 0.4, 0.0)])),
    });
    let actor = |name: &str, colour: Option<&str>| Actor {
        name: name.into(),
        colour: colour.map(str::to_owned),
        opacity: 1.0,
        part_of: None,
    };
    let times: Vec<f64> = (0..=100).map(|k| 0.05 * f64::from(k)).collect();
    let mut film = Film {
        bodies: vec![actor("ground", None), actor("arm", None), actor("door", Some("#c04040"))],
        pieces,
        gravity: Vector3::new(0.0, 0.0, -9.81),
        traced: vec![("corner".into(), at(2, 0.3))],
        ..Film::default()
    };
    let mut arrow = Arrow {
        name: "hinge".into(),
        kind: ArrowKind::Reaction,
        body: 2,
        places: Vec::new(),
        forces: Vec::new(),
    };
    let count = 21;
    let mut beam = Tube {
        body: 1,
        outline: Outline::Round(0.02),
        count,
        points: Vec::new(),
        across: Vec::new(),
        fields: vec![Field::new("strain", "")],
    };
    for t in &times {
        let turn = Quaternion::exp(&Vector3::new(0.0, 0.0, 0.8 * (2.0 * t).sin()));
        film.frames.push(Frame::identity());
        film.frames.push(Frame::new(Vector3::new(0.0, 0.8, 0.2), turn));
        film.frames.push(Frame::new(Vector3::new(0.3 * t.cos(), 0.1 * t.sin(), 0.0), turn));
        arrow.places.push(Vector3::zeros());
        arrow.forces.push(Vector3::new(0.0, 10.0 * t.sin(), 20.0));
        for k in 0..count {
            let s = k as f64 / (count - 1) as f64;
            let bend = 0.3 * s * s * (3.0 * t).sin();
            beam.points.push(Vector3::new(s, -0.6, 0.3 + bend));
            beam.fields[0].values.push((1.0 - s) * (3.0 * t).sin());
        }
    }
    Film { times, arrows: vec![arrow], tubes: vec![beam], ..film }
}

/// Numbers of the page.
pub fn floats(text: &str) -> Vec<f32> {
    let bytes = STANDARD.decode(text).unwrap();
    bytes.chunks(4).map(|chunk| f32::from_le_bytes(chunk.try_into().unwrap())).collect()
}
