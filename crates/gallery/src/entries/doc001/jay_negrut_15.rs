//! The mathematical test problem (15): figures 1 and 2.

use super::test_problem::TestProblem;
use crate::entries::doc000::errors::{Solution, measure};
use crate::entries::doc000::sheet::{Sheet, SheetTable};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{error, largest, observed_orders, run_model, run_system};
use rotula_dae::InitialPolicy;
use rotula_dae::automatic::Automatic;
use rotula_model::equations::Model;

const MODEL: &str = include_str!("../../../../../gallery/jay-negrut-15/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/jay-negrut-15/reference.json");

pub(crate) const ENTRY: Entry = Entry {
    name: "jay-negrut-15",
    document: "001",
    title: "Test problem (15): figures 1 and 2, mass products, starts, members of the family",
    run,
};

fn exact(t: f64) -> Solution {
    let (e, decay) = (t.exp(), (-2.0 * t).exp());
    Solution {
        q: vec![e, decay],
        v: vec![e, -2.0 * decay],
        vdot: vec![e, 4.0 * decay],
        multipliers: vec![1.0 / e, e],
    }
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    for table in sheet.tables("")? {
        reproduce(findings, table)?;
    }
    model_file(findings)?;
    findings.note(
        "Fig. 1 (order 2 for all five curves) and Fig. 2 (order 1 for a, lambda, psi without (14)) \
         are confirmed. The paper does not say whether h/3 or 2h/3 comes first, nor which mass \
         product is used: both are tabulated. In \"a(t_n + alpha h)\" h is the last step taken.",
    );
    findings.note(
        "(14a) with the stored product M a but without (14b) is of first order in lambda and psi: \
         use both, or evaluate M anew. That y and z stay of order 2 in Fig. 2 is special to this \
         problem: its two velocity constraints fix both velocities (see alternating-oscillator).",
    );
    findings.note(
        "A start with the exact a(alpha h) gains nothing over (8). The variants that drop psi-tilde or \
         use z-tilde in (13d) are no options of Rotula; a small independent program in the tests \
         (`soi2_variants`) reproduces their numbers, and those of (13) itself.",
    );
    Ok(())
}

fn reproduce(findings: &mut Findings, table: &SheetTable) -> Result<(), GalleryError> {
    table.reproduce(findings, |h| {
        // start and settings come from the model file, the equations from the Rust system
        let model = Model::parse(MODEL, "model.toml", &table.overrides(h))
            .map_err(|error| GalleryError::Model(error.to_string()))?;
        let settings = model.settings()?;
        let mut system = Automatic::new(TestProblem);
        let coefficients = settings.coefficients;
        let mut initial = model.initial_state();
        if settings.initial == InitialPolicy::Trust {
            initial.vdot = exact(coefficients.alpha() * h).vdot;
        }
        let outcome = run_system(&mut system, &initial, &settings)?;
        measure(table.quantities(), &outcome, &mut system, coefficients, &exact)
    })?;
    Ok(())
}

/// The formulas of the model file are the equations of the Rust system.
fn model_file(findings: &mut Findings) -> Result<(), GalleryError> {
    let steps = [0.05, 0.025];
    let mut errors = Vec::new();
    let mut apart = Vec::new();
    for h in steps {
        let step = format!("{h:?}");
        let run = run_model(MODEL, &[("solve.step", &step)])?;
        errors.push(error(&run.outcome.state.q, &exact(1.0).q));
        let model = Model::parse(MODEL, "model.toml", &[("solve.step".into(), step)])
            .map_err(|error| GalleryError::Model(error.to_string()))?;
        let mut system = Automatic::new(TestProblem);
        let rust = run_system(&mut system, &model.initial_state(), &model.settings()?)?;
        let [ours, theirs] = [&run.outcome.state, &rust.state];
        apart.extend([
            error(&ours.q, &theirs.q),
            error(&ours.v, &theirs.v),
            error(&ours.multipliers, &theirs.multipliers),
        ]);
    }
    findings.at_most("model file: e_q at h = 0.025", errors[1], 1.5e-3);
    findings.near("model file: order of e_q", observed_orders(&steps, &errors)[0], 2.0, 0.1);
    findings.at_most(
        "model file and Rust system: q, v and multipliers apart",
        largest(apart),
        1e-8,
    );
    Ok(())
}
