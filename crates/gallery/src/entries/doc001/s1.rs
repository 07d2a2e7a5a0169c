//! A manufactured problem with one free velocity, which problem (15) lacks.

use crate::entries::doc000::errors::{
    Solution, Start, reproduce_first_multipliers, reproduce_model,
};
use crate::entries::doc000::sheet::Sheet;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;

const MODEL: &str = include_str!("../../../../../gallery/s1/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/s1/reference.json");

pub(crate) const ENTRY: Entry = Entry {
    name: "s1",
    document: "own",
    title: "Manufactured problem S1: both kinds of constraints and a free velocity",
    run,
};

fn exact(t: f64) -> Solution {
    let (sin, cos) = t.sin_cos();
    let (sin2, cos2) = (2.0 * t).sin_cos();
    Solution {
        q: vec![cos, sin, sin2 / 2.0],
        v: vec![-sin, cos, cos2],
        vdot: vec![-cos, -sin, -2.0 * sin2],
        multipliers: vec![(-t).exp(), 1.0 + 0.5 * sin],
    }
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    for beginning in ["steps", "constant", "only", "(14a)"] {
        for table in sheet.tables(beginning)? {
            reproduce_model(findings, table, MODEL, &exact)?;
        }
    }
    for table in sheet.tables("first multipliers")? {
        reproduce_first_multipliers(findings, table, (MODEL, Start::OfSettings), &exact)?;
    }
    findings.note(
        "Unlike problem (15) this one has a free velocity, and without (14) its y and z are of first \
         order too; so they are with (14a) alone and the stored product M a.",
    );
    Ok(())
}
