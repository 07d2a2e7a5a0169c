//! Orders with fixed steps: as printed, HHT is of first order where the mass matrix depends on the
//! coordinates.

use super::support::{number, numbers, reference, short};
use crate::curves::{Curve, convergence};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::rods::Coordinates;
use crate::study::observed_orders;
use crate::work_precision::{Case, andrews_squeezer, method, minimal_double_pendulum, rod};

pub(super) const ENTRY: Entry = Entry {
    name: "hht-orders",
    document: "003",
    title: "HHT-I3: orders of both modes where the mass matrix depends on the coordinates",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/hht-orders/reference.json");

/// Name in the tables, name in the prototype's data if it has them, steps.
const STUDIES: [(&str, Option<&str>, [usize; 3]); 3] = [
    ("double pendulum", Some("min_double"), [200, 400, 800]),
    ("rod", None, [400, 800, 1600]),
    ("andrews", Some("andrews"), [1500, 3000, 6000]),
];
const MODES: [(&str, &str, &str); 2] =
    [("hht-i3 paper", "paper", "paper"), ("hht-i3", "recommended", "ab")];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let cases = [minimal_double_pendulum()?, rod(Coordinates::Quaternion), andrews_squeezer()];
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    for ((name, prototype, counts), mut case) in STUDIES.into_iter().zip(cases) {
        for (method_name, mode, key) in MODES {
            let (steps, errors) = errors(&mut case, method_name, &counts)?;
            let order = observed_orders(&steps, &errors)[1];
            let expected = number(&data, &format!("/sheet_orders/{name}/{mode}"))?;
            findings.near(format!("{name}, {mode}: order"), order, expected, 0.05);
            let mut known = Vec::new();
            for (i, &error) in errors.iter().enumerate() {
                let theirs = match prototype {
                    Some(prototype) => {
                        let path = format!("/prototype/{prototype}|{key}/err_q_qd_lam/{i}");
                        Some(numbers(&data, &path)?[0])
                    }
                    None => None,
                };
                if let Some(theirs) = theirs {
                    known.push(theirs);
                    let what = format!("{name}, {mode}, {} steps: error", counts[i]);
                    findings.close(what, error, theirs, 0.02);
                }
                let row = [
                    name.to_owned(),
                    mode.to_owned(),
                    counts[i].to_string(),
                    short(error),
                    theirs.map_or("".into(), short),
                ];
                rows.push(row.to_vec());
            }
            let curve = Curve::new(format!("{name}, {mode}"), &steps, &errors);
            curves.push(curve.beside(&steps, &known));
        }
    }
    let columns = ["problem", "mode", "steps", "error of q", "prototype"];
    findings.table("Fixed steps: largest position error at the end", &columns, rows);
    let axes = ["step size (s)", "largest error of q (m or rad)"];
    findings.figure(convergence("Fixed steps: error at the end", axes, "prototype", curves));
    Ok(())
}

fn errors(
    case: &mut Case,
    method_name: &str,
    counts: &[usize],
) -> Result<(Vec<f64>, Vec<f64>), GalleryError> {
    let method = method(method_name)?;
    let steps: Vec<f64> = counts.iter().map(|&n| case.until / n as f64).collect();
    let mut errors = Vec::new();
    for &h in &steps {
        let mut settings = method.fixed(h, case.until);
        settings.newton.tolerance = 1e-10;
        errors.push(case.run(&settings).map(|outcome| case.error(&outcome.state))?);
    }
    Ok((steps, errors))
}
