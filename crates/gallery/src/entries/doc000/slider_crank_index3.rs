//! Slider-crank with constraints at position level. [Dymore note, sheet §4]

use super::errors::{Solution, reproduce_model};
use super::sheet::Sheet;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{error, run_model};

const MODEL: &str = include_str!("../../../../../gallery/slider-crank-index3/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/slider-crank-index3/reference.json");

pub(crate) const ENTRY: Entry = Entry {
    name: "slider-crank-index3",
    document: "000",
    title: "Slider-crank, index 3: orders, drift, alternating steps, rho = 1",
    run,
};

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    let solution = Solution::of_sheet(&sheet, "")?;
    let exact = |_| solution.clone();
    start(findings, &sheet)?;
    for beginning in ["rho = 0", "steps"] {
        for table in sheet.tables(beginning)? {
            reproduce_model(findings, table, MODEL, &exact)?;
        }
    }
    for table in sheet.tables("blow-up")? {
        for h in table.steps() {
            // Growth from rounding gives no digits to compare; a run that stops with a diagnosis is
            // as unusable as one with huge errors.
            let what = format!("{}: e_lambda at h = {h}", table.title);
            match table.run(MODEL, h, &[]) {
                Ok(run) => {
                    let size = error(&run.outcome.state.multipliers, &solution.multipliers);
                    findings.at_least(what, size, 1e3);
                }
                Err(error) => {
                    findings.note(format!("{what}: the run ends with a diagnosis: {error}"))
                }
            }
        }
    }
    findings.note(
        "Steps that alternate between h/3 and 2h/3 reduce accelerations and multipliers of the \
         index-3 form to first order, with or without the adjustment (14a); without it the \
         positions are of first order too. Constraints at velocity level (soi2, ggl) cure this.",
    );
    Ok(())
}

/// Accelerations and multipliers at the start.
fn start(findings: &mut Findings, sheet: &Sheet) -> Result<(), GalleryError> {
    let run = run_model(MODEL, &[("solve.until", "0.001")])?;
    let trajectory = &run.outcome.trajectory;
    let vdot = sheet.vector("initial vdot")?;
    findings.at_most(
        "error of the initial accelerations",
        error(trajectory.vdot.row(0), vdot),
        1e-9,
    );
    let lambda: Vec<f64> =
        sheet.vector("initial lambda of the sheet")?.iter().map(|value| -value).collect();
    let wrong = error(trajectory.multipliers.row(0), &lambda);
    findings.at_most("error of the initial multipliers", wrong, 1e-9);
    Ok(())
}
