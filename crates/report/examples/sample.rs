//! Writes the files of an invented run into a directory, to look at them.
//!
//! `cargo run -p rotula-report --example sample -- DIRECTORY [failed | ROWS]`
//!
//! With a number, only the report is written: of a run with 50 sensors and so many recorded times.

#[path = "../tests/common/mod.rs"]
mod common;

use rotula_dae::Table;
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
        return long(&directory, rows);
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

fn long(directory: &Path, rows: usize) -> Result<(), Error> {
    let trajectory = common::trajectory(rows, 1);
    let settings = common::settings();
    let mut table = Table::new(50);
    for t in &trajectory.times {
        let row: Vec<f64> = (0..50).map(|j| (t * (1.0 + f64::from(j))).sin()).collect();
        table.push(&row);
    }
    let mut run = common::run(&trajectory, &settings);
    run.extra = Extra { names: (1..=50).map(|j| format!("sensor {j}")).collect(), table };
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
