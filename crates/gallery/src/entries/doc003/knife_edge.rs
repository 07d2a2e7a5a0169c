//! A nonholonomic constraint with a closed solution.

use super::support::{numbers, reference, short};
use crate::curves::{Curve, convergence};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{larger, observed_orders, run_model};

pub(super) const ENTRY: Entry =
    Entry { name: "knife-edge", document: "003", title: "HHT-I3: knife edge on an incline", run };

const MODEL: &str = include_str!("../../../../../gallery/knife-edge/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/knife-edge/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let (slope, w) = (9.81 * 0.5f64.sin(), 3.0f64);
    let exact_x = slope / (2.0 * w * w) * w.sin().powi(2);
    let exact_y = slope / (2.0 * w * w) * (w - 0.5 * (2.0 * w).sin());
    // Document 003 moves reactions to the left-hand side: its multiplier is minus ours.
    let exact_multiplier = -2.0 * slope * w.sin();
    let mut drawn = [Vec::new(), Vec::new(), Vec::new()];
    let (mut rows, mut steps, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (i, count) in [100, 200, 400, 800].into_iter().enumerate() {
        let h = 1.0 / count as f64;
        let step = h.to_string();
        let set = [("solve.step", step.as_str()), ("solve.newton.tolerance", "1e-12")];
        let outcome = run_model(MODEL, &set)?.outcome;
        let q = &outcome.state.q;
        let error = larger((q[0] - exact_x).abs(), (q[1] - exact_y).abs());
        let multiplier = (outcome.state.multipliers[0] - exact_multiplier).abs();
        let violation = outcome.trajectory.audit.velocity_residual;
        let sheet = numbers(&data, &format!("/err_q_lam_viol/{i}"))?;
        findings.close(format!("{count} steps: position error"), error, sheet[0], 0.05);
        findings.at_most(format!("{count} steps: error of λ"), multiplier, 3.0 * sheet[1]);
        // The iteration ends at its rounding level 200 u/(β h²) of the acceleration. [Negrut et al. 2005, sheet §3.2]
        let floor = 200.0 * f64::EPSILON * 0.8 / (0.4225 * h);
        findings.at_most(format!("{count} steps: violation"), violation, floor);
        let numbers = [error, sheet[0], multiplier, sheet[1], violation];
        rows.push([vec![count.to_string()], numbers.map(short).to_vec()].concat());
        let values = [sheet[0], multiplier, sheet[1]];
        drawn.iter_mut().zip(values).for_each(|(list, value)| list.push(value));
        steps.push(h);
        errors.push(error);
    }
    for order in observed_orders(&steps, &errors) {
        findings.near("order of the position", order, 2.0, 0.02);
    }
    let columns = ["steps", "error of q", "sheet", "error of λ", "sheet", "violation"];
    findings.table("Knife edge, t = 1, α = −0.3", &columns, rows);
    let curves = vec![
        Curve::new("q (m)", &steps, &errors).beside(&steps, &drawn[0]),
        Curve::new("λ (N)", &steps, &drawn[1]).beside(&steps, &drawn[2]),
    ];
    let axes = ["step size (s)", "error (unit in the legend)"];
    findings.figure(convergence("Knife edge, t = 1, α = −0.3", axes, "sheet", curves));
    Ok(())
}
