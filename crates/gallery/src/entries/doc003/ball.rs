//! A ball that bounces on an elastic floor: steps and errors over tolerances.

use super::industrial::{Finished, mechanism};
use super::support::{number, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::largest;

pub(super) const ENTRY: Entry = Entry {
    name: "hht-ball",
    document: "003",
    title: "HHT-I3: a ball that bounces on an elastic floor",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/hht-ball/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/hht-ball/reference.json");
const TOLERANCES: [&str; 5] = ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7"];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let mut rows = Vec::new();
    for stiffness in ["1e5", "1e7"] {
        let end = number(&data, &format!("/end/{stiffness}"))?;
        let steps = numbers(&data, &format!("/steps/{stiffness}"))?;
        let errors = numbers(&data, &format!("/errors/{stiffness}"))?;
        for (k, tolerance) in TOLERANCES.iter().enumerate() {
            let overrides =
                [("contact.floor.stiffness", stiffness), ("solve.tolerance", tolerance)];
            let finished = Finished::run(&mechanism(MODEL, "model.toml", &overrides)?)?;
            let error = (finished.last("height") - end).abs();
            let name = format!("{stiffness} N/m, {tolerance}");
            findings.close(format!("{name}: steps"), finished.steps() as f64, steps[k], 0.3);
            // each scatters, as the prototype's do
            let worst = largest(errors.iter().copied());
            findings.at_most(format!("{name}: error at the end, m"), error, worst);
            rows.push(vec![
                name,
                finished.steps().to_string(),
                format!("{}", steps[k]),
                short(error),
                short(errors[k]),
            ]);
        }
    }
    let columns = ["floor and tolerance", "steps", "prototype", "error, m", "prototype"];
    findings.table("Two seconds of bouncing", &columns, rows);
    Ok(())
}
