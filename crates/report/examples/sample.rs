//! Writes the files of an invented run into a directory, to look at them.
//!
//! `cargo run -p rotula-report --example sample -- DIRECTORY [failed | ROWS [SENSORS]]`
//!
//! With a number, only the report is written: of a run with so many recorded times, ten times as many steps, and 50
//! sensors unless it is said otherwise.

#[path = "../tests/common/mod.rs"]
mod common;

use rotula_dae::{StepRecord, Table};
use rotula_report::{
    Axis, Error, Extra, Figure, Series, plot_png, plot_svg, write_all, write_report,
};
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let directory = PathBuf::from(arguments.next().unwrap_or_else(|| "sample".into()));
    let wish = arguments.next().unwrap_or_default();
    if let Ok(rows) = wish.parse() {
        let sensors = arguments.next().and_then(|sensors| sensors.parse().ok()).unwrap_or(50);
        return long(&directory, rows, sensors);
    }
    let trajectory = common::trajectory(20_000, 28);
    let (settings, diagnosis) = (common::settings(), common::diagnosis());
    let film = common::film();
    let mut run = common::run(&trajectory, &settings);
    run.film = Some(&film);
    run.diagnosis = (wish == "failed").then_some(&diagnosis);
    let files = write_all(&directory, &run)?;
    println!("{}", files.report.display());
    let figure = diagram();
    plot_svg(&directory.join("work-precision.svg"), &figure)?;
    plot_png(&directory.join("work-precision.png"), &figure)
}

fn long(directory: &Path, rows: usize, sensors: usize) -> Result<(), Error> {
    let mut trajectory = common::trajectory(rows, 1);
    let between = |step: &StepRecord, k: usize| {
        let part = step.h * (1.0 - 0.1 * (k + 1) as f64);
        StepRecord { t: step.t - part, h: 0.1 * step.h, ..*step }
    };
    let steps = trajectory.steps.iter();
    trajectory.steps = steps.flat_map(|step| (0..10).map(|k| between(step, k))).collect();
    let settings = common::settings();
    let mut table = Table::new(sensors);
    for t in &trajectory.times {
        let row: Vec<f64> = (0..sensors).map(|j| (t * (1.0 + j as f64)).sin()).collect();
        table.push(&row);
    }
    let mut run = common::run(&trajectory, &settings);
    run.extra = Extra { names: (1..=sensors).map(|j| format!("sensor {j}")).collect(), table };
    std::fs::create_dir_all(directory)
        .map_err(|source| Error::Write { path: directory.to_owned(), source })?;
    let clock = Instant::now();
    let path = directory.join("report.html");
    write_report(&path, &run)?;
    println!("{} in {:.1} s", path.display(), clock.elapsed().as_secs_f64());
    Ok(())
}

/// A work–precision diagram with many methods.
fn diagram() -> Figure {
    let mut figure = Figure::new(
        "Work and precision",
        Axis::log("computing time [s]"),
        Axis::log("error of the position [m]"),
    );
    for i in 0..14 {
        let factor = 1.35f64.powi(i);
        let points = (0..6).map(|k| 2f64.powi(k)).map(|n| {
            (1e-3 * n * factor, 1e-3 * factor.powf(0.7) * n.powf(-2.0 - 0.05 * f64::from(i)))
        });
        figure = figure.with(Series::marked(format!("method {}", i + 1), points.collect()));
    }
    figure.with(Series::guide("order 2", vec![(1e-3, 3e-4), (1e-1, 3e-8)]))
}
