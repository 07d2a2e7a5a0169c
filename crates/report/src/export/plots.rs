//! Every plot of the report as a picture.

use crate::error::Error;
use crate::figure::{Axis, Figure, Marker, Series, Stroke, plot_png};
use crate::panels::{Grid, Panel, Style, panels};
use crate::run::Run;
use std::path::{Path, PathBuf};

/// Most curves of a picture; more could not be told apart.
const MOST: usize = 12;

/// Writes a picture for every plot of the report into a directory, which is created if it does not
/// exist, and says which. A plot with many curves shows the first of them, and says so.
pub fn write_plots(directory: &Path, run: &Run) -> Result<Vec<PathBuf>, Error> {
    std::fs::create_dir_all(directory).map_err(Error::write(directory))?;
    let steps: Vec<f64> = run.trajectory.steps.iter().map(|step| step.t).collect();
    let mut written = Vec::new();
    for panel in panels(run) {
        let times = match panel.grid {
            Grid::Recorded => &run.trajectory.times,
            Grid::Steps => &steps,
        };
        let mut path = directory.join(format!("{}.png", file_stem(&panel.title)));
        // two panels may have one title, but not one word for links
        if written.contains(&path) {
            path = directory.join(format!("{}.png", panel.id));
        }
        plot_png(&path, &figure(run, &panel, times))?;
        written.push(path);
    }
    Ok(written)
}

/// A title as the name of a file: `Positions of bodies` becomes `positions-of-bodies`.
fn file_stem(title: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    title.to_lowercase().chars().map(plain).collect()
}

fn figure(run: &Run, panel: &Panel, times: &[f64]) -> Figure {
    let shown = &panel.curves[..panel.curves.len().min(MOST)];
    let with_unit = |name: &str, unit: &str| match unit {
        "" => name.to_owned(),
        unit => format!("{name} [{unit}]").trim_start().to_owned(),
    };
    // curves of one unit share it on the axis
    let same = shown.iter().all(|curve| curve.unit == shown[0].unit);
    let label = with_unit("", if same { &shown[0].unit } else { "" });
    let axis = if panel.log { Axis::log(label) } else { Axis::linear(label) };
    let title = match panel.curves.len() - shown.len() {
        0 => format!("{}: {}", run.title, panel.title),
        _ => format!("{}: {} (first {MOST} of {})", run.title, panel.title, panel.curves.len()),
    };
    let mut figure = Figure::new(title, Axis::linear(with_unit("time", &run.units.time)), axis);
    for curve in shown {
        let row = |k: usize| curve.kept.as_ref().map_or(k, |kept| kept[k]);
        let points: Vec<(f64, f64)> =
            curve.values.iter().enumerate().map(|(k, value)| (times[row(k)], *value)).collect();
        let name = if same { curve.name.clone() } else { with_unit(&curve.name, &curve.unit) };
        let series = match panel.style {
            Style::Line => Series::line(name, points),
            Style::Stairs => Series::line(name, stairs(&points, run.settings.start)),
            Style::Marks => {
                let (stroke, marker) = (Stroke::None, Marker::Automatic);
                Series { stroke, marker, ..Series::line(name, points) }
            }
        };
        figure = figure.with(series);
    }
    figure
}

/// A value holds for the step before its time.
fn stairs(points: &[(f64, f64)], start: f64) -> Vec<(f64, f64)> {
    let before = std::iter::once(start).chain(points.iter().map(|(t, _)| *t));
    points
        .iter()
        .zip(before)
        .flat_map(|((t, value), from)| [(from, *value), (*t, *value)])
        .collect()
}
