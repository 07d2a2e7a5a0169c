//! α = 0 leaves the multipliers undamped: with constraints it is refused, without it is the
//! trapezoidal rule.

use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::run_model;

pub(super) const ENTRY: Entry = Entry {
    name: "hht-refuses-alpha-zero",
    document: "003",
    title: "HHT-I3: α = 0 is refused with constraints",
    run,
};

const MODEL: &str = include_str!("../../../../../gallery/hht-refuses-alpha-zero/model.toml");
const FREE: &str = include_str!("../../../../../gallery/hht-orders/model.toml");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let alpha = |text, mode, value: &str| {
        let coefficients = format!("{{ hht = {value} }}");
        run_model(text, &[("solve.mode", mode), ("solve.coefficients", &coefficients)])
    };
    let mut rows = Vec::new();
    for mode in ["recommended", "paper"] {
        for value in ["0.0", "-0.05", "-0.1", "-0.3"] {
            let answer = alpha(MODEL, mode, value).err().map(|error| error.to_string());
            let refused = f64::from(answer.is_some());
            let wanted = f64::from(value == "0.0");
            if value != "-0.05" || mode == "recommended" {
                findings.near(format!("{mode}, α = {value}: refused"), refused, wanted, 0.0);
            }
            let answer = answer.unwrap_or_else(|| "accepted".into());
            rows.push(vec![mode.to_owned(), value.to_owned(), answer]);
        }
        let free = alpha(FREE, mode, "0.0");
        let what = format!("{mode}, α = 0 without constraints: refused");
        findings.near(what, f64::from(free.is_err()), 0.0, 0.0);
    }
    findings.table("Cartesian pendulum, fixed steps", &["mode", "α", "answer"], rows);
    Ok(())
}
