//! Impacts and friction of mechanisms against closed forms and the numbers of document 002.

mod balls;
mod blocks;
mod many;
mod mechanisms;
mod shapes;

use nalgebra::Vector3;
use rotula_dae::*;
use rotula_lie::Frame;
use rotula_mechanics::force::Surface;
use rotula_mechanics::shape::Shape;
use rotula_mechanics::unilateral::ImpactLaw;
use rotula_mechanics::{Assembly, BodyId, GROUND, Marker, Model};

fn settings(h: f64, until: f64) -> Settings {
    settings_with(h, until, true)
}

fn settings_with(h: f64, until: f64, located: bool) -> Settings {
    let formulation = Formulation::Nonsmooth {
        strategy: Strategy::Pva,
        variant: NonsmoothVariant::Star,
        iteration: NonsmoothIteration::Auto,
        located,
        impact_law: MultipleImpactLaw::Moreau,
    };
    let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings
}

/// Runs a model from its start.
fn run(model: &Model, h: f64, until: f64) -> (Assembly, Trajectory) {
    run_with(model, &settings(h, until))
}

fn run_with(model: &Model, settings: &Settings) -> (Assembly, Trajectory) {
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let outcome = simulate(&mut system, &start, settings, &mut ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{failure}");
    }
    (system, outcome.trajectory)
}

/// The plane through a point with a normal, fixed to the ground.
fn plane(model: &Model, at: Vector3<f64>, normal: Vector3<f64>) -> (Marker, Surface) {
    (model.marker(GROUND, model.frame(at, normal)), Surface::Plane)
}

/// A sphere in the middle of a body.
fn sphere(model: &Model, body: BodyId, radius: f64) -> (Marker, Surface) {
    (model.marker(body, Frame::identity()), Shape::Sphere { radius }.into())
}

/// A box in the middle of a body.
fn cuboid(model: &Model, body: BodyId, size: Vector3<f64>) -> (Marker, Surface) {
    (model.marker(body, Frame::identity()), Shape::Box { size }.into())
}

const fn law(restitution: f64, friction: f64) -> ImpactLaw {
    ImpactLaw { restitution, friction }
}
