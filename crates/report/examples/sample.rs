//! Writes the files of an invented run into a directory, to look at them.
//!
//! `cargo run -p rotula-report --example sample -- DIRECTORY [failed]`

#[path = "../tests/common/mod.rs"]
mod common;

use rotula_report::{Axis, Figure, Series, plot_png, plot_svg, write_all};
use std::path::PathBuf;

fn main() -> Result<(), rotula_report::Error> {
    let mut arguments = std::env::args().skip(1);
    let directory = PathBuf::from(arguments.next().unwrap_or_else(|| "sample".into()));
    let failed = arguments.next().is_some();
    let trajectory = common::trajectory(20_000, 28);
    let (settings, diagnosis) = (common::settings(), common::diagnosis());
    let mut run = common::run(&trajectory, &settings);
    run.diagnosis = failed.then_some(&diagnosis);
    let files = write_all(&directory, &run)?;
    println!("{}", files.report.display());
    let figure = diagram();
    plot_svg(&directory.join("work-precision.svg"), &figure)?;
    plot_png(&directory.join("work-precision.png"), &figure)
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
