//! Condition numbers of the iteration matrix with and without scaling. [Dymore note, sheet §4.1, §8]

use super::bar;
use super::sheet::{Sheet, SheetTable};
use crate::curves::CONDITION;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::heavy_top::HeavyTop;
use crate::study::{condition_number, run_prepared};
use crate::work_precision::method;
use nalgebra::DMatrix;
use rotula_dae::{
    Coefficients, Formulation, InitialPolicy, Settings, State, StepControl, System,
    iteration_matrix, make_consistent,
};
use rotula_lie::Retraction;
use rotula_model::equations::Model;

const PENDULUM: &str = include_str!("../../../../../gallery/pendulum-index3/model.toml");
const SLIDER_CRANK: &str = include_str!("../../../../../gallery/slider-crank-index3/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/conditioning/reference.json");
/// The sheet does not say where it takes the matrices of pendulum and slider-crank. The curvature of
/// the constraints in the first number of the pendulum belongs to this time of its motion; all
/// other numbers of both mechanisms then follow.
const TIME: f64 = 0.3;
/// Above this a condition number in double precision is only an indication.
const INDICATIVE: f64 = 1e15;
const SAME_MATRIX: f64 = 0.01;

pub(crate) const ENTRY: Entry = Entry {
    name: "conditioning",
    document: "000",
    title: "Scaling of constraints keeps the iteration matrix well conditioned",
    run,
};

/// Where the matrix is assembled.
#[derive(Clone, Copy)]
enum Place {
    /// At the configuration from which the step starts.
    Start,
    /// At the predictor of the note, whose acceleration is zero. [Dymore note, eqs. 30]
    Predictor,
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);

    let model = Model::parse(PENDULUM, "model.toml", &[])
        .map_err(|error| GalleryError::Model(error.to_string()))?;
    let mut state = model.initial_state();
    let now = bar::solution(TIME);
    (state.q, state.v) = (now.q, now.v);
    study(findings, sheet.tables("pendulum")?[0], &mut model.system(), state, Place::Start)?;

    let exactly = method("bdf si2")?.tolerance(1e-11, TIME);
    let mut crank = run_prepared(SLIDER_CRANK, &[], |settings, _| *settings = exactly)?;
    let state = crank.outcome.state;
    study(findings, sheet.tables("slider")?[0], &mut crank.system, state, Place::Start)?;

    let mut top = HeavyTop::new(Retraction::Cayley);
    let start = top.start();
    study(findings, sheet.tables("heavy top")?[0], &mut top, start, Place::Predictor)?;
    findings.note(
        "The sheet does not say where it takes its matrices. The number of the unscaled pendulum at \
         h = 1e-2 contains the curvature of the constraints, which has that value at t = 0.300000 of \
         the motion; at this time all other numbers of pendulum and slider-crank agree as well. The \
         matrix of the top is that of the first iteration of the first step, at the predictor.",
    );
    findings.note(
        "Unscaled, the condition number grows like h^-2 with accelerations as unknowns and like h^-4 \
         with displacements. Scaled by (22) and (23) it is flat in h. With dense elimination and \
         pivoting the results themselves are the same either way: entry pendulum-index3.",
    );
    Ok(())
}

fn study<S: System + 'static>(
    findings: &mut Findings,
    table: &SheetTable,
    system: &mut S,
    mut state: State,
    place: Place,
) -> Result<(), GalleryError> {
    let rho = table.number("solve.coefficients.generalized-alpha")?;
    let coefficients = Coefficients::generalized_alpha(rho)?;
    make_consistent(system, &mut state, InitialPolicy::Project)?;
    let mut ours = Vec::new();
    for row in &table.rows {
        let h = row[0];
        let mut mine = Vec::new();
        for (quantity, &theirs) in table.quantities().iter().zip(&row[1..]) {
            let matrix = matrix(system, &state, coefficients, h, (quantity, place))?;
            let condition = condition_number(matrix);
            let what = format!("{}: {quantity} at h = {h}", table.title);
            match theirs > INDICATIVE {
                true => findings.at_least(what, condition, INDICATIVE),
                false => findings.close(what, condition, theirs, SAME_MATRIX),
            }
            mine.push(condition);
        }
        ours.push(mine);
    }
    table.print(findings, &ours, CONDITION);
    Ok(())
}

/// The matrix that a column of the sheet asks for.
fn matrix(
    system: &mut dyn System,
    state: &State,
    coefficients: Coefficients,
    h: f64,
    (quantity, place): (&str, Place),
) -> Result<DMatrix<f64>, GalleryError> {
    let form = Formulation::Index3 {
        scaling: quantity.starts_with("scaled"),
        augmented: quantity.ends_with("augmented"),
    };
    let settings = Settings::new(form, coefficients, StepControl::Fixed { h });
    let c = coefficients.step(h);
    let vdot: Vec<f64> = match place {
        Place::Predictor => vec![0.0; state.v.len()],
        // The acceleration that ends the step where it began: a = v̇ at a start.
        Place::Start => {
            let pairs = state.v.iter().zip(&state.vdot);
            pairs.map(|(v, vdot)| -(h * v + (c.c1 + c.c2) * vdot) / c.c8).collect()
        }
    };
    let rows = iteration_matrix(system, state, &settings, h, &vdot)?;
    let size = rows.len();
    let mut matrix = DMatrix::from_fn(size, size, |i, j| rows[i][j]);
    let motion = state.v.len();
    if quantity.contains("displacements") {
        matrix.columns_mut(0, motion).scale_mut(1.0 / c.c8);
    }
    if quantity.contains("over c8") {
        matrix.rows_mut(motion, size - motion).scale_mut(1.0 / c.c8);
    }
    Ok(matrix)
}
