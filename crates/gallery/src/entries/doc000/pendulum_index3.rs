//! Pendulum of document 001, eq. (16), with constraints at position level. [Dymore note, sheet §4, §5.1]

use super::bar;
use super::errors::{Solution, Start, reproduce_first_multipliers, reproduce_started};
use super::rejection_loop::rejection_loop;
use super::sheet::{Sheet, SheetTable};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{error, run_model};

const MODEL: &str = include_str!("../../../../../gallery/pendulum-index3/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/pendulum-index3/reference.json");

pub(crate) const ENTRY: Entry = Entry {
    name: "pendulum-index3",
    document: "000",
    title: "Pendulum, index 3: orders, drift, starts, alternating steps, rejections, rho = 1",
    run,
};

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    let given = Solution::of_sheet(&sheet, "")?;
    let ours = bar::solution(2.0);
    findings.at_most("reference by Runge-Kutta: q", error(&ours.q, &given.q), 1e-10);
    let wrong = error(&ours.multipliers, &given.multipliers);
    findings.at_most("reference by Runge-Kutta: lambda", wrong, 1e-7);

    let (own, exact) = ((MODEL, Start::OfSettings), (MODEL, Start::Exact));
    for (beginning, case) in [("rho = 0", own), ("steps", own), ("exact start, rho", exact)] {
        for table in sheet.tables(beginning)? {
            reproduce_started(findings, table, case, &bar::solution)?;
        }
    }
    for (beginning, case) in [("first multipliers", own), ("exact start: first", exact)] {
        for table in sheet.tables(beginning)? {
            reproduce_first_multipliers(findings, table, case, &bar::solution)?;
        }
    }
    scaling_changes_nothing(findings)?;
    unusable(findings, sheet.tables("rho = 1")?[0], &given)?;
    rejection_loop(findings, &sheet, MODEL)?;
    error_control(findings, sheet.tables("loop with (14a)")?[0], &given)?;
    findings.note(
        "The start by (8), a0 = (1 - alpha) v'(0) + alpha v'(h), differs a little from the one with \
         the exact a(alpha h): for rho = 0, h = 0.02 the error of q is 2.115e-2 and not 2.159e-2.",
    );
    findings.note(
        "Alternating steps reduce multipliers and accelerations of the index-3 form to an order \
         between 0.5 and 1.1 for rho = 0.6 and 0.8, even with (14a). In the first ten to twenty \
         steps the multipliers are of first order with either start value.",
    );
    Ok(())
}

/// Scaling and penalty change the iteration, not its result. [Dymore note, eqs. 16, 22]
fn scaling_changes_nothing(findings: &mut Findings) -> Result<(), GalleryError> {
    let newton = ("solve.newton.tolerance", "1e-12");
    let plain = run_model(MODEL, &[newton, ("solve.scaling", "false")])?.outcome.state;
    for (scaling, augmented) in [("true", "false"), ("true", "true"), ("false", "true")] {
        let options = [newton, ("solve.scaling", scaling), ("solve.augmented", augmented)];
        let state = run_model(MODEL, &options)?.outcome.state;
        let what = format!("scaling = {scaling}, augmented = {augmented}");
        findings.at_most(format!("{what}: change of q"), error(&state.q, &plain.q), 1e-11);
        let change = error(&state.multipliers, &plain.multipliers);
        findings.at_most(format!("{what}: change of lambda"), change, 1e-6);
    }
    Ok(())
}

/// ρ = 1: the multipliers oscillate without bound on their error.
fn unusable(
    findings: &mut Findings,
    table: &SheetTable,
    solution: &Solution,
) -> Result<(), GalleryError> {
    for row in &table.rows {
        let run = table.run(MODEL, row[0], &[])?;
        let size = error(&run.outcome.state.multipliers, &solution.multipliers);
        let what = format!("rho = 1 is unusable: e_lambda at h = {}", row[0]);
        findings.at_least(what, size, 1e4);
    }
    findings.note(
        "\"For rho = 1 the scheme is identical to Newmark's\" holds, but with constraints at position \
         level its multipliers have errors of 3e4 for every step size (their true size is 50).",
    );
    Ok(())
}

/// Rotula's own error control against that loop.
fn error_control(
    findings: &mut Findings,
    table: &SheetTable,
    solution: &Solution,
) -> Result<(), GalleryError> {
    let mut rows = Vec::new();
    let mut before: Option<(f64, f64)> = None;
    for row in &table.rows {
        let (tolerance, accepted, rejected, e_q) = (row[0], row[1], row[2], row[3]);
        let text = format!("{tolerance:?}");
        let options = [("solve.tolerance", text.as_str()), ("solve.first_step", "0.1")];
        let run = run_model(MODEL, &options)?;
        let statistics = run.outcome.trajectory.statistics;
        let steps = statistics.steps as f64;
        let again = statistics.rejected_by_error + statistics.rejected_by_iteration;
        let mine = error(&run.outcome.state.q, &solution.q);
        // Second order: e N² is the same for every controller that spreads its steps alike.
        let efficiency = mine * steps * steps / (e_q * accepted * accepted);
        let what = format!("tolerance {tolerance}: e_q N^2 over that of the sheet");
        findings.near(what, efficiency, 1.0, 0.25);
        let share = again as f64 / steps;
        findings.at_most(format!("tolerance {tolerance}: share of rejections"), share, 0.1);
        if let Some((coarse, worse)) = before {
            let power = (worse / mine).ln() / (coarse / tolerance).ln();
            let what = format!("tolerance {tolerance}: e_q follows its power 2/3");
            findings.near(what, power, 2.0 / 3.0, 0.1);
        }
        before = Some((tolerance, mine));
        rows.push(vec![
            format!("{tolerance:e}"),
            format!("{accepted} / {rejected}"),
            format!("{} / {again}", statistics.steps),
            format!("{e_q:.3e}"),
            format!("{mine:.3e}"),
        ]);
    }
    let columns = ["tolerance", "accepted / rejected, sheet", "ours", "e_q sheet", "e_q ours"];
    findings.table("error control of Rotula against the loop, rho = 0.6", &columns, rows);
    findings.note(
        "Rotula's own error control is another one. The sheet measures the change of acceleration as a plain \
         norm; Rotula takes the root mean square relative to the largest magnitude of each \
         coordinate, so one tolerance means a larger error and fewer steps. Compared at equal numbers \
         of steps the errors are the same.",
    );
    Ok(())
}
