//! Elastic pendulum: a nonlinear problem without constraints. [000 §3]

use super::errors::{Solution, reproduce_model};
use super::sheet::Sheet;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;

const MODEL: &str = include_str!("../../../../../gallery/elastic-pendulum/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/elastic-pendulum/reference.json");

pub(crate) const ENTRY: Entry = Entry {
    name: "elastic-pendulum",
    document: "000",
    title: "Elastic pendulum: second order for six spectral radii",
    run,
};

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    let solution = Solution::of_sheet(&sheet, "")?;
    for table in sheet.tables("rho")? {
        reproduce_model(findings, table, MODEL, &|_| solution.clone())?;
    }
    findings.note(
        "Equations (15), (20), (21) and (24) of the note, read as printed, count the predictor \
         twice once the state is initialised by it: the error of this problem then stays at 0.55 \
         for every step size. The residual at the current iterate, eq. (32), is what converges.",
    );
    Ok(())
}
