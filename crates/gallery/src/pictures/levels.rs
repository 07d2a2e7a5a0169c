//! One pendulum, its constraints at different levels. [Brüls et al. 2018, sheet §5]

use super::envelope;
use crate::entry::GalleryError;
use crate::study::{larger, run_model};
use rotula_report::{Axis, Figure, Series};

const MODEL: &str = include_str!("../../../../gallery/pendulum-levels/model.toml");

/// Rounding: what lies below is drawn here.
const FLOOR: f64 = 1e-17;

const WORDS: [&str; 6] = ["index3", "index2", "index1", "baumgarte", "ggl", "pva"];

/// Residuals at a level over time, for each formulation.
fn residuals(
    mut figure: Figure,
    words: &[&str],
    level: usize,
    overrides: &[(&str, &str)],
    count: usize,
) -> Result<Figure, GalleryError> {
    for &word in words {
        let mut all = vec![("solve.formulation", word), ("solve.newton.tolerance", "1e-12")];
        if word == "baumgarte" {
            all.push(("solve.baumgarte", "[20, 20]"));
        }
        all.extend(overrides);
        let trajectory = run_model(MODEL, &all)?.outcome.trajectory;
        let column = trajectory.residuals.column(level);
        let points = trajectory.times.iter().zip(column).map(|(&t, g)| (t, larger(g, FLOOR)));
        figure = figure.with(Series::line(word, envelope(points.skip(1), count)));
    }
    Ok(figure)
}

pub(super) fn position_drift() -> Result<Figure, GalleryError> {
    let figure = Figure::new(
        "Pendulum, h = 2 ms: constraints at position level",
        Axis::linear("time [s]"),
        Axis::log("largest |g| [m]"),
    );
    residuals(figure, &WORDS, 0, &[("solve.until", "20")], 120)
}

pub(super) fn velocity_drift() -> Result<Figure, GalleryError> {
    let figure = Figure::new(
        "Pendulum, h = 2 ms: constraints at velocity level",
        Axis::linear("time [s]"),
        Axis::log("largest |ġ| [m/s]"),
    );
    residuals(figure, &WORDS, 1, &[("solve.until", "20")], 120)
}

/// The start gives accelerations and multipliers that are zero: wrong.
pub(super) fn oscillation() -> Result<Figure, GalleryError> {
    let figure = Figure::new(
        "Pendulum started with v̇ = 0: constraints at acceleration level",
        Axis::linear("time [s]"),
        Axis::log("|g̈| [m/s²]"),
    );
    let overrides = [("solve.initial", "trust"), ("solve.until", "0.4")];
    residuals(figure, &["index3", "index2", "ggl", "baumgarte", "pva"], 2, &overrides, 200)
}
