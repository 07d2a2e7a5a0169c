//! The heavy top as a rigid body on a ball joint.

use crate::entries::doc003::support::{largest_difference, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::mechanisms::top::heavy_top;
use crate::study::{observed_orders, run_system};
use crate::work_precision::method;
use rotula_lie::Retraction;

pub(super) const ENTRY: Entry = Entry {
    name: "mechanism-heavy-top",
    document: "mechanisms",
    title: "Heavy top as a rigid body on a ball joint",
    run,
};

const REFERENCE: &str = include_str!("../../../../../gallery/mechanism-heavy-top/reference.json");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let mut rows = Vec::new();
    let mut study = |findings: &mut Findings, name: &str, settings, retraction, bound: f64| {
        let settings: rotula_dae::Settings = settings;
        let until = settings.until;
        let read = |key: &str| numbers(&data, &format!("/times/{until:.1}/{key}"));
        let (position, omega) = (read("position_cm")?, read("omega_body")?);
        let mut system = heavy_top(retraction)?.assemble()?;
        let start = system.start();
        let state = run_system(&mut system, &start, &settings)?.state;
        let away = largest_difference(&state.q[..3], &position);
        let spin = largest_difference(&state.v[3..6], &omega);
        let what = format!("t = {until}, {name}, {retraction:?}");
        findings.at_most(format!("{what}: error of the centre"), away, bound);
        // the nutation turns the angular velocity some tens of times faster than the centre moves
        findings.at_most(format!("{what}: error of the angular velocity"), spin, 20.0 * bound);
        rows.push(vec![what, short(away), short(spin)]);
        Ok::<f64, GalleryError>(away)
    };
    let steps = [4e-4, 2e-4, 1e-4];
    for retraction in [Retraction::Exponential, Retraction::Cayley] {
        let mut errors = Vec::new();
        for h in steps {
            let settings = method("index3")?.fixed(h, 0.4);
            let bound = 1e-3 * (h / 1e-4) * (h / 1e-4);
            errors.push(study(
                findings,
                &format!("index3, h = {h:e}"),
                settings,
                retraction,
                bound,
            )?);
        }
        let orders = observed_orders(&steps, &errors);
        let what = format!("observed order, {retraction:?}");
        findings.near(what, orders[1], 2.0, 0.1);
    }
    let settings = method("bdf si2")?.tolerance(1e-11, 1.0);
    study(findings, "bdf si2, 1e-11", settings, Retraction::Exponential, 1e-6)?;
    findings.table("Errors against the reference", &["run", "centre", "angular velocity"], rows);
    Ok(())
}
