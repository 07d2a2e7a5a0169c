//! A controlled rod: one state, two variables and a torque that feeds back the acceleration.

use super::support::{number, reference, short};
use crate::curves::{Curve, convergence};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::run_model;

pub(super) const ENTRY: Entry = Entry {
    name: "pd-loop",
    document: "003",
    title: "HHT-I3: PD loop with a state, algebraic variables and acceleration feedback",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/pd-loop/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/pd-loop/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let mut rows = Vec::new();
    for (i, until) in ["1", "2", "3"].into_iter().enumerate() {
        let set = [("solve.until", until), ("solve.tolerance", "1e-8")];
        let state = run_model(MODEL, &set)?.outcome.state;
        // Positions follow the tolerance; the others are derivatives of them or driven by them.
        let values = [
            ("th", state.q[2], 5e-6),
            ("w", state.v[2], 5e-5),
            ("X", state.x[0], 5e-5),
            ("F", state.y[2], 2e-4),
            ("V", state.y[0], 2e-4),
            ("al", state.vdot[2], 2e-3),
            ("Xd", state.xdot[0], 2e-3),
        ];
        for (name, value, tolerance) in values {
            let expected = number(&data, &format!("/results/{i}/{name}"))?;
            findings.near(format!("t = {until}: {name}"), value, expected, tolerance);
            let error = (value - expected).abs();
            rows.push(vec![until.to_owned(), name.to_owned(), value.to_string(), short(error)]);
        }
    }
    findings.table("Tolerance 1e-8", &["t", "quantity", "value", "error"], rows);
    fixed_step_orders(findings, number(&data, "/results/0/th")?, number(&data, "/results/0/X")?)
}

/// Angle and state are of second order in the recommended mode; in the printed one the state, and
/// with it the angle, is of first order.
fn fixed_step_orders(
    findings: &mut Findings,
    angle: f64,
    actuator: f64,
) -> Result<(), GalleryError> {
    let text = MODEL.replace("tolerance = 1e-5\nmax_step = 0.3\n", "");
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    for (mode, expected) in [("recommended", 2.0), ("paper", 1.0)] {
        let mut errors = Vec::new();
        for step in ["0.005", "0.0025", "0.00125"] {
            let set = [
                ("solve.until", "1"),
                ("solve.mode", mode),
                ("solve.step", step),
                ("solve.newton.tolerance", "1e-11"),
            ];
            let state = run_model(&text, &set)?.outcome.state;
            let miss = [(state.q[2] - angle).abs(), (state.x[0] - actuator).abs()];
            rows.push(vec![mode.into(), step.into(), short(miss[0]), short(miss[1])]);
            errors.push(miss);
        }
        for (k, what) in ["angle (rad)", "state"].into_iter().enumerate() {
            let errors: Vec<f64> = errors.iter().map(|miss: &[f64; 2]| miss[k]).collect();
            curves.push(Curve::new(format!("{what}, {mode}"), &[5e-3, 2.5e-3, 1.25e-3], &errors));
        }
        let order = (errors[1][1] / errors[2][1]).log2();
        findings.near(format!("{mode}: order of the state"), order, expected, 0.1);
    }
    let columns = ["mode", "step", "error of the angle", "error of the state"];
    findings.table("Fixed steps, t = 1", &columns, rows);
    let axes = ["step size (s)", "error (unit in the legend)"];
    findings.figure(convergence("PD loop: fixed steps, t = 1", axes, "", curves));
    Ok(())
}
