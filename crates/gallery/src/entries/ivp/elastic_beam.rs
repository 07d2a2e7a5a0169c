//! The elastic beam at t = 5.

use crate::entries::doc003::support::{largest_difference, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::problems::elastic_beam::{END, elastic_beam};
use crate::study::{largest, observed_orders, run_system};
use crate::work_precision::{Method, method};
use rotula_dae::{BdfForm, Formulation};

pub(super) const ENTRY: Entry =
    Entry { name: "elastic-beam", document: "ivp", title: "Elastic beam of forty links", run };

const REFERENCE: &str = include_str!("../../../../../gallery/elastic-beam/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let end = numbers(&data, "/y_end")?;
    let (angles, rates) = end.split_at(40);
    let mut rows = Vec::new();
    let mut study = |name: &str, settings: &rotula_dae::Settings, what: String| {
        let (mut system, initial) = elastic_beam();
        let outcome = run_system(&mut system, &initial, settings)?;
        let (q, v) = (&outcome.state.q, &outcome.state.v);
        let errors = [largest_difference(q, angles), largest_difference(v, rates)];
        let s = outcome.trajectory.statistics;
        let cost = [s.steps, s.iterations, s.factorisations].map(|n| n.to_string());
        let head = vec![name.to_owned(), what];
        rows.push([head, cost.to_vec(), errors.map(short).to_vec()].concat());
        Ok::<_, GalleryError>(errors[0])
    };
    let (mut steps, mut errors) = (Vec::new(), Vec::new());
    for count in [1000.0, 2000.0, 4000.0] {
        let h = END / count;
        let settings = method("hht-i3")?.fixed(h, END);
        errors.push(study("hht-i3", &settings, format!("h = {h}"))?);
        steps.push(h);
    }
    let hht = study("hht-i3", &method("hht-i3")?.tolerance(1e-9, END), "1e-9".into())?;
    // Higher orders are unstable for the undamped, fast oscillations of the links.
    let form = BdfForm::Si2;
    let stable = Method {
        name: "bdf, order 2",
        formulation: Formulation::Bdf { form, max_order: 2 },
        ..method("bdf si2")?
    };
    let bdf = study(stable.name, &stable.tolerance(1e-9, END), "1e-9".into())?;
    let order = observed_orders(&steps, &errors)[1];
    findings.near("hht-i3: order of the angles", order, 2.0, 0.1);
    let size = largest(angles.iter().map(|angle| angle.abs()));
    findings.at_most("hht-i3, 4000 steps: relative error of the angles", errors[2] / size, 1e-4);
    findings.at_most("hht-i3, tolerance 1e-9: relative error of the angles", hht / size, 1e-4);
    findings.at_most("bdf, tolerance 1e-9: relative error of the angles", bdf / size, 1e-4);
    let columns =
        ["method", "step", "steps", "iterations", "matrices", "error of angles", "error of rates"];
    findings.table("t = 5", &columns, rows);
    Ok(())
}
