//! The key figures at the head of the report: loads and displacements, and folded away how the solver worked.

use super::escape::escape;
use super::peaks::peaks;
use crate::floors::Floors;
use crate::numbers::{count, short};
use crate::run::Run;
use crate::words::unit;
use rotula_dae::Audit;

/// One figure: what it is, its value, a remark.
pub(super) struct Figure {
    pub label: String,
    pub value: String,
    pub remark: String,
}

/// The figures as a list of definitions.
pub(crate) fn key_figures(run: &Run, floors: &Floors) -> String {
    let peaks = peaks(run, floors);
    // where there is nothing else, the statistics are what there is to see
    let open = if peaks.is_empty() { " open" } else { "" };
    let head = if peaks.is_empty() { String::new() } else { list(&peaks) };
    let solver = list(&solver(run));
    format!(
        "{head}<details{open}><summary>How the solver worked</summary><div>{solver}</div></details>"
    )
}

fn list(figures: &[Figure]) -> String {
    let figures: String = figures
        .iter()
        .map(|Figure { label, value, remark }| {
            format!(
                "<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>",
                escape(label),
                escape(value),
                escape(remark)
            )
        })
        .collect();
    format!("<dl class=\"figures\">{figures}</dl>")
}

fn solver(run: &Run) -> Vec<Figure> {
    let (statistics, audit) = (&run.trajectory.statistics, &run.trajectory.audit);
    let (time, energy) = (unit(&run.units.time), unit(&run.units.energy));
    let figure = |label: &str, value, remark| Figure { label: label.into(), value, remark };
    let rejected = statistics.rejected_by_error + statistics.rejected_by_iteration;
    let mut figures = vec![
        figure(
            "Steps",
            count(statistics.steps),
            match rejected {
                0 => "none rejected".into(),
                n => format!("{} attempts rejected", count(n)),
            },
        ),
        match statistics.steps {
            0 => figure("Newton iterations", count(statistics.iterations), "in all".into()),
            steps => figure(
                "Newton iterations",
                short(statistics.iterations as f64 / steps as f64),
                format!("per step; at most {}", statistics.most_iterations),
            ),
        },
        figure(
            "Factorised matrices",
            count(statistics.factorisations),
            format!("of {} unknowns", count(statistics.unknowns)),
        ),
    ];
    if statistics.steps > 0 {
        let (small, large) = (statistics.smallest_step, statistics.largest_step);
        let range = if (large - small).abs() <= 1e-9 * large {
            short(large)
        } else {
            format!("{} … {}", short(small), short(large))
        };
        figures.push(figure("Step size", range + &time, "smallest and largest".into()));
    }
    if run.trajectory.sizes.multipliers() > 0 {
        for (label, residual) in [
            ("Position residual", audit.position_residual),
            ("Velocity residual", audit.velocity_residual),
            ("Acceleration residual", audit.acceleration_residual),
        ] {
            figures.push(figure(label, short(residual), "largest violation".into()));
        }
    }
    if let Some(worst) = &run.trajectory.balance.imbalance {
        let remark = format!("of the largest load, on {} at {}{time}", worst.body, short(worst.t));
        figures.push(figure("Imbalance of forces", short(worst.size), remark));
    }
    if let Some(defect) = audit.energy_defect {
        figures.push(figure("Energy defect", short(defect) + &energy, relative(audit)));
    }
    if let Some(depth) = audit.penetration {
        figures.push(figure("Penetration", short(depth), "deepest of rigid contacts".into()));
    }
    if let (1.., Some(taken), Some(expected)) =
        (audit.impacts, audit.impact_loss, audit.impact_expected)
    {
        let remark = format!("energy; {}{energy} by restitution and friction", short(expected));
        let label = if audit.impacts == 1 { "Lost in 1 impact" } else { "Lost in impacts" };
        figures.push(figure(label, short(taken) + &energy, remark));
    }
    if run.wall_seconds.is_finite() {
        let pace = run.trajectory.times.last().map_or(f64::NAN, |t| t - run.settings.start)
            / run.wall_seconds;
        let remark = match pace {
            pace if pace.is_finite() && pace > 0.0 && run.units.time == "s" => {
                format!("{} × real time", short(pace))
            }
            _ => String::new(),
        };
        figures.push(figure("Computing time", short(run.wall_seconds) + "\u{202f}s", remark));
    }
    figures
}

/// A defect is judged by the energy that came and went.
fn relative(audit: &Audit) -> String {
    match audit.energy_part() {
        Some(0.0) => "rounding".into(),
        Some(part) if part.is_finite() => {
            format!("{} of the energy that came and went", short(part))
        }
        _ => "largest".into(),
    }
}
