//! Friction that grows with the reaction of the hinge: forces that depend on the multipliers.

use super::support::{number, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::run_model;

pub(super) const ENTRY: Entry = Entry {
    name: "friction-pendulum",
    document: "003",
    title: "HHT-I3: hinge friction from the multipliers",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/friction-pendulum/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/friction-pendulum/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let exact = numbers(&data, "/ref_theta_w_t2")?;
    let mut rows = Vec::new();
    for (mode, key) in [("recommended", "REC"), ("paper", "PAP")] {
        for tolerance in ["0.001", "0.0001", "1e-05", "1e-06", "1e-07"] {
            let set = [("solve.mode", mode), ("solve.tolerance", tolerance)];
            let outcome = run_model(MODEL, &set)?.outcome;
            let error = (outcome.state.q[2] - exact[0]).abs();
            let s = outcome.trajectory.statistics;
            let sheet = format!("/{key}|{tolerance}");
            let theirs = numbers(&data, &format!("{sheet}/err"))?[0];
            let their_steps = number(&data, &format!("{sheet}/steps"))?;
            let what = format!("{mode}, {tolerance}");
            findings.at_most(format!("{what}: error of the angle"), error, 3.0 * theirs);
            findings.close(format!("{what}: steps"), s.steps as f64, their_steps, 0.3);
            rows.push(vec![
                mode.to_owned(),
                tolerance.to_owned(),
                format!("{}/{}", s.steps, s.rejected_by_error + s.rejected_by_iteration),
                format!("{their_steps}/{}", number(&data, &format!("{sheet}/rej"))?),
                short(error),
                short(theirs),
            ]);
        }
    }
    let columns = ["mode", "tolerance", "steps/rejected", "sheet", "error of the angle", "sheet"];
    findings.table("Rod with friction, t = 2", &columns, rows);
    Ok(())
}
