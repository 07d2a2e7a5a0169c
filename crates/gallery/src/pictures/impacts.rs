//! What an impact leaves in the reactions of joints. [Brüls et al. 2018, sheet §6.1]

use super::envelope;
use crate::entry::GalleryError;
use crate::study::{larger, run_model};
use rotula_report::{Axis, Figure, Series};

const MODEL: &str = include_str!("../../../../gallery/bouncing-pendulum/model.toml");

/// Residuals of the joint's constraints at acceleration level while a pendulum bounces off a wall.
pub(super) fn reactions() -> Result<Figure, GalleryError> {
    let mut figure = Figure::new(
        "Bouncing pendulum, h = 1 ms: constraints of its joint at acceleration level",
        Axis::linear("time [s]"),
        Axis::log("|g̈| [m/s²]"),
    );
    for (name, strategy) in
        [("nonsmooth, pva", "pva"), ("nonsmooth, pvv", "pvv"), ("nonsmooth, 1", "1")]
    {
        let overrides = [("solve.strategy", strategy), ("solve.until", "2")];
        let trajectory = run_model(MODEL, &overrides)?.outcome.trajectory;
        let points = trajectory.times.iter().zip(trajectory.residuals.column(2));
        let points = points.skip(1).map(|(&t, residual)| (t, larger(residual, 1e-17)));
        figure = figure.with(Series::line(name, envelope(points, 400)));
    }
    Ok(figure)
}
