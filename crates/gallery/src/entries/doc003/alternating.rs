//! Steps that alternate 1:2: the printed method makes the multiplier jump at every change.

use super::pendulum_exact::multipliers;
use super::support::{largest_difference, number, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::run_model;

pub(super) const ENTRY: Entry = Entry {
    name: "hht-alternating",
    document: "003",
    title: "HHT-I3: multipliers under alternating steps",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/hht-alternating/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/hht-alternating/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let studies = [
        ("as printed", "paper", "off", "paper"),
        ("acceleration extrapolated", "recommended", "extrapolated", "shift"),
        ("acceleration and velocity rescaled", "recommended", "rescaled", "shift+vfix"),
    ];
    let (mut rows, mut moved) = (Vec::new(), Vec::new());
    for (name, mode, adjustment, key) in studies {
        for count in [240, 480] {
            // Two steps in a cycle.
            let step = (2.0 / count as f64).to_string();
            let set = [
                ("solve.mode", mode),
                ("solve.adjustment", adjustment),
                ("solve.step", step.as_str()),
                ("solve.newton.tolerance", "1e-11"),
            ];
            let path = run_model(MODEL, &set)?.outcome.trajectory;
            let exact = multipliers(&path.times);
            let error = largest_difference(path.multipliers.values(), &exact);
            let expected = number(&data, &format!("/{key}|{count}/lam_max"))?;
            rows.push(vec![name.to_owned(), count.to_string(), short(error), short(expected)]);
            if adjustment == "extrapolated" {
                moved.push(error);
            } else if count == 480 {
                findings.close(format!("{name}: largest error of λ"), error, expected, 0.1);
            }
            if count == 480 && adjustment == "rescaled" {
                findings.at_most("recommended: largest error of λ", error, 5e-3);
            }
        }
    }
    // Still of first order: halving the steps halves the jumps.
    findings.near("acceleration extrapolated: order of λ", (moved[0] / moved[1]).log2(), 1.0, 0.05);
    let columns = ["method", "steps", "largest error of λ", "sheet"];
    findings.table("Pendulum, steps alternating 1:2", &columns, rows);
    findings.note(
        "The sheet's second line moves the acceleration as its own §2.2 does, ours as eq. (14a) of \
         document 001; both cure the position and leave jumps of the multiplier.",
    );
    Ok(())
}
