//! A run as the writers of results see it.

use crate::model::{Model, Results, degrees_of_freedom};
use rotula_dae::{Outcome, Settings, Trajectory};
use rotula_mechanics::picture::Film;
use rotula_report::Run;

/// Numbers of the film in a report: about 2 MB of it.
const FILM: usize = 400_000;

/// The mechanism in motion as far as a report shows it; none for equations.
pub fn film(model: &Model, trajectory: &Trajectory) -> Option<Film> {
    model.film(trajectory, FILM)
}

/// Everything that is known about a run. How long it took and which program it was are for the caller to say.
pub fn run<'a>(
    model: &Model,
    settings: &'a Settings,
    outcome: &'a Outcome,
    film: Option<&'a Film>,
) -> Run<'a> {
    let trajectory = &outcome.trajectory;
    let freedom = degrees_of_freedom(model.system().as_mut(), &model.initial_state());
    let Results { extra, curves, coordinates, units, hot_spots } = model.results(trajectory);
    Run {
        film,
        diagnosis: outcome.failure.as_ref(),
        warnings: outcome.warnings.clone(),
        initial: serde_json::to_value(&outcome.initial).unwrap_or_default(),
        extra,
        curves,
        coordinates,
        units,
        hot_spots,
        degrees_of_freedom: Some(freedom),
        ..Run::new(model.title(), trajectory, settings)
    }
}
