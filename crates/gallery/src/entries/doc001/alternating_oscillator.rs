//! `y″ = −y` with alternating steps: a claim of section 7 that does not hold.

use crate::entries::doc000::errors::{Solution, reproduce_model};
use crate::entries::doc000::sheet::Sheet;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;

const MODEL: &str = include_str!("../../../../../gallery/alternating-oscillator/model.toml");
const REFERENCE: &str =
    include_str!("../../../../../gallery/alternating-oscillator/reference.json");

pub(crate) const ENTRY: Entry = Entry {
    name: "alternating-oscillator",
    document: "001",
    title: "Alternating steps without adjustment: first order, against section 7",
    run,
};

fn exact(t: f64) -> Solution {
    let (sin, cos) = t.sin_cos();
    Solution { q: vec![cos], v: vec![-sin], vdot: vec![-cos], multipliers: Vec::new() }
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    for table in sheet.tables("")? {
        let ours = reproduce_model(findings, table, MODEL, &exact)?;
        let last = ours.len() - 1;
        let order = (ours[last - 1][0] / ours[last][0]).log2();
        // rho = 1 has alpha = 0: there is nothing to adjust
        match table.title.contains("without") && !table.title.contains("rho = 1") {
            true => findings.at_most(format!("{}: order of y", table.title), order, 1.5),
            false => findings.near(format!("{}: order of y", table.title), order, 2.0, 0.05),
        }
    }
    findings.note(
        "Section 7: \"these modifications are not necessary to preserve the second order of y and z\". \
         They are, when steps keep alternating: even for y'' = -y both fall to first order without \
         (14a). One change of step, or a smooth variation, keeps the second order.",
    );
    Ok(())
}
