//! Errors of a finished run against a known solution, by the column heads of the sheets.

use super::sheet::{Sheet, SheetTable};
use crate::entry::GalleryError;
use crate::findings::Findings;
use crate::study::{error, norm};
use rotula_dae::{Coefficients, Level, Outcome, Settings, StartAcceleration, State, System};

/// A solution at one time; multipliers have the sign of Rotula, holonomic first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solution {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub vdot: Vec<f64>,
    pub multipliers: Vec<f64>,
}

impl Solution {
    /// The solution that a sheet gives at the final time. The sheets subtract reactions where Rotula
    /// adds them, hence the sign of the multipliers.
    pub fn of_sheet(sheet: &Sheet, prefix: &str) -> Result<Self, GalleryError> {
        let get = |name: &str| sheet.vector(&format!("{prefix}{name}")).map(<[f64]>::to_vec);
        Ok(Solution {
            q: get("q")?,
            v: get("v")?,
            vdot: get("vdot")?,
            multipliers: get("lambda of the sheet")
                .map(|values| values.iter().map(|value| -value).collect())
                .unwrap_or_default(),
        })
    }
}

/// Start value of the algorithmic acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Start {
    /// As the settings of the table say.
    OfSettings,
    /// The exact acceleration at `t₀ + αh`.
    Exact,
}

impl Start {
    /// Puts the start value of a first step of size `h` into settings and state.
    fn prepare(
        self,
        h: f64,
        exact: &dyn Fn(f64) -> Solution,
        settings: &mut Settings,
        state: &mut State,
    ) {
        if self == Start::Exact {
            settings.start_acceleration = StartAcceleration::Given;
            state.a = exact(state.t + settings.coefficients.alpha() * h).vdot;
        }
    }
}

/// Measures what the columns of a table ask for.
pub(crate) fn measure<S: System>(
    columns: &[String],
    outcome: &Outcome,
    system: &mut S,
    coefficients: Coefficients,
    exact: &dyn Fn(f64) -> Solution,
) -> Result<Vec<f64>, GalleryError> {
    let state = &outcome.state;
    let sizes = system.sizes();
    let solution = exact(state.t);
    let part = |range: std::ops::Range<usize>| {
        error(&state.multipliers[range.clone()], &solution.multipliers[range])
    };
    let mut values = Vec::new();
    for column in columns {
        values.push(match column.as_str() {
            "e_q" => error(&state.q, &solution.q),
            "e_v" => error(&state.v, &solution.v),
            "e_vdot" => error(&state.vdot, &solution.vdot),
            // the algorithmic acceleration lives at t + αh, with the last step taken
            "e_a" => {
                let h = outcome.trajectory.steps.last().map_or(0.0, |step| step.h);
                error(&state.a, &exact(state.t + coefficients.alpha() * h).vdot)
            }
            "e_lambda" => part(0..sizes.holonomic),
            "e_psi" => part(sizes.holonomic..sizes.multipliers()),
            "drift" => {
                let mut residual = vec![0.0; sizes.multipliers()];
                system.constraint(Level::Velocity, &state.point(), &mut residual);
                norm(&residual)
            }
            "max drift" => outcome.trajectory.audit.velocity_residual,
            _ => return Err(GalleryError::Reference(format!("unknown column `{column}`"))),
        });
    }
    Ok(values)
}

/// Reproduces a table of a model file.
pub(crate) fn reproduce_model(
    findings: &mut Findings,
    table: &SheetTable,
    text: &str,
    exact: &dyn Fn(f64) -> Solution,
) -> Result<Vec<Vec<f64>>, GalleryError> {
    reproduce_started(findings, table, (text, Start::OfSettings), exact)
}

/// Reproduces a table of a model file with a start value of the algorithmic acceleration.
pub(crate) fn reproduce_started(
    findings: &mut Findings,
    table: &SheetTable,
    (text, start): (&str, Start),
    exact: &dyn Fn(f64) -> Solution,
) -> Result<Vec<Vec<f64>>, GalleryError> {
    table.reproduce(findings, |h| {
        let mut run =
            table.run_prepared(text, h, &[], |s, state| start.prepare(h, exact, s, state))?;
        let coefficients = run.model.settings()?.coefficients;
        measure(table.quantities(), &run.outcome, &mut run.system, coefficients, exact)
    })
}

/// Reproduces a table of errors of the holonomic multipliers after `n` steps (columns `n=…`).
pub(crate) fn reproduce_first_multipliers(
    findings: &mut Findings,
    table: &SheetTable,
    (text, start): (&str, Start),
    exact: &dyn Fn(f64) -> Solution,
) -> Result<Vec<Vec<f64>>, GalleryError> {
    let counts: Vec<usize> = table
        .quantities()
        .iter()
        .map(|head| head.trim_start_matches("n=").parse())
        .collect::<Result<_, _>>()
        .map_err(|_| GalleryError::Reference(format!("columns of `{}`", table.title)))?;
    let most = counts.iter().copied().max().unwrap_or(1);
    table.reproduce(findings, |h| {
        let until = format!("{:?}", h * most as f64);
        let prepare = |s: &mut Settings, state: &mut State| start.prepare(h, exact, s, state);
        let run = table.run_prepared(text, h, &[("solve.until", &until)], prepare)?;
        let trajectory = &run.outcome.trajectory;
        let holonomic = trajectory.sizes.holonomic;
        let at = |n: &usize| {
            let expected = exact(trajectory.times[*n]).multipliers;
            error(&trajectory.multipliers.row(*n)[..holonomic], &expected[..holonomic])
        };
        Ok(counts.iter().map(at).collect())
    })
}
