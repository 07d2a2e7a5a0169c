//! Heavy top in the motion form, on SE(3). [Dymore note, sheet §5]

use super::sheet::{Sheet, SheetTable};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::heavy_top::HeavyTop;
use crate::study::{error, larger, run_system, smaller};
use rotula_dae::{
    Coefficients, Formulation, InitialPolicy, MatrixPolicy, Outcome, Settings, StartAcceleration,
    State, StepControl, make_consistent,
};
use rotula_lie::{Quaternion, Retraction};

const REFERENCE: &str = include_str!("../../../../../gallery/heavy-top/reference.json");

pub(crate) const ENTRY: Entry = Entry {
    name: "heavy-top",
    document: "000",
    title: "Heavy top on SE(3): Cayley, exponential and Wiener-Milenkovic increments",
    run,
};

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    start(findings, &sheet)?;
    for table in sheet.tables("")? {
        reproduce(findings, &sheet, table)?;
    }
    findings.note(
        "Eq. (29) is the Cayley (Rodrigues) map, r = 2 tan(phi/2) n: a rotation vector of length 0.7 \
         turns by 0.673349638773. Its norm is a dual number; the Euclidean norm of the eight numbers \
         leaves unit length with an error of first order. (33a) must increment the increment itself.",
    );
    findings.note(
        "The constraint is linear in the increment, so it and its rate hold to rounding here, and \
         here only rho = 1 is usable. Error constants depend on the map: compare like with like.",
    );
    turn_of_the_cayley_map(findings);
    other_codes(findings, &sheet)
}

/// Settings of a run with a fully converged iteration and the document's start, `a₀ = v̇₀`.
fn settings(rho: f64, h: f64, until: f64) -> Result<Settings, GalleryError> {
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let coefficients = Coefficients::generalized_alpha(rho)?;
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings.start_acceleration = StartAcceleration::Initial;
    settings.newton.matrix = MatrixPolicy::EachIteration;
    settings.newton.tolerance = 1e-12;
    settings.newton.max_iterations = 20;
    Ok(settings)
}

/// Consistent values at the start.
fn start(findings: &mut Findings, sheet: &Sheet) -> Result<(), GalleryError> {
    let mut top = HeavyTop::new(Retraction::Cayley);
    let mut state = top.start();
    make_consistent(&mut top, &mut state, InitialPolicy::Refuse)?;
    let wrong = error(&state.v, sheet.vector("initial V")?);
    findings.at_most("error of the initial velocity", wrong, 1e-12);
    let wrong = error(&state.vdot, sheet.vector("initial A")?);
    findings.at_most("error of the initial acceleration", wrong, 1e-9);
    let wrong = error(&negative(&state.multipliers), sheet.vector("initial lambda of the sheet")?);
    findings.at_most("error of the initial multipliers", wrong, 1e-8);
    Ok(())
}

/// The sheet adds `Bᵀλ` to the forces on the left-hand side.
fn negative(multipliers: &[f64]) -> Vec<f64> {
    multipliers.iter().map(|value| -value).collect()
}

fn reproduce(
    findings: &mut Findings,
    sheet: &Sheet,
    table: &SheetTable,
) -> Result<(), GalleryError> {
    let (rho, until) = (table.number("rho")?, table.number("T")?);
    let map = match table.title.split(',').next() {
        Some("Cayley") => Retraction::Cayley,
        Some("exponential") => Retraction::Exponential,
        Some("Wiener-Milenkovic") => Retraction::WienerMilenkovic,
        _ => return Err(GalleryError::Reference(format!("no map in `{}`", table.title))),
    };
    let [mut position, mut velocity, mut unit] = [0.0; 3];
    table.reproduce(findings, |h| {
        let mut top = HeavyTop::new(map);
        let initial = top.start();
        let outcome = run_system(&mut top, &initial, &settings(rho, h, until)?)?;
        let audit = outcome.trajectory.audit;
        position = larger(position, audit.position_residual);
        velocity = larger(velocity, audit.velocity_residual);
        unit = larger(unit, (quaternion(&outcome.state).norm() - 1.0).abs());
        errors(&outcome, sheet, until)
    })?;
    findings.at_most(format!("{}: max |C|", table.title), position, 1e-14);
    findings.at_most(format!("{}: max |B v|", table.title), velocity, 1e-9);
    findings.at_most(format!("{}: | |p| - 1 |", table.title), unit, 1e-14);
    Ok(())
}

fn quaternion(state: &State) -> Quaternion {
    Quaternion::new(state.q[3], state.q[4], state.q[5], state.q[6])
}

/// Position, rotation, angular velocity, multipliers, acceleration.
fn errors(outcome: &Outcome, sheet: &Sheet, t: f64) -> Result<Vec<f64>, GalleryError> {
    let state = &outcome.state;
    let at = |name: &str| sheet.vector(&format!("{name} at {t:.1}"));
    // column-major storage of the transpose is row after row, as in the sheet
    let rotation = quaternion(state).to_matrix().transpose();
    Ok(vec![
        error(&state.q[..3], at("x")?),
        error(rotation.as_slice(), at("R")?),
        error(&state.v[3..], at("Omega")?),
        error(&negative(&state.multipliers), at("lambda of the sheet")?),
        error(&state.vdot, at("A")?),
    ])
}

fn turn_of_the_cayley_map(findings: &mut Findings) {
    let turned = Quaternion::cayley(&nalgebra::Vector3::new(0.0, 0.7, 0.0));
    let angle = turned.log().norm();
    findings.near("turn of a Cayley vector of length 0.7", angle, 0.673349638773, 1e-11);
}

/// The orientation at 0.2 s that other programs print, by extrapolation of two runs.
fn other_codes(findings: &mut Findings, sheet: &Sheet) -> Result<(), GalleryError> {
    let mut top = HeavyTop::new(Retraction::Exponential);
    let initial = top.start();
    let mut end = |h: f64| -> Result<Vec<f64>, GalleryError> {
        Ok(run_system(&mut top, &initial, &settings(0.8, h, 0.2)?)?.state.q[3..].to_vec())
    };
    let (coarse, fine) = (end(2e-4)?, end(1e-4)?);
    let limit: Vec<f64> = coarse.iter().zip(&fine).map(|(c, f)| f + (f - c) / 3.0).collect();
    let rows = [
        ("quaternion at 0.2 by Runge-Kutta, extrapolated", 1e-5),
        ("quaternion at 0.2 by MATLAB, quoted by the tests of Exudyn", 2e-5),
    ];
    for (name, bound) in rows {
        // both signs are the same orientation
        let theirs = sheet.vector(name)?;
        let negated = negative(theirs);
        let distance = smaller(error(&limit, theirs), error(&limit, &negated));
        findings.at_most(format!("distance from the {name}"), distance, bound);
    }
    Ok(())
}
