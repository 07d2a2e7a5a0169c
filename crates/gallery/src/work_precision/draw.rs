//! The diagram as pictures and as a table.

use super::{Measured, survey};
use crate::entry::GalleryError;
use rotula_report::{Axis, Figure, Series, plot_png};
use std::path::{Path, PathBuf};

/// What a diagram consists of.
pub struct Drawing {
    /// Every run.
    pub measured: Vec<Measured>,
    /// Files that were written.
    pub files: Vec<PathBuf>,
}

/// Width and height of a figure.
const SIZE: (u32, u32) = (760, 500);

/// An abscissa: name of the file, title of the axis, value of a run.
type Abscissa = (&'static str, &'static str, fn(&Measured) -> f64);

const ABSCISSAE: [Abscissa; 3] = [
    ("steps", "accepted steps", |run| run.statistics.steps as f64),
    ("factorisations", "factorisations", |run| run.statistics.factorisations as f64),
    ("time", "time, best of three runs [s]", |run| run.seconds),
];

/// Runs all methods on all problems and writes into a directory: the numbers as
/// `work_precision.csv`, one picture per problem and abscissa as PNG, and all of them together, a row
/// for each problem, as `work_precision.svg`.
pub fn diagram(path: &Path) -> Result<Drawing, GalleryError> {
    let measured = survey()?;
    std::fs::create_dir_all(path).map_err(|error| failed(path, error))?;
    let mut files = vec![path.join("work_precision.csv"), path.join("work_precision.svg")];
    let mut rows = Vec::new();
    for problem in distinct(measured.iter().map(|run| run.problem)) {
        let figures = ABSCISSAE.map(|(_, label, value)| figure(&measured, problem, label, value));
        for (figure, (name, ..)) in figures.iter().zip(&ABSCISSAE) {
            let stem = problem.to_lowercase().replace(' ', "_");
            let png = path.join(format!("{stem}_{name}.png"));
            plot_png(&png, figure).map_err(|error| failed(&png, error))?;
            files.push(png);
        }
        rows.push(figures);
    }
    std::fs::write(&files[0], csv(&measured)).map_err(|error| failed(&files[0], error))?;
    std::fs::write(&files[1], sheet(&rows)).map_err(|error| failed(&files[1], error))?;
    Ok(Drawing { measured, files })
}

/// All figures on one sheet.
fn sheet(rows: &[[Figure; 3]]) -> String {
    let (width, height) = SIZE;
    let (total_width, total_height) = (3 * width, rows.len() as u32 * height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{total_width}\" \
         height=\"{total_height}\" viewBox=\"0 0 {total_width} {total_height}\">\n"
    );
    for (i, row) in rows.iter().enumerate() {
        for (j, figure) in row.iter().enumerate() {
            let (x, y) = (j as u32 * width, i as u32 * height);
            // Names inside a figure must stay its own.
            let panel = figure.to_svg().replace("\"area\"", &format!("\"area{i}{j}\""));
            let panel = panel.replace("#area)", &format!("#area{i}{j})"));
            text.push_str(&panel.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{y}\" "), 1));
        }
    }
    text.push_str("</svg>\n");
    text
}

fn failed(path: &Path, error: impl std::fmt::Display) -> GalleryError {
    GalleryError::Reference(format!("{} cannot be written: {error}", path.display()))
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut list = Vec::new();
    names.for_each(|name| {
        if !list.contains(&name) {
            list.push(name);
        }
    });
    list
}

/// Error against cost: a curve for each method.
pub(crate) fn figure(
    measured: &[Measured],
    problem: &str,
    label: &str,
    value: fn(&Measured) -> f64,
) -> Figure {
    let runs: Vec<_> = measured.iter().filter(|run| run.problem == problem).collect();
    let title = format!("{problem}, tolerances 1e-3 to 1e-8");
    let mut figure = Figure::new(title, Axis::log(label), Axis::log("largest position error"));
    figure.size = SIZE;
    for method in distinct(runs.iter().map(|run| run.method)) {
        let of_method = runs.iter().filter(|run| run.method == method && run.failure.is_none());
        let points = of_method.map(|run| (value(run), run.path_error)).collect();
        figure = figure.with(Series::marked(method, points));
    }
    figure
}

fn csv(measured: &[Measured]) -> String {
    let mut text = String::from(
        "problem,method,tolerance,error,end_error,steps,rejected,iterations,factorisations,seconds,failure\n",
    );
    for run in measured {
        let s = run.statistics;
        let rejected = s.rejected_by_error + s.rejected_by_iteration;
        let failure = run.failure.as_deref().unwrap_or_default().replace(['\n', '"'], " ");
        text.push_str(&format!(
            "{},{},{:e},{:e},{:e},{},{rejected},{},{},{:e},\"{failure}\"\n",
            run.problem,
            run.method,
            run.tolerance,
            run.path_error,
            run.error,
            s.steps,
            s.iterations,
            s.factorisations,
            run.seconds,
        ));
    }
    text
}
