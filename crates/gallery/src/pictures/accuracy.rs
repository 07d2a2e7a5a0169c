//! Errors: over the step size, at changes of the step size, and against their cost.

use crate::entry::GalleryError;
use crate::problems::rods::Coordinates;
use crate::study::{larger, run_model};
use crate::work_precision::{double_pendulum, figure, measure, methods};
use rotula_report::{Axis, Figure, Series};

const LEVELS: &str = include_str!("../../../../gallery/pendulum-levels/model.toml");
const ALTERNATING: &str = include_str!("../../../../gallery/hht-alternating/model.toml");

/// The exact angle at t = 0.5. [sheet 002 §4]
const ANGLE: f64 = 5.2807723506;

/// Error of the pendulum's angle at t = 0.5 over the step size.
pub(super) fn orders() -> Result<Figure, GalleryError> {
    let mut figure = Figure::new(
        "Pendulum: error of the angle at 0.5 s",
        Axis::log("step size [s]"),
        Axis::log("error [rad]"),
    );
    let words = [
        "index3",
        "index2",
        "index1",
        "ggl",
        "pva",
        "soi2",
        "hht-soi2",
        "hht-i3",
        "projected",
        "dae-alpha",
    ];
    let steps = [1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4];
    for word in words {
        let mut points = Vec::new();
        for h in steps {
            let h_text = format!("{h:?}");
            let member = match word.starts_with("hht") {
                true => ("solve.coefficients.hht", "-0.3"),
                false => ("solve.coefficients.generalized-alpha", "0.9"),
            };
            let overrides = [
                ("solve.formulation", word),
                member,
                ("solve.step", &h_text),
                ("solve.until", "0.5"),
            ];
            let run = run_model(LEVELS, &overrides)?;
            points.push((h, (run.outcome.trajectory.last_q()[2] - ANGLE).abs()));
        }
        figure = figure.with(Series::marked(word, points));
    }
    let slope = |h: f64| (h, 200.0 * h * h);
    Ok(figure.with(Series::guide("order 2", vec![slope(steps[0]), slope(steps[4])])))
}

/// Error of a multiplier whose exact value is 3 g y, with steps h/3 and 2h/3 in turn. [Negrut et al. 2005, E10]
pub(super) fn step_changes() -> Result<Figure, GalleryError> {
    let mut figure = Figure::new(
        "Pendulum, steps alternating 1 : 2: error of the multiplier",
        Axis::linear("time [s]"),
        Axis::log("error [N]"),
    );
    let cases: [(&str, &[(&str, &str)]); 4] = [
        ("hht-i3, mode paper", &[("solve.mode", "paper")]),
        ("hht-i3", &[]),
        ("index3, not adjusted", &[("solve.formulation", "index3"), ("solve.adjustment", "off")]),
        ("ggl", &[("solve.formulation", "ggl")]),
    ];
    for (name, overrides) in cases {
        let trajectory = run_model(ALTERNATING, overrides)?.outcome.trajectory;
        let points = (1..trajectory.len()).map(|i| {
            // the code's multiplier pushes, the sheet's pulls
            let exact = 3.0 * 9.81 * trajectory.q.row(i)[1];
            let error = (trajectory.multipliers.row(i)[0] - exact).abs();
            (trajectory.times[i], larger(error, 1e-12))
        });
        figure = figure.with(Series::line(name, points.collect()));
    }
    Ok(figure)
}

/// Position error of a spatial double pendulum against accepted steps.
pub(super) fn work_precision() -> Result<Figure, GalleryError> {
    let mut case = double_pendulum(Coordinates::Quaternion);
    let mut measured = Vec::new();
    for method in methods()? {
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            measured.push(measure(&mut case, &method, tolerance));
        }
    }
    let mut figure =
        figure(&measured, case.name, "accepted steps", |run| run.statistics.steps as f64);
    figure.title = "Spatial double pendulum, tolerances 1e-3 to 1e-7".into();
    Ok(figure)
}
