//! A step limit far below what the tolerance asks for must not fill the multipliers with noise.

use super::pendulum_exact::multipliers;
use super::support::{largest_difference, number, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::run_model;

pub(super) const ENTRY: Entry = Entry {
    name: "hht-guard",
    document: "003",
    title: "HHT-I3: clean multipliers with steps much smaller than the tolerance needs",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/hht-guard/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/hht-guard/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let mut rows = Vec::new();
    for (limit, until) in [("0.005", "1"), ("0.001", "1"), ("0.0005", "1"), ("0.0001", "0.2")] {
        let printed = number(&data, &format!("/eq46|{limit}/lam_noise_max"))?;
        let guarded = number(&data, &format!("/guard|{limit}/lam_noise_max"))?;
        for mode in ["recommended", "paper"] {
            let set = [("solve.max_step", limit), ("solve.until", until), ("solve.mode", mode)];
            let path = run_model(MODEL, &set)?.outcome.trajectory;
            let exact = multipliers(&path.times);
            let error = largest_difference(path.multipliers.values(), &exact);
            let iterations = path.statistics.iterations as f64 / path.statistics.steps as f64;
            if mode == "recommended" {
                findings.at_most(format!("step limit {limit}: error of λ"), error, 0.1);
            }
            let cells = [short(error), format!("{iterations:.2}"), short(printed), short(guarded)];
            rows.push([vec![limit.to_owned(), mode.to_owned()], cells.to_vec()].concat());
        }
    }
    let columns =
        ["step limit", "mode", "error of λ", "iterations/step", "sheet, (46)", "sheet, guarded"];
    findings.table("Pendulum, tolerance 1e-5, multiplier up to 30", &columns, rows);
    Ok(())
}
